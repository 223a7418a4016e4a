//! What somebody wrote whose session had ended: it goes through the log-in and waits behind it.

/// The fields of a form, carried along until they can be acted upon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    Message(String),
    Profile {
        name: String,
        bio: String,
    },
    /// The name of a list to make.
    ListName(String),
}

impl Kept {
    /// Each text under its name in the log-in form and in the session; none where all is blank.
    #[must_use]
    pub fn fields(&self) -> Vec<(&'static str, &str)> {
        let fields: Vec<(_, &str)> = match self {
            Self::Message(text) => vec![("draft", text)],
            Self::ListName(name) => vec![("draft_list", name)],
            Self::Profile { name, bio } => vec![("draft_name", name), ("draft_bio", bio)],
        };
        let blank = fields.iter().all(|(_, text)| text.trim().is_empty());
        if blank { Vec::new() } else { fields }
    }

    /// The other way round: from the texts that stand under those names.
    #[must_use]
    pub fn of(text_of: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let message = text_of("draft").map(Self::Message);
        let list = || text_of("draft_list").map(Self::ListName);
        message.or_else(list).or_else(|| {
            let (name, bio) = (text_of("draft_name")?, text_of("draft_bio")?);
            Some(Self::Profile { name, bio })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_carried_along_comes_back_whole() {
        let profile = Kept::Profile {
            name: String::new(),
            bio: "Boats.".to_owned(),
        };
        let list = Kept::ListName("Neighbours".to_owned());
        for kept in [Kept::Message("hello".to_owned()), profile, list] {
            let fields = kept.fields();
            let text_of = |name: &str| {
                let found = fields.iter().find(|(field, _)| *field == name);
                found.map(|(_, text)| (*text).to_owned())
            };
            assert_eq!(Kept::of(text_of).as_ref(), Some(&kept));
        }
    }

    #[test]
    fn a_blank_message_is_not_carried() {
        assert!(Kept::Message(" \n".to_owned()).fields().is_empty());
    }
}
