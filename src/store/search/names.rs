//! The index of people: one ZSET per first letter maps the words of logins and names to people, ordered
//! by the words.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use futures_util::try_join;

use super::calls;
use crate::{
    domain::{Leaving, beginnings_of},
    store::prelude::*,
};

/// Maximum number of matching people that one search examines.
const LOOKED_AT: usize = 200;
/// Maximum number of people that one search returns.
const SHOWN: usize = 10;
/// Number of entries per read.
const ROWS: usize = 1000;

/// The fields of [`Names`], and the plan to leave.
const NAME_FIELDS: [&str; 4] = ["login", "name", "former", "leaving"];

/// The names that a person is found by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    pub login: Login,
    pub name: String,
    /// Former names that the index may still have, one per line.
    pub former: Option<String>,
}

impl Store {
    /// Returns the names of each of these people. `None` if the person does not exist or is being deleted. One round
    /// trip.
    pub async fn names_of(&self, ids: &[UserId]) -> Result<Vec<Option<Names>>> {
        let fields = |id: &UserId| redis::cmd("HMGET").with((keys::user(*id), &NAME_FIELDS[..]));
        let answers = self.connection.batch(ids.iter().map(fields).collect());
        let names = |answer| {
            let [login, name, former, leaving]: [Option<String>; 4] = read(answer)?;
            let is_staying = Leaving::stored(leaving.as_deref()) != Leaving::Now;
            let login = login.as_deref().and_then(Login::stored);
            let login = login.filter(|_| is_staying);
            Ok(login.zip(name).map(|(login, name)| Names {
                login,
                name,
                former,
            }))
        };
        answers.await?.into_iter().map(names).collect()
    }

    /// Adds a person to the index under these words. One round trip.
    pub async fn enter_names(
        &self,
        call: &Call,
        who: UserId,
        words: &BTreeSet<String>,
    ) -> Result<()> {
        let enter = |(letter, entries)| calls::EnterName {
            names: keys::names(letter),
            deadline_ms: call.deadline(),
            entries,
        };
        let enter = by_letter(who, words).into_iter().map(enter);
        let commands = enter.map(|enter| enter.command()).collect();
        self.connection.batch(commands).await.map(drop)
    }

    /// Removes a person from the index under these words. One round trip.
    pub async fn remove_names(
        &self,
        call: &Call,
        who: UserId,
        words: &BTreeSet<String>,
    ) -> Result<()> {
        let leave = |(letter, entries)| calls::LeaveName {
            names: keys::names(letter),
            deadline_ms: call.deadline(),
            entries,
        };
        let leave = by_letter(who, words).into_iter().map(leave);
        let commands = leave.map(|leave| leave.command()).collect();
        self.connection.batch(commands).await.map(drop)
    }

    /// Returns whether each person is in the index under the word. One round trip.
    pub async fn are_entered(&self, pairs: &[(UserId, String)]) -> Result<Vec<bool>> {
        let asks = pairs.iter().filter_map(|(who, word)| {
            let letter = word.chars().next()?;
            Some(redis::cmd("ZSCORE").with((keys::names(letter), entry(*who, word))))
        });
        let answers = self.connection.batch(asks.collect()).await?.into_iter();
        let is_entered = |answer| Ok(read::<Option<f64>>(answer)?.is_some());
        answers.map(is_entered).collect()
    }

    /// Returns the entries of a letter after the given one, in order.
    pub async fn names_after(&self, letter: char, after: Option<&str>) -> Result<Vec<String>> {
        let range = redis::cmd("ZRANGE").with((
            keys::names(letter),
            after.map_or_else(|| "-".to_owned(), |after| format!("({after}")),
            "+",
            "BYLEX",
            "LIMIT",
            "0",
            ROWS,
        ));
        self.connection.query(range).await
    }

    /// Removes any entry from a letter. Returns the person it belonged to.
    pub async fn drop_name(&self, letter: char, entry: &str) -> Result<Option<UserId>> {
        let remove = redis::cmd("ZREM").with((keys::names(letter), entry));
        self.connection.query::<i64>(remove).await?;
        Ok(whose(entry))
    }

