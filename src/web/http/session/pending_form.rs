//! A form that was sent after its session had ended. It is preserved while the visitor logs in.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use super::{group_fields::GroupFields, thread_fields::ThreadFields};

use crate::domain::{
    ChatId, GroupId, GroupSlug, ListNumber, MessageId, MuteTerm, PeopleFile, Repliers,
    ReplyControl, StatusId, Visibility,
};

/// The fields of a typed post, without the idempotency key.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PostFields {
    pub message: String,
    pub warning: String,
    pub option_1: String,
    pub option_2: String,
    pub option_3: String,
    pub option_4: String,
    /// Present if the box is checked.
    pub several: Option<String>,
    /// How long the poll is open.
    pub hours: String,
    /// Who can see the post, or the group to post it in: `group:` and its id. [`PostFields::NOT_CHOSEN`] if the author
    /// has to choose.
    pub visibility: String,
    /// Who can reply to it. Forms without it let everyone reply.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub repliers: String,
    /// Present if the box is checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quoting_closed: Option<String>,
    /// The id of the deleted post to which this text belonged as an edit; empty for other posts.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub edit_of: String,
    #[serde(flatten)]
    pub thread: ThreadFields,
}

/// A form that waits for a log-in. Its text is stored in the session, and in a field of the log-in form
/// that is named [`PendingForm::FIELD`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "snake_case")]
pub enum PendingForm {
    Post(PostFields),
    Reply {
        reply_to: StatusId,
        #[serde(flatten)]
        post: PostFields,
    },
    /// An edit, with the revision that it changes.
    Edit {
        status: StatusId,
        message: String,
        warning: String,
        revision: u64,
        #[serde(default)]
        visibility: String,
    },
    Profile {
        name: String,
        bio: String,
        /// The digests of the values with which the form was made.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        shown: String,
    },
    NewList {
        name: String,
    },
    EditedList {
        list: ListNumber,
        name: String,
        exclusive: bool,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        shown: String,
    },
    ListMember {
        list: ListNumber,
        login: String,
    },
    /// A file of people to import.
    PeopleFile {
        file: PeopleFile,
        lines: String,
    },
    /// A direct message in a conversation.
    Message {
        chat: ChatId,
        message: String,
    },
    /// An edit of a direct message, with the revision that it changes.
    EditedMessage {
        chat: ChatId,
        id: MessageId,
        message: String,
        revision: u64,
    },
    /// A direct message to these logins.
    NewMessage {
        people: String,
        message: String,
    },
    /// A group to found.
    NewGroup(GroupFields),
    GroupSettings {
        group: GroupSlug,
        #[serde(flatten)]
        fields: GroupFields,
    },
    /// A person of a group: an invitation by login, or an act with a note.
    GroupPerson {
        group: GroupSlug,
        login: String,
        note: String,
    },
    /// A word, phrase or tag to mute.
    MutedText {
        text: String,
        term: MuteTerm,
    },
    /// A note to the author of a post that is removed from its group.
    RemovedPost {
        status: StatusId,
        note: String,
    },
    /// A report, with the path of its page, and the messages that are sent with a reported one.
    Report {
        page: String,
        reason: String,
        note: String,
        #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
        chosen: BTreeSet<MessageId>,
    },
    /// An appeal against the decision with this number.
    Appeal {
        number: u64,
        appeal: String,
    },
    /// A decision of a moderator about the person with this login. Its page shows the newest state of the case.
    Decision {
        login: String,
        measure: String,
        reason: String,
        explanation: String,
        days: String,
        warning: String,
        post: String,
    },
}

impl PendingForm {
    pub const FIELD: &str = "pending_form";

    /// Largest form that is preserved, as JSON. The longest valid post takes about 12 KB, and a thread of ten posts of
    /// 500 Chinese characters 16 KB.
    const MAX_JSON_BYTES: usize = 24 * 1024;
    /// Largest form, as JSON, that a session stores while Redis has little memory left.
    const SHORT_JSON_BYTES: usize = 1024;

