//! A person's counts as links: posts, followers, followed people.

use serde::Serialize;

use crate::{store, web::parts::prelude::*};

#[derive(Debug, Template)]
#[template(path = "people/_counts.html")]
pub struct Counts {
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
    pub fn new(user: &User) -> Self {
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
    pub fn live(self) -> Self {
        Self { live: true, ..self }
    }
}

/// Returns the counts for an open page as JSON: each number with its noun.
pub fn live_json(counts: store::Counts) -> String {
    #[derive(Serialize)]
    struct Counts {
        posts: (String, &'static str),
        followers: (String, &'static str),
        following: (String, &'static str),
    }
    let store::Counts {
        posts,
        followers,
        following,
    } = counts;
    let counts = Counts {
        posts: (count(posts), posts_noun(posts)),
        followers: (count(followers), followers_noun(followers)),
        following: (count(following), FOLLOWING),
    };
    serde_json::to_string(&counts).expect("texts are always JSON")
}

const FOLLOWING: &str = "following";

fn posts_noun(number: u64) -> &'static str {
    if number == 1 { "post" } else { "posts" }
}

/// Returns `1 follower`, `1,234 followers`.
pub fn followers(number: u64) -> String {
    format!("{} {}", count(number), followers_noun(number))
}

fn followers_noun(number: u64) -> &'static str {
    if number == 1 { "follower" } else { "followers" }
}
