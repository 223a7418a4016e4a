//! Statuses that are about to be posted, and edits.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use crate::domain::{
    FoldedTag, GroupId, Login, Message, Poll, ReplyControl, StatusId, StatusRef, TokenKind,
    Visibility, Warning, hex, timelines::status_header::joined, tokens,
};

/// A status as its author submits it, before it has an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    pub message: Message,
    /// Content warning that hides message and poll.
    pub warning: Option<Warning>,
    pub poll: Option<Poll>,
    pub quote_of: Option<StatusRef>,
    pub reply_to: Option<StatusId>,
    /// The choice of the author. A reply or a quote can become less visible.
    pub visibility: Visibility,
    pub reply_control: ReplyControl,
    /// The group that it is posted in. The visibility follows from the group then. A reply has the group of its
    /// conversation, whatever this says.
    pub group: Option<GroupId>,
}

impl Draft {
    /// Maximum number of tags of a message that count: the first ones.
    pub const MAX_TAGS: usize = 20;
    /// Maximum number of mentioned people who count and are notified: the first ones.
    pub const MAX_MENTIONED: usize = 20;

    /// Returns it as a quote of a status. A quote is in no group.
    #[must_use]
    pub fn quoting(self, quoted: StatusRef) -> Self {
        Self {
            quote_of: Some(quoted),
            group: None,
            ..self
        }
    }

    /// Returns the tags of the message, each once, in the order of the text.
    pub fn tags(&self) -> Vec<FoldedTag> {
        tags_of(self.message.as_str())
    }

    /// Returns the mentioned logins, each once, in the order of the text. They may not exist.
    pub fn logins(&self) -> Vec<Login> {
        let mut seen = BTreeSet::new();
        let logins = tokens(self.message.as_str()).filter_map(|token| token.kind.mention());
        logins.filter(|login| seen.insert(login.folded())).collect()
    }

    /// Returns the texts that people read: message, warning and options of the poll.
    pub fn texts(&self) -> Vec<&str> {
        let warning = self.warning.as_ref().map(Warning::as_str);
        let options = self.poll.iter().flat_map(|poll| poll.options());
        let options = options.map(|option| option.as_str());
        let texts = [self.message.as_str()].into_iter();
        texts.chain(warning).chain(options).collect()
    }

    /// Returns the number of links of the message.
    pub fn link_count(&self) -> usize {
        let tokens = tokens(self.message.as_str());
        tokens.filter(|token| token.kind == TokenKind::Url).count()
    }

    /// Returns the id that its own id must exceed: that of the status it replies to or quotes, else 0.
    /// Conversations are read in the order of ids.
    pub fn above(&self) -> u64 {
        let quoted = self.quote_of.map(|original| original.status);
        let above = self.reply_to.into_iter().chain(quoted).max();
        above.map_or(0, StatusId::get)
    }

    /// Returns the stored fields of the status, by name.
    pub fn fields(&self) -> Vec<(&'static str, String)> {
        let mut fields = vec![("message", self.message.as_str().to_owned())];
        let tags = self.tags();
        if !tags.is_empty() {
            fields.push(("tags", joined(&tags)));
        }
        if let Some(warning) = &self.warning {
            fields.push(("warning", warning.as_str().to_owned()));
        }
        if let Some(poll) = &self.poll {
            fields.push(("poll", poll.to_string()));
        }
        if let Some(original) = self.quote_of {
            fields.push(("quote_of", original.to_string()));
        }
        fields.extend(self.reply_control.field());
        fields
    }

    /// Returns 32 hexadecimal digits for this draft. An idempotency key is bound to them.
    pub fn digest(&self) -> String {
        let mut digest = Sha256::new();
        let reply_to = self.reply_to.map(|id| ("reply_to", id.to_string()));
        let visibility = ("visibility", self.visibility.as_str().to_owned());
        let visibility = Some(visibility).filter(|_| self.visibility != Visibility::Public);
        let group = self.group.map(|group| ("group", group.to_string()));
        let others = reply_to.into_iter().chain(visibility).chain(group);
        for (name, value) in self.fields().into_iter().chain(others) {
            digest.update(format!("{name} {} ", value.len()));
            digest.update(value);
        }
        hex(&digest.finalize()[..16])
    }
}

