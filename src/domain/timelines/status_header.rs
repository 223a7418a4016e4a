//! The header of a status: author, reply_to, quote_of, repost_of, tags and mentions. Together with the
//! sources of a timeline it decides whether the status belongs there.

use std::{collections::HashSet, fmt, str::FromStr};

use crate::domain::{
    FoldedTag, GroupId, HomeFilter, ParseError, ProfileView, Readers, StatusId, Timeline, UserId,
    Visibility,
};

/// A reference to another status, with its author.
#[derive(Debug, Clone, Copy, PartialEq, Eq, derive_more::Display)]
#[display("{status}:{author}")]
pub struct StatusRef {
    pub status: StatusId,
    pub author: UserId,
}

impl FromStr for StatusRef {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (status, author) = text.split_once(':').ok_or(ParseError)?;
        Ok(Self {
            status: status.parse()?,
            author: author.parse()?,
        })
    }
}

/// The fields of a status that decide where it is delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusHeader {
    pub author: UserId,
    pub reply_to: Option<StatusRef>,
    /// The original of a repost without a comment. A quote is a status like any other.
    pub repost_of: Option<StatusRef>,
    pub quote_of: Option<StatusRef>,
    /// The status that it quoted until the author of that one detached it.
    pub detached_from: Option<StatusRef>,
    pub tags: Vec<FoldedTag>,
    /// The people that its text mentions and who could see it when it was written, except its author: at most
    /// [`crate::domain::Draft::MAX_MENTIONED`].
    pub mentioned: Vec<UserId>,
    /// Tags that an edit removed.
    pub untagged: Vec<FoldedTag>,
    /// Mentions that an edit removed.
    pub unmentioned: Vec<UserId>,
    /// Bytes beyond [`crate::domain::BASE_POST_BYTES`] that it counts as in the quota of its author.
    pub extra_bytes: u64,
    pub readers: Readers,
    /// The group that it was posted in. A reply is in the group of its conversation.
    pub group: Option<GroupId>,
    /// Its author had used up their share of the timeline of everybody when it was posted.
    pub is_over_share: bool,
    /// The revision since which it waits for a moderator.
    pub waiting_since: Option<u64>,
}

/// Readers that an author can choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChoosableReaders {
    UpTo(Visibility),
    InGroup(GroupId),
}

impl StatusHeader {
    /// Returns the readers of the status, if its author can choose them for a new one: not the followers of another
    /// person.
    pub fn choosable_readers(&self) -> Option<ChoosableReaders> {
        let of_group = self.readers.of_group().map(|members| members.group);
        match (self.group.or(of_group), self.readers) {
            (Some(group), _) => Some(ChoosableReaders::InGroup(group)),
            (None, Readers::FollowersOf(person)) if person != self.author => None,
            (None, readers) => Some(ChoosableReaders::UpTo(readers.visibility())),
        }
    }

    /// Returns the header of a post without tags.
    pub fn of(author: UserId) -> Self {
        Self {
            author,
            reply_to: None,
            repost_of: None,
            quote_of: None,
            detached_from: None,
            tags: Vec::new(),
            mentioned: Vec::new(),
            untagged: Vec::new(),
            unmentioned: Vec::new(),
            extra_bytes: 0,
            readers: Readers::Everyone,
            group: None,
            is_over_share: false,
            waiting_since: None,
        }
    }

    /// Returns whether both lead to the same places, whatever they count as.
    pub fn routes_like(&self, other: &Self) -> bool {
        let extra_bytes = other.extra_bytes;
        Self {
            extra_bytes,
            ..self.clone()
        } == *other
    }

    /// Returns the original of a repost or quote. A repost goes when its original is deleted.
    pub fn original(&self) -> Option<StatusRef> {
        self.repost_of.or(self.quote_of)
    }

    /// Returns the status that it quotes or quoted until it was detached. Its author was notified.
    pub fn quoted(&self) -> Option<StatusRef> {
        self.quote_of.or(self.detached_from)
    }

