//! How far people have read, as the store gives it out: what is new on a home. What is remembered
//! of it, `read_home.lua` says, and `note_shown.lua` where one look does not fill a page.

use std::ops::RangeInclusive;

use crate::{
    domain::{Cursor, PAGE_SIZE, Seen, StatusId, UserId},
    store::{
        Call, Error, Result, Store, keys,
        redis::scripts::{self, With},
    },
};

/// How a page is asked for: a visit has read what it shows, and a glance counts nothing as read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadMode {
    Visit,
    LiveQuery,
}

/// What is new on a home since its owner was there.
#[derive(Debug, Clone)]
pub struct News {
    /// What they had seen before this visit.
    pub seen: Seen,
    /// How many statuses of others they had not. A deleted one counts until it has left the home.
    pub count: u64,
    /// The oldest of these.
    pub oldest: Option<Oldest>,
}

/// The oldest new status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Oldest {
    pub id: StatusId,
    /// Where the page with it begins; `None`: it is the first.
    pub page: Option<Cursor>,
}

impl Store {
    /// Remembers that a page of a home has shown all from one id to another, of which it looked at these:
    /// what its first look could not know.
    pub async fn note_shown(
        &self,
        call: &Call,
        of: UserId,
        from: RangeInclusive<u64>,
        examined: &[StatusId],
    ) -> Result<()> {
        let note = scripts::NOTE_SHOWN
            .on([keys::home(of), keys::reading(of)])
            .with(call.deadline())
            .with(from.start())
            .with(from.end())
            .with(examined.iter().map(|id| id.get()).collect::<Vec<_>>());
        self.connection.query::<i64>(note).await.map(drop)
    }
}

impl Oldest {
    /// Where that one stands on a home, which is given newest first.
    #[must_use]
    pub fn on(home: &[StatusId], id: StatusId) -> Self {
        let newer = home.iter().take_while(|other| **other > id).count();
        let begins = (newer / PAGE_SIZE * PAGE_SIZE).checked_sub(1);
        let last_before = begins.and_then(|at| home.get(at));
        Self {
            id,
            page: last_before.map(|id| Cursor::before(id.get())),
        }
    }
}

impl ReadMode {
    /// As scripts want to know it.
    pub(in crate::store) fn word(self) -> &'static str {
        match self {
            Self::Visit => "visit",
            Self::LiveQuery => "glance",
        }
    }
}

impl News {
    pub(in crate::store) fn read(
        seen: &str,
        count: u64,
        oldest: Option<u64>,
        page: Option<u64>,
    ) -> Result<Self> {
        let unexpected = |what: &'static str, answer: &dyn ToString| Error::Unexpected {
            what,
            answer: answer.to_string(),
        };
        let oldest = oldest.map(|id| {
            let id = StatusId::new(id).map_err(|_| unexpected("a home", &id))?;
            let page = page.map(Cursor::before);
            Ok(Oldest { id, page })
        });
        Ok(Self {
            seen: seen
                .parse()
                .map_err(|_| unexpected("what was seen", &seen))?,
            count,
            oldest: oldest.transpose()?,
        })
    }

    /// Was this status of another one not seen before this visit?
    #[must_use]
    pub fn is_new(&self, id: StatusId) -> bool {
        !self.seen.holds(id)
    }
}
