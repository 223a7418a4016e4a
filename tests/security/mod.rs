//! Security: caching, cookies, forged forms, guessed passwords, headers, injected text, locked-out
//! members, proxies and revoked sessions.

mod caching;
mod cookies;
mod forgery;
mod guessing;
mod headers;
mod injection;
mod lock_out;
mod proxies;
mod revocation;
