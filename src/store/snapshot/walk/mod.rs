//! A walk over all keys of all primaries in bounded steps, for `redwing check`: what each key is
//! by its name, which type it has and whether it expires.

mod names;

use redis::Value;

use crate::{
    domain::{Collection, FoldedTag, ListId, StatusId, Term, UserId},
    store::{
        Chunk, Result, Store,
        redis::{cluster::Node, connection::read, scripts::With},
    },
};

/// A walk under way: which primary it is at, and how far into its keys.
pub struct Walk {
    pub(in crate::store) nodes: Vec<Node>,
    pub(in crate::store) at: usize,
    pub(in crate::store) cursor: u64,
    /// No slot was on its way from one primary to another when it began.
    pub(in crate::store) was_settled: bool,
}

/// A key as it was met.
#[derive(Debug, Clone)]
pub struct Key {
    pub name: String,
    pub kind: KeyKind,
    /// As TYPE says.
    pub holds: String,
    pub expires: bool,
}

/// What a key is, by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyKind {
    User(UserId),
    Status(StatusId),
    /// Who favours a status.
    FavouritedBy(StatusId),
    /// How people voted in a poll.
    Ballots(StatusId),
    /// What a status said before it was corrected.
    Versions(StatusId),
    /// What reposts a status, with a comment or without.
    Reposts(StatusId),
    OfTag(FoldedTag, TagPart),
    /// What answers a status, and what of it is a gap.
    Answers(StatusId),
    Gaps(StatusId),
    /// By its folded name.
    Login(String),
    Part(UserId, Part),
    OfList(ListId, ListPart),
    /// Which chunks of postings a term has.
    Chunks(Term),
    Postings(Chunk),
    /// Names that begin with a letter.
    Names(char),
    Rate,
    Scrub,
    UserCounter,
    Newest,
    MostFollowed,
    TagsUsed,
    TagsTrending,
    Tasks,
    Later,
    DeadTasks,
    Unknown,
}

/// What else there is of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Auth,
    Following,
    Followers,
    Profile,
    Posts,
    Answered,
    Home,
    Reading,
    Arrivals,
    Notifications,
    ReadMarker,
    Active,
    IdempotencyKey,
    Session,
    Sessions,
    Lists,
    Listed,
    Excluded,
    AuthorPreferences,
    Collection(Collection),
    Reposted,
    HiddenReposts,
    Tags,
    Mentions,
}

/// What there is of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagPart {
    Tagged,
    TagFollowers,
    Used,
}

/// What there is of a list, beside its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListPart {
    Members,
    Timeline,
    Active,
}

/// Whether what a key holds could be lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    Truth,
    Derived,
    Ephemeral,
}

