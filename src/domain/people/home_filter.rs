//! Home filters: choices about a followed person that keep some of their statuses off the home.

use serde::{Deserialize, Serialize};

use crate::domain::StatusHeader;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HomeFilter {
    HiddenReposts,
}

impl HomeFilter {
    /// All filters, in the order of `home_filters` in the Lua prelude.
    pub const ALL: [Self; 1] = [Self::HiddenReposts];

    /// Returns whether it hides a status of the person.
    #[must_use]
    pub fn hides(self, status: &StatusHeader) -> bool {
        match self {
            Self::HiddenReposts => status.repost_of.is_some(),
        }
    }
}

/// The filters that are set for one person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HomeFilters([bool; HomeFilter::ALL.len()]);

impl HomeFilters {
    /// Creates it from whether each filter is set, in the order of `HomeFilter::ALL`.
    #[must_use]
    pub fn new(are_set: [bool; HomeFilter::ALL.len()]) -> Self {
        Self(are_set)
    }

    #[must_use]
    pub fn contains(self, filter: HomeFilter) -> bool {
        self.iter().any(|set| set == filter)
    }

    pub fn iter(self) -> impl Iterator<Item = HomeFilter> {
        let all = HomeFilter::ALL.into_iter().zip(self.0);
        all.filter_map(|(filter, is_set)| is_set.then_some(filter))
    }
}
