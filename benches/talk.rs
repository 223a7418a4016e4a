//! A site with a talking network. `redwing seed --graph` fills it through the actions of the site:
//! replies, mentions, reposts, quotes, favourites, polls, warnings, tags, lists and exclusive lists.
//! So nothing here depends on key names, and other builds of Redwing can be measured as well. All
//! random numbers come from one seed.

use std::{collections::BTreeSet, fmt::Write, fs, path::Path, thread};

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::SliceRandom};

use super::{
    member::{Member, PASSWORD},
    redis::{Outcome, Redis},
    site::Site,
};

/// Number of people. Each of them has a session.
const PEOPLE: u64 = 1_200;
/// Friendships that each person begins: with neighbours, who know each other, and with popular
/// people. Each is two follows, so a person follows 40 others on average.
const NEIGHBOURS: usize = 14;
const POPULAR: usize = 6;
/// Largest distance between two neighbours.
const NEAR: u64 = 25;
/// Skew of popularity: the first of all people have the most friends.
const SKEW: f64 = 1.5;
/// Messages of each person. About 200 posts reach each home.
const MESSAGES: u64 = 5;
/// Words of a message.
const WORDS: std::ops::Range<usize> = 4..40;
const SEED: u64 = 8;
/// Concurrent log-ins.
const LOG_INS: u64 = 4;

const TEXT: &str = include_str!("../src/seed/texts/posts.txt");

/// Running site with a talking network.
pub struct TalkingSite {
    pub site: Site,
    pub redis: Redis,
    pub members: Vec<Member>,
    rng: StdRng,
    /// Sum of the weights of the first readers, for each number of readers.
    weights: Vec<f64>,
}

impl TalkingSite {
    /// Starts a site with this binary, fills it, checks it and logs everyone in.
    pub fn build(binary: &Path) -> Outcome<Self> {
        let mut rng = StdRng::seed_from_u64(SEED);
        let site = Site::start_with(binary)?;
        let (graph, messages) = (
            site.directory().join("graph.txt"),
            site.directory().join("messages.txt"),
        );
        fs::write(&graph, friendships(&mut rng))?;
        fs::write(&messages, texts(&mut rng))?;
        let option = |name: &str, value: &Path| format!("--{name}={}", value.display());
        site.run(&[
            "seed",
            &option("graph", &graph),
            &option("messages", &messages),
            &format!("--password={PASSWORD}"),
        ])?;
        site.check()?;
        let mut total = 0.0;
        Ok(Self {
            members: log_in_all(&site, &mut rng)?,
            redis: site.redis()?,
            site,
            rng,
            weights: (1..=PEOPLE)
                .map(|rank| {
                    total += 1.0 / rank as f64;
                    total
                })
                .collect(),
        })
    }

    /// Returns a random person.
    pub fn anyone(&mut self) -> &Member {
        let place = self.rng.random_range(0..self.members.len());
        &self.members[place]
    }

    /// Returns a random reader by Zipf's law: the n-th reader comes 1/n times as often as the first.
    pub fn reader(&mut self) -> &Member {
        let total = self.weights.last().copied().unwrap_or_default();
        let drawn = self.rng.random::<f64>() * total;
        let place = self.weights.partition_point(|weight| *weight <= drawn);
        &self.members[place.min(self.members.len() - 1)]
    }
}

/// Returns the lines of a graph.
fn friendships(rng: &mut StdRng) -> String {
    let mut edges = BTreeSet::new();
    for person in 1..=PEOPLE {
        let mut befriend = |other: u64| edges.insert((person.min(other), person.max(other)));
        for _ in 0..NEIGHBOURS {
            befriend((person - 1 + rng.random_range(1..=NEAR)) % PEOPLE + 1);
        }
        for _ in 0..POPULAR {
            befriend(1 + (rng.random::<f64>().powf(SKEW) * PEOPLE as f64) as u64);
        }
    }
    lines(edges.iter().map(|(one, other)| format!("{one} {other}")))
}

/// Returns lines of the demo's words. The seed adds mentions and tags.
fn texts(rng: &mut StdRng) -> String {
    let words: Vec<&str> = TEXT
        .split_whitespace()
        .map(|word| word.trim_matches(['@', '%']))
        .filter(|word| !word.is_empty())
        .collect();
    lines((0..PEOPLE * MESSAGES).map(|_| {
        let first = rng.random_range(0..words.len() - WORDS.end);
        let count = rng.random_range(WORDS);
        words[first..first + count].join(" ")
    }))
}

fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.fold(String::new(), |mut text, line| {
        writeln!(text, "{line}").expect("text can always be written to");
        text
    })
}

/// Logs everyone in. The order is shuffled, so popular people are not the ones who read most.
fn log_in_all(site: &Site, rng: &mut StdRng) -> Outcome<Vec<Member>> {
    thread::scope(|scope| {
        let threads: Vec<_> = (1..=LOG_INS)
            .map(|first| {
                let uids = (first..=PEOPLE).step_by(LOG_INS as usize);
                scope.spawn(move || Member::all(site.address, uids))
            })
            .collect();
        let mut members = Vec::new();
        for thread in threads {
            members.extend(thread.join().map_err(|_| "a thread panicked")??);
        }
        members.shuffle(rng);
        Ok(members)
    })
}
