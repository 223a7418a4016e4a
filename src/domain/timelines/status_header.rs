//! The header of a status: author, reply_to, quote_of, repost_of, tags and mentions. Together with the
//! sources of a timeline it decides whether the status belongs there.

use std::{collections::HashSet, fmt, str::FromStr};

use crate::domain::{FoldedTag, ParseIdError, ProfileView, StatusId, Timeline, UserId};

/// A reference to another status, with its author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatusRef {
    pub status: StatusId,
    pub author: UserId,
}

/// Formats as stored: `<status id>:<user id>`.
impl fmt::Display for StatusRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.status, self.author)
    }
}

impl FromStr for StatusRef {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        let (status, author) = text.split_once(':').ok_or(ParseIdError)?;
        Ok(Self {
            status: status.parse()?,
            author: author.parse()?,
        })
    }
}

/// The part of a status that routing needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusHeader {
    pub author: UserId,
    /// The status that it replies to.
    pub reply_to: Option<StatusRef>,
    /// The original of a repost without a comment. A quote is a status like any other.
    pub repost_of: Option<StatusRef>,
    /// The status that it quotes.
    pub quote_of: Option<StatusRef>,
    pub tags: Vec<FoldedTag>,
    /// Whom its text mentions, others than its author: [`crate::domain::Draft::MAX_MENTIONED`] at most.
    pub mentioned: Vec<UserId>,
    /// Tags that an edit removed.
    pub untagged: Vec<FoldedTag>,
    /// Mentions that an edit removed.
    pub unmentioned: Vec<UserId>,
}

impl StatusHeader {
    /// Returns the header of a post without tags.
    #[must_use]
    pub fn of(author: UserId) -> Self {
        Self {
            author,
            reply_to: None,
            repost_of: None,
            quote_of: None,
            tags: Vec::new(),
            mentioned: Vec::new(),
            untagged: Vec::new(),
            unmentioned: Vec::new(),
        }
    }

    /// Returns the original of a repost or quote. A repost goes when its original is deleted.
    #[must_use]
    pub fn original(&self) -> Option<StatusRef> {
        self.repost_of.or(self.quote_of)
    }

    /// Returns whether it is a repost without a comment by this person.
    #[must_use]
    pub fn is_repost_by(&self, person: UserId) -> bool {
        self.repost_of.is_some() && self.author == person
    }

    /// Returns the header after an edit. Removed tags and mentions stay known, because they lead to the
    /// copies that have to go.
    #[must_use]
    pub fn reworded(&self, tags: Vec<FoldedTag>, mentioned: Vec<UserId>) -> Self {
        Self {
            untagged: former(&self.tags, &self.untagged, &tags),
            unmentioned: former(&self.mentioned, &self.unmentioned, &mentioned),
            tags,
            mentioned,
            ..*self
        }
    }

    /// Returns the stored fields for tags and mentions, by name. Empty lists are ''.
    #[must_use]
    pub fn fields_of_text(&self) -> [(&'static str, String); 4] {
        [
            ("tags", joined(&self.tags)),
            ("mentioned", joined(&self.mentioned)),
            ("untagged", joined(&self.untagged)),
            ("unmentioned", joined(&self.unmentioned)),
        ]
    }

    /// Returns the tags by which it is delivered, then those by which it was delivered before an edit.
    pub fn tags_served(&self) -> impl Iterator<Item = &FoldedTag> {
        let all = self.tags.iter().chain(&self.untagged);
        all.filter(|_| self.stands_alone())
    }

    /// Returns whether it is neither a reply nor a repost. Such a status is listed among its author's
    /// posts and delivered by its tags.
    #[must_use]
    pub fn stands_alone(&self) -> bool {
        self.reply_to.is_none() && self.repost_of.is_none()
    }

    /// Returns the narrowest view of its author's profile that shows it.
    #[must_use]
    pub fn view(&self) -> ProfileView {
        match self.reply_to {
            None => ProfileView::Posts,
            Some(_) => ProfileView::PostsAndReplies,
        }
    }

    /// Returns whether this person wrote it or is replied to.
    #[must_use]
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

/// Formats for scripts: author, author of reply_to, author of repost_of (0: none) and tags, separated by
/// single blanks.
impl fmt::Display for StatusHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let author_of = |origin: Option<StatusRef>| origin.map_or(0, |origin| origin.author.get());
        let (answered, reposted) = (author_of(self.reply_to), author_of(self.repost_of));
        write!(f, "{} {answered} {reposted}", self.author)?;
        self.tags.iter().try_for_each(|tag| write!(f, " {tag}"))
    }
}

/// The sources of a timeline.
#[derive(Debug, Clone)]
pub struct Sources {
    pub timeline: Timeline,
    /// The people that the owner follows, or the members of the list.
    pub people: HashSet<UserId>,
    /// People that exclusive lists keep out of a home.
    pub excluded: HashSet<UserId>,
    /// Followed people whose reposts the owner hides.
    pub hidden_reposts: HashSet<UserId>,
    /// Followed tags of a home.
    pub tags: HashSet<FoldedTag>,
}

