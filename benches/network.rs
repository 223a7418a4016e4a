//! A network of a given size, written into Redis as the site itself would have left it: `redwing
//! check` finds nothing wrong with it. People live in circles of 200, of whom 40 write and are
//! followed by all of their circle, so that every home is full and every circle's is another one.
//! Besides them there are stars, each followed by the first so many people.

use std::{
    ops::Range,
    time::{SystemTime, UNIX_EPOCH},
};

use redwing::domain::StatusId;

use super::redis::Outcome;

/// People who share what they read.
pub const CIRCLE: u64 = 200;
/// Those of a circle who write, and how much each has written.
pub const WRITERS: u64 = 40;
pub const POSTS: u64 = 30;
/// What a home holds, by default.
pub const HOME: u64 = 500;
/// How much the star has written who has written much.
pub const PROLIFIC: u64 = HOME * 9 / 10;
/// Characters of a message.
const MESSAGE: usize = 140;
/// Between two posts of the network, in ms.
const BETWEEN_POSTS: u64 = 100;

const FIRST_NAMES: &str = include_str!("../src/seed/first_names.txt");
const LAST_NAMES: &str = include_str!("../src/seed/last_names.txt");
const TEXT: &str = include_str!("../src/seed/posts.txt");

/// Somebody outside of the circles, who follows nobody.
#[derive(Debug, Clone)]
pub struct Star {
    pub uid: u64,
    /// Ids of those who follow them.
    pub followers: Range<u64>,
    /// How much they have written, all of it after everybody else.
    pub posts: u64,
}

/// A network on paper.
pub struct Network {
    pub people: u64,
    pub stars: Vec<Star>,
    /// PHC string of everybody's password.
    pub password_hash: String,
    pub first_names: Vec<&'static str>,
    pub last_names: Vec<&'static str>,
    words: Vec<&'static str>,
    pub now_ms: u64,
}

impl Network {
    /// So many people, and a star for each of these numbers of followers and of posts.
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

    /// The login of a person.
    pub fn login(uid: u64) -> String {
        format!("p{uid}")
    }

    pub fn circles(&self) -> u64 {
        self.people.div_ceil(CIRCLE)
    }

    /// A person of each circle in turn, never a writer.
    pub fn reader(&self, number: u64) -> u64 {
        let circle = number % self.circles();
        let members = self.members(circle);
        let readers = members.end - members.start - WRITERS;
        members.start + WRITERS + (number / self.circles()) % readers
    }

    /// A writer of a circle.
    pub fn writer(&self, circle: u64, number: u64) -> u64 {
        self.members(circle % self.circles()).start + number % WRITERS
    }

    /// The star whom so many people follow.
    pub fn star(&self, followers: u64) -> Outcome<&Star> {
        let wanted = |star: &&Star| star.followers.end - star.followers.start == followers;
        let star = self.stars.iter().find(wanted);
        star.ok_or_else(|| format!("no star has {followers} followers").into())
    }

    /// The star who has written much.
    pub fn prolific(&self) -> Outcome<&Star> {
        let star = self.stars.iter().find(|star| star.posts > 0);
        star.ok_or_else(|| "nobody has written much".into())
    }

    /// The stars with a part of the people each.
    pub fn quarters(&self) -> &[Star] {
        &self.stars[self.stars.len() - 4..]
    }

    /// Ids of a circle's members, the writers first.
    pub fn members(&self, circle: u64) -> Range<u64> {
        let first = 1 + circle * CIRCLE;
        first..(first + CIRCLE).min(self.people + 1)
    }

    /// The id of the n-th status of the network.
    pub fn status_id(&self, number: u64) -> u64 {
        let all = self.circles() * WRITERS * POSTS
            + self.stars.iter().map(|star| star.posts).sum::<u64>();
        let posted = self.now_ms - StatusId::EPOCH_MS - 60_000 - BETWEEN_POSTS * (all - number);
        let low = (number * 2_654_435_761) % (1 << StatusId::RANDOM_BITS);
        (posted << StatusId::RANDOM_BITS) + low
    }

    /// Words of the demo's posts, cut to a length.
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
