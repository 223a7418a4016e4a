//! The promises of `Security` in the site's contract, clause by clause.

mod caching;
mod cookies;
mod forgery;
mod guessing;
mod headers;
mod injection;
mod proxies;
mod revocation;
