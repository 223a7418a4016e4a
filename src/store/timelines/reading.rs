//! Reading progress on a home, and the new posts that follow from it. `read_home.lua` states the stored
//! format. `note_shown.lua` extends it when a page needs several reads.

use std::ops::RangeInclusive;

use crate::{
    domain::{Cursor, PAGE_SIZE, Seen, StatusId, UserId},
    store::{
        Call, Error, Result, Store, keys,
        redis::scripts::{self, With},
    },
};

/// Purpose of a page request. A visit marks the shown posts as read; a prefetch, a HEAD
/// request and an older page mark nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadMode {
    Visit,
    Prefetch,
}

/// New posts on a home since its owner's last visit.
#[derive(Debug, Clone)]
pub struct News {
    /// Posts seen before this visit.
    pub seen: Seen,
    /// Number of unseen posts by others. A deleted one counts until it has left the home.
    pub count: u64,
    /// The oldest unseen post.
    pub oldest: Option<Oldest>,
}

/// The oldest new post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Oldest {
    pub id: StatusId,
    /// Cursor of the page that holds it. `None` for the first page.
    pub page: Option<Cursor>,
}

impl Store {
    /// Remembers that a page of a home has shown a range of ids and examined these. The first read of
    /// the page could not know that.
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
        self.connection.query::<String>(note).await.map(drop)
    }
}

impl Oldest {
    /// Returns the position of this id on a home that is given newest first.
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
    /// Returns the mode as scripts take it.
    pub(in crate::store) fn word(self) -> &'static str {
        match self {
            Self::Visit => "",
            Self::Prefetch => "prefetch",
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

    /// Returns whether this status of another author was unseen before this visit.
    #[must_use]
    pub fn is_new(&self, id: StatusId) -> bool {
        !self.seen.holds(id)
    }
}
