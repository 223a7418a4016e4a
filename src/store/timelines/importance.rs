//! Reads for the order by importance: new posts on a home, their replies and favourites, and the
//! reader's relations and recent activity.

use std::collections::{HashMap, HashSet};

use super::{calls::ReadImportant, homes::parse_mark};
use crate::{
    domain::{AuthorPreference, Collection, Signals},
    store::{
        Mark, ReadMode, access::mutes::muted_people_at,
        follows::author_preferences::author_preferences, prelude::*,
    },
};

/// New posts on a home, as of a moment.
#[derive(Debug, Clone)]
pub struct Candidates {
    pub mark: Mark,
    pub at: UnixMs,
    /// Posts by others, newest first. If none is new, the newest ones.
    pub ids: Vec<StatusId>,
    /// Number of new posts.
    pub new: u64,
}

/// The part of a home from which candidates are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HomePart {
    /// At most this many of the new posts. If none is new, at most one page of the newest ones.
    New(usize),
    /// All new posts. If none is new, all.
    AllNew,
    /// All posts, although some are new.
    Whole,
}

/// Recent activity up to a moment.
#[derive(Debug, Clone)]
pub struct RecentActivity {
    /// People that the reader follows and does not mute.
    pub people: HashSet<UserId>,
    /// People that the reader asked to see more or less of.
    pub author_preferences: HashMap<UserId, AuthorPreference>,
    /// Statuses that the reader favourited recently.
    pub favourites: Vec<StatusId>,
    /// Statuses that the reader wrote recently.
    pub written: Vec<StatusId>,
    /// Favourites of and replies to each post, in the order of the posts.
    pub reactions: Vec<PostReactions>,
}

/// Recent reactions to a post.
#[derive(Debug, Clone)]
pub struct PostReactions {
    pub favourited_by: Vec<UserId>,
    pub replies: Vec<StatusId>,
}

impl Store {
    /// Returns the new posts in a part of a home, up to a moment. A reader who mutes anything gets all of them. Without a
    /// moment it reads as of now and counts as a visit: posts that fit on one page count as shown. See
    /// `read_important.lua`. One round trip.
    pub async fn candidates(
        &self,
        of: UserId,
        at: Option<UnixMs>,
        part: HomePart,
        read_mode: ReadMode,
    ) -> Result<Candidates> {
        let all = 2 * self.config.limits.home_size;
        let (max_ids, max_seen_ids) = match part {
            HomePart::New(most) => (most, PAGE_SIZE),
            HomePart::AllNew => (all, all),
            HomePart::Whole => (0, all),
        };
        let read = ReadImportant {
            home: keys::home(of),
            active_mark: keys::active(of),
            reading: keys::reading(of),
            profile: keys::profile(of),
            muted: keys::muted(of),
            muted_texts: keys::muted_texts(of),
            as_of_ms: at.map_or(0, |at| at.0),
            max_ids,
            max_seen_ids,
            mark_ttl_s: self.mark_ttl_s(),
            epoch_ms: StatusId::EPOCH_MS,
            page_size: PAGE_SIZE,
            mode: read_mode.word(),
        };
        let (mark, at, ids, new): (Option<String>, u64, Vec<u64>, u64) =
            self.connection.query(read.command()).await?;
        Ok(Candidates {
            mark: parse_mark(mark.as_deref()),
            at: UnixMs(at),
            ids: status_ids(ids),
            new,
        })
    }

    /// Returns the signals for these posts and this reader, as of a moment. One round trip.
    pub async fn activity(
        &self,
        reader: UserId,
        posts: &[StatusId],
        at: UnixMs,
    ) -> Result<RecentActivity> {
        let kept = keys::collection(reader, Collection::Favourites);
        let mut reads = vec![
            redis::cmd("ZRANGE").with((keys::following(reader), 0, -1)),
            muted_people_at(reader, at),
            redis::cmd("HGETALL").with(keys::author_preferences(reader)),
            edges_by(kept, at, Signals::FAVOURITED.examined),
            posted_by(
                keys::profile(reader),
                at,
                Signals::REPLIES_BY_READER.examined,
            ),
        ];
        reads.extend(posts.iter().flat_map(|id| {
            [
                edges_by(keys::favourited_by(*id), at, Signals::FAVOURITES.examined),
                posted_by(keys::replies(*id), at, Signals::REPLIES.examined),
            ]
        }));
        let mut answers = self.connection.batch(reads).await?.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let mut people: HashSet<UserId> = user_ids(read::<Vec<u64>>(next())?).into_iter().collect();
        for muted in user_ids(read::<Vec<u64>>(next())?) {
            people.remove(&muted);
        }
        let author_preferences = author_preferences(read(next())?);
        let mut ids = || read::<Vec<u64>>(next());
        let (favourites, written) = (status_ids(ids()?), status_ids(ids()?));
        let reactions = |_: &StatusId| {
            Ok(PostReactions {
                favourited_by: user_ids(ids()?),
                replies: status_ids(ids()?),
            })
        };
        Ok(RecentActivity {
            people,
            author_preferences,
            favourites,
            written,
            reactions: posts.iter().map(reactions).collect::<Result<_>>()?,
        })
    }
}

/// Builds a read of the newest members of a ZSET of relations, up to a time.
fn edges_by(key: String, at: UnixMs, count: usize) -> Cmd {
    range_by_score(key, at.0 * 1000 + 999, "-inf", count).with("REV")
}

/// Builds a read of the newest members of a ZSET of statuses, up to a time.
fn posted_by(key: String, at: UnixMs, count: usize) -> Cmd {
    range_by_score(key, format!("-{}", at.largest_id()), "+inf", count)
}
