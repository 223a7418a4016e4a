//! Single steps of repairs: each brings one derived copy in line with its source of truth, or removes an
//! orphan. Steps that an action has already are not here.

use super::calls;
use crate::{
    domain::NOTIFICATIONS_KEPT,
    store::{
        Case, SuspensionRecord, leases::LeaseTime, people::PEOPLE_KEPT, prelude::*,
        statuses::TOMBSTONE_TTL_S,
    },
};

/// The largest exact score: 2^53 - 1.
const LARGEST_SCORE: u64 = (1 << 53) - 1;
/// Number of members whose exclusive lists one script call counts. It looks each of them up in each list, and
/// Redis searches the members of a list one after the other.
const COUNTED_AT_ONCE: usize = 5;

impl Store {
    /// Sets a person's counts and id from their other keys.
    pub async fn recount(&self, id: UserId) -> Result<()> {
        self.send(recount_user(id).command()).await
    }

    /// Corrects a person's last drawn id: at least their newest living status, at most the largest
    /// possible id. Returns `false` if it was right.
    pub async fn repair_last_id(&self, id: UserId, newest: u64, largest: u64) -> Result<bool> {
        let repair = calls::RepairLastId {
            user: keys::user(id),
            newest_id: newest,
            largest_id: largest,
        };
        self.connection
            .succeeds(&repair, ["repaired", "unchanged"])
            .await
    }

    /// Corrects a person's reading progress.
    pub async fn repair_reading(&self, of: UserId) -> Result<()> {
        let now = self.now().await?;
        let repair = calls::RepairReading {
            reading: keys::reading(of),
            now_ms: now.0,
            largest_id: now.largest_id(),
        };
        self.send(repair.command()).await
    }

    /// Stores a person's pinned posts without the wrong ones. Returns `false` if they changed meanwhile.
    pub async fn repair_pinned(&self, of: UserId, found: &str, right: String) -> Result<bool> {
        let repair = calls::RepairPinned {
            user: keys::user(of),
            found: found.to_owned(),
            right,
        };
        self.connection
            .succeeds(&repair, ["repaired", "outdated"])
            .await
    }

    /// Limits, freezes and suspends an account as its case says at this time. Returns `false` if there was another
    /// decision meanwhile.
    pub async fn repair_measures(&self, case: &Case, now: UnixMs) -> Result<bool> {
        let of = case.subject;
        let standing = case.standing_measures(now);
        let until = standing.frozen_until;
        let repair = calls::RepairMeasures {
            user: keys::user(of),
            auth: keys::auth(of),
            channel: keys::live(of),
            case: keys::case(of),
            revision: case.revision,
            limited: if standing.is_limited { "1" } else { "" },
            frozen: until.map_or_else(String::new, |until| until.0.to_string()),
            changes_suspension: match standing.suspension {
                SuspensionRecord::Unknown => "",
                SuspensionRecord::InForce | SuspensionRecord::Ended => "1",
            },
            suspended: case.suspension_grounds().unwrap_or_default(),
        };
        let outcomes = ["repaired", "outdated"];
        self.connection.succeeds(&repair, outcomes).await
    }

    /// Removes a person's read marker. All notifications are then unread.
    pub async fn forget_read_marker(&self, of: UserId) -> Result<()> {
        self.unlink(&keys::read_marker(of)).await
    }

    /// Trims a person's notifications to the newest.
    pub async fn trim_notifications(&self, of: UserId) -> Result<()> {
        let log = keys::notifications(of);
        let members = |from: &str, to: &str| redis::cmd("ZRANGE").with((&log, from, to, "BYSCORE"));
        // The first entry beyond the limit.
        let first_beyond = async |members: Cmd| -> Result<Option<String>> {
            let limited = members.with(("LIMIT", NOTIFICATIONS_KEPT, 1, "WITHSCORES"));
            let rows: Vec<(String, f64)> = self.connection.query(limited).await?;
            Ok(rows.first().map(|(_, score)| score.to_string()))
        };
        let trim = async |from: &str, to: &str| {
            let trim = redis::cmd("ZREMRANGEBYSCORE").with((&log, from, to));
            self.send(trim).await
        };
        if let Some(score) = first_beyond(members("+inf", "(0").with("REV")).await? {
            trim("(0", &score).await?;
        }
        // Retracted notifications have negative scores.
        if let Some(score) = first_beyond(members("-inf", "(0")).await? {
            trim(&score, "(0").await?;
        }
        Ok(())
    }

    /// Removes a member from a ZSET and updates its count.
    pub async fn drop_member(&self, place: &Key, member: &str) -> Result<()> {
        let mut steps = vec![redis::cmd("ZREM").with((place.name(), member))];
        match *place {
            Key::Following(of) | Key::Followers(of) | Key::Profile(of) => {
                steps.push(recount_user(of).command());
            }
            Key::FavouritedBy(of)
            | Key::RepostedBy(of)
            | Key::Quotes(of)
            | Key::Replies(of)
            | Key::Gaps(of) => {
                steps.push(recount_status(of).command());
            }
            Key::Ballots(of) => steps.push(recount_ballots(of).command()),
            _ => {}
        }
        self.connection.chain(steps).await.map(drop)
    }

