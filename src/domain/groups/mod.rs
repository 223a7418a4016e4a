//! Groups: their addresses, their kinds, the parts of people in them, and the acts in their logs.

pub mod act;
pub mod group;
pub mod member;
pub(super) mod posting;
pub mod slug;
