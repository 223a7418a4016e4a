//! The log of the administration: every act of the people who run the site. Entries are added and never
//! changed.

mod act_counts;

use std::collections::HashMap;

pub use self::act_counts::RecountActs;
pub(in crate::store) use self::act_counts::count_acts;
use super::prelude::*;
use crate::domain::{Act, ActingPerson, CountedAct, LoggedAct, ReasonedAct, Role};

script_calls! {
    LogAct = "log_act"(log, act_counts; deadline_ms: u64, entry: String, counted: String, by_reason: String);
}

/// An act of the log, with the logins of its people.
#[derive(Debug, Clone)]
pub struct ActRecord {
    /// Time in µs, which no other act has.
    pub at_us: u64,
    /// `@login` of the person who acted, or `the host`.
    pub by: String,
    pub act: Act,
    /// `@login` of the person that it is about, or their id if they are gone.
    pub person: String,
}

impl ActRecord {
    /// Returns the act as a sentence.
    pub fn words(&self) -> String {
        format!("{} {}", self.by, self.act.words(&self.person))
    }

    pub fn at(&self) -> UnixMs {
        UnixMs(self.at_us / 1000)
    }
}

impl Store {
    /// Adds an act to the log. It comes before the act itself, so no act is missing there. An act that then
    /// fails is there too.
    pub async fn log_act(&self, call: &Call, by: ActingPerson, act: Act) -> Result<()> {
        self.log_entry(call, &LoggedAct::new(by, act)).await
    }

    /// Adds an entry to the log and counts it, once however often it is sent.
    pub async fn log_entry(&self, call: &Call, entry: &LoggedAct) -> Result<()> {
        let text = |counted: Option<String>| counted.unwrap_or_default();
        let counted = CountedAct::of(&entry.act).map(|act| act.to_string());
        let by_reason = ReasonedAct::of(&entry.act).map(|act| act.to_string());
        let log = LogAct {
            log: keys::ADMIN_LOG.to_owned(),
            act_counts: keys::ACT_COUNTS.to_owned(),
            deadline_ms: call.deadline(),
            entry: entry.to_json(),
            counted: text(counted),
            by_reason: text(by_reason),
        };
        self.connection.run_durably(&log).await
    }

    /// Returns at most `limit` acts older than the cursor, newest first.
    pub async fn acts_before(
        &self,
        before: Option<Cursor>,
        limit: usize,
    ) -> Result<Page<ActRecord>> {
        let from = before.map_or_else(|| "+inf".to_owned(), |cursor| format!("({}", cursor.get()));
        let range = range_by_score(keys::ADMIN_LOG, from, "-inf", limit + 1);
        let range = range.with(("REV", "WITHSCORES"));
        let mut rows: Vec<(String, f64)> = self.connection.query(range).await?;
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        let last = rows.last().map(|(_, score)| Cursor::before(*score as u64));
        let parsed = rows.into_iter().filter_map(|(text, score)| {
            let logged: LoggedAct = text.parse().ok()?;
            Some((logged, score as u64))
        });
        let parsed: Vec<(LoggedAct, u64)> = parsed.collect();
        let logins = self.logins_in(&parsed).await?;
        let name = |id: UserId| match logins.get(&id) {
            Some(login) => format!("@{login}"),
            None => format!("user {id}"),
        };
        let record = |(logged, at_us): (LoggedAct, u64)| ActRecord {
            at_us,
            by: match logged.by {
                ActingPerson::Host => "the host".to_owned(),
                ActingPerson::Person(id) => name(id),
            },
            person: logged.act.person().map_or_else(String::new, name),
            act: logged.act,
        };
        Ok(Page {
            items: parsed.into_iter().map(record).collect(),
            next: last.filter(|_| has_more),
        })
    }

    /// Returns the logins of the people in these acts. One round trip.
    async fn logins_in(&self, acts: &[(LoggedAct, u64)]) -> Result<HashMap<UserId, Login>> {
        let people = acts.iter().flat_map(|(logged, _)| {
            let by = match logged.by {
                ActingPerson::Host => None,
                ActingPerson::Person(id) => Some(id),
            };
            by.into_iter().chain(logged.act.person())
        });
        let mut ids: Vec<UserId> = people.collect();
        ids.sort_unstable();
        ids.dedup();
        let records = self.account_records(&ids).await?.into_iter();
        Ok(records.map(|record| (record.id, record.login)).collect())
    }

    /// Returns the role of a user.
    pub async fn role(&self, of: UserId) -> Result<Option<Role>> {
        let read = redis::cmd("HGET").with((keys::user(of), "role"));
        let role: Option<String> = self.connection.query(read).await?;
        Ok(role.and_then(|role| role.parse().ok()))
    }
}
