//! A site that holds a network, with some of its people logged in.

use std::{
    ops::Range,
    time::{Duration, Instant},
};

use super::{
    http::HttpConnection,
    load::PageRequest,
    loader::MemoryPerItem,
    member::Member,
    network::{Network, PROLIFIC, Star},
    redis::{Outcome, Redis},
    site::{Site, until},
};

/// Word that occurs in most of the demo's posts.
const COMMONEST: &str = "the";
/// Pause between two checks whether a home has a status.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// The people of a network are divided into this many groups. Each group follows one star whose
/// followers become dormant.
pub const QUARTERS: u64 = 4;

pub struct World {
    pub network: Network,
    pub site: Site,
    pub redis: Redis,
    pub connection: HttpConnection,
    pub memory_per_item: MemoryPerItem,
    /// People who read, spread over all circles.
    pub readers: Vec<Member>,
    stars: Vec<Member>,
}

/// Post that was sent.
#[derive(Debug, Clone, Copy)]
pub struct SentPost {
    pub id: u64,
    /// Time until the response.
    pub answered: Duration,
    /// Time until the last follower's home has the post, from the same start.
    pub everywhere: Duration,
}

impl World {
    /// Builds a site with this many readers logged in. All people have the same password.
    pub fn build(people: u64, readers: u64, password_hash: &str) -> Outcome<Self> {
        let begun = Instant::now();
        let network = Network::of(people, &stars(people), password_hash);
        let site = Site::start()?;
        let mut redis = site.redis()?;
        let memory_per_item = network.load(&mut redis)?;
        rewrite_append_only_file(&mut redis)?;
        let members = (0..readers).map(|number| network.reader(number));
        let members = Member::all(site.address, members)?;
        let stars = Member::all(site.address, network.stars.iter().map(|star| star.uid))?;
        eprintln!(
            "  {people} people in {:.1} s",
            begun.elapsed().as_secs_f64()
        );
        Ok(Self {
            connection: HttpConnection::open(site.address)?,
            readers: members,
            network,
            site,
            redis,
            memory_per_item,
            stars,
        })
    }

    /// Returns the session of a star.
    pub fn member(&self, star: &Star) -> Outcome<Member> {
        let found = self.stars.iter().find(|member| member.uid == star.uid);
        Ok(found.ok_or("every star is logged in")?.clone())
    }

    /// Returns the numbers of followers that stars have, the smallest first.
    pub fn audiences(&self) -> Vec<u64> {
        audiences(self.network.people)
    }

    /// Returns requests for home, one by each reader.
    pub fn homes(&self) -> Vec<PageRequest> {
        self.readers
            .iter()
            .map(|reader| page_request("/", reader))
            .collect()
    }

    /// Returns requests for a search for the commonest word, one by each reader.
    pub fn searches(&self) -> Vec<PageRequest> {
        let path = format!("/search?q={COMMONEST}");
        self.readers
            .iter()
            .map(|reader| page_request(&path, reader))
            .collect()
    }

    /// Posts as a star and waits until the last follower has the post.
    pub fn post(&mut self, star: &Star) -> Outcome<SentPost> {
        let member = self.member(star)?;
        let last = if star.followers.is_empty() {
            star.uid
        } else {
            star.followers.end - 1
        };
        self.send_post(star.uid, &member.post(), last)
    }

    /// Sends the post of a person and waits until this home has it.
    pub fn send_post(&mut self, author: u64, request: &[u8], last: u64) -> Outcome<SentPost> {
        let begun = Instant::now();
        self.connection.expect(303, request)?;
        let answered = begun.elapsed();
        let id = self
            .redis
            .texts(&[&"ZRANGE", &format!("profile:{{{author}}}"), &0, &0])?;
        let id: u64 = id.first().ok_or("the author has posted nothing")?.parse()?;
        self.wait_for_home(last, id, true)?;
        Ok(SentPost {
            id,
            answered,
            everywhere: begun.elapsed(),
        })
    }

    /// Deletes a post of a person. Returns the time until the response.
    pub fn delete(&mut self, author: &Member, id: u64) -> Outcome<Duration> {
        let request = author.send(&format!("/statuses/{id}/delete"), &[]);
        let begun = Instant::now();
        self.connection.expect(303, &request)?;
        Ok(begun.elapsed())
    }

    /// Waits until a home has a status, or no longer has it.
    pub fn wait_for_home(&mut self, of: u64, id: u64, there: bool) -> Outcome<Duration> {
        let home = format!("home:{{{of}}}");
        until("the last home matches", POLL_INTERVAL, || {
            let score = self.redis.command(&[&"ZSCORE", &home, &id])?;
            Ok((score != super::redis::Reply::Nothing) == there)
        })
    }
}

/// Returns a member's request for a page.
pub fn page_request(path: &str, member: &Member) -> PageRequest {
    PageRequest {
        path: path.to_owned(),
        cookie: member.cookie.clone(),
    }
}

pub fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

/// Returns 0, 10, 100 and so on, up to the number of people.
fn audiences(people: u64) -> Vec<u64> {
    let powers = (1..)
        .map(|power| 10_u64.pow(power))
        .take_while(|count| *count <= people);
    [0].into_iter().chain(powers).collect()
}

/// Returns one star for each audience, the prolific star, and four stars with an audience of their
/// own.
fn stars(people: u64) -> Vec<(Range<u64>, u64)> {
    let audiences = audiences(people).into_iter().map(|count| (1..1 + count, 0));
    let prolific = (0..0, PROLIFIC);
    let share = people / 10;
    let quarters = (0..QUARTERS).map(|quarter| (1 + quarter * share..1 + (quarter + 1) * share, 0));
    audiences.chain([prolific]).chain(quarters).collect()
}

/// Rewrites the append-only file, so that no work of the loading continues in the background.
fn rewrite_append_only_file(redis: &mut Redis) -> Outcome<()> {
    redis.command(&[&"BGREWRITEAOF"])?;
    until(
        "the append-only file is rewritten",
        Duration::from_millis(20),
        || {
            let info = redis.info("persistence")?;
            let is = |name: &str| info.get(name).map(String::as_str);
            Ok(is("aof_rewrite_in_progress") == Some("0")
                && is("aof_rewrite_scheduled") == Some("0"))
        },
    )?;
    Ok(())
}
