//! The words about groups that several pages share.

use serde::{Deserialize, Serialize};

use crate::{
    domain::{GroupAct, GroupKind, GroupReaders, GroupRole, Joining, LoggedGroupAct},
    store::{Group, ManageOutcome},
    web::parts::{count, visit::Visit},
};

/// The effect of a form about a group, for the notice after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupDone {
    Founded,
    Saved,
    Deleted,
    Joined,
    Asked,
    Withdrawn,
    Declined,
    /// The person became a member before the request was withdrawn, or the invitation declined.
    MemberBefore,
    /// There was no request to withdraw.
    NoRequest,
    /// There was no invitation to decline.
    NoInvitation,
    Left,
    Delivery,
    Accepted,
    Refused,
    Invited,
    Uninvited,
    Removed,
    Banned,
    Unbanned,
    Muted,
    Unmuted,
    Promoted,
    Demoted,
    Offered,
    OfferWithdrawn,
    TakenOver,
    PostRemoved,
}

impl GroupDone {
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Founded => "Your group is ready. Invite people, or tell them its address.",
            Self::Saved => "The group was saved.",
            Self::Deleted => "The group is deleted.",
            Self::Joined => "You are a member now.",
            Self::Asked => "You asked to join. You get a notification of the answer.",
            Self::Withdrawn => "Your request is withdrawn.",
            Self::Declined => "You declined the invitation.",
            Self::MemberBefore => {
                "You became a member before. You can leave the group on its page."
            }
            Self::NoRequest => "You have no open request to join this group.",
            Self::NoInvitation => "You have no open invitation to this group.",
            Self::Left => "You left the group.",
            Self::Delivery => "Saved. It applies to the posts of this group.",
            Self::Accepted => "Accepted. They are a member now.",
            Self::Refused => "Refused.",
            Self::Invited => "Invited. They are notified.",
            Self::Uninvited => "The invitation is withdrawn.",
            Self::Removed => "They are no longer a member.",
            Self::Banned => "They are banned. They cannot join again.",
            Self::Unbanned => "They are no longer banned, and can join again.",
            Self::Muted => "They are muted. They can read, but not post.",
            Self::Unmuted => "They are no longer muted.",
            Self::Promoted => "They are a moderator now.",
            Self::Demoted => "They are no longer a moderator.",
            Self::Offered => "Offered. The group is yours until they take it over.",
            Self::OfferWithdrawn => "The offer is withdrawn.",
            Self::PostRemoved => "The post is removed from the group. Its author is notified.",
            Self::TakenOver => "You own the group now. The owner before is a moderator.",
        }
    }
}

/// Returns the kind of a group: `Public group`.
pub fn kind(group: &Group) -> &'static str {
    kind_of(group.kind, group.is_unlisted)
}

pub fn kind_of(kind: GroupKind, is_unlisted: bool) -> &'static str {
    match kind {
        GroupKind::Public => "Public group",
        GroupKind::Private if is_unlisted => "Unlisted private group",
        GroupKind::Private => "Private group",
        GroupKind::Announcement => "Announcements",
    }
}

/// Returns who reads and posts, as a sentence.
pub fn rights(group: &Group) -> &'static str {
    match (group.kind, group.readable_by) {
        (GroupKind::Public, _) => "Everyone reads it. Members post.",
        (GroupKind::Private, _) => "Only members read it and post.",
        (GroupKind::Announcement, GroupReaders::Everyone) => {
            "Everyone reads it. Its moderators post."
        }
        (GroupKind::Announcement, GroupReaders::Members) => {
            "Only members read it. Its moderators post."
        }
    }
}

/// Returns how people join, as a sentence.
pub fn joining(group: &Group) -> &'static str {
    match group.joining {
        Joining::Open => "Everyone can join.",
        Joining::Request => "People ask to join.",
        Joining::Invitation => "People join by invitation.",
    }
}

