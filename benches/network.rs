//! A network of a given size, written into Redis as the site itself would have left it: `redwing
//! check` finds no fault. People live in circles of 200. The 40 writers of a circle are followed by
//! the whole circle, so every home is full and every circle has a different home. In addition there
//! are stars, each followed by the first people of the network.

use std::{
    ops::Range,
    time::{SystemTime, UNIX_EPOCH},
};

use redwing::domain::StatusId;

use super::redis::Outcome;

/// Number of people who share one set of followed writers.
pub const CIRCLE: u64 = 200;
/// Number of writers in a circle, and of posts by each of them.
pub const WRITERS: u64 = 40;
pub const POSTS: u64 = 30;
/// Default size of a home.
pub const HOME: u64 = 500;
/// Number of posts by the prolific star.
pub const PROLIFIC: u64 = HOME * 9 / 10;
/// Characters in a message.
const MESSAGE: usize = 140;
/// Time between two posts of the network, in ms.
const BETWEEN_POSTS: u64 = 100;

const FIRST_NAMES: &str = include_str!("../src/seed/texts/first_names.txt");
const LAST_NAMES: &str = include_str!("../src/seed/texts/last_names.txt");
const TEXT: &str = include_str!("../src/seed/texts/posts.txt");

/// Person outside of the circles who follows no one.
#[derive(Debug, Clone)]
pub struct Star {
    pub uid: u64,
    /// Ids of the followers.
    pub followers: Range<u64>,
    /// Number of posts, all newer than any post of the circles.
    pub posts: u64,
}

/// A network, in memory.
pub struct Network {
    pub people: u64,
    pub stars: Vec<Star>,
    /// PHC string of the password that all people share.
    pub password_hash: String,
    pub first_names: Vec<&'static str>,
    pub last_names: Vec<&'static str>,
    words: Vec<&'static str>,
    pub now_ms: u64,
}

impl Network {
    /// Creates a network with this many people, and one star for each pair of followers and post
    /// count.
    pub fn of(people: u64, stars: &[(Range<u64>, u64)], password_hash: &str) -> Self {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let star = |(number, (followers, posts)): (u64, &(Range<u64>, u64))| Star {
            uid: people + 1 + number,
            followers: followers.clone(),
            posts: *posts,
        };
        Self {
            people,
            stars: (0..).zip(stars).map(star).collect(),
            password_hash: password_hash.to_owned(),
            first_names: FIRST_NAMES.lines().collect(),
            last_names: LAST_NAMES.lines().collect(),
            words: TEXT.split_whitespace().collect(),
            now_ms: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// Returns the login of a person.
    pub fn login(uid: u64) -> String {
        format!("p{uid}")
    }

    pub fn circles(&self) -> u64 {
        self.people.div_ceil(CIRCLE)
    }

    /// Returns a reader who is not a writer, taking the circles in turn.
    pub fn reader(&self, number: u64) -> u64 {
        let circle = number % self.circles();
        let members = self.members(circle);
        let readers = members.end - members.start - WRITERS;
        members.start + WRITERS + (number / self.circles()) % readers
    }

    /// Returns a writer of a circle.
    pub fn writer(&self, circle: u64, number: u64) -> u64 {
        self.members(circle % self.circles()).start + number % WRITERS
    }

    /// Returns the star with this many followers.
    pub fn star(&self, followers: u64) -> Outcome<&Star> {
        let wanted = |star: &&Star| star.followers.end - star.followers.start == followers;
        let star = self.stars.iter().find(wanted);
        star.ok_or_else(|| format!("no star has {followers} followers").into())
    }

    /// Returns the prolific star.
    pub fn prolific(&self) -> Outcome<&Star> {
        let star = self.stars.iter().find(|star| star.posts > 0);
        star.ok_or_else(|| "the network has no prolific star".into())
    }

    /// Returns the stars with a quarter of the people each.
    pub fn quarters(&self) -> &[Star] {
        &self.stars[self.stars.len() - 4..]
    }

    /// Returns the ids of a circle's members, writers first.
    pub fn members(&self, circle: u64) -> Range<u64> {
        let first = 1 + circle * CIRCLE;
        first..(first + CIRCLE).min(self.people + 1)
    }

    /// Returns the id of the n-th status of the network.
    pub fn status_id(&self, number: u64) -> u64 {
        let all = self.circles() * WRITERS * POSTS
            + self.stars.iter().map(|star| star.posts).sum::<u64>();
        let posted = self.now_ms - StatusId::EPOCH_MS - 60_000 - BETWEEN_POSTS * (all - number);
        let low = (number * 2_654_435_761) % (1 << StatusId::RANDOM_BITS);
        (posted << StatusId::RANDOM_BITS) + low
    }

    /// Returns words of the demo's posts, cut to the message length.
    pub fn message(&self, id: u64) -> String {
        let mut message = String::with_capacity(MESSAGE + 20);
        let first = usize::try_from(id >> StatusId::RANDOM_BITS).unwrap_or_default();
        for place in first.. {
            let word = self.words[place % self.words.len()].trim_matches(['@', '%']);
            if message.len() + word.len() >= MESSAGE {
                break;
            }
            message.push_str(word);
            message.push(' ');
        }
        while message.len() < MESSAGE {
            message.push('.');
        }
        message
    }
}
