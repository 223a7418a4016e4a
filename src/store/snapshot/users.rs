//! Reads of users and lists for the audit, without interpretation. Every read is bounded.

use redis::Value;

use crate::{
    domain::{Collection, ListId, Login, StatusId, Timeline, UserId},
    store::{
        Key, Mark, Result, Row, Store, keys,
        redis::{
            connection::read,
            scripts::{self, With},
        },
        timelines::homes::parse_mark,
    },
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
    /// Stored counts of posts, followers and followed people.
    pub counts: [Option<String>; 3],
    /// Actual cardinalities.
    pub cardinalities: [u64; 3],
    /// The last drawn id.
    pub last_id: Option<String>,
    pub gone: bool,
    pub can_log_in: bool,
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
    #[must_use]
    pub fn signup_ms(&self) -> Option<f64> {
        self.signup.as_ref()?.parse().ok()
    }
}

/// State of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserState {
    Exists,
    /// Never existed, or was removed: no source of truth is left.
    Missing,
    /// The identity is missing, though other sources of truth exist.
    Incomplete,
}

/// State of a list.
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
        let survey = scripts::SNAPSHOT_USER.on([
            keys::user(id),
            keys::auth(id),
            keys::following(id),
            keys::followers(id),
            keys::profile(id),
            keys::active(id),
            keys::reading(id),
            keys::read_marker(id),
        ]);
        type Texts = Vec<Option<String>>;
        type Remembered = [Option<String>; 3];
        type Row = (
            Texts,
            Texts,
            [u64; 3],
            Option<String>,
            Remembered,
            Remembered,
        );
        let (user, auth, held, mark_text, reading, read_marker): Row =
            self.connection.query(survey).await?;
        let field = |at: usize| user.get(at).cloned().flatten();
        let [following, followers, posts] = held;
        Ok(UserSnapshot {
            id,
            stated_id: field(0),
            login: field(1),
            name: field(2),
            signup: field(3),
            counts: [field(4), field(5), field(6)],
            cardinalities: [posts, followers, following],
            last_id: field(7),
            gone: field(8).is_some(),
            can_log_in: auth.iter().all(Option::is_some),
            mark: parse_mark(mark_text.as_deref()),
            mark_text,
            reading,
            read_marker,
        })
    }

    /// Returns the state of each person. One round trip.
    pub async fn user_states(&self, ids: &[UserId]) -> Result<Vec<UserState>> {
        let questions = ids.iter().flat_map(|id| {
            [
                redis::cmd("HMGET")
                    .with(keys::user(*id))
                    .with(&["login", "gone"]),
                redis::cmd("EXISTS")
                    .with(keys::auth(*id))
                    .with(keys::following(*id))
                    .with(keys::lists(*id))
                    .with(keys::followed_tags(*id))
                    .with(keys::author_preferences(*id))
                    .with(&Collection::ALL.map(|each| keys::collection(*id, each))),
            ]
        });
        let answers = self.connection.batch(questions.collect()).await?;
        let mut answers = answers.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let mut user_states = Vec::with_capacity(ids.len());
        for _ in ids {
            let (login, gone): (Option<String>, Option<String>) = read(next())?;
            let truth_left: u64 = read(next())?;
            user_states.push(match (login, gone) {
                (Some(_), _) => UserState::Exists,
                (None, None) if truth_left > 0 => UserState::Incomplete,
                _ => UserState::Missing,
            });
        }
        Ok(user_states)
    }

    /// Returns the mark of a timeline, parsed and as stored.
    pub async fn mark(&self, of: Timeline) -> Result<(Mark, Option<String>)> {
        let [_, mark] = keys::timeline(of);
        let text: Option<String> = self.connection.query(redis::cmd("GET").with(mark)).await?;
        Ok((parse_mark(text.as_deref()), text))
    }

    /// Returns the state of each list. One round trip.
    pub async fn list_states(&self, lists: &[ListId]) -> Result<Vec<ListState>> {
        let held = |list: &ListId| {
            redis::cmd("HMGET")
                .with(keys::lists(list.owner))
                .with(list.number.get())
                .with("last")
        };
        let answers = self.connection.batch(lists.iter().map(held).collect());
        let fate = |(list, answer): (&ListId, Value)| {
            let (held, last): (Option<String>, Option<u64>) = read(answer)?;
            Ok(match held {
                Some(_) => ListState::Exists,
                None if last.is_some_and(|last| last >= list.number.get()) => ListState::Deleted,
                None => ListState::Unknown,
            })
        };
        lists.iter().zip(answers.await?).map(fate).collect()
    }

    /// Returns the newest `count` ids of each ZSET, from a floor upwards. One round trip.
    pub async fn newest_since(
        &self,
        places: &[Key],
        floor: u64,
        count: usize,
    ) -> Result<Vec<StatusId>> {
        let newest = |place: &Key| {
            redis::cmd("ZRANGE")
                .with(place.name())
                .with("-inf")
                .with(format!("-{floor}"))
                .with(&["BYSCORE", "LIMIT", "0"])
                .with(count)
        };
        let answers = self.connection.batch(places.iter().map(newest).collect());
        let mut ids = Vec::new();
        for answer in answers.await? {
            let members: Vec<String> = read(answer)?;
            ids.extend(members.iter().filter_map(|id| id.parse::<StatusId>().ok()));
        }
        Ok(ids)
    }

    /// Returns the value of each login. One round trip.
    pub async fn holders(&self, logins: &[Login]) -> Result<Vec<Option<String>>> {
        let holder = |login: &Login| redis::cmd("GET").with(keys::login(login));
        let answers = self.connection.batch(logins.iter().map(holder).collect());
        answers.await?.into_iter().map(read).collect()
    }

    /// Returns the login of each person. One round trip.
    pub async fn logins_of(&self, ids: &[UserId]) -> Result<Vec<Option<String>>> {
        let login = |id: &UserId| redis::cmd("HGET").with(keys::user(*id)).with("login");
        let answers = self.connection.batch(ids.iter().map(login).collect());
        answers.await?.into_iter().map(read).collect()
    }

    /// Returns a person's place among the suggestions. One round trip.
    pub async fn suggestion_ranks(&self, id: UserId) -> Result<SuggestionRanks> {
        let score = |key: &str| redis::cmd("ZSCORE").with(key).with(id.get());
        let answers = self
            .connection
            .batch(vec![
                score(keys::PEOPLE_NEWEST),
                score(keys::PEOPLE_FOLLOWED),
                redis::cmd("ZCARD").with(keys::PEOPLE_NEWEST),
                redis::cmd("ZCARD").with(keys::PEOPLE_FOLLOWED),
                redis::cmd("ZRANGE")
                    .with(keys::PEOPLE_NEWEST)
                    .with(&["0", "0", "WITHSCORES"]),
                redis::cmd("ZCARD").with(keys::followers(id)),
            ])
            .await?;
        let mut answers = answers.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        Ok(SuggestionRanks {
            as_newest: read(next())?,
            as_followed: read(next())?,
            newest: read(next())?,
            most_followed: read(next())?,
            first_newest: read::<Vec<Row>>(next())?.first().map(|(_, score)| *score),
            followers: read(next())?,
        })
    }

    /// Returns the last drawn user id.
    pub async fn last_user(&self) -> Result<u64> {
        let get = redis::cmd("GET").with(keys::NEXT_USER_ID);
        let last: Option<u64> = self.connection.query(get).await?;
        Ok(last.unwrap_or_default())
    }
}
