//! Names of cache entries, and the keys that invalidate them.

use crate::{
    domain::{Collection, StatusId, UserId},
    store::keys,
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
        let key = std::str::from_utf8(key).ok()?;
        match key {
            keys::PEOPLE_NEWEST => return Some(Self::Newest),
            keys::PEOPLE_FOLLOWED => return Some(Self::MostFollowed),
            keys::TAGS_TRENDING => return Some(Self::Trending),
            _ => {}
        }
        let (kind, rest) = key.split_once(":{")?;
        let id = match (kind, rest.split_once('}')?) {
            (_, (id, "")) | ("session", (id, _)) => id,
            _ => return None,
        };
        match kind {
            "status" => id.parse().ok().map(Self::Status),
            "ballots" => id.parse().ok().map(Self::Ballots),
            "user" => id.parse().ok().map(Self::User),
            "following" => id.parse().ok().map(Self::Following),
            "followers" => id.parse().ok().map(Self::Followers),
            "own_reposts" => id.parse().ok().map(Self::Reposted),
            "followed_tags" => id.parse().ok().map(Self::Tags),
            "home" | "active" | "reading" | "profile" | "arrivals" => {
                id.parse().ok().map(Self::Home)
            }
            "session" | "auth" | "notifications" | "read_marker" => {
                id.parse().ok().map(Self::Session)
            }
            _ => {
                let collection = Collection::ALL
                    .into_iter()
                    .find(|collection| collection.to_string() == kind)?;
                Some(Self::Collection(id.parse().ok()?, collection))
            }
        }
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
