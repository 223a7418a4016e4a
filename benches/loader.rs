//! Writes a network into Redis in bulk and measures the memory of its parts.

use redwing::domain::StatusId;

use super::{
    index::Index,
    network::{CIRCLE, HOME, Network, POSTS, WRITERS},
    redis::{Batch, Outcome, Redis},
};

const DORMANT_S: u64 = 30 * 24 * 3600;

/// Memory in Redis per item of each kind, in bytes.
#[derive(Debug, Clone, Copy, Default)]
pub struct MemoryPerItem {
    pub person: f64,
    pub status: f64,
    pub follow: f64,
    pub home: f64,
    /// Search index, per status.
    pub index: f64,
}

impl Network {
    /// Writes everything and returns the memory per item.
    pub fn load(&self, redis: &mut Redis) -> Outcome<MemoryPerItem> {
        let mut before = 0.0;
        let mut grown = |redis: &mut Redis, things: u64| -> Outcome<f64> {
            let now = redis.gauge("memory", "used_memory")?;
            let each = (now - before) / things.max(1) as f64;
            before = now;
            Ok(each)
        };
        grown(redis, 1)?;
        let people_count = self.people + self.stars.len() as u64;
        let mut index = Index::default();
        self.load_people(redis, &mut index)?;
        index.load_names(redis)?;
        let person = grown(redis, people_count)?;
        let statuses = self.load_statuses(redis, &mut index)?;
        let status = grown(redis, statuses)?;
        index.load_posts(redis)?;
        let index = grown(redis, statuses)?;
        let edges = self.load_edges(redis)?;
        let follow = grown(redis, edges)?;
        self.load_homes(redis)?;
        let home = grown(redis, self.people)?;
        Ok(MemoryPerItem {
            person,
            status,
            follow,
            home,
            index,
        })
    }

    fn load_people(&self, redis: &mut Redis, index: &mut Index) -> Outcome<()> {
        let mut batch = Batch::default();
        let people_count = self.people + self.stars.len() as u64;
        for uid in 1..=people_count {
            self.add_person(&mut batch, index, uid, people_count);
            redis.send_full(&mut batch)?;
        }
        batch.add(&[&"SET", &"user:id:", &people_count]);
        batch.add(&[&"ZREMRANGEBYRANK", &"people:newest", &0, &-1001]);
        redis.send(&mut batch).map(drop)
    }

