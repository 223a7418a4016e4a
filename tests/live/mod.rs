//! An open page receives new posts and changed counts. A page receives nothing after
//! its session is over.

mod arrivals;
mod counts;
mod endings;
mod limits;
mod newer;
mod outages;
pub mod page;