    /// Counts again how many of these exclusive lists contain each of these members. Returns `false` if the
    /// lists changed. One script call for each [`COUNTED_AT_ONCE`] members.
    pub async fn recount_excluded(
        &self,
        of: UserId,
        exclusive: &[ListId],
        members: &[String],
    ) -> Result<bool> {
        let list_numbers: Vec<String> = exclusive
            .iter()
            .map(|list| list.number.to_string())
            .collect();
        for counted_members in members.chunks(COUNTED_AT_ONCE) {
            let recount = calls::RecountExcluded {
                lists: keys::lists(of),
                excluded: keys::excluded(of),
                home: keys::home(of),
                active_mark: keys::active(of),
                members: exclusive.iter().copied().map(keys::list_members).collect(),
                owner_id: of.get(),
                list_numbers: list_numbers.join(" "),
                counted_members: counted_members.to_vec(),
            };
            let outcomes = ["counted", "outdated"];
            if !self.connection.succeeds(&recount, outcomes).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Sets the counts of a status from its favourites, reposts, quotes and replies.
    pub async fn recount_status(&self, id: StatusId) -> Result<()> {
        self.send(recount_status(id).command()).await
    }

    /// Sets the counts of a poll from its votes.
    pub async fn recount_ballots(&self, id: StatusId) -> Result<()> {
        self.send(recount_ballots(id).command()).await
    }

    /// Trims suggestions to the largest scores.
    pub async fn trim_suggested(&self, place: &Key) -> Result<()> {
        self.send(trim(place.name(), PEOPLE_KEPT)).await
    }

    /// Gives a relation a unique score. Returns `false` if the relation is gone.
    pub async fn make_score_unique(&self, place: &Key, member: &str) -> Result<bool> {
        let repair = calls::MakeScoreUnique {
            edges: place.name(),
            member: member.to_owned(),
            largest_score: LARGEST_SCORE,
        };
        self.connection
            .succeeds(&repair, ["repaired", "not_found"])
            .await
    }

    /// Frees a login of a missing person, if it still has this value. Returns `false` if not.
    pub async fn release_login(&self, login: &Login, found: &str) -> Result<bool> {
        let release = calls::ReleaseLogin {
            login: keys::login(login),
            found: found.to_owned(),
        };
        self.connection
            .succeeds(&release, ["released", "outdated"])
            .await
    }

    /// Sets the expiry of a tombstone without replies, and removes that of every other status.
    pub async fn repair_status_ttl(&self, id: StatusId) -> Result<()> {
        let repair = calls::RepairStatusTtl {
            status: keys::status(id),
            replies: keys::replies(id),
            gaps: keys::gaps(id),
            tombstone_ttl_s: TOMBSTONE_TTL_S,
        };
        self.send(repair.command()).await
    }

    pub async fn forget_progress(&self, id: StatusId) -> Result<()> {
        let forget = redis::cmd("HDEL").with((keys::status(id), "delivered"));
        self.send(forget).await
    }

    /// Removes the expiry of a key.
    pub async fn persist(&self, name: &str) -> Result<()> {
        let persist = redis::cmd("PERSIST").with(name);
        self.send(persist).await
    }

    /// Sets the expiry of a key that has none.
    pub async fn let_expire(&self, name: &str, ttl_s: u64) -> Result<()> {
        let expire = redis::cmd("EXPIRE").with((name, ttl_s, "NX"));
        self.send(expire).await
    }

    /// Deletes an orphaned key, or a key of a wrong type.
    pub async fn unlink(&self, name: &str) -> Result<()> {
        let unlink = redis::cmd("UNLINK").with(name);
        self.send(unlink).await
    }

    /// Raises the counter of user ids to the largest assigned one. Returns `false` if it had reached it.
    pub async fn raise_user_counter(&self, to: UserId) -> Result<bool> {
        self.raise_counter(keys::NEXT_USER_ID, to.get()).await
    }

    /// Raises a counter. Returns `false` if it was not lower.
    pub(in crate::store) async fn raise_counter(
        &self,
        counter: &str,
        minimum: u64,
    ) -> Result<bool> {
        let counter = counter.to_owned();
        let raise = calls::RaiseCounter { counter, minimum };
        self.connection
            .succeeds(&raise, ["raised", "unchanged"])
            .await
    }

    async fn send(&self, command: Cmd) -> Result<()> {
        self.connection.query::<Value>(command).await.map(drop)
    }

    /// Takes or renews the scrub's lease. Returns `false` while another process holds it. Two holders at
    /// once only do the same work twice.
    pub async fn lease_scrub(&self, token: &str, ttl_s: u64) -> Result<bool> {
        self.take_lease(keys::SCRUB, token, LeaseTime::of(ttl_s))
            .await
    }

    /// Releases the scrub's lease.
    pub async fn end_scrub(&self, token: &str) -> Result<()> {
        self.release_lease(keys::SCRUB, token).await
    }
}

fn recount_user(id: UserId) -> calls::RecountUser {
    calls::RecountUser {
        user: keys::user(id),
        following: keys::following(id),
        followers: keys::followers(id),
        profile: keys::profile(id),
        requests: keys::requests(id),
        arrivals: keys::arrivals(id),
        channel: keys::live(id),
        user_id: id.get(),
    }
}

fn recount_status(id: StatusId) -> calls::RecountStatus {
    calls::RecountStatus {
        favourited_by: keys::favourited_by(id),
        status: keys::status(id),
        replies: keys::replies(id),
        gaps: keys::gaps(id),
        reposts: keys::reposted_by(id),
        quotes: keys::quotes(id),
    }
}

fn recount_ballots(id: StatusId) -> calls::RecountBallots {
    calls::RecountBallots {
        status: keys::status(id),
        ballots: keys::ballots(id),
    }
}
