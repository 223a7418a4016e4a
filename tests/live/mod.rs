//! An open page hears what came to its home and how its counts change, and nobody hears anything
//! whose session is over.

mod arrivals;
mod counts;
mod endings;
mod limits;
mod outages;
pub mod page;
