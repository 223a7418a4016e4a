//! Reading a ZSET in pages, whatever its members and scores are: what a check must not trust.

use std::collections::HashSet;

use crate::{
    domain::{Collection, FoldedTag, ListId, StatusId, Timeline, UserId},
    store::{Result, Store, keys, redis::scripts::With},
};

/// How many members of a ZSET one read gives.
const ROWS: usize = 1000;

/// A ZSET that is examined.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Place {
    Following(UserId),
    Followers(UserId),
    Profile(UserId),
    /// What somebody wrote that is no answer.
    Posts(UserId),
    Home(UserId),
    /// Who stands in a list.
    Members(ListId),
    /// The statuses of a list.
    List(ListId),
    /// The statuses with a tag.
    Tagged(FoldedTag),
    /// Who follows a tag.
    TagFollowers(FoldedTag),
    /// The statuses that mention somebody.
    Mentions(UserId),
    /// The answers to somebody.
    Answered(UserId),
    /// Whose reposts somebody does not want.
    HiddenReposts(UserId),
    /// The tags that somebody follows.
    Tags(UserId),
    /// The lists that somebody stands in.
    Listed(UserId),
    /// Whom somebody's home leaves out.
    Excluded(UserId),
    /// What somebody keeps.
    Collection(UserId, Collection),
    /// Who favours a status.
    FavouritedBy(StatusId),
    /// How people voted in a poll.
    Ballots(StatusId),
    /// What somebody reposts without a word of their own.
    Reposted(UserId),
    /// Who reposts a status so.
    Reposts(StatusId),
    /// What reposts a status with a comment.
    Quotes(StatusId),
    /// The living answers to a status.
    Answers(StatusId),
    /// The deleted ones that are answered themselves.
    Gaps(StatusId),
    /// What somebody was told.
    Notifications(UserId),
    Newest,
    MostFollowed,
}

impl From<Timeline> for Place {
    fn from(timeline: Timeline) -> Self {
        match timeline {
            Timeline::Home(of) => Self::Home(of),
            Timeline::List(list) => Self::List(list),
        }
    }
}

impl Place {
    pub(in crate::store) fn key(&self) -> String {
        match *self {
            Self::Following(of) => keys::following(of),
            Self::Followers(of) => keys::followers(of),
            Self::Profile(of) => keys::profile(of),
            Self::Posts(of) => keys::posts(of),
            Self::Home(of) => keys::home(of),
            Self::Members(list) => keys::list_members(list),
            Self::List(list) => keys::list_timeline(list),
            Self::Tagged(ref tag) => keys::tagged(tag),
            Self::TagFollowers(ref tag) => keys::tag_followers(tag),
            Self::Mentions(of) => keys::mentions(of),
            Self::Answered(of) => keys::answered(of),
            Self::HiddenReposts(of) => keys::hidden_reposts(of),
            Self::Tags(of) => keys::tags(of),
            Self::Listed(of) => keys::listed(of),
            Self::Excluded(of) => keys::excluded(of),
            Self::Collection(of, collection) => keys::collection(of, collection),
            Self::FavouritedBy(of) => keys::favourited_by(of),
            Self::Ballots(of) => keys::ballots(of),
            Self::Reposted(by) => keys::reposted(by),
            Self::Reposts(of) => keys::reposts(of),
            Self::Quotes(of) => keys::quotes(of),
            Self::Answers(to) => keys::answers(to),
            Self::Gaps(under) => keys::gaps(under),
            Self::Notifications(of) => keys::notifications(of),
            Self::Newest => keys::PEOPLE_NEWEST.to_owned(),
            Self::MostFollowed => keys::PEOPLE_FOLLOWED.to_owned(),
        }
    }
}

/// A member of a ZSET, whatever it is, and its score.
pub type Row = (String, f64);

/// How far a ZSET has been read.
pub struct Pages {
    place: Place,
    /// The last score that was read, and the members that had it.
    last: Option<(f64, HashSet<String>)>,
    ended: bool,
}

impl Pages {
    #[must_use]
    pub fn of(place: &Place) -> Self {
        Self {
            place: place.clone(),
            last: None,
            ended: false,
        }
    }
}

impl Store {
    /// The next rows of a ZSET, in the order of their scores; none at its end. Members that share
    /// a score are all read, up to a page of them.
    pub async fn rows(&self, pages: &mut Pages) -> Result<Vec<Row>> {
        if pages.ended {
            return Ok(Vec::new());
        }
        let (from, seen) = match &pages.last {
            None => ("-inf".to_owned(), 0),
            Some((score, seen)) if seen.len() < ROWS => (score.to_string(), seen.len()),
            Some((score, _)) => (format!("({score}"), 0),
        };
        let range = redis::cmd("ZRANGE")
            .with(pages.place.key())
            .with(from)
            .with("+inf")
            .with("BYSCORE")
            .with("LIMIT")
            .with(0)
            .with(ROWS + seen)
            .with("WITHSCORES");
        let mut rows: Vec<Row> = self.connection.query(range).await?;
        pages.ended = rows.len() < ROWS + seen;
        if let Some((score, seen)) = &pages.last {
            rows.retain(|(member, at)| at != score || !seen.contains(member));
        }
        if let Some((_, last)) = rows.last() {
            let same = rows.iter().filter(|(_, score)| score == last);
            let mut same: HashSet<String> = same.map(|(member, _)| member.clone()).collect();
            if let Some((score, seen)) = pages.last.take()
                && score == *last
            {
                same.extend(seen);
            }
            pages.last = Some((*last, same));
        }
        Ok(rows)
    }

    /// How many members a ZSET has.
    pub async fn cardinality(&self, place: &Place) -> Result<u64> {
        let card = redis::cmd("ZCARD").with(place.key());
        self.connection.query(card).await
    }
}
