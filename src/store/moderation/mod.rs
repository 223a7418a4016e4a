//! Reports and decisions about a person: the case of that person, in one slot. Every event of a case has a time of its
//! own, by which its after-effects find what they have not handled yet.

pub(super) mod calls;
pub(super) mod case;
pub(super) mod case_file;
pub(super) mod decisions;
pub(super) mod posts;
pub(super) mod queue;
pub(super) mod reported;
pub(super) mod reports;
pub(super) mod roles;
pub(super) mod sightings;
pub(super) mod standing;
pub(super) mod waiting;

/// Time for which a moderator has a case that they claimed, in ms.
pub const CLAIM_MS: u64 = 30 * 60 * 1000;
/// Time for which closed reports are kept, with the posts as they were.
pub const CLOSED_REPORTS_KEPT_MS: u64 = 90 * 86_400_000;
/// Open reports about one person. Further reporters read that there are enough.
pub const MAX_OPEN_REPORTS: usize = 200;
/// Open reports of one reporter about one person.
pub const MAX_OPEN_REPORTS_OF_ONE: usize = 5;
/// Open and closed reports about one person. The oldest closed ones are removed first.
const MAX_REPORTS: usize = 1000;
/// Reported posts of one person that are kept as they were, and their bytes. The one with the oldest report is removed
/// first.
const MAX_REPORTED_POSTS: usize = 200;
const MAX_REPORTED_BYTES: usize = 1_000_000;
/// Fields of decisions about one person. A decision has up to four.
const MAX_DECISION_FIELDS: u64 = 1000;
/// Fields of these that notes leave free.
const FIELDS_WITHOUT_NOTES: u64 = 100;
/// Reports by one person that are kept.
const MAX_OWN_REPORTS: usize = 1000;
