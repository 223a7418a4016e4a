//! Reads of a ZSET in pages, whatever its members and scores are, because the audit cannot trust them.

use std::collections::HashSet;

use crate::{
    domain::{Collection, FoldedTag, ListId, StatusId, Timeline, UserId},
    store::{Result, Store, keys, redis::scripts::With},
};

/// Number of members per read.
const ROWS: usize = 1000;

/// A ZSET that the audit examines.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Place {
    Following(UserId),
    Followers(UserId),
    Profile(UserId),
    /// A person's statuses without replies.
    Posts(UserId),
    Home(UserId),
    /// Members of a list.
    Members(ListId),
    /// The statuses of a list.
    List(ListId),
    /// The statuses with a tag.
    Tagged(FoldedTag),
    /// Followers of a tag.
    TagFollowers(FoldedTag),
    /// Statuses that mention a person.
    Mentions(UserId),
    /// Replies to a person.
    Answered(UserId),
    /// People with reposts that the owner hides.
    HiddenReposts(UserId),
    /// Tags that a person follows.
    Tags(UserId),
    /// Lists that a person is a member of.
    Listed(UserId),
    /// People that a home excludes.
    Excluded(UserId),
    /// A collection of saved statuses.
    Collection(UserId, Collection),
    /// People who favourited a status.
    FavouritedBy(StatusId),
    /// Votes in a poll.
    Ballots(StatusId),
    /// Claimed reposts of a person.
    Reposted(UserId),
    /// People who repost a status without a comment.
    Reposts(StatusId),
    /// Quotes of a status.
    Quotes(StatusId),
    /// Living replies to a status.
    Answers(StatusId),
    /// Deleted replies that have replies.
    Gaps(StatusId),
    /// A person's notifications.
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
            Self::Tagged(ref tag) => keys::tag_index(tag),
            Self::TagFollowers(ref tag) => keys::tag_followers(tag),
            Self::Mentions(of) => keys::mention_index(of),
            Self::Answered(of) => keys::received_replies(of),
            Self::HiddenReposts(of) => keys::hidden_reposts(of),
            Self::Tags(of) => keys::followed_tags(of),
            Self::Listed(of) => keys::list_memberships(of),
            Self::Excluded(of) => keys::excluded(of),
            Self::Collection(of, collection) => keys::collection(of, collection),
            Self::FavouritedBy(of) => keys::favourited_by(of),
            Self::Ballots(of) => keys::ballots(of),
            Self::Reposted(by) => keys::own_reposts(by),
            Self::Reposts(of) => keys::reposted_by(of),
            Self::Quotes(of) => keys::quotes(of),
            Self::Answers(to) => keys::replies(to),
            Self::Gaps(under) => keys::gaps(under),
            Self::Notifications(of) => keys::notifications(of),
            Self::Newest => keys::PEOPLE_NEWEST.to_owned(),
            Self::MostFollowed => keys::PEOPLE_FOLLOWED.to_owned(),
        }
    }
}

/// A member of a ZSET and its score.
pub type Row = (String, f64);

/// Position in a ZSET that is being read.
pub struct Pages {
    place: Place,
    /// The last score read, and its members.
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
    /// Returns the next rows of a ZSET in the order of scores; none at its end. Members with equal
    /// scores are all read, up to a page of them.
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

    /// Returns the number of members.
    pub async fn cardinality(&self, place: &Place) -> Result<u64> {
        let card = redis::cmd("ZCARD").with(place.key());
        self.connection.query(card).await
    }
}