/// An edit of a posted status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditState {
    pub message: Message,
    pub warning: Option<Warning>,
    /// Revision of the text that was edited.
    pub revision: u64,
    /// The new visibility, which is not wider. `None` leaves it unchanged.
    pub visibility: Option<Visibility>,
}

impl EditState {
    /// Time after posting in which edits are allowed, in milliseconds.
    pub const OPEN_MS: u64 = 15 * 60 * 1000;
    /// Maximum number of edits of a status.
    pub const MAX: u64 = 20;
}

/// Returns the tags of a message that count, each once, in the order of the text.
pub fn tags_of(message: &str) -> Vec<FoldedTag> {
    let mut seen = BTreeSet::new();
    let tags = tokens(message).filter_map(|token| Some(token.kind.tag()?.folded()));
    let distinct = tags.filter(|tag| seen.insert(tag.clone()));
    distinct.take(Draft::MAX_TAGS).collect()
}

impl From<&Message> for Draft {
    fn from(message: &Message) -> Self {
        Self {
            message: message.clone(),
            warning: None,
            poll: None,
            quote_of: None,
            reply_to: None,
            visibility: Visibility::Public,
            reply_control: ReplyControl::default(),
            group: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::draft::*;

    fn draft(text: &str) -> Draft {
        Draft::from(&Message::parse(text).expect("a message"))
    }

    #[test]
    fn a_draft_has_distinct_tags_up_to_the_limit() {
        let tags = |text: &str| draft(text).fields().pop().expect("a field");
        let found = tags("#Birds and #cats and #birds");
        assert_eq!(found, ("tags", "birds cats".into()));
        assert_eq!(tags("no tags").0, "message");
        let many: Vec<String> = (1..=25).map(|number| format!("#tag{number}")).collect();
        assert_eq!(draft(&many.join(" ")).tags().len(), Draft::MAX_TAGS);
    }

    #[test]
    fn a_draft_has_distinct_mentions_ignoring_case() {
        let logins = draft("@Bob, @ann and @BOB; not bob@ann.example").logins();
        let logins: Vec<String> = logins.iter().map(Login::to_string).collect();
        assert_eq!(logins, ["Bob", "ann"]);
    }

    #[test]
    fn a_draft_counts_its_links() {
        let text = "https://a.example and http://b.example/x, https://a.example";
        assert_eq!(draft(text).link_count(), 3);
        assert_eq!(draft("a.example #a @b").link_count(), 0);
    }

    #[test]
    fn different_drafts_have_different_digests() {
        assert_eq!(draft("one").digest(), draft("one").digest());
        assert_eq!(draft("one").digest().len(), 32);
        let reply_to = |number| Draft {
            reply_to: StatusId::new(number).ok(),
            ..draft("one")
        };
        let warned = Draft {
            warning: Warning::parse("Spoilers").expect("valid"),
            ..draft("one")
        };
        let quote = Draft {
            quote_of: "4096:3".parse().ok(),
            ..draft("one")
        };
        let members = Draft {
            visibility: Visibility::Members,
            ..draft("one")
        };
        let closed = Draft {
            reply_control: ReplyControl {
                is_quoting_closed: true,
                ..ReplyControl::default()
            },
            ..draft("one")
        };
        let in_group = Draft {
            group: "7".parse().ok(),
            ..draft("one")
        };
        let drafts = [
            members,
            closed,
            in_group,
            draft("one"),
            draft("two"),
            reply_to(1),
            reply_to(2),
            warned,
            quote,
        ];
        let digests: BTreeSet<String> = drafts.iter().map(Draft::digest).collect();
        assert_eq!(digests.len(), drafts.len());
    }
}
