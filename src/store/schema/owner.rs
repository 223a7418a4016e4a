//! Owners of keys: the part of a name that differs between keys of one entry. The text in braces is the
//! hash tag, so all keys of a user lie in one slot of a cluster, and all keys of a status in one slot.

use std::{fmt::Write as _, ops::Range};

use crate::domain::{ChatId, FoldedTag, GroupId, GroupSlug, ListId, Login, StatusId, Term, UserId};

/// The thing that a key belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, derive_more::From)]
pub enum KeyOwner {
    Site,
    User(UserId),
    Status(StatusId),
    List(ListId),
    Chat(ChatId),
    Group(GroupId),
    GroupSlug(GroupSlug),
    Login(Login),
    Tag(FoldedTag),
    Term(Term),
    Letter(char),
    Partition(u16),
    RateLimit(RateLimitName),
}

/// Room for the text of an owner in a name.
pub(super) const OWNER_BYTES: usize = 34;

/// Finds the placeholder in a pattern, when the program is compiled.
pub(super) const fn place_of(placeholder: &str, pattern: &str) -> Range<usize> {
    let (placeholder, pattern) = (placeholder.as_bytes(), pattern.as_bytes());
    let mut start = 0;
    while start + placeholder.len() <= pattern.len() {
        let mut same = 0;
        while same < placeholder.len() && pattern[start + same] == placeholder[same] {
            same += 1;
        }
        if same == placeholder.len() {
            return start..start + same;
        }
        start += 1;
    }
    panic!("the pattern of a key lacks the placeholder of its owner");
}

/// The owner as a part of a name.
pub(super) trait OwnerText: Clone + Into<KeyOwner> {
    /// The place of the owner in a pattern.
    const PLACEHOLDER: &'static str;

    fn write(&self, name: &mut String);

    /// Reads the text back. `None` for a text that [`OwnerText::write`] does not write.
    fn parse(text: &str) -> Option<Self>;

    /// Returns this kind of owner for a user, a status or a list that has exactly one.
    fn only_of(_owner: &KeyOwner) -> Option<Self> {
        None
    }
}

/// A user and the text that distinguishes one of the user's keys: an idempotency key, or the digest of a session.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UserToken {
    pub user: UserId,
    pub token: String,
}

impl From<UserToken> for KeyOwner {
    fn from(key: UserToken) -> Self {
        Self::User(key.user)
    }
}

impl UserToken {
    pub(super) fn new(user: UserId, token: &str) -> Self {
        let token = token.to_owned();
        Self { user, token }
    }
}

/// A chat, and the author and idempotency key of a form that wrote a message there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ChatForm {
    pub chat: ChatId,
    pub author: UserId,
    pub key: String,
}

impl From<ChatForm> for KeyOwner {
    fn from(form: ChatForm) -> Self {
        Self::Chat(form.chat)
    }
}

/// A chunk of a term's postings: ids from a bound up to the next bound.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chunk {
    pub term: Term,
    pub bound: u64,
}

impl From<Chunk> for KeyOwner {
    fn from(chunk: Chunk) -> Self {
        Self::Term(chunk.term)
    }
}

/// A limited action, and the user or address that it is counted for: `<action>:<who>`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RateLimitName(pub String);

/// Returns the text between the braces that the whole text consists of.
fn in_braces(text: &str) -> Option<&str> {
    text.strip_prefix('{')?.strip_suffix('}')
}

fn write_in_braces(name: &mut String, tag: impl std::fmt::Display) {
    write!(name, "{{{tag}}}").expect("a String takes any text");
}

/// Declares the owners with a name that is their text in braces, each with its placeholder and, where one user, status or
/// other thing has exactly one such owner, its variant.
macro_rules! owners_in_braces {
    ($($owner:ty = $placeholder:literal $(, $variant:ident)?;)+) => {
        $(impl OwnerText for $owner {
            const PLACEHOLDER: &'static str = $placeholder;

            fn write(&self, name: &mut String) {
                write_in_braces(name, self);
            }

            fn parse(text: &str) -> Option<Self> {
                in_braces(text)?.parse().ok()
            }

            $(fn only_of(owner: &KeyOwner) -> Option<Self> {
                match owner {
                    KeyOwner::$variant(owner) => Some(*owner),
                    _ => None,
                }
            })?
        })+
    };
}

