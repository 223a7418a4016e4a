//! Which of some members stand in a ZSET of a person: whom of those on a page they follow, which of
//! the statuses there they keep.

use std::{slice, sync::Arc};

use redis::{Cmd, Value};

use super::{
    Result, Store,
    cache::{Held, Name, Row, Shared},
    connection::read,
    scripts::With,
};

/// How many members are remembered of a ZSET that is asked again and again, so that a page that asks in
/// parts finds all of them at its next visit.
const REMEMBERED: usize = 200;

/// Which of some members stand in a ZSET, in ascending order of the members.
#[derive(Debug, Default)]
pub(super) struct Present {
    of: Vec<u64>,
    there: Vec<bool>,
}

/// Whether they stand among these, which ascend.
#[derive(Debug, Clone)]
pub(super) struct Among {
    place: Name,
    members: Vec<u64>,
}

impl Present {
    /// Whether that member stands there. One that was not asked for does not.
    pub(super) fn has(&self, member: u64) -> bool {
        let at = self.of.binary_search(&member);
        at.is_ok_and(|at| self.there[at])
    }

    fn knows(&self, member: u64) -> bool {
        self.of.binary_search(&member).is_ok()
    }
}

impl Store {
    /// Which of these members stand in a ZSET: of at least these. As it was at this connection's last
    /// trip, or later.
    pub(super) async fn present(&self, place: Name, members: Vec<u64>) -> Result<Arc<Present>> {
        let kept = match self.connection.cache().and_then(|cache| cache.held(place)) {
            Some(Held::Present(kept)) => Some(kept),
            _ => None,
        };
        let unknown = |kept: &Present| members.iter().any(|member| !kept.knows(*member));
        let mut members = match kept {
            Some(kept) if !unknown(&kept) => return Ok(kept),
            Some(kept) if kept.of.len() + members.len() <= REMEMBERED => {
                [&kept.of[..], &members].concat()
            }
            _ => members,
        };
        members.sort_unstable();
        members.dedup();
        let among = Among { place, members };
        let present = self.rows_of::<Present>(slice::from_ref(&among)).await?;
        let present = present.into_iter().next().flatten();
        Ok(present.unwrap_or_default())
    }
}

impl Row for Present {
    type Question = Among;

    fn name(among: &Among) -> Name {
        among.place
    }

    /// Where nobody is asked about, whether there is such a ZSET: ZMSCORE wants a member.
    fn command(among: &Among) -> Cmd {
        if among.members.is_empty() {
            return redis::cmd("ZCARD").with(among.place.key());
        }
        redis::cmd("ZMSCORE")
            .with(among.place.key())
            .with(&among.members)
    }

    fn parse(among: &Among, answer: Value) -> Result<Option<Self>> {
        let scores: Vec<Option<f64>> = match &among.members[..] {
            [] => Vec::new(),
            _ => read(answer)?,
        };
        Ok(Some(Self {
            of: among.members.clone(),
            there: scores.iter().map(Option::is_some).collect(),
        }))
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.of[..]) + self.there.len()
    }

    fn hold(self, _: &Shared, _: Name) -> (Arc<Self>, Held) {
        let row = Arc::new(self);
        (Arc::clone(&row), Held::Present(row))
    }

    fn find(held: &Held, _: &Shared, among: &Among) -> Option<Arc<Self>> {
        match held {
            Held::Present(present) if present.of == among.members => Some(Arc::clone(present)),
            _ => None,
        }
    }
}
