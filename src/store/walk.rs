//! A walk over all keys of all primaries in bounded steps, for `redwing check`: what each key is
//! by its name, which type it has and whether it expires.

use redis::Value;

use super::{
    Chunk, Result, Store, cluster::Node, connection::read, keys, scripts::With,
    statuses::NONCE_TTL_S,
};
use crate::domain::{Collection, ListId, Login, StatusId, Term, Timeline, UserId};

/// A walk under way: which primary it is at, and how far into its keys.
pub struct Walk {
    nodes: Vec<Node>,
    at: usize,
    cursor: u64,
    /// No slot was on its way from one primary to another when it began.
    was_settled: bool,
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
    Favourers(StatusId),
    /// What reposts a status, with a comment or without.
    Reposts(StatusId),
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
    Active,
    Nonce,
    Session,
    Sessions,
    Lists,
    Listed,
    Excluded,
    Collection(Collection),
    Reposted,
    Quiet,
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
            | Self::Part(_, Part::Auth | Part::Reading | Part::Lists) => "hash",
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
                | Part::Quiet,
            )
            | Self::Favourers(_)
            | Self::Reposts(_)
            | Self::Answers(_)
            | Self::Gaps(_)
            | Self::Chunks(_)
            | Self::Names(_)
            | Self::OfList(_, ListPart::Members | ListPart::Timeline)
            | Self::Newest
            | Self::MostFollowed
            | Self::Later => "zset",
            Self::Part(_, Part::Active | Part::Nonce | Part::Session)
            | Self::OfList(_, ListPart::Active)
            | Self::Login(_)
            | Self::Rate
            | Self::Scrub
            | Self::UserCounter => "string",
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
                | Part::Reposted,
            )
            | Self::OfList(_, ListPart::Timeline)
            | Self::Favourers(_)
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
                Part::Arrivals | Part::Active | Part::Nonce | Part::Session | Part::Sessions,
            )
            | Self::OfList(_, ListPart::Active)
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

    /// Goes on with a walk that a failure held up. Primaries that serve what was walked over are
    /// done; only one that took another's place is walked over from its first key.
    pub async fn resume_walk(&self, walk: &mut Walk) -> Result<()> {
        let mut nodes = self.connection.primaries().await?;
        if nodes == walk.nodes {
            return Ok(());
        }
        let done = walk.nodes.get(..walk.at).unwrap_or_default();
        nodes.retain(|node| !done.iter().any(|done| done.serves_what(node)));
        let current = walk.nodes.get(walk.at);
        match nodes.iter().position(|node| Some(node) == current) {
            Some(at) => nodes.swap(0, at),
            None => walk.cursor = 0,
        }
        walk.nodes = nodes;
        walk.at = 0;
        Ok(())
    }

    /// Whether the walk could see the whole database: no slot went from one primary to another
    /// meanwhile, nor was any on its way. The keys of such a slot go one by one, and SCAN may miss
    /// them at both.
    pub async fn saw_all(&self, walk: &Walk) -> Result<bool> {
        let nodes = self.connection.primaries().await?;
        Ok(walk.was_settled && nodes == walk.nodes && self.slots_are_settled(&nodes).await?)
    }

    /// Whether no slot is on its way from one primary to another.
    pub async fn is_settled(&self) -> Result<bool> {
        let nodes = self.connection.primaries().await?;
        self.slots_are_settled(&nodes).await
    }

    async fn slots_are_settled(&self, nodes: &[Node]) -> Result<bool> {
        if !self.connection.is_cluster() {
            return Ok(true);
        }
        for node in nodes {
            let told = redis::cmd("CLUSTER").with("NODES");
            let told: String = self.connection.query_on(node, told).await?;
            // Each node tells of its own: [slot->-to] and [slot-<-from].
            if told.contains("->-") || told.contains("-<-") {
                return Ok(false);
            }
        }
        Ok(true)
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

    /// The keys that a person can have, their lists among them, but for nonces and sessions, whose
    /// names nothing lists.
    pub async fn key_names(&self, of: UserId) -> Result<Vec<String>> {
        let mut names = vec![
            keys::user(of),
            keys::auth(of),
            keys::following(of),
            keys::followers(of),
            keys::profile(of),
            keys::posts(of),
            keys::answered(of),
            keys::home(of),
            keys::active(of),
            keys::reading(of),
            keys::arrivals(of),
            keys::sessions(of),
            keys::lists(of),
            keys::listed(of),
            keys::excluded(of),
            keys::reposted(of),
            keys::quiet(of),
        ];
        names.extend(Collection::ALL.map(|each| keys::collection(of, each)));
        for list in self.lists(of).await? {
            names.push(keys::list_members(list.id));
            names.extend(keys::timeline(Timeline::List(list.id)));
        }
        Ok(names)
    }

    /// The name of a timeline's active mark.
    #[must_use]
    pub fn mark_name(&self, of: Timeline) -> String {
        let [_, mark] = keys::timeline(of);
        mark
    }

    /// How long such an ephemeral key lasts at most, in seconds. `None` of one that is better taken
    /// away: a mark is made anew at the next visit, a limit and a lease when they are needed.
    #[must_use]
    pub fn lifetime_s(&self, kind: &KeyKind) -> Option<u64> {
        match kind {
            KeyKind::Part(_, Part::Nonce) => Some(NONCE_TTL_S),
            KeyKind::Part(_, Part::Session | Part::Sessions) => {
                Some(self.config.timeouts.session.as_secs())
            }
            _ => None,
        }
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

    /// What a key's name says that it is.
    fn kind(&self, name: &str) -> KeyKind {
        match name {
            keys::NEXT_USER_ID => KeyKind::UserCounter,
            keys::PEOPLE_NEWEST => KeyKind::Newest,
            keys::PEOPLE_FOLLOWED => KeyKind::MostFollowed,
            keys::SCRUB => KeyKind::Scrub,
            _ => self.owned_kind(name).unwrap_or(KeyKind::Unknown),
        }
    }

    fn owned_kind(&self, name: &str) -> Option<KeyKind> {
        let (prefix, rest) = name.split_once(":{")?;
        let (tag, rest) = rest.split_once('}')?;
        let part = match (prefix, rest) {
            ("user", "") => return tag.parse().ok().map(KeyKind::User),
            ("status", "") => return tag.parse().ok().map(KeyKind::Status),
            ("favourers", "") => return tag.parse().ok().map(KeyKind::Favourers),
            ("reposts" | "quotes", "") => return tag.parse().ok().map(KeyKind::Reposts),
            ("answers", "") => return tag.parse().ok().map(KeyKind::Answers),
            ("gaps", "") => return tag.parse().ok().map(KeyKind::Gaps),
            ("login", "") => {
                let login = Login::stored(tag)?;
                return (login.folded() == tag).then(|| KeyKind::Login(tag.to_owned()));
            }
            ("rate", "") => return Some(KeyKind::Rate),
            ("tasks", _) => return self.tasks_kind(tag, rest),
            ("list", _) => return list_kind(tag, rest),
            ("postings", _) => return postings_kind(tag, rest),
            ("names", "") => {
                let letter: Option<char> = tag.parse().ok();
                return letter.map(KeyKind::Names);
            }
            ("favourites", "") => Part::Collection(Collection::Favourites),
            ("bookmarks", "") => Part::Collection(Collection::Bookmarks),
            ("lists", "") => Part::Lists,
            ("listed", "") => Part::Listed,
            ("excluded", "") => Part::Excluded,
            ("reposted", "") => Part::Reposted,
            ("quiet", "") => Part::Quiet,
            ("auth", "") => Part::Auth,
            ("following", "") => Part::Following,
            ("followers", "") => Part::Followers,
            ("profile", "") => Part::Profile,
            ("posts", "") => Part::Posts,
            ("answered", "") => Part::Answered,
            ("home", "") => Part::Home,
            ("reading", "") => Part::Reading,
            ("arrivals", "") => Part::Arrivals,
            ("active", "") => Part::Active,
            ("sessions", "") => Part::Sessions,
            ("nonce", rest) if rest.len() > 1 => Part::Nonce,
            ("session", rest) if rest.len() > 1 => Part::Session,
            _ => return None,
        };
        Some(KeyKind::Part(tag.parse().ok()?, part))
    }

    /// A partition that nobody reads is none of ours.
    fn tasks_kind(&self, tag: &str, rest: &str) -> Option<KeyKind> {
        let partition: u16 = tag.parse().ok()?;
        let kind = match rest {
            "" => KeyKind::Tasks,
            ":later" => KeyKind::Later,
            ":dead" => KeyKind::DeadTasks,
            _ => return None,
        };
        (partition < self.partitions()).then_some(kind)
    }
}

fn postings_kind(tag: &str, rest: &str) -> Option<KeyKind> {
    let term = Term::stored(tag)?;
    let Some(text) = rest.strip_prefix(':') else {
        return rest.is_empty().then_some(KeyKind::Chunks(term));
    };
    let bound: u64 = text.parse().ok()?;
    let is_plain = bound.to_string() == text;
    is_plain.then_some(KeyKind::Postings(Chunk { term, bound }))
}

fn list_kind(tag: &str, rest: &str) -> Option<KeyKind> {
    let (number, part) = rest.strip_prefix(':')?.split_once(':')?;
    let part = match part {
        "members" => ListPart::Members,
        "timeline" => ListPart::Timeline,
        "active" => ListPart::Active,
        _ => return None,
    };
    let list = ListId {
        owner: tag.parse().ok()?,
        number: number.parse().ok()?,
    };
    Some(KeyKind::OfList(list, part))
}
