//! Rules that hold for all scripts.

mod confirmations;
pub mod contracts;
mod deadlines;
mod storm;
mod truths;
