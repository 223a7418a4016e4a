//! A group as pages show it.

use std::sync::Arc;

use crate::{
    domain::{GroupId, GroupKind, GroupReaders, GroupSlug, GroupTie, Joining, Past},
    store::prelude::*,
};

/// A group, stored in `group:{gid}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    pub id: GroupId,
    pub slug: GroupSlug,
    pub name: String,
    pub description: String,
    pub rules: String,
    pub kind: GroupKind,
    /// The readers of its posts.
    pub readable_by: GroupReaders,
    pub joining: Joining,
    /// The posts that a new member sees.
    pub past: Past,
    /// It exists only for its people.
    pub is_unlisted: bool,
    /// No one replies to its announcements.
    pub closes_replies: bool,
    pub owner: Option<UserId>,
    /// The member who can take the group over.
    pub offered_to: Option<UserId>,
    /// Number of members, and of people who ask to join.
    pub members: u64,
    pub requests: u64,
    pub founded: UnixMs,
    /// Time of the last activity (µs).
    pub active_us: u64,
    /// Its deletion has begun, so it does not exist for anyone.
    pub is_gone: bool,
    /// Former names that search can still hold, one a line.
    pub former: String,
    /// The time of the act (µs) up to which people have their notices.
    pub noticed_us: u64,
}

/// A group with the tie of its viewer.
#[derive(Debug, Clone)]
pub struct SeenGroup {
    pub group: Arc<Group>,
    pub tie: GroupTie,
    pub(in crate::store) viewer: Viewer,
}

impl Group {
    pub(super) const FIELDS: [&'static str; 19] = [
        "slug",
        "name",
        "description",
        "rules",
        "kind",
        "readers",
        "joining",
        "past",
        "unlisted",
        "replies_closed",
        "owner",
        "offered",
        "members",
        "requests",
        "founded",
        "active",
        "gone",
        "former",
        "noticed",
    ];

    /// Decodes the values of [`Self::FIELDS`]. `None` without a group.
    pub(super) fn of_fields(id: GroupId, fields: Vec<Option<String>>) -> Result<Option<Self>> {
        let mut fields = fields.into_iter();
        let mut text = || fields.next().flatten();
        let Some(slug) = text() else {
            return Ok(None);
        };
        let unreadable = |what: &str| Error::Unexpected {
            what: "a group",
            answer: format!("{id}: {what}"),
        };
        let slug = slug.parse().map_err(|_| unreadable("slug"))?;
        let (name, description, rules) = (text(), text(), text());
        let (kind, readers, joining, past) = (text(), text(), text(), text());
        let (is_unlisted, closes_replies) = (text().is_some(), text().is_some());
        let mut person = || text().and_then(|id| id.parse().ok());
        let (owner, offered_to) = (person(), person());
        let mut number = || text().and_then(|number| number.parse().ok()).unwrap_or(0);
        let (members, requests, founded, active_us) = (number(), number(), number(), number());
        let is_gone = text().is_some();
        let former = text().unwrap_or_default();
        let noticed_us = text().and_then(|number| number.parse().ok()).unwrap_or(0);
        let word = |word: Option<String>| word.unwrap_or_default();
        Ok(Some(Self {
            id,
            slug,
            name: name.unwrap_or_default(),
            description: description.unwrap_or_default(),
            rules: rules.unwrap_or_default(),
            kind: word(kind).parse().map_err(|_| unreadable("kind"))?,
            readable_by: word(readers).parse().map_err(|_| unreadable("readers"))?,
            joining: word(joining).parse().map_err(|_| unreadable("joining"))?,
            past: word(past).parse().map_err(|_| unreadable("past"))?,
            is_unlisted,
            closes_replies,
            owner,
            offered_to,
            members,
            requests,
            founded: UnixMs(founded),
            active_us,
            is_gone,
            former,
            noticed_us,
        }))
    }

    /// Returns whether it has the same place in the directory and the same owner as before.
    pub fn has_same_place(&self, before: &Self) -> bool {
        let place = |group: &Self| (group.is_gone, group.is_unlisted, group.owner);
        place(self) == place(before)
            && self.name == before.name
            && self.former == before.former
            && self.slug == before.slug
    }

    /// Returns whether everyone finds it.
    pub fn is_listed(&self) -> bool {
        !self.is_gone && !self.is_unlisted
    }
}

impl CachedRow for Group {
    type Question = GroupId;

    fn key(id: &GroupId) -> Key {
        Key::Group(*id)
    }

    fn command(id: &GroupId) -> Cmd {
        redis::cmd("HMGET").with((keys::group(*id), &Self::FIELDS[..]))
    }

    fn parse(id: &GroupId, answer: Value) -> Result<Option<Self>> {
        Self::of_fields(*id, read(answer)?)
    }

    fn bytes(&self) -> usize {
        let texts = [&self.name, &self.description, &self.rules, &self.former];
        size_of::<Self>() + texts.iter().map(|text| text.len()).sum::<usize>()
    }
}