    /// Returns the header after an edit, which makes it visible to fewer people at most. Removed tags and mentions lead
    /// to the copies that have to go.
    pub fn edited(
        &self,
        tags: Vec<FoldedTag>,
        mentioned: Vec<UserId>,
        visibility: Option<Visibility>,
    ) -> Self {
        let narrower = visibility.filter(|new| *new < self.readers.visibility());
        Self {
            untagged: former(&self.tags, &self.untagged, &tags),
            unmentioned: former(&self.mentioned, &self.unmentioned, &mentioned),
            tags,
            mentioned,
            readers: narrower.map_or(self.readers, |new| Readers::of(new, self.author)),
            ..*self
        }
    }

    /// Returns the stored fields for tags and mentions, by name. Empty lists are ''.
    pub fn fields_of_text(&self) -> [(&'static str, String); 4] {
        [
            ("tags", joined(&self.tags)),
            ("mentioned", joined(&self.mentioned)),
            ("untagged", joined(&self.untagged)),
            ("unmentioned", joined(&self.unmentioned)),
        ]
    }

    /// Returns the bytes of the fields for tags and mentions.
    pub fn bytes_of_text_fields(&self) -> usize {
        self.fields_of_text()
            .iter()
            .map(|(_, text)| text.len())
            .sum()
    }

    /// Returns the tags by which it is delivered, then those by which it was delivered before an edit.
    pub fn tags_served(&self) -> impl Iterator<Item = &FoldedTag> {
        let all = self.tags.iter().chain(&self.untagged);
        all.filter(|_| self.is_top_level())
    }

    /// Returns whether it is neither a reply nor a repost. Such a status is listed among its author's
    /// posts and delivered by its tags.
    pub fn is_top_level(&self) -> bool {
        self.reply_to.is_none() && self.repost_of.is_none()
    }

    /// Returns whether it is a post in a group: it is in the timeline of the group and on homes of members.
    pub fn is_group_post(&self) -> bool {
        self.group.is_some() && self.is_top_level()
    }

    /// Returns whether it is listed under its tags. Tags of what only members of a group see are not listed.
    pub fn is_listed_by_tags(&self) -> bool {
        self.is_top_level() && self.readers.of_group().is_none()
    }

    /// Returns whether its author counts as a user of its tags: everyone may see it, and it waits for no moderator.
    pub fn counts_in_trends(&self) -> bool {
        let is_seen = self.readers == Readers::Everyone && self.waiting_since.is_none();
        is_seen && self.is_listed_by_tags()
    }

    /// Returns the narrowest view of its author's profile that shows it.
    pub fn view(&self) -> ProfileView {
        match self.reply_to {
            None => ProfileView::Posts,
            Some(_) => ProfileView::PostsAndReplies,
        }
    }

    /// Returns whether this person wrote it or is replied to.
    pub fn involves(&self, person: UserId) -> bool {
        let answered = self.reply_to.map(|answered| answered.author);
        self.author == person || answered == Some(person)
    }
}

/// Returns earlier entries that are no longer present.
fn former<T: Clone + PartialEq>(before: &[T], long_before: &[T], now: &[T]) -> Vec<T> {
    let mut former: Vec<T> = Vec::new();
    for one in before.iter().chain(long_before) {
        if !now.contains(one) && !former.contains(one) {
            former.push(one.clone());
        }
    }
    former
}

/// Formats as stored, separated by single blanks.
pub fn joined<T: fmt::Display>(all: &[T]) -> String {
    let texts: Vec<String> = all.iter().map(T::to_string).collect();
    texts.join(" ")
}

/// Formats for scripts, with single blanks: author, authors of reply_to and repost_of (0: none), tags. The person
/// whose followers alone see the status follows the author after a slash, and its group after `@`.
impl fmt::Display for StatusHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let author_of = |origin: Option<StatusRef>| origin.map_or(0, |origin| origin.author.get());
        let (answered, reposted) = (author_of(self.reply_to), author_of(self.repost_of));
        write!(f, "{}", self.author)?;
        if let Some(followed) = self.readers.followed() {
            write!(f, "/{followed}")?;
        }
        if let Some(group) = self.group {
            write!(f, "@{group}")?;
        }
        write!(f, " {answered} {reposted}")?;
        self.tags.iter().try_for_each(|tag| write!(f, " {tag}"))
    }
}

