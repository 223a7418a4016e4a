//! One visit of one page: who looks, when, and what its forms carry. A handler makes it once and
//! every view struct is built from it.

use crate::{
    domain::{Login, UserId},
    store::UnixMs,
};

use super::{layout::Assets, notice::Notice};

/// The member who looks.
#[derive(Debug, Clone)]
pub struct Me {
    pub id: UserId,
    pub login: Login,
}

/// Who looks.
#[derive(Debug, Clone)]
pub enum Who {
    Member(Me),
    Visitor,
    /// There is a session, but whose it is cannot be read.
    Unknown,
}

/// Who looks at a page, and what every page of theirs needs.
#[derive(Debug, Clone)]
pub struct Visit {
    pub who: Who,
    /// What every form carries in `csrf_token`, of members and visitors alike.
    pub csrf_token: String,
    /// How many notifications the member has not read.
    pub unread: u64,
    pub now: UnixMs,
    /// What the page says once about what has just been done.
    pub notice: Option<Notice>,
    pub assets: &'static Assets,
}

impl Visit {
    /// The member who looks, if it is one.
    #[must_use]
    pub fn me(&self) -> Option<&Me> {
        match &self.who {
            Who::Member(me) => Some(me),
            Who::Visitor | Who::Unknown => None,
        }
    }
}