impl Sources {
    /// Returns whether a status belongs on the timeline, like `belongs` in the scripts.
    ///
    /// A home holds all statuses of its owner, and none of members of exclusive lists. A reply belongs
    /// if its author and the author it replies to are both sources, are the same person, or if the
    /// latter is the owner. A repost never returns to the original's author. A post that is neither
    /// reply nor repost also belongs by a followed tag.
    #[must_use]
    pub fn belongs(&self, status: &StatusHeader) -> bool {
        let author = status.author;
        match self.timeline {
            Timeline::Home(owner) if author == owner => return true,
            Timeline::Home(_) if self.excluded.contains(&author) => return false,
            _ => {}
        }
        let owner = self.timeline.owner();
        let known =
            |person: UserId| person == owner || person == author || self.people.contains(&person);
        if status
            .repost_of
            .is_some_and(|original| original.author == owner)
        {
            return false;
        }
        let wanted = status.repost_of.is_none() || !self.hidden_reposts.contains(&author);
        let answers_known = status
            .reply_to
            .is_none_or(|answered| known(answered.author));
        if self.people.contains(&author) && wanted && answers_known {
            return true;
        }
        status.stands_alone() && status.tags.iter().any(|tag| self.tags.contains(tag))
    }

    /// Returns the people whose profiles the timeline is merged from.
    #[must_use]
    pub fn authors(&self) -> Vec<UserId> {
        let Timeline::Home(owner) = self.timeline else {
            return self.people.iter().copied().collect();
        };
        let others = self.people.difference(&self.excluded);
        let others = others.copied().filter(|person| *person != owner);
        others.chain([owner]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::status_header::*;

    fn person(id: u64) -> UserId {
        UserId::new(id).expect("in range")
    }

    fn of(author: u64) -> StatusHeader {
        StatusHeader::of(person(author))
    }

    fn by(author: u64) -> Option<StatusRef> {
        let status = StatusId::new(4096).expect("in range");
        let author = person(author);
        Some(StatusRef { status, author })
    }

    fn tag(text: &str) -> FoldedTag {
        FoldedTag::stored(text).expect("a tag")
    }

    /// The home of person 1, who follows 2, 3 and 4, has 4 in an exclusive list, hides reposts by 3 and
    /// follows a tag.
    fn home() -> Sources {
        Sources {
            timeline: Timeline::Home(person(1)),
            people: [2, 3, 4].map(person).into(),
            excluded: [person(4)].into(),
            hidden_reposts: [person(3)].into(),
            tags: [tag("birds")].into(),
        }
    }

    #[test]
    fn a_home_includes_the_owner_and_followed_people_except_excluded_ones() {
        let belong = |author| home().belongs(&of(author));
        assert_eq!([1, 2, 4, 5].map(belong), [true, true, false, false]);
    }

    #[test]
    fn a_reply_reaches_followers_of_both_people() {
        let answer = |author, answered| {
            home().belongs(&StatusHeader {
                reply_to: by(answered),
                ..of(author)
            })
        };
        assert!(answer(2, 3) && answer(2, 1) && answer(2, 2) && answer(1, 9));
        assert!(!answer(2, 9) && !answer(9, 2) && !answer(9, 1));
    }

    #[test]
    fn a_repost_skips_hidden_reposts_and_its_original_author() {
        let repost = |author, original| {
            home().belongs(&StatusHeader {
                repost_of: by(original),
                ..of(author)
            })
        };
        assert!(repost(2, 9) && repost(1, 9));
        assert!(!repost(3, 9) && !repost(2, 1));
    }

    #[test]
    fn a_followed_tag_adds_posts_without_replies_and_reposts() {
        let tagged = |status: StatusHeader| {
            home().belongs(&StatusHeader {
                tags: vec![tag("cats"), tag("birds")],
                ..status
            })
        };
        assert!(tagged(of(9)));
        assert!(!tagged(of(4)), "an exclusive list keeps them out");
        assert!(!tagged(StatusHeader {
            reply_to: by(9),
            ..of(9)
        }));
        assert!(!tagged(StatusHeader {
            repost_of: by(9),
            ..of(9)
        }));
    }

    #[test]
    fn a_list_includes_members_and_replies_between_them() {
        let list = Sources {
            timeline: Timeline::List("1:7".parse().expect("a list")),
            people: [2, 3].map(person).into(),
            excluded: HashSet::new(),
            hidden_reposts: HashSet::new(),
            tags: HashSet::new(),
        };
        let answer = |author, answered| {
            list.belongs(&StatusHeader {
                reply_to: by(answered),
                ..of(author)
            })
        };
        assert!(list.belongs(&of(2)) && !list.belongs(&of(1)));
        assert!(answer(2, 3) && answer(2, 1) && !answer(2, 9));
    }

    #[test]
    fn the_status_header_for_scripts_is_one_line() {
        let status = StatusHeader {
            reply_to: by(3),
            tags: vec![tag("birds"), tag("日本")],
            ..of(2)
        };
        assert_eq!(status.to_string(), "2 3 0 birds 日本");
        assert_eq!(of(2).to_string(), "2 0 0");
    }

    #[test]
    fn an_edit_records_the_former_tags_and_mentions() {
        let status = StatusHeader {
            tags: vec![tag("birds"), tag("cats")],
            mentioned: vec![person(3)],
            ..of(2)
        };
        let status = status.reworded(vec![tag("cats"), tag("dogs")], vec![]);
        let fields = status.fields_of_text().map(|(_, value)| value);
        assert_eq!(fields, ["cats dogs", "", "birds", "3"]);
        let status = status.reworded(vec![tag("birds")], vec![person(3)]);
        let fields = status.fields_of_text().map(|(_, value)| value);
        assert_eq!(fields, ["birds", "3", "cats dogs", ""]);
        assert_eq!(status.tags_served().count(), 3);
    }

    #[test]
    fn a_status_reference_round_trips_through_text() {
        let origin = by(3).expect("one");
        assert_eq!(origin.to_string(), "4096:3");
        assert_eq!("4096:3".parse(), Ok(origin));
        for text in ["", "4096", "4096:", ":3", "4096:3:1"] {
            assert_eq!(text.parse::<StatusRef>(), Err(ParseIdError), "{text:?}");
        }
    }
}