#[derive(Debug, Clone)]
pub struct Sources {
    pub timeline: Timeline,
    /// The people that the owner follows, or the members of the list.
    pub people: HashSet<UserId>,
    /// People that exclusive lists keep out of a home.
    pub excluded: HashSet<UserId>,
    /// The people that each home filter is set for.
    pub filtered: [HashSet<UserId>; HomeFilter::ALL.len()],
    pub tags: HashSet<FoldedTag>,
    /// The groups with posts that come to a home.
    pub groups: HashSet<GroupId>,
}

impl Sources {
    /// Returns whether a status belongs on the timeline, like `belongs` in the scripts.
    ///
    /// A home holds all statuses of its owner, and none of members of exclusive lists. A reply belongs
    /// if its author and the author it replies to are both sources, are the same person, or if the
    /// latter is the owner. A repost never returns to the original's author. A post that is neither
    /// reply nor repost also belongs by a followed tag. A status for the followers of a person belongs on
    /// a home only by that person, never by a tag. A list stores it, and its pages ask who may see it. A post in a
    /// group belongs only on the homes of members who want its posts there, and replies there belong on none.
    pub fn belongs(&self, status: &StatusHeader) -> bool {
        let author = status.author;
        match self.timeline {
            Timeline::Home(owner) if author == owner => return true,
            Timeline::Home(_) if self.excluded.contains(&author) => return false,
            _ => {}
        }
        if let Some(group) = status.group {
            return self.takes_group_post(group, status);
        }
        let owner = self.timeline.owner();
        if !self.is_reached_by_followers_of(status) {
            return false;
        }
        let known = [owner, author];
        let is_known =
            |to: StatusRef| known.contains(&to.author) || self.people.contains(&to.author);
        if status
            .repost_of
            .is_some_and(|original| original.author == owner)
        {
            return false;
        }
        let answers_known = status.reply_to.is_none_or(is_known);
        if self.people.contains(&author) && !self.is_filtered(status) && answers_known {
            return true;
        }
        let is_for_followers = status.readers.followed().is_some();
        status.is_top_level()
            && !is_for_followers
            && status.tags.iter().any(|tag| self.tags.contains(tag))
    }

    /// Returns whether a home filter hides a status.
    fn is_filtered(&self, status: &StatusHeader) -> bool {
        let mut filters = HomeFilter::ALL.iter().zip(&self.filtered);
        filters.any(|(filter, people)| filter.hides(status) && people.contains(&status.author))
    }

    /// Returns whether a post in a group comes to the timeline. If only followers of a person see it, the owner must
    /// follow that person too.
    fn takes_group_post(&self, group: GroupId, status: &StatusHeader) -> bool {
        let followed = status.readers.followed();
        status.is_top_level()
            && self.groups.contains(&group)
            && followed.is_none_or(|person| self.people.contains(&person))
    }

    /// Returns whether the person whose followers alone see a status wrote it, is replied to or owns the
    /// timeline. Then the other rules require that the owner of a home follows them. A reply between two
    /// other people comes to no home.
    fn is_reached_by_followers_of(&self, status: &StatusHeader) -> bool {
        let Timeline::Home(owner) = self.timeline else {
            return true;
        };
        let followed = status.readers.followed();
        followed.is_none_or(|person| person == owner || status.involves(person))
    }

    /// Returns the people whose profiles the timeline is merged from.
    pub fn authors(&self) -> Vec<UserId> {
        let Timeline::Home(owner) = self.timeline else {
            return self.people.iter().copied().collect();
        };
        let others = self
            .people
            .difference(&self.excluded)
            .filter(|person| **person != owner);
        others.chain([&owner]).copied().collect()
    }

    /// Returns the number of profiles, tags and groups that the timeline is merged from.
    pub fn count(&self) -> usize {
        self.authors().len() + self.tags.len() + self.groups.len()
    }
}

#[cfg(test)]
mod tests;
