//! The log of a group, and the notices to the people that it is about.

use std::collections::HashMap;

use super::{
    GROUP_ACTS_KEPT,
    calls::{AddGroupNotice, LogGroupAct, MarkNoticed},
};
use crate::{
    domain::{GroupId, GroupNotice, LoggedGroupAct},
    store::prelude::*,
};

/// Number of notices that a person keeps.
pub const GROUP_NOTICES_KEPT: usize = 100;
/// Number of acts on a page of the log.
const ACTS_PER_PAGE: usize = 50;

/// An act of the log with the people in it, as far as they exist.
#[derive(Debug, Clone)]
pub struct GroupActRecord {
    /// Time in µs, which no other act of the group has.
    pub at_us: u64,
    pub logged: LoggedGroupAct,
    /// `@login` of the moderator and of the person that it is about, or the id.
    pub by: String,
    pub person: String,
}

impl GroupActRecord {
    pub fn at(&self) -> UnixMs {
        UnixMs(self.at_us / 1000)
    }
}

impl Store {
    /// Adds an act to the log of a group, once however often it is sent.
    pub async fn log_group_act(
        &self,
        call: &Call,
        group: GroupId,
        entry: &LoggedGroupAct,
    ) -> Result<()> {
        let log = LogGroupAct {
            group: keys::group(group),
            log: keys::group_log(group),
            deadline_ms: call.deadline(),
            entry: entry.to_json(),
            max_acts: GROUP_ACTS_KEPT,
        };
        self.connection.run_durably(&log).await
    }

    /// Returns one page of the log of a group, newest first.
    pub async fn group_acts(
        &self,
        group: GroupId,
        before: Option<Cursor>,
    ) -> Result<Page<GroupActRecord>> {
        let from = before.map_or_else(|| "+inf".to_owned(), |cursor| format!("({}", cursor.get()));
        let range = range_by_score(keys::group_log(group), from, "-inf", ACTS_PER_PAGE + 1);
        let range = range.with(("REV", "WITHSCORES"));
        let mut rows: Vec<(String, f64)> = self.connection.query(range).await?;
        let has_more = rows.len() > ACTS_PER_PAGE;
        rows.truncate(ACTS_PER_PAGE);
        let last = rows.last().map(|(_, score)| Cursor::before(*score as u64));
        let acts = acts_of(rows);
        let people = acts
            .iter()
            .flat_map(|(logged, _)| logged.act.person().into_iter().chain([logged.by]));
        let logins = self.logins_by_id(people.collect()).await?;
        let name = |id: UserId| match logins.get(&id) {
            Some(login) => format!("@{login}"),
            None => format!("user {id}"),
        };
        let record = |(logged, at_us): (LoggedGroupAct, u64)| GroupActRecord {
            at_us,
            by: name(logged.by),
            person: logged.act.person().map_or_else(String::new, name),
            logged,
        };
        Ok(Page {
            items: acts.into_iter().map(record).collect(),
            next: last.filter(|_| has_more),
        })
    }

    /// Returns the logins of these people. One round trip.
    async fn logins_by_id(&self, mut people: Vec<UserId>) -> Result<HashMap<UserId, Login>> {
        people.sort_unstable();
        people.dedup();
        let users = self.rows_of::<User>(&people).await?;
        let logins = people.into_iter().zip(users);
        Ok(logins
            .filter_map(|(id, user)| Some((id, user?.login.clone())))
            .collect())
    }

    /// Returns the acts of a group after a time (µs), oldest first, with their times.
    pub async fn group_acts_after(
        &self,
        group: GroupId,
        after_us: u64,
    ) -> Result<Vec<(LoggedGroupAct, u64)>> {
        let range = range_by_score(
            keys::group_log(group),
            format!("({after_us}"),
            "+inf",
            GROUP_ACTS_KEPT,
        );
        let rows = self.connection.query(range.with("WITHSCORES")).await?;
        Ok(acts_of(rows))
    }

    /// Adds a notice about an act at this time (µs) to those of a person.
    pub async fn add_group_notice(
        &self,
        call: &Call,
        to: UserId,
        notice: &GroupNotice,
        at_us: u64,
    ) -> Result<()> {
        let add = AddGroupNotice {
            user: keys::user(to),
            group_notices: keys::group_notices(to),
            deadline_ms: call.deadline(),
            notice: notice.to_json(),
            at_us,
            max_notices: GROUP_NOTICES_KEPT,
        };
        self.connection.run(&add).await
    }

    /// Notes up to which act (µs) the people of a group have their notices.
    pub async fn mark_noticed(&self, call: &Call, group: GroupId, at_us: u64) -> Result<()> {
        let mark = MarkNoticed {
            group: keys::group(group),
            deadline_ms: call.deadline(),
            at_us,
        };
        self.connection.run(&mark).await
    }

    /// Returns the notices to a person with their times, newest first.
    pub async fn group_notices(&self, of: UserId) -> Result<Vec<(GroupNotice, UnixMs)>> {
        let all = redis::cmd("ZREVRANGE").with((keys::group_notices(of), 0, -1, "WITHSCORES"));
        let rows: Vec<(String, f64)> = self.connection.query(all).await?;
        let notice = |(text, at): (String, f64)| {
            let notice = text.parse().ok()?;
            Some((notice, UnixMs(at as u64 / 1000)))
        };
        Ok(rows.into_iter().filter_map(notice).collect())
    }
}

/// Parses acts. One that an other version wrote is left out.
fn acts_of(rows: Vec<(String, f64)>) -> Vec<(LoggedGroupAct, u64)> {
    let act = |(text, at): (String, f64)| Some((text.parse().ok()?, at as u64));
    rows.into_iter().filter_map(act).collect()
}
