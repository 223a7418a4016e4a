//! The acts of the people who run a group, as its log holds them, and the notices about them.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::member::GroupRole;
use crate::domain::{GroupId, GroupSlug, ParseError, StatusId, UnixMs, UserId};

/// An act. The note is for the person that it is about, and can be empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupAct {
    Found,
    /// The name, the texts or the settings were changed.
    ChangeSettings,
    /// A request to join was accepted.
    Accept(UserId),
    Refuse(UserId),
    Invite(UserId),
    WithdrawInvitation(UserId),
    SetRole(UserId, GroupRole),
    Remove(GroupEvent),
    Ban(GroupEvent),
    Unban(UserId),
    /// The member cannot post before this time.
    Mute(GroupEvent, UnixMs),
    Unmute(UserId),
    RemovePost(GroupEvent, StatusId),
    OfferOwnership(UserId),
    WithdrawOffer(UserId),
    /// The person accepted the group from its owner, or inherited it from the acting person.
    TakeOver(UserId),
}

/// An act about a person, with its note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupEvent {
    pub person: UserId,
    pub note: String,
}

/// An entry of the log. The token tells two equal acts apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedGroupAct {
    pub by: UserId,
    pub act: GroupAct,
    pub token: String,
}

/// A notice to a person about an act, in the person's slot. It names the group as it was named then, because the person
/// may not find it any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupNotice {
    pub group: GroupId,
    pub slug: GroupSlug,
    pub name: String,
    pub act: GroupAct,
    /// The token of the entry in the log.
    pub token: String,
}

impl LoggedGroupAct {
    /// Creates an entry with a random token.
    pub fn new(by: UserId, act: GroupAct) -> Self {
        let token = format!("{:016x}", rand::random::<u64>());
        Self { by, act, token }
    }
}

impl GroupAct {
    /// Returns the person that it is about.
    pub fn person(&self) -> Option<UserId> {
        match self {
            Self::Found | Self::ChangeSettings => None,
            Self::Accept(person)
            | Self::Refuse(person)
            | Self::Invite(person)
            | Self::WithdrawInvitation(person)
            | Self::SetRole(person, _)
            | Self::Unban(person)
            | Self::Unmute(person)
            | Self::OfferOwnership(person)
            | Self::WithdrawOffer(person)
            | Self::TakeOver(person) => Some(*person),
            Self::Remove(event)
            | Self::Ban(event)
            | Self::Mute(event, _)
            | Self::RemovePost(event, _) => Some(event.person),
        }
    }

    /// Returns the person who gets a notice. Requests and invitations have notifications of their own.
    pub fn notified(&self) -> Option<UserId> {
        match self {
            Self::Found
            | Self::ChangeSettings
            | Self::Refuse(_)
            | Self::Invite(_)
            | Self::WithdrawInvitation(_)
            | Self::Unban(_)
            | Self::WithdrawOffer(_) => None,
            _ => self.person(),
        }
    }

    /// Returns the note for the person.
    pub fn note(&self) -> &str {
        match self {
            Self::Remove(event)
            | Self::Ban(event)
            | Self::Mute(event, _)
            | Self::RemovePost(event, _) => &event.note,
            _ => "",
        }
    }
}

/// Reads and writes a type as JSON, for members of ZSETs.
macro_rules! json {
    ($name:ident) => {
        impl $name {
            pub fn to_json(&self) -> String {
                serde_json::to_string(self).expect("its fields have texts")
            }
        }

        impl FromStr for $name {
            type Err = ParseError;

            fn from_str(text: &str) -> Result<Self, ParseError> {
                serde_json::from_str(text).map_err(|_| ParseError)
            }
        }
    };
}

json!(LoggedGroupAct);
json!(GroupNotice);

#[cfg(test)]
mod tests {
    use super::super::act::*;

    #[test]
    fn every_act_is_read_back_and_has_its_stored_text() {
        let person = UserId::new(7).expect("in range");
        let event = || GroupEvent {
            person,
            note: "Spam.".to_owned(),
        };
        let status = StatusId::new(5).expect("in range");
        let stored = [
            (GroupAct::Found, r#""found""#),
            (GroupAct::ChangeSettings, r#""change_settings""#),
            (GroupAct::Accept(person), r#"{"accept":"7"}"#),
            (GroupAct::Refuse(person), r#"{"refuse":"7"}"#),
            (GroupAct::Invite(person), r#"{"invite":"7"}"#),
            (
                GroupAct::WithdrawInvitation(person),
                r#"{"withdraw_invitation":"7"}"#,
            ),
            (
                GroupAct::SetRole(person, GroupRole::Moderator),
                r#"{"set_role":["7","moderator"]}"#,
            ),
            (
                GroupAct::Remove(event()),
                r#"{"remove":{"person":"7","note":"Spam."}}"#,
            ),
            (
                GroupAct::Ban(event()),
                r#"{"ban":{"person":"7","note":"Spam."}}"#,
            ),
            (GroupAct::Unban(person), r#"{"unban":"7"}"#),
            (
                GroupAct::Mute(event(), UnixMs(9)),
                r#"{"mute":[{"person":"7","note":"Spam."},9]}"#,
            ),
            (GroupAct::Unmute(person), r#"{"unmute":"7"}"#),
            (
                GroupAct::RemovePost(event(), status),
                r#"{"remove_post":[{"person":"7","note":"Spam."},"5"]}"#,
            ),
            (
                GroupAct::OfferOwnership(person),
                r#"{"offer_ownership":"7"}"#,
            ),
            (GroupAct::WithdrawOffer(person), r#"{"withdraw_offer":"7"}"#),
            (GroupAct::TakeOver(person), r#"{"take_over":"7"}"#),
        ];
        for (act, text) in stored {
            assert_eq!(serde_json::to_string(&act).expect("text"), text);
            let is_about = act.person().is_some_and(|about| about == person);
            assert_eq!(is_about, text.contains('7'), "{text}");
            let logged = LoggedGroupAct {
                by: person,
                act,
                token: "a".to_owned(),
            };
            assert_eq!(logged.to_json().parse(), Ok(logged));
        }
    }
}