    /// Returns the typed texts that are not blank.
    pub fn texts(&self) -> Vec<&str> {
        let texts: &[&str] = match self {
            Self::Post(post) | Self::Reply { post, .. } => &post.texts(),
            Self::Edit {
                message, warning, ..
            } => &[warning, message],
            Self::Profile { name, bio, .. } => &[name, bio],
            Self::NewList { name } | Self::EditedList { name, .. } => &[name],
            Self::ListMember { login, .. } => &[login],
            Self::MutedText { text, .. } => &[text],
            Self::RemovedPost { note, .. } => &[note],
            Self::Message { message, .. } | Self::EditedMessage { message, .. } => &[message],
            Self::NewMessage { people, message } => &[people, message],
            Self::PeopleFile { lines, .. } => &[lines],
            Self::NewGroup(fields) | Self::GroupSettings { fields, .. } => &fields.texts(),
            Self::GroupPerson { login, note, .. } => &[login, note],
            Self::Report { note, .. } => &[note],
            Self::Appeal { appeal, .. } => &[appeal],
            Self::Decision {
                explanation,
                warning,
                ..
            } => &[explanation, warning],
        };
        let typed = texts.iter().filter(|text| !text.trim().is_empty());
        typed.copied().collect()
    }

    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a form is always JSON")
    }

    /// Returns whether a session stores the form also while Redis has little memory left.
    pub fn is_short(&self) -> bool {
        self.to_json().len() <= Self::SHORT_JSON_BYTES
    }

    /// Parses a form. `None` if the text is not one, or longer than any form that can be sent: each session
    /// stores it, and sessions are stored with full memory too.
    pub fn from_json(text: &str) -> Option<Self> {
        let fits = text.len() <= Self::MAX_JSON_BYTES;
        fits.then(|| serde_json::from_str(text).ok()).flatten()
    }
}

impl PostFields {
    /// The text before the id of a group in the field `visibility`.
    pub const IN_GROUP: &str = "group:";
    /// The field `visibility` of a form that can only be sent after its author has chosen who can see the post.
    pub const NOT_CHOSEN: &str = "not-chosen";

    /// Returns whether the author has yet to choose who can see the post. A form that names no readers leaves them to
    /// its conversation. An unknown choice is none, so it publishes nothing.
    pub fn is_audience_missing(&self) -> bool {
        let is_known = Visibility::stored(&self.visibility).is_some() || self.group().is_some();
        !self.visibility.is_empty() && !is_known
    }

    /// Returns the options of the poll as they were typed.
    pub fn options(&self) -> [&str; 4] {
        [
            &self.option_1,
            &self.option_2,
            &self.option_3,
            &self.option_4,
        ]
    }

    /// Returns who can reply to the post and quote it. An unknown choice lets no one reply.
    pub fn reply_control(&self) -> ReplyControl {
        let repliers = match self.repliers.as_str() {
            "" => Repliers::default(),
            chosen => Repliers::stored(chosen).unwrap_or(Repliers::NoOne),
        };
        ReplyControl {
            repliers,
            is_quoting_closed: self.quoting_closed.is_some(),
        }
    }

    /// Returns the group to post it in.
    pub fn group(&self) -> Option<GroupId> {
        self.visibility.strip_prefix(Self::IN_GROUP)?.parse().ok()
    }

    fn texts(&self) -> Vec<&str> {
        let mut texts = vec![self.warning.as_str(), &self.message];
        texts.extend(self.options());
        texts.extend(self.thread.texts());
        texts
    }
}

#[cfg(test)]
mod tests {
    use super::super::pending_form::*;

    #[test]
    fn a_post_names_the_group_to_post_it_in() {
        let group = |visibility: &str| {
            let visibility = visibility.to_owned();
            let post = PostFields {
                visibility,
                ..PostFields::default()
            };
            post.group()
        };
        assert_eq!(group("group:7"), "7".parse().ok());
        assert_eq!(group("followers"), None);
        assert_eq!(group("group:x"), None);
    }

    fn post(message: &str) -> PostFields {
        PostFields {
            message: message.to_owned(),
            ..PostFields::default()
        }
    }

