//! The directory of groups that everyone finds: by activity, and by the words of their names.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    calls::{ListGroup, RaiseActivity},
    row::Group,
};
use crate::{
    domain::{GroupId, beginnings_of_text},
    store::{
        prelude::*,
        search::calls::{EnterName, LeaveName},
    },
};

/// Maximum number of matching groups that one search examines, and that it returns.
const EXAMINED: usize = 200;
const SHOWN: usize = 30;
/// Time by which the last activity of a group rises at least (µs).
const LEAST_RISE_US: u64 = 600_000_000;

impl Store {
    /// Returns one page of the directory, most active first. One round trip more for the groups.
    pub async fn listed_groups(&self, before: Option<Cursor>) -> Result<Page<Arc<Group>>> {
        let from = before.map_or_else(|| "+inf".to_owned(), |cursor| format!("({}", cursor.get()));
        let range = range_by_score(keys::GROUPS_LISTED, from, "-inf", PAGE_SIZE + 1);
        let range = range.with(("REV", "WITHSCORES"));
        let mut rows: Vec<(u64, f64)> = self.connection.query(range).await?;
        let has_more = rows.len() > PAGE_SIZE;
        rows.truncate(PAGE_SIZE);
        let last = rows.last().map(|(_, score)| Cursor::before(*score as u64));
        let ids = rows.iter().filter_map(|(id, _)| GroupId::new(*id).ok());
        let groups = self.rows_of::<Group>(&ids.collect::<Vec<_>>()).await?;
        let listed = groups.into_iter().flatten();
        Ok(Page {
            items: listed.filter(|group| group.is_listed()).collect(),
            next: last.filter(|_| has_more),
        })
    }

    /// Returns those of these groups that everyone finds. One round trip at most.
    pub async fn listed_of(&self, groups: &[GroupId]) -> Result<Vec<Arc<Group>>> {
        let groups = self.rows_of::<Group>(groups).await?.into_iter().flatten();
        Ok(groups.filter(|group| group.is_listed()).collect())
    }

    /// Returns groups of the directory with a word that starts with each of these prefixes. Exact words come first, then
    /// the most active groups.
    pub async fn groups_with_words(&self, beginnings: &[String]) -> Result<Vec<Arc<Group>>> {
        let longest = beginnings.iter().max_by_key(|word| word.chars().count());
        let Some((probe, letter)) = longest.and_then(|word| Some((word, word.chars().next()?)))
        else {
            return Ok(Vec::new());
        };
        let range = redis::cmd("ZRANGE").with((
            keys::group_words(letter),
            format!("[{probe}"),
            [format!("({probe}").as_bytes(), &[0xFF]].concat(),
            "BYLEX",
            "LIMIT",
            "0",
            EXAMINED,
        ));
        let entries: Vec<String> = self.connection.query(range).await?;
        let ids: BTreeSet<GroupId> = entries.iter().filter_map(|entry| group_of(entry)).collect();
        let ids: Vec<GroupId> = ids.into_iter().collect();
        let groups = self.rows_of::<Group>(&ids).await?.into_iter().flatten();
        let mut found: Vec<(Reverse<usize>, Reverse<u64>, Arc<Group>)> = groups
            .filter(|group| group.is_listed())
            .filter_map(|group| {
                let exact = exact_count(&group, beginnings)?;
                Some((Reverse(exact), Reverse(group.active_us), group))
            })
            .collect();
        found.sort_by_key(|(exact, active, group)| (*exact, *active, group.id));
        let shown = found.into_iter().take(SHOWN);
        Ok(shown.map(|(.., group)| group).collect())
    }

