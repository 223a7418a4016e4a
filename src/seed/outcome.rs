//! Outcomes of the planned actions, and the refusals among them.

use std::{collections::BTreeMap, fmt};

use crate::store::SetOutcome;

/// Outcome of one planned action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Done by this run or an earlier one.
    Done,
    /// The post or person is gone, or the poll has ended since an earlier run.
    Obsolete,
    Refused(Refusal),
}

impl Outcome {
    /// Returns the outcome of setting a relation that this limit can refuse.
    pub(super) fn of_relation(set: SetOutcome, refusal: Refusal) -> Self {
        match set {
            SetOutcome::Done => Self::Done,
            SetOutcome::TooMany => Self::Refused(refusal),
            SetOutcome::Unknown => Self::Obsolete,
        }
    }
}

/// Limit of the site that refused an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Refusal {
    Follow,
    TagFollow,
    List,
    ListMember,
    Favourite,
    Bookmark,
}

impl Refusal {
    /// Returns the refused thing, in the plural, and the setting of its limit.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Follow => ("follows", "REDWING_MAX_FOLLOWING"),
            Self::TagFollow => ("followed tags", "REDWING_MAX_TAGS"),
            Self::List => ("lists", "REDWING_MAX_LISTS"),
            Self::ListMember => ("members of lists", "REDWING_MAX_LIST_MEMBERS"),
            Self::Favourite => ("favourites", "REDWING_MAX_FAVOURITES"),
            Self::Bookmark => ("bookmarks", "REDWING_MAX_BOOKMARKS"),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Outcomes {
    pub(super) done: usize,
    refused: BTreeMap<Refusal, usize>,
}

impl Outcomes {
    pub(super) fn has_refusals(&self) -> bool {
        !self.refused.is_empty()
    }
}

impl Extend<Outcome> for Outcomes {
    fn extend<I: IntoIterator<Item = Outcome>>(&mut self, outcomes: I) {
        for outcome in outcomes {
            match outcome {
                Outcome::Done => self.done += 1,
                Outcome::Obsolete => {}
                Outcome::Refused(refusal) => *self.refused.entry(refusal).or_default() += 1,
            }
        }
    }
}

impl FromIterator<Outcome> for Outcomes {
    fn from_iter<I: IntoIterator<Item = Outcome>>(outcomes: I) -> Self {
        let mut all = Self::default();
        all.extend(outcomes);
        all
    }
}

/// Writes a line for each limit that refused something.
impl fmt::Display for Outcomes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (refusal, count) in &self.refused {
            let (things, setting) = refusal.words();
            writeln!(
                f,
                "Refused {things}: {count}, because of {setting}. Raise it and run the same command again."
            )?;
        }
        Ok(())
    }
}
