//! The numbers of a site for each of the last 30 days. Each process counts in its own memory and adds its counts every
//! few minutes, so a page, a post and a delivery cost nothing. Counts of a process that is killed are lost.

mod recent_authors;

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU64, Ordering},
};

use parking_lot::Mutex;

pub use recent_authors::RecentAuthors;

use crate::{domain::IdSet, store::prelude::*};

script_calls! {
    NoteDay = "note_day"(
        site_days;
        process: String, number: u64, day: u64, first_day: u64, posts: u64, deliveries: u64, people: u64, active: u64, queue: u64, memory: u64,
        disk: u64
    );
}

/// Number of days that are shown.
pub const DAYS_SHOWN: u64 = 30;
const DAY_MS: u64 = 86_400_000;
/// Lifetime of the set of active people after the last visit. It is less than a day, so the set has ended when the next
/// day with the same key begins.
const ACTIVE_TTL_S: u64 = 23 * 3600;
/// Maximum number of people that a process remembers between two notes.
const MOST_REMEMBERED: usize = 100_000;

/// Number of people that one command adds to the active ones.
const PEOPLE_AT_ONCE: usize = 1000;

/// The counts of a process since its last note.
#[derive(Debug)]
pub struct Activity {
    /// The random name of the process.
    process: String,
    note: Mutex<Note>,
    posts: AtomicU64,
    deliveries: AtomicU64,
    people: Mutex<IdSet<UserId>>,
    recent_authors: Mutex<RecentAuthors>,
}

/// The counts that a process sends. After a failure it sends the same note again, so that nothing is lost or counted
/// twice.
#[derive(Debug, Clone, Copy, Default)]
struct Note {
    number: u64,
    day: u64,
    posts: u64,
    deliveries: u64,
    is_noted: bool,
}

impl Default for Activity {
    fn default() -> Self {
        Self {
            process: format!("{:016x}", rand::random::<u64>()),
            note: Mutex::new(Note {
                is_noted: true,
                ..Note::default()
            }),
            posts: AtomicU64::default(),
            deliveries: AtomicU64::default(),
            people: Mutex::default(),
            recent_authors: Mutex::default(),
        }
    }
}

impl Activity {
    pub fn count_post(&self) {
        self.posts.fetch_add(1, Ordering::Relaxed);
    }

    pub fn count_deliveries(&self, number: usize) {
        self.deliveries.fetch_add(number as u64, Ordering::Relaxed);
    }

    pub fn count_visit(&self, person: UserId) {
        let mut people = self.people.lock();
        if people.len() < MOST_REMEMBERED {
            people.insert(person);
        }
    }

    /// Returns the note that was not confirmed, or the next one with the counts since the last.
    fn next_note(&self, day: u64) -> Note {
        let mut note = self.note.lock();
        if note.is_noted {
            *note = Note {
                number: note.number + 1,
                day,
                posts: self.posts.swap(0, Ordering::Relaxed),
                deliveries: self.deliveries.swap(0, Ordering::Relaxed),
                is_noted: false,
            };
        }
        *note
    }
}

/// The numbers of a day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SiteDay {
    /// Days since 1970.
    pub day: u64,
    /// Accounts that were ever made.
    pub people: u64,
    /// People who visited, estimated to a percent.
    pub active: u64,
    pub posts: u64,
    pub deliveries: u64,
    /// Largest number of waiting tasks.
    pub queue: u64,
    /// Largest use of the memory of Redis and of the disk, in percent.
    pub memory: u64,
    pub disk: u64,
}

impl Store {
    /// Adds to today's numbers what this process has counted. `disk`: the used share of the disk, in percent. Days that are
    /// too old are removed, but none while the clock may be wrong.
    pub async fn note_day(&self, disk: u64) -> Result<()> {
        let clock = self.note_clock().await?;
        let day = self.now().await?.0 / DAY_MS;
        let first_day = match clock.wait_ms() {
            Some(_) => 0,
            None => (clock.now.0 / DAY_MS).saturating_sub(DAYS_SHOWN),
        };
        let active = self.note_active_people(day).await?;
        let people = self.last_user().await?;
        let queue = self.queue_health().await?;
        let own = self.activity.next_note(day);
        let note = NoteDay {
            site_days: keys::SITE_DAYS.to_owned(),
            process: self.activity.process.clone(),
            number: own.number,
            day: own.day,
            first_day,
            posts: own.posts,
            deliveries: own.deliveries,
            people,
            active,
            queue: queue.waiting,
            memory: self.memory_use().percent(),
            disk,
        };
        self.connection.run::<()>(&note).await?;
        self.activity.note.lock().is_noted = true;
        Ok(())
    }

    /// Adds the visitors of this process to those of the day. Returns their number, estimated. The two keys take
    /// turns, and each ends before its next day.
    async fn note_active_people(&self, day: u64) -> Result<u64> {
        let people = std::mem::take(&mut *self.activity.people.lock());
        let key = match day % 2 {
            0 => keys::ACTIVE_PEOPLE_EVEN,
            _ => keys::ACTIVE_PEOPLE_ODD,
        };
        let ids: Vec<u64> = people.iter().map(|id| id.get()).collect();
        for some in ids.chunks(PEOPLE_AT_ONCE) {
            let add = vec![
                redis::cmd("PFADD").with(key).with(some),
                redis::cmd("EXPIRE").with((key, ACTIVE_TTL_S)),
            ];
            if let Err(error) = self.connection.chain(add).await {
                // The next note adds them again, which changes nothing for those that were added.
                self.activity.people.lock().extend(people);
                return Err(error);
            }
        }
        self.connection.query(redis::cmd("PFCOUNT").with(key)).await
    }

    /// Returns the last days, oldest first. A day without numbers has zeros. One round trip.
    pub async fn site_days(&self) -> Result<Vec<SiteDay>> {
        let read = redis::cmd("HGETALL").with(keys::SITE_DAYS);
        let (fields, now): (BTreeMap<String, u64>, UnixMs) =
            tokio::try_join!(self.connection.query(read), self.now())?;
        let today = now.0 / DAY_MS;
        let days = today.saturating_sub(DAYS_SHOWN - 1)..=today;
        let number = |day: u64, name: &str| {
            let field = fields.get(&format!("{day}:{name}"));
            field.copied().unwrap_or_default()
        };
        let of_day = |day: u64| SiteDay {
            day,
            people: number(day, "people"),
            active: number(day, "active"),
            posts: number(day, "posts"),
            deliveries: number(day, "deliveries"),
            queue: number(day, "queue"),
            memory: number(day, "memory"),
            disk: number(day, "disk"),
        };
        Ok(days.map(of_day).collect())
    }
}
