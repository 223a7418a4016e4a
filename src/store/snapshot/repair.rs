//! Single steps of repairs: each brings one derived copy in line with its source of truth, or removes an
//! orphan. Steps that an action has already are not here.

use redis::Value;

use crate::{
    domain::{ListId, Login, NOTIFICATIONS_KEPT, StatusId, UserId},
    store::{
        Key, Result, Store, keys,
        people::PEOPLE_KEPT,
        redis::scripts::{self, With},
        statuses::TOMBSTONE_TTL_S,
    },
};

/// The largest exact score: 2^53 - 1.
const LARGEST_SCORE: u64 = (1 << 53) - 1;

impl Store {
    /// Sets a person's counts and id from their other keys.
    pub async fn recount(&self, id: UserId) -> Result<()> {
        self.send(recount(id)).await
    }

    /// Corrects a person's last drawn id: at least their newest living status, at most the largest
    /// possible id. Returns `false` if it was right.
    pub async fn repair_last_id(&self, id: UserId, newest: u64, largest: u64) -> Result<bool> {
        let settle = scripts::REPAIR_LAST_ID
            .on([keys::user(id)])
            .with(newest)
            .with(largest);
        let reply: String = self.connection.query(settle).await?;
        scripts::REPAIR_LAST_ID.succeeded(&reply, ["repaired", "unchanged"])
    }

    /// Corrects a person's reading progress.
    pub async fn repair_reading(&self, of: UserId) -> Result<()> {
        let now = self.now().await?;
        let repair = scripts::REPAIR_READING
            .on([keys::reading(of)])
            .with(now.0)
            .with(now.largest_id());
        self.send(repair).await
    }

    /// Removes a person's read marker. All notifications are then unread.
    pub async fn forget_read_marker(&self, of: UserId) -> Result<()> {
        self.unlink(&keys::read_marker(of)).await
    }

    /// Trims a person's notifications to the newest.
    pub async fn trim_notifications(&self, of: UserId) -> Result<()> {
        let log = keys::notifications(of);
        // The first entries beyond the limit, of notifications and of retracted ones.
        let beyond = |from: &str, to: &str| {
            let range = redis::cmd("ZRANGE").with(&log).with(from).with(to);
            range.with("BYSCORE")
        };
        let limited = |range: redis::Cmd| {
            let range = range.with("LIMIT").with(NOTIFICATIONS_KEPT);
            range.with(1).with("WITHSCORES")
        };
        let active = limited(beyond("+inf", "(0").with("REV"));
        let retracted = limited(beyond("-inf", "(0"));
        for (first, bounds) in [(active, ["(0", ""]), (retracted, ["", "(0"])] {
            let first: Vec<(String, f64)> = self.connection.query(first).await?;
            let Some((_, score)) = first.first() else {
                continue;
            };
            let score = score.to_string();
            let [from, to] = bounds.map(|bound| if bound.is_empty() { &score } else { bound });
            let trim = redis::cmd("ZREMRANGEBYSCORE")
                .with(&log)
                .with(from)
                .with(to);
            self.send(trim).await?;
        }
        Ok(())
    }

    /// Removes a member from a ZSET and updates its count.
    pub async fn drop_member(&self, place: &Key, member: &str) -> Result<()> {
        let mut steps = vec![redis::cmd("ZREM").with(place.name()).with(member)];
        match *place {
            Key::Following(of) | Key::Followers(of) | Key::Profile(of) => {
                steps.push(recount(of));
            }
            Key::FavouritedBy(of)
            | Key::RepostedBy(of)
            | Key::Quotes(of)
            | Key::Replies(of)
            | Key::Gaps(of) => {
                steps.push(recount_status(of));
            }
            Key::Ballots(of) => steps.push(recount_ballots(of)),
            _ => {}
        }
        self.connection.chain(steps).await.map(drop)
    }

    /// Counts the exclusions of a home again from these exclusive lists. Returns `false` if the lists
    /// changed.
    pub async fn recount_excluded(&self, of: UserId, exclusive: &[ListId]) -> Result<bool> {
        let mut keys = vec![
            keys::lists(of),
            keys::excluded(of),
            keys::home(of),
            keys::active(of),
        ];
        keys.extend(exclusive.iter().map(|list| keys::list_members(*list)));
        let numbers: Vec<u64> = exclusive.iter().map(|list| list.number.get()).collect();
        let recount = scripts::RECOUNT_EXCLUDED
            .on(keys)
            .with(of.get())
            .with(numbers);
        let reply: String = self.connection.query(recount).await?;
        scripts::RECOUNT_EXCLUDED.succeeded(&reply, ["counted", "outdated"])
    }