    /// Every form, with the text under which sessions store it.
    #[expect(clippy::too_many_lines, reason = "it is a list of all forms")]
    fn stored() -> Vec<(&'static str, PendingForm)> {
        let list = ListNumber::new(7).unwrap();
        let edited = |exclusive| PendingForm::EditedList {
            list,
            name: "Boats".to_owned(),
            exclusive,
            shown: String::new(),
        };
        let poll = PostFields {
            warning: "Spoilers".to_owned(),
            option_2: "Tea".to_owned(),
            option_4: "Coffee".to_owned(),
            several: Some("1".to_owned()),
            hours: "24".to_owned(),
            visibility: "members".to_owned(),
            repliers: "followers".to_owned(),
            quoting_closed: Some("1".to_owned()),
            edit_of: "4096".to_owned(),
            thread: ThreadFields {
                post_2: Some("More".to_owned()),
                ..ThreadFields::default()
            },
            ..PostFields::default()
        };
        let reply = PendingForm::Reply {
            reply_to: StatusId::new(12).unwrap(),
            post: post("a \"b\"\r\nc"),
        };
        let edit = PendingForm::Edit {
            status: StatusId::new(4096).unwrap(),
            message: "hello".to_owned(),
            warning: String::new(),
            revision: 2,
            visibility: "followers".to_owned(),
        };
        let profile = PendingForm::Profile {
            name: String::new(),
            bio: "Boats.".to_owned(),
            shown: "bio=1f".to_owned(),
        };
        let group = || GroupFields {
            name: "Boats".to_owned(),
            slug: "boats".to_owned(),
            kind: "public".to_owned(),
            joining: "open".to_owned(),
            ..GroupFields::default()
        };
        let name = "Neighbours".to_owned();
        let login = "bob".to_owned();
        vec![
            (
                r#"{"form":"post","message":"hello","warning":"","option_1":"","option_2":"","option_3":"","option_4":"","several":null,"hours":"","visibility":""}"#,
                PendingForm::Post(post("hello")),
            ),
            (
                r#"{"form":"post","message":"","warning":"Spoilers","option_1":"","option_2":"Tea","option_3":"","option_4":"Coffee","several":"1","hours":"24","visibility":"members","repliers":"followers","quoting_closed":"1","edit_of":"4096","post_2":"More"}"#,
                PendingForm::Post(poll),
            ),
            (
                r#"{"form":"reply","reply_to":"12","message":"a \"b\"\r\nc","warning":"","option_1":"","option_2":"","option_3":"","option_4":"","several":null,"hours":"","visibility":""}"#,
                reply,
            ),
            (
                r#"{"form":"edit","status":"4096","message":"hello","warning":"","revision":2,"visibility":"followers"}"#,
                edit,
            ),
            (
                r#"{"form":"profile","name":"","bio":"Boats.","shown":"bio=1f"}"#,
                profile,
            ),
            (
                r#"{"form":"new_list","name":"Neighbours"}"#,
                PendingForm::NewList { name },
            ),
            (
                r#"{"form":"edited_list","list":"7","name":"Boats","exclusive":true}"#,
                edited(true),
            ),
            (
                r#"{"form":"edited_list","list":"7","name":"Boats","exclusive":false}"#,
                edited(false),
            ),
            (
                r#"{"form":"list_member","list":"7","login":"bob"}"#,
                PendingForm::ListMember { list, login },
            ),
            (
                r#"{"form":"people_file","file":"muted","lines":"bob"}"#,
                PendingForm::PeopleFile {
                    file: PeopleFile::Muted,
                    lines: "bob".to_owned(),
                },
            ),
            (
                r#"{"form":"message","chat":"0000000000000000000000000000000f","message":"Hello"}"#,
                PendingForm::Message {
                    chat: "0000000000000000000000000000000f".parse().unwrap(),
                    message: "Hello".to_owned(),
                },
            ),
            (
                r#"{"form":"edited_message","chat":"0000000000000000000000000000000f","id":"7","message":"Hello","revision":2}"#,
                PendingForm::EditedMessage {
                    chat: "0000000000000000000000000000000f".parse().unwrap(),
                    id: MessageId::new(7).unwrap(),
                    message: "Hello".to_owned(),
                    revision: 2,
                },
            ),
            (
                r#"{"form":"new_message","people":"bob","message":"Hello"}"#,
                PendingForm::NewMessage {
                    people: "bob".to_owned(),
                    message: "Hello".to_owned(),
                },
            ),
            (
                r#"{"form":"new_group","name":"Boats","slug":"boats","description":"","rules":"","kind":"public","readable_by":"","joining":"open","past":"","unlisted":null,"replies_closed":null}"#,
                PendingForm::NewGroup(group()),
            ),
            (
                r#"{"form":"group_settings","group":"boats","name":"Boats","slug":"boats","description":"","rules":"","kind":"public","readable_by":"","joining":"open","past":"","unlisted":null,"replies_closed":null}"#,
                PendingForm::GroupSettings {
                    group: "boats".parse().unwrap(),
                    fields: group(),
                },
            ),
            (
                r#"{"form":"group_person","group":"boats","login":"bob","note":""}"#,
                PendingForm::GroupPerson {
                    group: "boats".parse().unwrap(),
                    login: "bob".to_owned(),
                    note: String::new(),
                },
            ),
            (
                r#"{"form":"removed_post","status":"4096","note":"Off topic."}"#,
                PendingForm::RemovedPost {
                    status: StatusId::new(4096).unwrap(),
                    note: "Off topic.".to_owned(),
                },
            ),
            (
                r#"{"form":"report","page":"/@bob/report","reason":"spam","note":"Again."}"#,
                PendingForm::Report {
                    page: "/@bob/report".to_owned(),
                    reason: "spam".to_owned(),
                    note: "Again.".to_owned(),
                    chosen: BTreeSet::new(),
                },
            ),
            (
                r#"{"form":"appeal","number":7,"appeal":"It was art."}"#,
                PendingForm::Appeal {
                    number: 7,
                    appeal: "It was art.".to_owned(),
                },
            ),
            (
                r#"{"form":"decision","login":"bob","measure":"warn","reason":"spam","explanation":"Stop.","days":"","warning":"","post":"4096"}"#,
                PendingForm::Decision {
                    login: "bob".to_owned(),
                    measure: "warn".to_owned(),
                    reason: "spam".to_owned(),
                    explanation: "Stop.".to_owned(),
                    days: String::new(),
                    warning: String::new(),
                    post: "4096".to_owned(),
                },
            ),
            (
                r##"{"form":"muted_text","text":"#boats","term":"week"}"##,
                PendingForm::MutedText {
                    text: "#boats".to_owned(),
                    term: MuteTerm::Week,
                },
            ),
        ]
    }

