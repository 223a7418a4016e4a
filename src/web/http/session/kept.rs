//! What somebody wrote whose session had ended: it goes through the log-in and waits behind it.

use serde::Deserialize;

use crate::domain::{ListNumber, StatusId};

/// A post as it was typed: the fields of the form but its nonce.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Written {
    pub message: String,
    pub warning: String,
    pub option_1: String,
    pub option_2: String,
    pub option_3: String,
    pub option_4: String,
    /// There where the box is ticked.
    pub several: Option<String>,
    /// How long the poll is open.
    pub hours: String,
}

/// The fields of a form, carried along until they can be acted upon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    Message(Written),
    /// An answer to a status.
    Reply {
        to: StatusId,
        written: Written,
    },
    /// A correction, and the revision of the text that it was made of.
    Edit {
        status: StatusId,
        message: String,
        warning: String,
        revision: u64,
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
            Self::Message(written) | Self::Reply { written, .. } => written.texts(),
            Self::Edit {
                message, warning, ..
            } => filled([warning, message]),
            Self::ListName(text) => vec![text],
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
            Self::Message(written) => written.fields(),
            Self::Reply { to, written } => {
                let mut fields = written.fields();
                fields.push(("draft_to", to.to_string()));
                fields
            }
            Self::Edit {
                status,
                message,
                warning,
                revision,
            } => vec![
                ("draft_of", status.to_string()),
                ("draft_text", message.clone()),
                ("draft_warning", warning.clone()),
                ("draft_revision", revision.to_string()),
            ],
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
            let to = text_of("draft_to").map(|to| to.parse());
            let written = Written::of(message, text_of);
            return match to {
                None => Some(Self::Message(written)),
                Some(to) => Some(Self::Reply {
                    to: to.ok()?,
                    written,
                }),
            };
        }
        if let Some(status) = text_of("draft_of") {
            return Some(Self::Edit {
                status: status.parse().ok()?,
                message: text_of("draft_text")?,
                warning: text_of("draft_warning")?,
                revision: text_of("draft_revision")?.parse().ok()?,
            });
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

impl Written {
    /// The options of its poll, as they stand in the form.
    #[must_use]
    pub fn options(&self) -> [&str; 4] {
        [
            &self.option_1,
            &self.option_2,
            &self.option_3,
            &self.option_4,
        ]
    }

    fn texts(&self) -> Vec<&str> {
        let [one, two, three, four] = self.options();
        filled([&self.warning, &self.message, one, two, three, four])
    }

    fn fields(&self) -> Vec<(&'static str, String)> {
        let mut fields = vec![("draft", self.message.clone())];
        let [one, two, three, four] = self.options();
        let more = [
            ("draft_warning", self.warning.as_str()),
            ("draft_option_1", one),
            ("draft_option_2", two),
            ("draft_option_3", three),
            ("draft_option_4", four),
            ("draft_several", self.several.as_deref().unwrap_or_default()),
            ("draft_hours", self.hours.as_str()),
        ];
        let more = more.into_iter().filter(|(_, text)| !text.is_empty());
        fields.extend(more.map(|(name, text)| (name, text.to_owned())));
        fields
    }

    fn of(message: String, text_of: impl Fn(&str) -> Option<String>) -> Self {
        let text = |name| text_of(name).unwrap_or_default();
        Self {
            message,
            warning: text("draft_warning"),
            option_1: text("draft_option_1"),
            option_2: text("draft_option_2"),
            option_3: text("draft_option_3"),
            option_4: text("draft_option_4"),
            several: text_of("draft_several"),
            hours: text("draft_hours"),
        }
    }
}

/// Those that are not empty.
fn filled<const N: usize>(texts: [&str; N]) -> Vec<&str> {
    texts.into_iter().filter(|text| !text.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::kept::*;

    fn message(text: &str) -> Kept {
        Kept::Message(Written {
            message: text.to_owned(),
            ..Written::default()
        })
    }

    #[test]
    fn saved_input_round_trips_through_form_fields() {
        let list = ListNumber::new(7).unwrap();
        let edit = |exclusive| Kept::ListEdit {
            list,
            name: "Boats".to_owned(),
            exclusive,
        };
        let all = [
            message("hello"),
            Kept::Message(Written {
                message: String::new(),
                warning: "Spoilers".to_owned(),
                option_2: "Tea".to_owned(),
                option_4: "Coffee".to_owned(),
                several: Some("1".to_owned()),
                hours: "24".to_owned(),
                ..Written::default()
            }),
            Kept::Reply {
                to: StatusId::new(12).unwrap(),
                written: Written {
                    message: "hello".to_owned(),
                    ..Written::default()
                },
            },
            Kept::Edit {
                status: StatusId::new(4096).unwrap(),
                message: "hello".to_owned(),
                warning: String::new(),
                revision: 2,
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
    fn blank_input_is_not_saved() {
        assert!(message(" \n").fields().is_empty());
        let list = ListNumber::new(7).unwrap();
        let login = " ".to_owned();
        assert!(Kept::Member { list, login }.fields().is_empty());
    }
}