impl KeyKind {
    /// The type of such a key; `None` of one that is not ours.
    #[must_use]
    pub fn should_hold(&self) -> Option<&'static str> {
        Some(match self {
            Self::User(_)
            | Self::Status(_)
            | Self::Part(
                _,
                Part::Auth
                | Part::Reading
                | Part::ReadMarker
                | Part::Lists
                | Part::AuthorPreferences,
            ) => "hash",
            Self::Part(
                _,
                Part::Following
                | Part::Followers
                | Part::Profile
                | Part::Posts
                | Part::Answered
                | Part::Home
                | Part::Sessions
                | Part::Listed
                | Part::Excluded
                | Part::Collection(_)
                | Part::Reposted
                | Part::HiddenReposts
                | Part::Tags
                | Part::Mentions
                | Part::Notifications,
            )
            | Self::OfTag(..)
            | Self::TagsUsed
            | Self::FavouritedBy(_)
            | Self::Ballots(_)
            | Self::Reposts(_)
            | Self::Answers(_)
            | Self::Gaps(_)
            | Self::Chunks(_)
            | Self::Names(_)
            | Self::OfList(_, ListPart::Members | ListPart::Timeline)
            | Self::Newest
            | Self::MostFollowed
            | Self::Later => "zset",
            Self::Part(_, Part::Active | Part::IdempotencyKey | Part::Session)
            | Self::OfList(_, ListPart::Active)
            | Self::TagsTrending
            | Self::Login(_)
            | Self::Rate
            | Self::Scrub
            | Self::UserCounter => "string",
            Self::Versions(_) => "list",
            Self::Tasks | Self::DeadTasks | Self::Part(_, Part::Arrivals) => "stream",
            Self::Postings(_) => "set",
            Self::Unknown => return None,
        })
    }

    #[must_use]
    pub fn worth(&self) -> Worth {
        match self {
            Self::Part(
                _,
                Part::Followers
                | Part::Profile
                | Part::Posts
                | Part::Answered
                | Part::Home
                | Part::Listed
                | Part::Excluded
                | Part::Reposted
                | Part::Mentions
                | Part::Notifications,
            )
            | Self::OfTag(_, TagPart::Tagged | TagPart::TagFollowers)
            | Self::OfList(_, ListPart::Timeline)
            | Self::FavouritedBy(_)
            | Self::Reposts(_)
            | Self::Answers(_)
            | Self::Gaps(_)
            | Self::Chunks(_)
            | Self::Postings(_)
            | Self::Names(_)
            | Self::Newest
            | Self::MostFollowed => Worth::Derived,
            Self::Part(
                _,
                Part::Arrivals
                | Part::Active
                | Part::IdempotencyKey
                | Part::Session
                | Part::Sessions,
            )
            | Self::OfList(_, ListPart::Active)
            | Self::OfTag(_, TagPart::Used)
            | Self::TagsUsed
            | Self::TagsTrending
            | Self::Rate
            | Self::Scrub => Worth::Ephemeral,
            _ => Worth::Truth,
        }
    }
}

impl Store {
    /// Begins a walk.
    pub async fn begin_walk(&self) -> Result<Walk> {
        let nodes = self.connection.primaries().await?;
        Ok(Walk {
            was_settled: self.slots_are_settled(&nodes).await?,
            nodes,
            at: 0,
            cursor: 0,
        })
    }

    /// The next keys of a walk, about `count` of them; `None` at its end. A key that is there all
    /// the while is met at least once, and sometimes twice.
    pub async fn walk(&self, walk: &mut Walk, count: usize) -> Result<Option<Vec<Key>>> {
        let Some(node) = walk.nodes.get(walk.at) else {
            return Ok(None);
        };
        let scan = redis::cmd("SCAN")
            .with(walk.cursor)
            .with("COUNT")
            .with(count);
        let (cursor, names): (u64, Vec<Vec<u8>>) = self.connection.query_on(node, scan).await?;
        let met = self.met(names).await?;
        walk.cursor = cursor;
        walk.at += usize::from(cursor == 0);
        Ok(Some(met))
    }

    /// How many keys there are.
    pub async fn size(&self) -> Result<u64> {
        let mut size = 0;
        for node in self.connection.primaries().await? {
            size += self
                .connection
                .query_on::<u64>(&node, redis::cmd("DBSIZE"))
                .await?;
        }
        Ok(size)
    }

    /// Those of these keys that are there.
    pub async fn look_up(&self, names: &[String]) -> Result<Vec<Key>> {
        let names = names.iter().map(|name| name.clone().into_bytes());
        self.met(names.collect()).await
    }

    async fn met(&self, names: Vec<Vec<u8>>) -> Result<Vec<Key>> {
        let questions = names
            .iter()
            .flat_map(|name| [redis::cmd("TYPE").with(name), redis::cmd("PTTL").with(name)]);
        let answers = self.connection.batch(questions.collect()).await?;
        let mut answers = answers.into_iter();
        let mut keys = Vec::with_capacity(names.len());
        for name in names {
            let mut next = || answers.next().unwrap_or(Value::Nil);
            let (holds, ttl): (String, i64) = (read(next())?, read(next())?);
            let kind = std::str::from_utf8(&name).map_or(KeyKind::Unknown, |name| self.kind(name));
            if holds != "none" {
                keys.push(Key {
                    kind,
                    name: String::from_utf8_lossy(&name).into_owned(),
                    holds,
                    expires: ttl >= 0,
                });
            }
        }
        Ok(keys)
    }
}
