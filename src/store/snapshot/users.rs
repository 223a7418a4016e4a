//! Reads of users and lists for the audit, without interpretation. Every read is bounded.

use super::calls;
use crate::{
    domain::{AccountState, Collection, FormerLogins, Leaving},
    store::{Mark, Row, people::rename::login_of_change, prelude::*, timelines::homes::parse_mark},
};

/// A snapshot of one person's keys.
#[derive(Debug, Clone)]
pub struct UserSnapshot {
    pub id: UserId,
    pub stated_id: Option<String>,
    pub login: Option<String>,
    pub name: Option<String>,
    /// ms since 1970.
    pub signup: Option<String>,
    /// Stored counts of posts, followers, followed people and requests to follow.
    pub counts: [Option<String>; 4],
    /// Actual cardinalities.
    pub cardinalities: [u64; 4],
    /// The last drawn id.
    pub last_id: Option<String>,
    pub gone: bool,
    pub can_log_in: bool,
    pub state: AccountState,
    pub leaving: Leaving,
    /// The copy of the state that sessions read.
    pub restriction: Option<String>,
    pub former_logins: FormerLogins,
    /// The login of a change that is under way.
    pub renaming: Option<Login>,
    pub has_renamed: bool,
    /// The copy of the login that sessions read after a change.
    pub login_copy: Option<String>,
    /// The end of a freeze, in ms.
    pub frozen: Option<String>,
    pub is_limited: bool,
    pub role: Option<String>,
    /// The pinned posts, as stored.
    pub pinned: Option<String>,
    /// The parsed mark. An invalid one is [`Mark::Building`] as well.
    pub mark: Mark,
    pub mark_text: Option<String>,
    /// Ids seen before the last visit of home, ids that the visit showed, and its time (ms).
    pub reading: [Option<String>; 3],
    /// The score up to which notifications were read, the same before the last visit, and its time (ms).
    pub read_marker: [Option<String>; 3],
}

