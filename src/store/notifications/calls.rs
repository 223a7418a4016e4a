//! The calls of the scripts of notifications.

use crate::store::{prelude::*, redis::script_call::key_groups};

key_groups! {
    /// The notifications of a user, and the keys by which open streams learn of a change.
    NotificationKeys(notifications: String, read_marker: String, arrivals: String, channel: String);

    /// The same with the mutes, blocks and follows of the user, for a step that notifies.
    NotifiedKeys(
        notifications: String, read_marker: String, arrivals: String, channel: String, muted: String, blocked: String,
        blocked_by: String, following: String
    );
}

impl NotifiedKeys {
    pub fn of(user: UserId) -> Self {
        let NotificationKeys {
            notifications,
            read_marker,
            arrivals,
            channel,
        } = NotificationKeys::of(user);
        Self {
            notifications,
            read_marker,
            arrivals,
            channel,
            muted: keys::muted(user),
            blocked: keys::blocked(user),
            blocked_by: keys::blocked_by(user),
            following: keys::following(user),
        }
    }
}

impl NotificationKeys {
    pub fn of(user: UserId) -> Self {
        Self {
            notifications: keys::notifications(user),
            read_marker: keys::read_marker(user),
            arrivals: keys::arrivals(user),
            channel: keys::live(user),
        }
    }
}

script_calls! {
    Notify = "notify"(
        user, muted_texts, muted_conversations, [keys: NotifiedKeys];
        deadline_ms: u64, max_notifications: usize, notification: String, at_us: u64, decided_by: String
    );
    DropNotificationsBy = "drop_notifications_by"(
        notifications, arrivals, channel; limit: usize, [people: Vec<u64>]
    );
    DropNotificationsOf = "drop_notifications_of"(
        notifications, arrivals, channel; deadline_ms: u64, [beginnings: Vec<String>]
    );
    ReadNotifications = "read_notifications"(
        [keys: NotificationKeys]; mode: &'static str, part: &'static str
    );
    Unnotify = "unnotify"(
        [keys: NotificationKeys];
        deadline_ms: String, max_notifications: usize, notification: String, reason: &'static str
    );
}