    fn add_person(&self, batch: &mut Batch, index: &mut Index, uid: u64, people_count: u64) {
        let pick = |list: &[&'static str], place: u64| list[place as usize % list.len()];
        let first = pick(&self.first_names, uid * 7);
        let name = format!("{first} {}", pick(&self.last_names, uid * 13));
        let signup = self.now_ms - 1000 * (people_count - uid) - 1000;
        let login = Self::login(uid);
        index.add_person(uid, &login, &name);
        batch.add(&[
            &"HSET",
            &format!("user:{{{uid}}}"),
            &"id",
            &uid,
            &"login",
            &login,
            &"name",
            &name,
            &"bio",
            &"",
            &"signup",
            &signup,
            &"posts",
            &0,
            &"followers",
            &0,
            &"following",
            &0,
            &"last",
            &0,
        ]);
        let digits = format!("{uid:032x}");
        batch.add(&[
            &"HSET",
            &format!("auth:{{{uid}}}"),
            &"hash",
            &self.password_hash,
            &"epoch",
            &digits,
            &"idempotency_key",
            &digits,
        ]);
        batch.add(&[&"SET", &format!("login:{{{login}}}"), &uid]);
        batch.add(&[&"SET", &format!("active:{{{uid}}}"), &0, &"EX", &DORMANT_S]);
        batch.add(&[&"ZADD", &"people:newest", &signup, &uid]);
    }

    /// Writes statuses and profiles. All circles write at the same time; within a circle the
    /// writers take turns.
    fn load_statuses(&self, redis: &mut Redis, index: &mut Index) -> Outcome<u64> {
        let mut batch = Batch::default();
        for circle in 0..self.circles() {
            for writer in 0..WRITERS {
                let uid = self.writer(circle, writer);
                let turns = (0..POSTS).map(|round| round * WRITERS + turn_of(writer, round));
                let ids = turns.map(|turn| self.status_id(turn * self.circles() + circle));
                self.add_posts(&mut batch, index, uid, &ids.collect::<Vec<_>>());
                redis.send_full(&mut batch)?;
            }
        }
        let circles_posts = self.circles() * WRITERS * POSTS;
        let mut stars_posts = 0;
        for star in &self.stars {
            let numbers = stars_posts..stars_posts + star.posts;
            let ids: Vec<u64> = numbers
                .map(|number| self.status_id(circles_posts + number))
                .collect();
            self.add_posts(&mut batch, index, star.uid, &ids);
            redis.send(&mut batch)?;
            stars_posts += star.posts;
        }
        redis.send(&mut batch)?;
        Ok(circles_posts + stars_posts)
    }

    fn add_posts(&self, batch: &mut Batch, index: &mut Index, uid: u64, ids: &[u64]) {
        let Some(last) = ids.last() else { return };
        let login = Self::login(uid);
        for id in ids {
            let message = self.message(*id);
            index.add_status(*id, &message);
            let posted = (id >> StatusId::RANDOM_BITS) + StatusId::EPOCH_MS;
            batch.add(&[
                &"HSET",
                &format!("status:{{{id}}}"),
                &"id",
                id,
                &"uid",
                &uid,
                &"login",
                &login,
                &"message",
                &message,
                &"posted",
                &posted,
                &"idempotency_key",
                &format!("{id:032x}"),
            ]);
        }
        let scored: Vec<_> = ids.iter().map(|id| (-id.cast_signed(), *id)).collect();
        for view in ["profile", "posts"] {
            batch.add_scored(&format!("{view}:{{{uid}}}"), &scored);
        }
        batch.add(&[
            &"HSET",
            &format!("user:{{{uid}}}"),
            &"posts",
            &ids.len(),
            &"last",
            last,
        ]);
    }

    fn load_edges(&self, redis: &mut Redis) -> Outcome<u64> {
        let mut batch = Batch::default();
        let mut edges = 0;
        for uid in 1..=self.people {
            let circle = (uid - 1) / CIRCLE;
            let writers = (0..WRITERS).map(|writer| self.writer(circle, writer));
            let stars = self
                .stars
                .iter()
                .filter(|star| star.followers.contains(&uid));
            let followed = writers
                .chain(stars.map(|star| star.uid))
                .filter(|other| *other != uid);
            let followed: Vec<u64> = followed.collect();
            batch.add_scored(&format!("following:{{{uid}}}"), &self.in_order(&followed));
            batch.add(&[
                &"HSET",
                &format!("user:{{{uid}}}"),
                &"following",
                &followed.len(),
            ]);
            edges += followed.len() as u64;
            redis.send_full(&mut batch)?;
        }
        for circle in 0..self.circles() {
            for writer in 0..WRITERS {
                let uid = self.writer(circle, writer);
                let circle = self.members(circle).filter(|other| *other != uid);
                self.add_followers(&mut batch, uid, &circle.collect::<Vec<_>>());
                redis.send_full(&mut batch)?;
            }
        }
        for star in &self.stars {
            let followers: Vec<u64> = star.followers.clone().collect();
            self.add_followers(&mut batch, star.uid, &followers);
        }
        batch.add(&[&"ZREMRANGEBYRANK", &"people:followed", &0, &-1001]);
        redis.send(&mut batch)?;
        Ok(edges)
    }

    fn add_followers(&self, batch: &mut Batch, uid: u64, followers: &[u64]) {
        if followers.is_empty() {
            return;
        }
        batch.add_scored(&format!("followers:{{{uid}}}"), &self.in_order(followers));
        batch.add(&[
            &"HSET",
            &format!("user:{{{uid}}}"),
            &"followers",
            &followers.len(),
        ]);
        batch.add(&[&"ZADD", &"people:followed", &followers.len(), &uid]);
    }

    /// Writes full homes. Each is a copy of its circle's home and holds the newest statuses of that
    /// circle.
    fn load_homes(&self, redis: &mut Redis) -> Outcome<()> {
        let mut batch = Batch::default();
        for circle in 0..self.circles() {
            // Homes are trimmed when they are 24 over their size. Each circle is at another
            // distance from that.
            let held = HOME + circle % 24;
            let newest = WRITERS * POSTS - held..WRITERS * POSTS;
            let ids = newest.map(|turn| self.status_id(turn * self.circles() + circle));
            let scored: Vec<_> = ids.map(|id| (-id.cast_signed(), id)).collect();
            let floor = scored.first().map_or(0, |(_, id)| *id);
            let members = self.members(circle);
            let model = format!("home:{{{}}}", members.start);
            batch.add_scored(&model, &scored);
            for uid in members {
                if uid % CIRCLE != 1 {
                    batch.add(&[&"COPY", &model, &format!("home:{{{uid}}}")]);
                }
                batch.add(&[
                    &"SET",
                    &format!("active:{{{uid}}}"),
                    &floor,
                    &"EX",
                    &DORMANT_S,
                ]);
                redis.send_full(&mut batch)?;
            }
        }
        for star in self.stars.iter().filter(|star| star.posts > 0) {
            let own = format!("home:{{{}}}", star.uid);
            batch.add(&[&"COPY", &format!("profile:{{{}}}", star.uid), &own]);
        }
        redis.send(&mut batch).map(drop)
    }

    /// Returns the members of one side of the graph, each with its own time.
    fn in_order(&self, members: &[u64]) -> Vec<(i64, u64)> {
        let first = self.now_ms.cast_signed() * 1000 - 3_600_000_000;
        (first..).zip(members.iter().copied()).collect()
    }
}

/// Returns a writer's position in a round. The order differs between rounds.
fn turn_of(writer: u64, round: u64) -> u64 {
    (writer * 17 + round) % WRITERS
}
