//! How much a person wrote, who follows them and whom they follow, as links.

use askama::Template;

use crate::{store::User, web::routes};

use super::count;

#[derive(Debug, Template)]
#[template(path = "people/_counts.html")]
pub(super) struct Counts {
    posts: Count,
    followers: Count,
    following: Count,
}

/// One number, what it counts, and where that is listed.
#[derive(Debug)]
struct Count {
    path: String,
    number: String,
    noun: &'static str,
}

impl Counts {
    pub(super) fn new(user: &User) -> Self {
        let counted = |path, number, noun| Count {
            path,
            number: count(number),
            noun,
        };
        Self {
            posts: counted(
                routes::profile(&user.login),
                user.posts,
                if user.posts == 1 { "post" } else { "posts" },
            ),
            followers: counted(
                routes::followers(&user.login),
                user.followers,
                followers_noun(user.followers),
            ),
            following: counted(routes::following(&user.login), user.following, "following"),
        }
    }
}

/// `1 follower`, `1,234 followers`.
pub(super) fn followers(number: u64) -> String {
    format!("{} {}", count(number), followers_noun(number))
}

fn followers_noun(number: u64) -> &'static str {
    if number == 1 { "follower" } else { "followers" }
}
