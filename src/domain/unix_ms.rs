//! Times.

use super::StatusId;

/// Milliseconds since 1970-01-01T00:00:00Z.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct UnixMs(pub u64);

impl UnixMs {
    /// Returns the largest status id that can have been drawn by this time.
    pub fn largest_id(self) -> u64 {
        let ms = self.0.saturating_sub(StatusId::EPOCH_MS);
        ((ms + 1) << StatusId::RANDOM_BITS) - 1
    }
}