impl UserSnapshot {
    /// Returns the time of the sign-up (ms since 1970), as a score.
    pub fn signup_ms(&self) -> Option<f64> {
        self.signup.as_ref()?.parse().ok()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserState {
    Exists,
    /// Never existed, or was removed: no source of truth is left.
    Missing,
    /// The identity is missing, though other sources of truth exist.
    Incomplete,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListState {
    Exists,
    Deleted,
    /// The list never existed, or its record is lost.
    Unknown,
}

/// A person's place among the suggestions.
#[derive(Debug, Clone, Default)]
pub struct SuggestionRanks {
    pub as_newest: Option<f64>,
    pub as_followed: Option<f64>,
    /// Number of newest people, and sign-up time of the first (ms).
    pub newest: u64,
    pub first_newest: Option<f64>,
    /// Number of most followed people.
    pub most_followed: u64,
    /// Number of the person's followers, read together with the rank.
    pub followers: u64,
}

impl Store {
    /// Returns a snapshot of one person's keys. One round trip.
    pub async fn user_snapshot(&self, id: UserId) -> Result<UserSnapshot> {
        let snapshot = calls::SnapshotUser {
            user: keys::user(id),
            auth: keys::auth(id),
            following: keys::following(id),
            followers: keys::followers(id),
            profile: keys::profile(id),
            requests: keys::requests(id),
            active_mark: keys::active(id),
            reading: keys::reading(id),
            read_marker: keys::read_marker(id),
        };
        type Texts = Vec<Option<String>>;
        type Three = [Option<String>; 3];
        type Row = (Texts, Texts, [u64; 4], Option<String>, Three, Three);
        let (user, auth, cardinalities, mark_text, reading, read_marker): Row =
            self.connection.query(snapshot.command()).await?;
        let field = |at: usize| user.get(at).cloned().flatten();
        let [following, followers, posts, requests] = cardinalities;
        // Nobody had a request before the first one.
        let counted_requests = field(9).unwrap_or_else(|| "0".to_owned());
        Ok(UserSnapshot {
            id,
            stated_id: field(0),
            login: field(1),
            name: field(2),
            signup: field(3),
            counts: [field(4), field(5), field(6), Some(counted_requests)],
            cardinalities: [posts, followers, following, requests],
            last_id: field(7),
            gone: field(8).is_some(),
            can_log_in: auth.iter().take(2).all(Option::is_some),
            state: AccountState::stored(field(10), field(11).as_deref(), field(17).as_deref()),
            leaving: Leaving::stored(field(11).as_deref()),
            restriction: auth.get(2).cloned().flatten(),
            former_logins: FormerLogins::stored(field(12).as_deref()),
            renaming: field(13).as_deref().and_then(login_of_change),
            has_renamed: field(14).is_some(),
            login_copy: auth.get(3).cloned().flatten(),
            frozen: field(15),
            is_limited: field(19).is_some(),
            role: field(16),
            pinned: field(18),
            mark: parse_mark(mark_text.as_deref()),
            mark_text,
            reading,
            read_marker,
        })
    }

    /// Returns the state of each person. One round trip.
    pub async fn user_states(&self, ids: &[UserId]) -> Result<Vec<UserState>> {
        let questions = ids.iter().map(|id| {
            let truths = [
                Key::Auth(*id),
                Key::Following(*id),
                Key::Lists(*id),
                Key::FollowedTags(*id),
                Key::AuthorPreferences(*id),
            ];
            let collections = Collection::ALL.map(|each| keys::collection(*id, each));
            [
                redis::cmd("HMGET").with((keys::user(*id), "login", "gone")),
                redis::cmd("EXISTS").with((&truths.map(|key| key.name()), &collections)),
            ]
        });
        type Identity = (Option<String>, Option<String>);
        let answers: Vec<(Identity, u64)> = self.connection.query_tuples(questions).await?;
        let state = |((login, gone), truth_left): (Identity, u64)| match (login, gone) {
            (Some(_), _) => UserState::Exists,
            (None, None) if truth_left > 0 => UserState::Incomplete,
            _ => UserState::Missing,
        };
        Ok(answers.into_iter().map(state).collect())
    }

    /// Returns the mark of a timeline, parsed and as stored.
    pub async fn mark(&self, of: Timeline) -> Result<(Mark, Option<String>)> {
        let read = redis::cmd("GET").with(keys::active_mark(of));
        let text: Option<String> = self.connection.query(read).await?;
        Ok((parse_mark(text.as_deref()), text))
    }

    /// Returns the state of each list. One round trip.
    pub async fn list_states(&self, lists: &[ListId]) -> Result<Vec<ListState>> {
        let fields = |list: &ListId| {
            redis::cmd("HMGET").with((keys::lists(list.owner), list.number.get(), "last"))
        };
        let answers: Vec<(Option<String>, Option<u64>)> =
            self.connection.query_each(lists.iter().map(fields)).await?;
        let state = |(list, (list_text, last)): (&ListId, _)| match (list_text, last) {
            (Some::<String>(_), _) => ListState::Exists,
            (None, Some(last)) if last >= list.number.get() => ListState::Deleted,
            (None, _) => ListState::Unknown,
        };
        Ok(lists.iter().zip(answers).map(state).collect())
    }

    /// Returns the newest `count` ids of each ZSET, from a floor upwards. One round trip.
    pub async fn newest_since(
        &self,
        places: &[Key],
        floor: u64,
        count: usize,
    ) -> Result<Vec<StatusId>> {
        let newest = |place: &Key| range_by_score(place.name(), "-inf", format!("-{floor}"), count);
        let members: Vec<Vec<String>> = self
            .connection
            .query_each(places.iter().map(newest))
            .await?;
        let members = members.iter().flatten();
        Ok(members.filter_map(|id| id.parse().ok()).collect())
    }

    /// Returns the value of each login. One round trip.
    pub async fn holders(&self, logins: &[Login]) -> Result<Vec<Option<String>>> {
        let holder = |login: &Login| redis::cmd("GET").with(keys::login(login));
        self.connection.query_each(logins.iter().map(holder)).await
    }

    /// Returns the login of each person. One round trip.
    pub async fn logins_of(&self, ids: &[UserId]) -> Result<Vec<Option<String>>> {
        let login = |id: &UserId| redis::cmd("HGET").with((keys::user(*id), "login"));
        self.connection.query_each(ids.iter().map(login)).await
    }

    /// Returns a person's place among the suggestions. One round trip.
    pub async fn suggestion_ranks(&self, id: UserId) -> Result<SuggestionRanks> {
        let score = |key: &str| redis::cmd("ZSCORE").with((key, id.get()));
        let size = |key: &str| redis::cmd("ZCARD").with(key);
        let reads = [
            score(keys::PEOPLE_NEWEST),
            score(keys::PEOPLE_FOLLOWED),
            size(keys::PEOPLE_NEWEST),
            size(keys::PEOPLE_FOLLOWED),
            redis::cmd("ZRANGE").with((keys::PEOPLE_NEWEST, 0, 0, "WITHSCORES")),
            size(&keys::followers(id)),
        ];
        type Ranks = (Option<f64>, Option<f64>, u64, u64, Vec<Row>, u64);
        let (as_newest, as_followed, newest, most_followed, first, followers): Ranks =
            self.connection.query_tuple(reads).await?;
        Ok(SuggestionRanks {
            as_newest,
            as_followed,
            newest,
            most_followed,
            first_newest: first.first().map(|(_, score)| *score),
            followers,
        })
    }

    pub async fn last_user(&self) -> Result<u64> {
        let get = redis::cmd("GET").with(keys::NEXT_USER_ID);
        let last: Option<u64> = self.connection.query(get).await?;
        Ok(last.unwrap_or_default())
    }
}