    /// Returns people with a word of login or name that starts with each of these prefixes. Exact words
    /// come first, then the people with most followers. At most 200 matches are examined.
    pub async fn people_named(&self, viewer: Viewer, beginnings: &[String]) -> Result<Vec<Person>> {
        let found = self.find_named(viewer, beginnings).await?;
        let mut found: Vec<(Reverse<usize>, Reverse<u64>, UserId)> = found
            .into_iter()
            .map(|(exact, user)| (Reverse(exact), Reverse(user.followers), user.id))
            .collect();
        found.sort_unstable();
        let shown: Vec<UserId> = found.into_iter().take(SHOWN).map(|(.., id)| id).collect();
        self.people(viewer, &shown).await
    }

    /// Returns the people that a member may want to mention, by the beginning of a word of login or name: first those
    /// that the member follows, then by exact words and followers. At most 200 matches are examined.
    pub async fn people_to_mention(
        &self,
        member: UserId,
        beginnings: &[String],
    ) -> Result<Vec<Arc<User>>> {
        let mut found = self.find_named(Viewer::Member(member), beginnings).await?;
        found.retain(|(_, user)| user.id != member);
        let ids = found.iter().map(|(_, user)| user.id.get()).collect();
        let followed = self.present(Key::Following(member), ids).await?;
        found.sort_unstable_by_key(|(exact, user)| {
            let is_followed = followed.has(user.id.get());
            (Reverse((is_followed, *exact, user.followers)), user.id)
        });
        Ok(found
            .into_iter()
            .take(SHOWN)
            .map(|(_, user)| user)
            .collect())
    }

    /// Returns the people that the viewer may find with a word that starts with each of these prefixes, each with the
    /// number of whole words among them. Two round trips.
    async fn find_named(
        &self,
        viewer: Viewer,
        beginnings: &[String],
    ) -> Result<Vec<(usize, Arc<User>)>> {
        let longest = beginnings.iter().max_by_key(|word| word.chars().count());
        let Some((probe, letter)) = longest.and_then(|word| Some((word, word.chars().next()?)))
        else {
            return Ok(Vec::new());
        };
        let range = entries_that_begin(keys::names(letter), probe, LOOKED_AT);
        let entries: Vec<String> = self.connection.query(range).await?;
        let ids: BTreeSet<UserId> = entries.iter().filter_map(|entry| whose(entry)).collect();
        let ids: Vec<UserId> = ids.into_iter().collect();
        let (mut access, users) =
            try_join!(self.access_to(viewer, &ids), self.rows_of::<User>(&ids))?;
        let users: Vec<Arc<User>> = users.into_iter().flatten().collect();
        self.follows_of_limited(&mut access, &users).await?;
        Ok(users
            .into_iter()
            .filter(|user| access.may_find(user) && access.is_within_limit(user))
            .filter_map(|user| Some((exact(&user, beginnings)?, user)))
            .collect())
    }
}

/// Returns how many of these prefixes are whole words of the person's names. `None` if one matches
/// nothing.
fn exact(user: &Arc<User>, beginnings: &[String]) -> Option<usize> {
    let words = beginnings_of(&user.login, &user.name);
    let begins = |beginning: &String| words.iter().any(|word| word.starts_with(beginning));
    let exact = beginnings
        .iter()
        .filter(|beginning| words.contains(*beginning));
    beginnings.iter().all(begins).then(|| exact.count())
}

/// Builds the read of up to `limit` entries of an ordered index that begin like this.
pub(super) fn entries_that_begin(index: String, beginning: &str, limit: usize) -> Cmd {
    redis::cmd("ZRANGE").with((
        index,
        format!("[{beginning}"),
        [format!("({beginning}").as_bytes(), &[0xFF]].concat(),
        "BYLEX",
        "LIMIT",
        "0",
        limit,
    ))
}

/// Formats an entry: the word, then the person's id.
fn entry(who: UserId, word: &str) -> String {
    format!("{word} {who}")
}

/// Returns the person that an entry belongs to.
fn whose(entry: &str) -> Option<UserId> {
    entry.rsplit_once(' ')?.1.parse().ok()
}

fn by_letter(who: UserId, words: &BTreeSet<String>) -> BTreeMap<char, Vec<String>> {
    let mut entries: BTreeMap<char, Vec<String>> = BTreeMap::new();
    for word in words {
        if let Some(letter) = word.chars().next() {
            entries.entry(letter).or_default().push(entry(who, word));
        }
    }
    entries
}
