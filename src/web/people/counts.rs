//! A person's counts as links: posts, followers, followed people.

use askama::Template;

use serde::Serialize;

use crate::{
    store::{self, User},
    web::{parts::count, routes},
};

#[derive(Debug, Template)]
#[template(path = "people/_counts.html")]
pub(in crate::web) struct Counts {
    posts: Count,
    followers: Count,
    following: Count,
    /// These are the reader's own counts, which change while the page is open.
    live: bool,
}

impl askama::filters::HtmlSafe for Counts {}

/// One number, its noun, and the link to its list.
#[derive(Debug)]
struct Count {
    path: String,
    number: String,
    noun: &'static str,
}

impl Counts {
    pub(in crate::web) fn new(user: &User) -> Self {
        let counted = |path, number, noun| Count {
            path,
            number: count(number),
            noun,
        };
        Self {
            posts: counted(
                routes::profile(&user.login),
                user.posts,
                posts_noun(user.posts),
            ),
            followers: counted(
                routes::followers(&user.login),
                user.followers,
                followers_noun(user.followers),
            ),
            following: counted(routes::following(&user.login), user.following, FOLLOWING),
            live: false,
        }
    }

    /// Marks them as the reader's own.
    pub(in crate::web) fn live(self) -> Self {
        Self { live: true, ..self }
    }
}

/// Counts for an open page: each number with its noun.
#[derive(Debug, Serialize)]
pub struct LiveCounts {
    posts: (String, &'static str),
    followers: (String, &'static str),
    following: (String, &'static str),
}

impl LiveCounts {
    #[must_use]
    pub fn new(counts: store::Counts) -> Self {
        let store::Counts {
            posts,
            followers,
            following,
        } = counts;
        Self {
            posts: (count(posts), posts_noun(posts)),
            followers: (count(followers), followers_noun(followers)),
            following: (count(following), FOLLOWING),
        }
    }

    /// Returns the JSON for the page.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("texts are always JSON")
    }
}

const FOLLOWING: &str = "following";

fn posts_noun(number: u64) -> &'static str {
    if number == 1 { "post" } else { "posts" }
}

/// Returns `1 follower`, `1,234 followers`.
pub(in crate::web) fn followers(number: u64) -> String {
    format!("{} {}", count(number), followers_noun(number))
}

fn followers_noun(number: u64) -> &'static str {
    if number == 1 { "follower" } else { "followers" }
}
