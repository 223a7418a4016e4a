//! Rules that hold for all scripts.

mod confirmations;
pub mod contracts;
mod deadlines;
mod memory;
mod storm;
mod truths;
