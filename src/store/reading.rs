//! How far people have read, as the store gives it out: what is new on a home. What is remembered
//! of it, `read_home.lua` says.

use super::{Error, Result};
use crate::domain::{Cursor, Seen, StatusId};

/// How a page is asked for: a visit has read what it shows, and a glance counts nothing as read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Regard {
    Visit,
    Glance,
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

impl Regard {
    /// As scripts want to know it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Visit => "visit",
            Self::Glance => "glance",
        }
    }
}

impl News {
    pub(super) fn read(
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
