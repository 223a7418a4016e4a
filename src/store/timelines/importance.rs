//! Reads of what decides how important a post is to its reader: what is new on their home, who
//! answered and favoured it, whom they follow and ask for more of, and what they did lately.

use std::collections::{HashMap, HashSet};

use super::{
    homes::parse_mark,
    profiles::{status_ids, user_ids},
};
use crate::{
    domain::{AuthorPreference, Collection, PAGE_SIZE, Signals, StatusId, UserId},
    store::{
        Mark, ReadMode, Result, Store, UnixMs,
        follows::author_preferences::author_preferences,
        keys,
        redis::{
            connection::read,
            scripts::{self, With},
        },
    },
};

/// What is new on a home, as of a moment.
#[derive(Debug, Clone)]
pub struct Candidates {
    pub mark: Mark,
    pub at: UnixMs,
    /// By others, newest first. Where nothing is new, the newest of them: a page of these at most.
    pub ids: Vec<StatusId>,
    /// How many are new.
    pub new: u64,
}

/// What people have done, up to a moment.
#[derive(Debug, Clone)]
pub struct Traces {
    /// Whom the reader follows.
    pub people: HashSet<UserId>,
    /// Of whom they asked for more or less.
    pub author_preferences: HashMap<UserId, AuthorPreference>,
    /// What they favoured lately.
    pub favourites: Vec<StatusId>,
    /// What they wrote lately.
    pub written: Vec<StatusId>,
    /// Who favours each of the posts, and what answers it, in the order of these.
    pub echoes: Vec<Echo>,
}

/// What came of a post lately.
#[derive(Debug, Clone)]
pub struct Echo {
    pub favourited_by: Vec<UserId>,
    pub answers: Vec<StatusId>,
}

impl Store {
    /// What is new on a home and not newer than a moment, `most` at most; now, where none is named:
    /// then at a visit what a single page holds of it has been shown. See `read_important.lua`. One trip.
    pub async fn candidates(
        &self,
        of: UserId,
        at: Option<UnixMs>,
        most: usize,
        read_mode: ReadMode,
    ) -> Result<Candidates> {
        let read = scripts::READ_IMPORTANT
            .on([
                keys::home(of),
                keys::active(of),
                keys::reading(of),
                keys::profile(of),
            ])
            .with(at.map_or(0, |at| at.0))
            .with(most)
            .with(self.config.timeouts.dormant.as_secs())
            .with(StatusId::EPOCH_MS)
            .with(PAGE_SIZE)
            .with(read_mode.word());
        let (mark, at, ids, new): (Option<String>, u64, Vec<u64>, u64) =
            self.connection.query(read).await?;
        Ok(Candidates {
            mark: parse_mark(mark.as_deref()),
            at: UnixMs(at),
            ids: status_ids(ids),
            new,
        })
    }

    /// What decides how important these posts are to a reader, as of a moment. One trip.
    pub async fn traces(&self, reader: UserId, posts: &[StatusId], at: UnixMs) -> Result<Traces> {
        let kept = keys::collection(reader, Collection::Favourites);
        let mut reads = vec![
            redis::cmd("ZRANGE")
                .with(keys::following(reader))
                .with(0)
                .with(-1),
            redis::cmd("HGETALL").with(keys::author_preferences(reader)),
            edges_by(kept, at, Signals::FAVOURITED.examined),
            posted_by(keys::profile(reader), at, Signals::ANSWERED.examined),
        ];
        reads.extend(posts.iter().flat_map(|id| {
            [
                edges_by(keys::favourited_by(*id), at, Signals::FAVOURITES.examined),
                posted_by(keys::answers(*id), at, Signals::ANSWERS.examined),
            ]
        }));
        let mut answers = self.connection.batch(reads).await?.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let people = user_ids(read::<Vec<u64>>(next())?).into_iter().collect();
        let author_preferences = author_preferences(read(next())?);
        let mut ids = || read::<Vec<u64>>(next());
        let (favourites, written) = (status_ids(ids()?), status_ids(ids()?));
        let echo = |_: &StatusId| {
            Ok(Echo {
                favourited_by: user_ids(ids()?),
                answers: status_ids(ids()?),
            })
        };
        Ok(Traces {
            people,
            author_preferences,
            favourites,
            written,
            echoes: posts.iter().map(echo).collect::<Result<_>>()?,
        })
    }
}

/// The newest members of a ZSET of edges, none later than that.
fn edges_by(key: String, at: UnixMs, count: usize) -> redis::Cmd {
    redis::cmd("ZRANGE")
        .with(key)
        .with(at.0 * 1000 + 999)
        .with("-inf")
        .with("BYSCORE")
        .with("REV")
        .with("LIMIT")
        .with(0)
        .with(count)
}

/// The newest members of a ZSET of statuses, none later than that.
fn posted_by(key: String, at: UnixMs, count: usize) -> redis::Cmd {
    redis::cmd("ZRANGE")
        .with(key)
        .with(format!("-{}", at.largest_id()))
        .with("+inf")
        .with("BYSCORE")
        .with("LIMIT")
        .with(0)
        .with(count)
}
