//! What a key is, by its name.

use super::{KeyKind, ListPart, Part, TagPart};
use crate::{
    domain::{Collection, FoldedTag, ListId, Login, Term},
    store::{Chunk, Store, keys},
};

impl Store {
    /// What a key's name says that it is.
    pub(super) fn kind(&self, name: &str) -> KeyKind {
        match name {
            keys::NEXT_USER_ID => KeyKind::UserCounter,
            keys::PEOPLE_NEWEST => KeyKind::Newest,
            keys::PEOPLE_FOLLOWED => KeyKind::MostFollowed,
            keys::TAGS_MOST_USED => KeyKind::TagsUsed,
            keys::TAGS_TRENDING => KeyKind::TagsTrending,
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
            ("favourited_by", "") => return tag.parse().ok().map(KeyKind::FavouritedBy),
            ("ballots", "") => return tag.parse().ok().map(KeyKind::Ballots),
            ("versions", "") => return tag.parse().ok().map(KeyKind::Versions),
            ("reposted_by" | "quotes", "") => return tag.parse().ok().map(KeyKind::Reposts),
            ("replies", "") => return tag.parse().ok().map(KeyKind::Answers),
            ("gaps", "") => return tag.parse().ok().map(KeyKind::Gaps),
            ("login", "") => {
                let login = Login::stored(tag)?;
                return (login.folded() == tag).then(|| KeyKind::Login(tag.to_owned()));
            }
            ("tag_index", "") => return tag_kind(tag, TagPart::Tagged),
            ("tag_followers", "") => return tag_kind(tag, TagPart::TagFollowers),
            ("tag_uses", "") => return tag_kind(tag, TagPart::Used),
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
            ("followed_tags", "") => Part::Tags,
            ("mention_index", "") => Part::Mentions,
            ("lists", "") => Part::Lists,
            ("list_memberships", "") => Part::Listed,
            ("excluded", "") => Part::Excluded,
            ("author_preferences", "") => Part::AuthorPreferences,
            ("own_reposts", "") => Part::Reposted,
            ("hidden_reposts", "") => Part::HiddenReposts,
            ("auth", "") => Part::Auth,
            ("following", "") => Part::Following,
            ("followers", "") => Part::Followers,
            ("profile", "") => Part::Profile,
            ("posts", "") => Part::Posts,
            ("received_replies", "") => Part::Answered,
            ("home", "") => Part::Home,
            ("reading", "") => Part::Reading,
            ("arrivals", "") => Part::Arrivals,
            ("notifications", "") => Part::Notifications,
            ("read_marker", "") => Part::ReadMarker,
            ("active", "") => Part::Active,
            ("sessions", "") => Part::Sessions,
            ("idempotency", rest) if rest.len() > 1 => Part::IdempotencyKey,
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

fn tag_kind(tag: &str, part: TagPart) -> Option<KeyKind> {
    FoldedTag::stored(tag).map(|tag| KeyKind::OfTag(tag, part))
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
