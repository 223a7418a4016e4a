//! The targets of a delivery: homes and lists, and the audiences that name them.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::domain::{
    FoldedTag, GroupId, ListId, ParseError, StatusHeader, UserId, ids::serde_as_text,
};

/// A timeline made of the statuses of several people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display)]
pub enum Timeline {
    Home(UserId),
    List(ListId),
}

impl Timeline {
    /// Returns its owner, who alone sees it.
    pub fn owner(self) -> UserId {
        match self {
            Self::Home(owner) => owner,
            Self::List(list) => list.owner,
        }
    }
}

impl FromStr for Timeline {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text.contains(':') {
            text.parse().map(Self::List)
        } else {
            text.parse().map(Self::Home)
        }
    }
}

serde_as_text!(Timeline);

/// A person, tag or group with statuses that come to a timeline. Scripts get its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, derive_more::Display)]
pub enum Source<'a> {
    Person(UserId),
    Tag(&'a FoldedTag),
    #[display("@{_0}")]
    Group(GroupId),
}

/// An audience of a fan-out: a ZSET of timelines with unique scores. They are served in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// The homes of an author's followers.
    Followers,
    /// The lists that the author is a member of.
    Listed,
    /// The homes of the followers of a tag, by its index in [`StatusHeader::tags_served`].
    Tag(u16),
    /// The homes of the members of a group who want its posts there. The only audience of a status in a group.
    Group,
}

impl Audience {
    /// Returns the timeline that a member names.
    pub fn timeline(self, member: &str) -> Option<Timeline> {
        match self {
            Self::Followers | Self::Tag(_) | Self::Group => member.parse().ok().map(Timeline::Home),
            Self::Listed => member.parse().ok().map(Timeline::List),
        }
    }
}

/// Progress of a fan-out: this audience after this score (µs) and all later ones are to be served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FanOutProgress {
    pub audience: Audience,
    pub after: u64,
}

impl FanOutProgress {
    pub const START: Self = Self {
        audience: Audience::Followers,
        after: 0,
    };

    /// Returns this position in the audiences of a status. A status in a group has one audience.
    #[must_use]
    pub fn among_audiences(self, of: &StatusHeader) -> Self {
        let is_start = self == Self::START && of.group.is_some();
        let audience = if is_start {
            Audience::Group
        } else {
            self.audience
        };
        Self { audience, ..self }
    }

    /// Returns the audiences that were served before this position, also the one that was served in part.
    pub fn passed_audiences(self, of: &StatusHeader) -> impl Iterator<Item = Audience> {
        let first = Self::START.among_audiences(of);
        let all = std::iter::successors(Some(first), |reach| reach.next_audience(of));
        let audiences = all.map(|reach| reach.audience);
        audiences.take_while(move |audience| {
            *audience < self.audience || *audience == self.audience && self.after > 0
        })
    }

    /// Returns the start of the status's next audience. `None` after the last.
    #[must_use]
    pub fn next_audience(self, of: &StatusHeader) -> Option<Self> {
        let audience = match self.audience {
            Audience::Followers => Audience::Listed,
            Audience::Listed => Audience::Tag(0),
            Audience::Tag(tag) => Audience::Tag(tag.saturating_add(1)),
            Audience::Group => return None,
        };
        if let Audience::Tag(tag) = audience {
            of.tags_served().nth(tag.into())?;
        }
        Some(Self { audience, after: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::super::timeline::*;

    fn audiences(of: &StatusHeader) -> Vec<Audience> {
        let first = Some(FanOutProgress::START.among_audiences(of));
        let all = std::iter::successors(first, |reach| reach.next_audience(of));
        all.inspect(|reach| assert_eq!(reach.after, 0))
            .map(|reach| reach.audience)
            .collect()
    }

    #[test]
    fn audiences_are_followers_then_lists_then_each_tag() {
        let author = UserId::new(7).expect("in range");
        let tag = |text| FoldedTag::stored(text).expect("a tag");
        let status = StatusHeader {
            tags: vec![tag("birds"), tag("cats")],
            untagged: vec![tag("dogs")],
            ..StatusHeader::of(author)
        };
        let people = [Audience::Followers, Audience::Listed];
        let tags = [0, 1, 2].map(Audience::Tag);
        assert_eq!(audiences(&status), [&people[..], &tags].concat());
        let at = |audience, after| FanOutProgress { audience, after };
        let passed = |at: FanOutProgress| at.passed_audiences(&status).collect::<Vec<_>>();
        assert_eq!(passed(FanOutProgress::START), []);
        assert_eq!(passed(at(Audience::Followers, 5)), people[..1]);
        assert_eq!(passed(at(Audience::Tag(0), 0)), people);
        let with_first_tag = [&people[..], &tags[..1]].concat();
        assert_eq!(passed(at(Audience::Tag(0), 5)), with_first_tag);
        assert_eq!(passed(at(Audience::Tag(1), 0)), with_first_tag);
        let reply_to = "4096:7".parse().ok();
        let answer = StatusHeader { reply_to, ..status };
        assert_eq!(audiences(&answer), people);
    }

    #[test]
    fn the_only_audience_of_a_status_in_a_group_is_the_group() {
        let author = UserId::new(7).expect("in range");
        let status = StatusHeader {
            tags: vec![FoldedTag::stored("birds").expect("a tag")],
            group: "3".parse().ok(),
            ..StatusHeader::of(author)
        };
        assert_eq!(audiences(&status), [Audience::Group]);
        let later = FanOutProgress {
            audience: Audience::Group,
            after: 5,
        };
        assert_eq!(later.among_audiences(&status), later);
        let passed: Vec<Audience> = later.passed_audiences(&status).collect();
        assert_eq!(passed, [Audience::Group]);
    }
}
