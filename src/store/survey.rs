//! Walking the whole database in bounded batches, for `redwing check`: what is there, never what
//! it means.

use super::{
    Life, Mark, Result, Store, UnixMs,
    connection::read,
    homes::parse_mark,
    keys,
    profiles::{status_ids, user_ids},
    scripts::With,
};
use crate::domain::{Login, StatusId, UserId};

/// How many entries a step of the walk reads.
const BATCH: usize = 1000;

/// Everything of one person that others must agree with.
#[derive(Debug, Clone)]
pub struct Estate {
    pub id: UserId,
    /// `None` where the sign-up was taken back.
    pub login: Option<Login>,
    pub posts: u64,
    pub followers_count: u64,
    pub following_count: u64,
    pub following: Vec<UserId>,
    pub followers: Vec<UserId>,
    pub profile: Vec<StatusId>,
    pub home: Vec<StatusId>,
    pub mark: Mark,
}

/// One step of a walk over keys.
pub struct Step {
    pub keys: Vec<Key>,
    pub next: Option<u64>,
}

/// A key that this store knows, and whether it expires.
#[derive(Debug, Clone)]
pub struct Key {
    pub name: String,
    pub kind: KeyKind,
    pub expires: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyKind {
    User(UserId),
    Status(StatusId),
    /// Truth of, or derived from, a person; without a TTL.
    OfUser(UserId),
    /// Ephemeral: has a TTL.
    Ephemeral,
    /// One for the whole site.
    Site,
    Login(String),
    Unknown,
}

impl Store {
    /// A step over all keys of this node, from a cursor (0 to begin).
    pub async fn walk(&self, cursor: u64) -> Result<Step> {
        let scan = redis::cmd("SCAN").with(cursor).with("COUNT").with(BATCH);
        let (next, names): (u64, Vec<String>) = self.connection.query(scan).await?;
        let ttls = names
            .iter()
            .map(|name| redis::cmd("PTTL").with(name))
            .collect();
        let ttls = self.connection.batch(ttls).await?;
        let mut keys = Vec::with_capacity(names.len());
        for (name, ttl) in names.into_iter().zip(ttls) {
            let ttl: i64 = read(ttl)?;
            if ttl != -2 {
                keys.push(Key {
                    kind: kind(&name),
                    name,
                    expires: ttl >= 0,
                });
            }
        }
        Ok(Step {
            keys,
            next: Some(next).filter(|next| *next != 0),
        })
    }

    /// Everything of one person, read in one trip.
    pub async fn estate(&self, id: UserId) -> Result<Estate> {
        let all = |key| redis::cmd("ZRANGE").with(key).with(0).with(-1);
        let fields = &["login", "posts", "followers", "following"];
        let answers = self
            .connection
            .batch(vec![
                redis::cmd("HMGET").with(keys::user(id)).with(fields),
                all(keys::following(id)),
                all(keys::followers(id)),
                all(keys::profile(id)),
                all(keys::home(id)),
                redis::cmd("GET").with(keys::active(id)),
            ])
            .await?;
        let mut answers = answers.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        type Row = (Option<String>, Option<u64>, Option<u64>, Option<u64>);
        let (login, posts, followers_count, following_count): Row = read(next())?;
        let following = user_ids(read::<Vec<u64>>(next())?);
        let followers = user_ids(read::<Vec<u64>>(next())?);
        let profile = status_ids(read::<Vec<u64>>(next())?);
        let home = status_ids(read::<Vec<u64>>(next())?);
        let mark: Option<String> = read(next())?;
        Ok(Estate {
            id,
            login: login.as_deref().and_then(Login::stored),
            posts: posts.unwrap_or_default(),
            followers_count: followers_count.unwrap_or_default(),
            following_count: following_count.unwrap_or_default(),
            following,
            followers,
            profile,
            home,
            mark: parse_mark(mark.as_deref()),
        })
    }

    /// Whether each of these is a person. One trip.
    pub async fn are_people(&self, ids: &[UserId]) -> Result<Vec<bool>> {
        let exists = |id: &UserId| redis::cmd("HEXISTS").with(keys::user(*id)).with("login");
        let answers = self
            .connection
            .batch(ids.iter().map(exists).collect())
            .await?;
        answers.into_iter().map(read).collect()
    }

    /// Whether a status stands in its author's profile.
    pub async fn stands_in_profile(&self, id: StatusId, author: UserId) -> Result<bool> {
        let score = redis::cmd("ZSCORE")
            .with(keys::profile(author))
            .with(id.get());
        Ok(self.connection.query::<Option<f64>>(score).await?.is_some())
    }

    /// Everything living that these people posted, from their profiles.
    pub async fn living_by(&self, authors: &[UserId]) -> Result<Vec<StatusId>> {
        let mut ids = Vec::new();
        for authors in authors.chunks(BATCH) {
            let all = |author: &UserId| {
                redis::cmd("ZRANGE")
                    .with(keys::profile(*author))
                    .with(0)
                    .with(-1)
            };
            for answer in self
                .connection
                .batch(authors.iter().map(all).collect())
                .await?
            {
                ids.extend(status_ids(read::<Vec<u64>>(answer)?));
            }
        }
        let mut living = Vec::with_capacity(ids.len());
        for ids in ids.chunks(BATCH) {
            let lives = self.lives(ids).await?;
            let alive = ids
                .iter()
                .zip(lives)
                .filter(|(_, life)| matches!(life, Life::Living(_)));
            living.extend(alive.map(|(id, _)| *id));
        }
        living.sort_unstable_by(|a, b| b.cmp(a));
        Ok(living)
    }

    /// When the oldest entry of `later` was or is due, over all partitions.
    pub async fn oldest_due(&self) -> Result<Option<UnixMs>> {
        let mut oldest = None;
        for partition in 0..self.partitions() {
            let first = redis::cmd("ZRANGE")
                .with(keys::tasks_later(partition))
                .with(0)
                .with(0)
                .with("WITHSCORES");
            let first: Vec<(String, f64)> = self.connection.query(first).await?;
            let due = first.first().map(|(_, due)| UnixMs(*due as u64));
            oldest = oldest.into_iter().chain(due).min();
        }
        Ok(oldest)
    }
}

/// What a key's name says that it is.
fn kind(name: &str) -> KeyKind {
    let (prefix, rest) = name.split_once(":{").unwrap_or((name, ""));
    let (tag, _) = rest.split_once('}').unwrap_or((rest, ""));
    let user = || tag.parse().ok();
    match prefix {
        "user" => user().map_or(KeyKind::Unknown, KeyKind::User),
        "auth" | "following" | "followers" | "profile" | "home" => {
            user().map_or(KeyKind::Unknown, KeyKind::OfUser)
        }
        "status" => tag.parse().map_or(KeyKind::Unknown, KeyKind::Status),
        "login" => KeyKind::Login(tag.to_owned()),
        "active" | "nonce" | "session" | "sessions" | "rate" => KeyKind::Ephemeral,
        "tasks" | keys::NEXT_USER_ID | keys::PEOPLE_NEWEST | keys::PEOPLE_FOLLOWED => KeyKind::Site,
        _ => KeyKind::Unknown,
    }
}
