//! What `Security` of the site's contract promises, clause by clause.

mod caching;
mod cookies;
mod forgery;
mod guessing;
mod headers;
mod injection;
mod proxies;
mod revocation;
