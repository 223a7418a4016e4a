//! Requests to follow private accounts: accepting one, and the oldest ones. A request lies with the user
//! who asks, and its mirror with the person who answers.

use super::{notifications::calls::NotifiedKeys, prelude::*};
use crate::domain::{NOTIFICATIONS_KEPT, Notification};

script_calls! {
    AcceptRequest = "accept_request"(
        following, requested, user, notifications, read_marker, arrivals, channel, muted, blocked, blocked_by;
        deadline_ms: u64, person: u64, limit: usize, notification: String, max_notifications: usize
    );
}

outcomes! {
    pub enum AcceptOutcome {
        /// By this call or an earlier one.
        Accepted = "accepted",
        /// The user who asked follows the maximum number of people. The request stays.
        TooMany = "too_many",
        /// There is no such request.
        NotFound = "not_found",
    }
}

impl Store {
    /// Turns the request of a user into a follow.
    pub async fn accept_request(
        &self,
        call: &Call,
        from: UserId,
        person: UserId,
    ) -> Result<AcceptOutcome> {
        let notified = NotifiedKeys::of(from);
        let accept = AcceptRequest {
            following: keys::following(from),
            requested: keys::requested(from),
            user: keys::user(from),
            notifications: notified.notifications,
            read_marker: notified.read_marker,
            arrivals: notified.arrivals,
            channel: notified.channel,
            muted: notified.muted,
            blocked: notified.blocked,
            blocked_by: notified.blocked_by,
            deadline_ms: call.deadline(),
            person: person.get(),
            limit: self.config.limits.max_following,
            notification: Notification::accepted(person).to_string(),
            max_notifications: NOTIFICATIONS_KEPT,
        };
        self.connection.run_durably(&accept).await
    }

    /// Returns the time (µs) of the newest request to follow a user, if there is one.
    pub async fn newest_request_us(&self, of: UserId) -> Result<Option<u64>> {
        let newest = redis::cmd("ZRANGE").with((keys::requests(of), -1, -1, "WITHSCORES"));
        let newest: Vec<(u64, f64)> = self.connection.query(newest).await?;
        Ok(newest.first().map(|(_, at_us)| *at_us as u64))
    }

    /// Returns the oldest requests to follow a user that came up to this time (µs), oldest first.
    pub async fn oldest_requests(
        &self,
        of: UserId,
        until_us: u64,
        count: usize,
    ) -> Result<Vec<UserId>> {
        let oldest = range_by_score(keys::requests(of), "-inf", until_us, count);
        Ok(user_ids(self.connection.query::<Vec<u64>>(oldest).await?))
    }
}
