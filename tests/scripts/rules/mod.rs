//! Rules that hold for all scripts.

mod confirmations;
mod contracts;
mod deadlines;
mod storm;
mod truths;
