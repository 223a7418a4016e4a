//! Reads of people and statuses for the audit, without interpretation. Every read is bounded.

mod statuses;

use redis::Value;

pub use self::statuses::Record;
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
pub struct Estate {
    pub id: UserId,
    pub stated_id: Option<String>,
    pub login: Option<String>,
    pub name: Option<String>,
    /// ms since 1970.
    pub signup: Option<String>,
    /// Stored counts of posts, followers and followed people.
    pub counts: [Option<String>; 3],
    /// Actual cardinalities.
    pub held: [u64; 3],
    /// The last drawn id.
    pub last: Option<String>,
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

/// State of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    Person,
    /// Never existed, or was removed: no source of truth is left.
    Nobody,
    /// The identity is missing, though other sources of truth exist.
    Damaged,
}

/// State of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    There,
    Deleted,
    /// The list never existed, or its record is lost.
    Unknown,
}

/// A person's place among the suggestions.
#[derive(Debug, Clone, Default)]
pub struct Suggested {
    pub as_newest: Option<f64>,
    pub as_followed: Option<f64>,
    /// Number of newest people, and sign-up time of the first (ms).
    pub newest: u64,
    pub first_newest: Option<f64>,
    /// Number of most followed people.
    pub most_followed: u64,
}

impl Store {
    /// Returns a snapshot of one person's keys. One round trip.
    pub async fn estate(&self, id: UserId) -> Result<Estate> {
        let survey = scripts::SURVEY_USER.on([
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
        Ok(Estate {
            id,
            stated_id: field(0),
            login: field(1),
            name: field(2),
            signup: field(3),
            counts: [field(4), field(5), field(6)],
            held: [posts, followers, following],
            last: field(7),
            gone: field(8).is_some(),
            can_log_in: auth.iter().all(Option::is_some),
            mark: parse_mark(mark_text.as_deref()),
            mark_text,
            reading,
            read_marker,
        })
    }

    /// Returns the state of each person. One round trip.
    pub async fn standings(&self, ids: &[UserId]) -> Result<Vec<Standing>> {
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
        let mut standings = Vec::with_capacity(ids.len());
        for _ in ids {
            let (login, gone): (Option<String>, Option<String>) = read(next())?;
            let truth_left: u64 = read(next())?;
            standings.push(match (login, gone) {
                (Some(_), _) => Standing::Person,
                (None, None) if truth_left > 0 => Standing::Damaged,
                _ => Standing::Nobody,
            });
        }
        Ok(standings)
    }

    /// Returns whether each status is in the person's profile. One round trip.
    pub async fn stand_in_profiles(&self, pairs: &[(StatusId, UserId)]) -> Result<Vec<bool>> {
        let score = |(id, author): &(StatusId, UserId)| {
            redis::cmd("ZSCORE")
                .with(keys::profile(*author))
                .with(id.get())
        };
        let answers = self.connection.batch(pairs.iter().map(score).collect());
        let stands = |answer| Ok(read::<Option<f64>>(answer)?.is_some());
        answers.await?.into_iter().map(stands).collect()
    }

    /// Returns whether each status is among the person's posts. One round trip.
    pub async fn stand_in_posts(&self, of: UserId, ids: &[StatusId]) -> Result<Vec<bool>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let numbers: Vec<u64> = ids.iter().map(|id| id.get()).collect();
        let scores = redis::cmd("ZMSCORE").with(keys::posts(of)).with(numbers);
        let scores: Vec<Option<f64>> = self.connection.query(scores).await?;
        Ok(scores.iter().map(Option::is_some).collect())
    }

    /// Returns the mark of a timeline, parsed and as stored.
    pub async fn mark(&self, of: Timeline) -> Result<(Mark, Option<String>)> {
        let [_, mark] = keys::timeline(of);
        let text: Option<String> = self.connection.query(redis::cmd("GET").with(mark)).await?;
        Ok((parse_mark(text.as_deref()), text))
    }

    /// Returns the state of each list. One round trip.
    pub async fn fates(&self, lists: &[ListId]) -> Result<Vec<Fate>> {
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
                Some(_) => Fate::There,
                None if last.is_some_and(|last| last >= list.number.get()) => Fate::Deleted,
                None => Fate::Unknown,
            })
        };
        lists.iter().zip(answers.await?).map(fate).collect()
    }

    /// Returns the newest `count` ids of each ZSET, from a floor upwards. One round trip.
    pub async fn posted_since(
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
    pub async fn suggested(&self, id: UserId) -> Result<Suggested> {
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
            ])
            .await?;
        let mut answers = answers.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        Ok(Suggested {
            as_newest: read(next())?,
            as_followed: read(next())?,
            newest: read(next())?,
            most_followed: read(next())?,
            first_newest: read::<Vec<Row>>(next())?.first().map(|(_, score)| *score),
        })
    }

    /// Returns the last drawn user id.
    pub async fn last_user(&self) -> Result<u64> {
        let get = redis::cmd("GET").with(keys::NEXT_USER_ID);
        let last: Option<u64> = self.connection.query(get).await?;
        Ok(last.unwrap_or_default())
    }
}
