//! Names of cache entries, and the keys that invalidate them.

use crate::{
    domain::{Collection, StatusId, UserId},
    store::{Key, keys},
};

/// The name of a cache entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::store) enum Name {
    Status(StatusId),
    User(UserId),
    Following(UserId),
    Followers(UserId),
    Collection(UserId, Collection),
    Ballots(StatusId),
    Reposted(UserId),
    Tags(UserId),
    /// The first page of a home, with everything that decides about a visit.
    Home(UserId),
    /// A person's session, with everything that its validity and every page depend on.
    Session(UserId),
    Newest,
    MostFollowed,
    Trending,
}

impl Name {
    pub(in crate::store) fn key(self) -> String {
        match self {
            Self::Status(id) => keys::status(id),
            Self::User(id) => keys::user(id),
            Self::Following(of) => keys::following(of),
            Self::Followers(of) => keys::followers(of),
            Self::Collection(of, collection) => keys::collection(of, collection),
            Self::Ballots(of) => keys::ballots(of),
            Self::Reposted(by) => keys::own_reposts(by),
            Self::Tags(of) => keys::followed_tags(of),
            Self::Home(of) => keys::home(of),
            Self::Session(of) => keys::auth(of),
            Self::Newest => keys::PEOPLE_NEWEST.to_owned(),
            Self::MostFollowed => keys::PEOPLE_FOLLOWED.to_owned(),
            Self::Trending => keys::TAGS_TRENDING.to_owned(),
        }
    }

    /// Returns the entry that a key belongs to, as Redis spells the key.
    pub(in crate::store) fn of(key: &[u8]) -> Option<Self> {
        Some(match Key::parse(std::str::from_utf8(key).ok()?)? {
            Key::PeopleNewest => Self::Newest,
            Key::PeopleFollowed => Self::MostFollowed,
            Key::TagsTrending => Self::Trending,
            Key::Status(id) => Self::Status(id),
            Key::Ballots(id) => Self::Ballots(id),
            Key::User(id) => Self::User(id),
            Key::Following(of) => Self::Following(of),
            Key::Followers(of) => Self::Followers(of),
            Key::OwnReposts(by) => Self::Reposted(by),
            Key::FollowedTags(of) => Self::Tags(of),
            Key::Favourites(of) => Self::Collection(of, Collection::Favourites),
            Key::Bookmarks(of) => Self::Collection(of, Collection::Bookmarks),
            Key::Home(of)
            | Key::Active(of)
            | Key::Reading(of)
            | Key::Profile(of)
            | Key::Arrivals(of) => Self::Home(of),
            Key::Auth(of) | Key::Notifications(of) | Key::ReadMarker(of) => Self::Session(of),
            Key::Session(session) => Self::Session(session.user),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::cache_name::*;

    #[test]
    fn every_name_is_read_back_from_its_key() {
        let someone = UserId::new(7).expect("in range");
        let status = StatusId::new(7).expect("in range");
        for name in [
            Name::Status(status),
            Name::User(someone),
            Name::Following(someone),
            Name::Followers(someone),
            Name::Collection(someone, Collection::Favourites),
            Name::Collection(someone, Collection::Bookmarks),
            Name::Ballots(status),
            Name::Reposted(someone),
            Name::Tags(someone),
            Name::Home(someone),
            Name::Session(someone),
            Name::Newest,
            Name::MostFollowed,
            Name::Trending,
        ] {
            assert_eq!(Name::of(name.key().as_bytes()), Some(name));
        }
        for key in ["active", "reading", "profile", "arrivals"] {
            let key = format!("{key}:{{7}}");
            assert_eq!(Name::of(key.as_bytes()), Some(Name::Home(someone)));
        }
        for key in ["session:{7}:0123", "notifications:{7}", "read_marker:{7}"] {
            assert_eq!(Name::of(key.as_bytes()), Some(Name::Session(someone)));
        }
        for key in ["sessions:{7}", "home:{7}:0123", "home:{7"] {
            assert_eq!(Name::of(key.as_bytes()), None);
        }
    }
}
