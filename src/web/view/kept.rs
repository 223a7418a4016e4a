//! What somebody wrote whose session had ended: it goes through the log-in and waits behind it.

use crate::domain::{ListNumber, StatusId};

/// The fields of a form, carried along until they can be acted upon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    Message(String),
    /// An answer to a status.
    Reply {
        to: StatusId,
        text: String,
    },
    Profile {
        name: String,
        bio: String,
    },
    /// The name of a list to make.
    ListName(String),
    /// What a list was to be called from now on, and whether it was to be exclusive.
    ListEdit {
        list: ListNumber,
        name: String,
        exclusive: bool,
    },
    /// Who was to be put on a list.
    Member {
        list: ListNumber,
        login: String,
    },
}

impl Kept {
    /// What was typed, to be shown.
    #[must_use]
    pub fn texts(&self) -> Vec<&str> {
        match self {
            Self::Message(text) | Self::Reply { text, .. } | Self::ListName(text) => vec![text],
            Self::Profile { name, bio } => vec![name, bio],
            Self::ListEdit { name, .. } => vec![name],
            Self::Member { login, .. } => vec![login],
        }
    }

    /// All of it, each under its name in the log-in form and in the session; nothing where every
    /// text is blank.
    #[must_use]
    pub fn fields(&self) -> Vec<(&'static str, String)> {
        if self.texts().iter().all(|text| text.trim().is_empty()) {
            return Vec::new();
        }
        match self {
            Self::Message(text) => vec![("draft", text.clone())],
            Self::Reply { to, text } => {
                vec![("draft_reply", text.clone()), ("draft_to", to.to_string())]
            }
            Self::Profile { name, bio } => {
                vec![("draft_name", name.clone()), ("draft_bio", bio.clone())]
            }
            Self::ListName(name) => vec![("draft_list", name.clone())],
            Self::ListEdit {
                list,
                name,
                exclusive,
            } => vec![
                ("draft_on", list.to_string()),
                ("draft_rename", name.clone()),
                ("draft_exclusive", exclusive.to_string()),
            ],
            Self::Member { list, login } => vec![
                ("draft_on", list.to_string()),
                ("draft_member", login.clone()),
            ],
        }
    }

    /// The other way round: from the texts that stand under those names.
    #[must_use]
    pub fn of(text_of: impl Fn(&str) -> Option<String>) -> Option<Self> {
        if let Some(message) = text_of("draft") {
            return Some(Self::Message(message));
        }
        if let Some(text) = text_of("draft_reply") {
            let to = text_of("draft_to")?.parse().ok()?;
            return Some(Self::Reply { to, text });
        }
        if let Some(name) = text_of("draft_list") {
            return Some(Self::ListName(name));
        }
        if let Some(list) = text_of("draft_on") {
            return Self::of_list(list.parse().ok()?, text_of);
        }
        Some(Self::Profile {
            name: text_of("draft_name")?,
            bio: text_of("draft_bio")?,
        })
    }

    fn of_list(list: ListNumber, text_of: impl Fn(&str) -> Option<String>) -> Option<Self> {
        if let Some(login) = text_of("draft_member") {
            return Some(Self::Member { list, login });
        }
        Some(Self::ListEdit {
            list,
            name: text_of("draft_rename")?,
            exclusive: text_of("draft_exclusive")?.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_carried_along_comes_back_whole() {
        let list = ListNumber::new(7).unwrap();
        let edit = |exclusive| Kept::ListEdit {
            list,
            name: "Boats".to_owned(),
            exclusive,
        };
        let all = [
            Kept::Message("hello".to_owned()),
            Kept::Reply {
                to: StatusId::new(12).unwrap(),
                text: "hello".to_owned(),
            },
            Kept::Profile {
                name: String::new(),
                bio: "Boats.".to_owned(),
            },
            Kept::ListName("Neighbours".to_owned()),
            edit(true),
            edit(false),
            Kept::Member {
                list,
                login: "bob".to_owned(),
            },
        ];
        for kept in all {
            let fields = kept.fields();
            let text_of = |name: &str| {
                let found = fields.iter().find(|(field, _)| *field == name);
                found.map(|(_, text)| text.clone())
            };
            assert_eq!(Kept::of(text_of).as_ref(), Some(&kept));
        }
    }

    #[test]
    fn what_is_blank_is_not_carried() {
        assert!(Kept::Message(" \n".to_owned()).fields().is_empty());
        let list = ListNumber::new(7).unwrap();
        let login = " ".to_owned();
        assert!(Kept::Member { list, login }.fields().is_empty());
    }
}