    /// Sets the counts of a status from its favourites, reposts, quotes and replies.
    pub async fn recount_status(&self, id: StatusId) -> Result<()> {
        self.send(recount_status(id)).await
    }

    /// Sets the counts of a poll from its votes.
    pub async fn recount_ballots(&self, id: StatusId) -> Result<()> {
        self.send(recount_ballots(id)).await
    }

    /// Trims suggestions to the largest scores.
    pub async fn trim_suggested(&self, place: &Key) -> Result<()> {
        let trim = redis::cmd("ZREMRANGEBYRANK")
            .with(place.name())
            .with(0)
            .with(-(PEOPLE_KEPT as i64) - 1);
        self.send(trim).await
    }

    /// Gives a relation a unique score. Returns `false` if the relation is gone.
    pub async fn make_score_unique(&self, place: &Key, member: &str) -> Result<bool> {
        let respace = scripts::MAKE_SCORE_UNIQUE
            .on([place.name()])
            .with(member)
            .with(LARGEST_SCORE);
        let reply: String = self.connection.query(respace).await?;
        scripts::MAKE_SCORE_UNIQUE.succeeded(&reply, ["repaired", "not_found"])
    }

    /// Frees a login of a missing person, if it still has this value. Returns `false` if not.
    pub async fn release_login(&self, login: &Login, held: &str) -> Result<bool> {
        let release = scripts::RELEASE_LOGIN.on([keys::login(login)]).with(held);
        let reply: String = self.connection.query(release).await?;
        scripts::RELEASE_LOGIN.succeeded(&reply, ["released", "outdated"])
    }

    /// Sets the expiry of a tombstone, and removes that of a living status.
    pub async fn repair_status_ttl(&self, id: StatusId) -> Result<()> {
        let age = scripts::REPAIR_STATUS_TTL
            .on([keys::status(id)])
            .with(TOMBSTONE_TTL_S);
        self.send(age).await
    }

    /// Removes the delivery progress of a status.
    pub async fn forget_progress(&self, id: StatusId) -> Result<()> {
        let forget = redis::cmd("HDEL").with(keys::status(id)).with("delivered");
        self.send(forget).await
    }

    /// Removes the expiry of a key.
    pub async fn persist(&self, name: &str) -> Result<()> {
        let persist = redis::cmd("PERSIST").with(name);
        self.send(persist).await
    }

    /// Sets the expiry of a key that has none.
    pub async fn let_expire(&self, name: &str, ttl_s: u64) -> Result<()> {
        let expire = redis::cmd("EXPIRE").with(name).with(ttl_s).with("NX");
        self.send(expire).await
    }

    /// Deletes an orphaned key, or a key of a wrong type.
    pub async fn unlink(&self, name: &str) -> Result<()> {
        let unlink = redis::cmd("UNLINK").with(name);
        self.send(unlink).await
    }

    /// Raises the counter of user ids to the largest assigned one. Returns `false` if it had reached it.
    pub async fn raise_user_counter(&self, to: UserId) -> Result<bool> {
        let raise = scripts::RAISE_COUNTER
            .on([keys::NEXT_USER_ID.to_owned()])
            .with(to.get());
        let reply: String = self.connection.query(raise).await?;
        scripts::RAISE_COUNTER.succeeded(&reply, ["raised", "unchanged"])
    }

    async fn send(&self, command: redis::Cmd) -> Result<()> {
        self.connection.query::<Value>(command).await.map(drop)
    }

    /// Takes or renews the scrub's lease. Returns `false` while another process holds it. Two holders at
    /// once only do the same work twice.
    pub async fn lease_scrub(&self, token: &str, ttl_s: u64) -> Result<bool> {
        self.take_lease(keys::SCRUB, token, ttl_s).await
    }

    /// Releases the scrub's lease.
    pub async fn end_scrub(&self, token: &str) -> Result<()> {
        self.release_lease(keys::SCRUB, token).await
    }
}

fn recount(id: UserId) -> redis::Cmd {
    scripts::RECOUNT_USER
        .on([
            keys::user(id),
            keys::following(id),
            keys::followers(id),
            keys::profile(id),
            keys::arrivals(id),
            keys::live(id),
        ])
        .with(id.get())
}

fn recount_status(id: StatusId) -> redis::Cmd {
    scripts::RECOUNT_STATUS.on([
        keys::favourited_by(id),
        keys::status(id),
        keys::replies(id),
        keys::gaps(id),
        keys::reposted_by(id),
        keys::quotes(id),
    ])
}

fn recount_ballots(id: StatusId) -> redis::Cmd {
    scripts::RECOUNT_BALLOTS.on([keys::status(id), keys::ballots(id)])
}
