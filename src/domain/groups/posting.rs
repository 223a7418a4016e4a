//! Posting in a group.

use crate::domain::UnixMs;

/// Why a person may not post or reply in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupPostRefusal {
    /// The person is no member, or there is no such group.
    NotMember,
    /// Only moderators post there.
    OnlyModerators,
    /// Nobody replies there.
    RepliesClosed,
    /// The moderators have muted the person until this time.
    Muted(UnixMs),
}