    /// Puts a group into the directory under these words, or takes it out. One round trip.
    pub async fn enter_group(
        &self,
        call: &Call,
        group: &Group,
        over: &BTreeSet<String>,
    ) -> Result<()> {
        let words = match group.is_listed() {
            true => words_of(group),
            false => BTreeSet::new(),
        };
        let over: BTreeSet<String> = over.difference(&words).cloned().collect();
        let mut writes: Vec<Cmd> = Vec::new();
        for (letter, entries) in by_letter(group.id, &over) {
            let leave = LeaveName {
                names: keys::group_words(letter),
                deadline_ms: call.deadline(),
                entries,
            };
            writes.push(leave.command());
        }
        for (letter, entries) in by_letter(group.id, &words) {
            let enter = EnterName {
                names: keys::group_words(letter),
                deadline_ms: call.deadline(),
                entries,
            };
            writes.push(enter.command());
        }
        writes.push(match group.is_listed() {
            true => list(call, group.id, group.active_us, "put").command(),
            false => redis::cmd("ZREM").with((keys::GROUPS_LISTED, group.id.get())),
        });
        self.connection.batch(writes).await.map(drop)
    }

    /// Notes the time of a post in a group, and moves the group up in the directory if it is there. Within ten minutes
    /// nothing is written, so that busy groups cost little. Two round trips at most.
    pub async fn raise_group_activity(
        &self,
        call: &Call,
        group: GroupId,
        active_us: u64,
    ) -> Result<()> {
        let raise = RaiseActivity {
            group: keys::group(group),
            deadline_ms: call.deadline(),
            active_us,
            least_us: LEAST_RISE_US,
        };
        if self
            .connection
            .succeeds(&raise, ["raised", "unchanged"])
            .await?
        {
            let moved = list(call, group, active_us, "move");
            self.connection.execute(moved.command()).await?;
        }
        Ok(())
    }

    /// Returns whether a group is in the directory, and under each of these words. One round trip.
    pub async fn are_group_words_entered(
        &self,
        id: GroupId,
        words: &BTreeSet<String>,
    ) -> Result<(bool, bool)> {
        let place = redis::cmd("ZSCORE").with((keys::GROUPS_LISTED, id.get()));
        let entries = words.iter().filter_map(|word| {
            let letter = word.chars().next()?;
            Some(redis::cmd("ZSCORE").with((keys::group_words(letter), entry(id, word))))
        });
        let reads = [place].into_iter().chain(entries);
        let scores: Vec<Option<f64>> = self.connection.query_each(reads).await?;
        let mut are_there = scores.iter().map(Option::is_some);
        let is_listed = are_there.next().unwrap_or_default();
        Ok((is_listed, are_there.all(|is_there| is_there)))
    }
}

fn list(call: &Call, group: GroupId, active_us: u64, mode: &'static str) -> ListGroup {
    ListGroup {
        groups_listed: keys::GROUPS_LISTED.to_owned(),
        deadline_ms: call.deadline(),
        group: group.get(),
        active_us,
        mode,
    }
}

/// Returns the words by which a group is found.
pub fn words_of(group: &Group) -> BTreeSet<String> {
    let mut words = beginnings_of_text(&group.name);
    words.extend(beginnings_of_text(group.slug.as_str()));
    words
}

/// Returns the words of the former names of a group.
pub fn former_words_of(group: &Group) -> BTreeSet<String> {
    let names = group.former.lines();
    names.flat_map(beginnings_of_text).collect()
}

/// Returns the group of an entry of the words.
pub fn group_of(entry: &str) -> Option<GroupId> {
    entry.rsplit_once(' ')?.1.parse().ok()
}

/// Returns how many of these prefixes are whole words of a group. `None` if one matches nothing.
fn exact_count(group: &Group, beginnings: &[String]) -> Option<usize> {
    let words = words_of(group);
    let begins = |beginning: &String| words.iter().any(|word| word.starts_with(beginning));
    let exact = beginnings.iter().filter(|word| words.contains(*word));
    beginnings.iter().all(begins).then(|| exact.count())
}

fn entry(group: GroupId, word: &str) -> String {
    format!("{word} {group}")
}

fn by_letter(group: GroupId, words: &BTreeSet<String>) -> BTreeMap<char, Vec<String>> {
    let mut entries: BTreeMap<char, Vec<String>> = BTreeMap::new();
    for word in words {
        if let Some(letter) = word.chars().next() {
            entries.entry(letter).or_default().push(entry(group, word));
        }
    }
    entries
}