pub fn members(number: u64) -> String {
    match number {
        1 => "1 member".to_owned(),
        many => format!("{} members", count(many)),
    }
}

/// Returns the role as a badge. A plain member has none.
pub fn role(role: GroupRole) -> Option<&'static str> {
    match role {
        GroupRole::Owner => Some("Owner"),
        GroupRole::Moderator => Some("Moderator"),
        GroupRole::Member => None,
    }
}

/// Returns an act as the end of a sentence in the log.
pub fn act(visit: &Visit, logged: &LoggedGroupAct, person: &str) -> String {
    match &logged.act {
        GroupAct::Found => "created the group".to_owned(),
        GroupAct::ChangeSettings => "changed the settings".to_owned(),
        GroupAct::Accept(_) => format!("let {person} in"),
        GroupAct::Refuse(_) => format!("refused the request of {person}"),
        GroupAct::Invite(_) => format!("invited {person}"),
        GroupAct::WithdrawInvitation(_) => format!("withdrew the invitation of {person}"),
        GroupAct::SetRole(_, GroupRole::Moderator) => format!("made {person} a moderator"),
        GroupAct::SetRole(..) => format!("took the role from {person}"),
        GroupAct::Remove(_) => format!("removed {person}"),
        GroupAct::Ban(_) => format!("banned {person}"),
        GroupAct::Unban(_) => format!("ended the ban of {person}"),
        GroupAct::Mute(_, until) => format!("muted {person} until {}", visit.moment(*until).full),
        GroupAct::Unmute(_) => format!("ended the mute of {person}"),
        GroupAct::RemovePost(..) => format!("removed a post by {person}"),
        GroupAct::OfferOwnership(_) => format!("offered the group to {person}"),
        GroupAct::WithdrawOffer(_) => format!("withdrew the offer to {person}"),
        GroupAct::TakeOver(heir) if *heir != logged.by => format!("left the group to {person}"),
        GroupAct::TakeOver(_) => "took the group over".to_owned(),
    }
}

/// Returns an act as a sentence to the person that it is about.
pub fn notice(visit: &Visit, act: &GroupAct) -> String {
    let sentence = match act {
        GroupAct::Accept(_) => "Your request was accepted. You are a member now.",
        GroupAct::SetRole(_, GroupRole::Moderator) => "You are a moderator now.",
        GroupAct::SetRole(..) => "You are no longer a moderator.",
        GroupAct::Remove(_) => "You were removed from the group.",
        GroupAct::Ban(_) => "You were banned from the group. You cannot join again.",
        GroupAct::Mute(_, until) => {
            let until = visit.moment(*until).full;
            return format!("You are muted until {until}. You can read, but not post.");
        }
        GroupAct::Unmute(_) => "You are no longer muted.",
        GroupAct::RemovePost(..) => "A post of yours was removed from the group.",
        GroupAct::OfferOwnership(_) => {
            "The owner offers you the group. You can take it over on its page."
        }
        GroupAct::TakeOver(_) => "You own the group now, because its owner is gone.",
        _ => "The people who run the group changed your part in it.",
    };
    sentence.to_owned()
}

/// Returns why an act was not done. `None` if it was.
pub fn refusal(outcome: ManageOutcome) -> Option<&'static str> {
    match outcome {
        ManageOutcome::Done => None,
        ManageOutcome::NotFound => Some("You cannot do this in the group any more."),
        ManageOutcome::Unchanged => Some(
            "Nothing was changed. Someone else may have done it before, or the person has left.",
        ),
        ManageOutcome::Full => Some("The group has reached the limit of members."),
        ManageOutcome::TooMany => {
            Some("The limit is reached. Remove or withdraw another one first.")
        }
        ManageOutcome::Banned => Some("This person is banned. End the ban first."),
        ManageOutcome::NotAccepted => {
            Some("You cannot invite this person. Their settings may not allow it.")
        }
        ManageOutcome::PersonFull => {
            Some("This person has reached the limit of groups or invitations. Try again later.")
        }
    }
}