owners_in_braces! {
    UserId = "{uid}", User;
    StatusId = "{id}", Status;
    ChatId = "{chat}", Chat;
    GroupId = "{gid}", Group;
    GroupSlug = "{slug}";
    char = "{letter}";
}

impl OwnerText for UserToken {
    const PLACEHOLDER: &'static str = "{uid}:<token>";

    fn write(&self, name: &mut String) {
        write_in_braces(name, self.user);
        name.push(':');
        name.push_str(&self.token);
    }

    fn parse(text: &str) -> Option<Self> {
        let (user, token) = text.strip_prefix('{')?.split_once("}:")?;
        Some(Self {
            user: user.parse().ok()?,
            token: Some(token).filter(|token| !token.is_empty())?.to_owned(),
        })
    }
}

impl OwnerText for ListId {
    const PLACEHOLDER: &'static str = "{uid}:<n>";

    fn write(&self, name: &mut String) {
        write!(name, "{{{}}}:{}", self.owner, self.number).expect("a String takes any text");
    }

    fn parse(text: &str) -> Option<Self> {
        let (owner, number) = text.strip_prefix('{')?.split_once("}:")?;
        Some(Self {
            owner: owner.parse().ok()?,
            number: number.parse().ok()?,
        })
    }

    fn only_of(owner: &KeyOwner) -> Option<Self> {
        match owner {
            KeyOwner::List(list) => Some(*list),
            _ => None,
        }
    }
}

impl OwnerText for ChatForm {
    const PLACEHOLDER: &'static str = "{chat}:<uid>:<key>";

    fn write(&self, name: &mut String) {
        write!(name, "{{{}}}:{}:{}", self.chat, self.author, self.key)
            .expect("a String takes any text");
    }

    fn parse(text: &str) -> Option<Self> {
        let (chat, form) = text.strip_prefix('{')?.split_once("}:")?;
        let (author, key) = form.split_once(':')?;
        Some(Self {
            chat: chat.parse().ok()?,
            author: author.parse().ok()?,
            key: Some(key).filter(|key| !key.is_empty())?.to_owned(),
        })
    }
}

impl OwnerText for Login {
    const PLACEHOLDER: &'static str = "{login}";

    fn write(&self, name: &mut String) {
        write_in_braces(name, self.folded());
    }

    fn parse(text: &str) -> Option<Self> {
        let text = in_braces(text)?;
        Self::stored(text).filter(|login| login.folded() == text)
    }
}

impl OwnerText for FoldedTag {
    const PLACEHOLDER: &'static str = "{tag}";

    fn write(&self, name: &mut String) {
        write_in_braces(name, self);
    }

    fn parse(text: &str) -> Option<Self> {
        Self::stored(in_braces(text)?)
    }
}

impl OwnerText for Term {
    const PLACEHOLDER: &'static str = "{term}";

    fn write(&self, name: &mut String) {
        write_in_braces(name, self.as_str());
    }

    fn parse(text: &str) -> Option<Self> {
        Self::stored(in_braces(text)?)
    }
}

impl OwnerText for Chunk {
    const PLACEHOLDER: &'static str = "{term}:<bound>";

    fn write(&self, name: &mut String) {
        write!(name, "{{{}}}:{}", self.term.as_str(), self.bound).expect("a String takes any text");
    }

    fn parse(text: &str) -> Option<Self> {
        let (term, bound) = text.strip_prefix('{')?.split_once("}:")?;
        let chunk = Self {
            term: Term::stored(term)?,
            bound: bound.parse().ok()?,
        };
        (chunk.bound.to_string() == bound).then_some(chunk)
    }
}

impl OwnerText for u16 {
    const PLACEHOLDER: &'static str = "{partition}";

    fn write(&self, name: &mut String) {
        write_in_braces(name, self);
    }

    fn parse(text: &str) -> Option<Self> {
        let text = in_braces(text)?;
        let partition: Self = text.parse().ok()?;
        (partition.to_string() == text).then_some(partition)
    }
}

impl OwnerText for RateLimitName {
    const PLACEHOLDER: &'static str = "{limit:who}";

    fn write(&self, name: &mut String) {
        write_in_braces(name, &self.0);
    }

    fn parse(text: &str) -> Option<Self> {
        let text = in_braces(text)?;
        (!text.contains(['{', '}'])).then(|| Self(text.to_owned()))
    }
}