    #[test]
    fn every_form_has_its_stored_text_and_is_read_back_whole() {
        let stored = stored();
        for (text, form) in &stored {
            assert_eq!(form.to_json(), *text);
            assert_eq!(PendingForm::from_json(text).as_ref(), Some(form));
        }
        // serde names all variants, so a new one needs its text here.
        let error = serde_json::from_str::<PendingForm>(r#"{"form":"?"}"#).unwrap_err();
        let error = error.to_string();
        let variants = error.split('`').skip(3).step_by(2);
        for variant in variants {
            let tag = format!(r#"{{"form":"{variant}""#);
            let is_stored = stored.iter().any(|(text, _)| text.starts_with(&tag));
            assert!(is_stored, "{variant} has no stored text");
        }
        assert_eq!(error.matches('`').count(), 2 + 2 * 19);
    }

    #[test]
    fn a_form_is_read_without_the_fields_that_a_post_may_lack() {
        let form = PendingForm::from_json(r#"{"form":"post","message":"hello"}"#);
        assert_eq!(form, Some(PendingForm::Post(post("hello"))));
    }

    #[test]
    fn a_malformed_form_is_refused() {
        for text in [
            "",
            "hello",
            "{}",
            r#"{"form":"password"}"#,
            r#"{"form":"reply","message":"hello"}"#,
            r#"{"form":"reply","reply_to":"x","message":"hello"}"#,
            r#"{"form":"list_member","list":"0","login":"bob"}"#,
        ] {
            assert_eq!(PendingForm::from_json(text), None, "{text}");
        }
    }

    #[test]
    fn a_blank_form_has_no_text() {
        assert!(PendingForm::Post(post(" \n")).texts().is_empty());
        let list = ListNumber::new(7).unwrap();
        let login = " ".to_owned();
        assert!(PendingForm::ListMember { list, login }.texts().is_empty());
    }
}
