//! The scripts for statuses, and their calls.

mod edits;
mod group_posts;
mod pinned_posts;
mod polls;
mod post_bytes;
mod posts;
mod replies;
mod reply_control;
mod reposts;

use redwing::store::calls::{
    BuryStatus, CreateStatus, DrawStatus, FileStatus, NarrowTombstone, NotePass, ShrinkTombstone,
    UnfileStatus,
};

use super::{Bench, calls::DEADLINE};

pub use edits::{edit, narrow};
pub use group_posts::remove_post;
pub use pinned_posts::{pin, unpin};
pub use polls::cast_ballot;
pub use replies::{place, record};
pub use reply_control::{detach, hide, set_control};
pub use reposts::{claim, hold};

/// An epoch of ids that is not in the past, so that the clock gives an id of 0 or below.
const FUTURE: u64 = 99_999_999_999_999;

/// User 1 draws an id under an idempotency key, for the text with this digest.
pub fn draw(idempotency_key: &str, digest: &str) -> DrawStatus {
    DrawStatus {
        user: "user:{1}".into(),
        idempotency_key: format!("idempotency:{{1}}:{idempotency_key}"),
        auth: "auth:{1}".into(),
        profile: "profile:{1}".into(),
        post_bytes: "post_bytes:{1}".into(),
        digest: digest.into(),
        key_ttl_s: 43_200,
        random_bits: 7,
        epoch_ms: 0,
        refused_id: String::new(),
        session_epoch: String::new(),
        above: 0,
        extra_bytes: 0,
        base_bytes: 100,
        quota_bytes: 1_000_000,
        visibility: "",
        age_ms: 0,
    }
}

/// The same with an epoch in the future and an id that was taken.
pub fn draw_in_sequence(idempotency_key: &str, digest: &str, refused_id: &str) -> DrawStatus {
    DrawStatus {
        epoch_ms: FUTURE,
        refused_id: refused_id.into(),
        ..draw(idempotency_key, digest)
    }
}

/// User 1 writes this status.
pub fn create(id: u64) -> CreateStatus {
    CreateStatus {
        status: format!("status:{{{id}}}"),
        deadline_ms: DEADLINE,
        author_id: 1,
        idempotency_key: format!("n{id}"),
        fields: vec![
            ("id", id.to_string()),
            ("login", "Alice".into()),
            ("message", "it is so".into()),
            ("posted", "1000".into()),
        ],
    }
}

/// A user deletes this status.
pub fn bury(id: u64, user_id: u64) -> BuryStatus {
    BuryStatus {
        status: format!("status:{{{id}}}"),
        favourited_by: format!("favourited_by:{{{id}}}"),
        ballots: format!("ballots:{{{id}}}"),
        versions: format!("versions:{{{id}}}"),
        quotes: format!("quotes:{{{id}}}"),
        replies: format!("replies:{{{id}}}"),
        gaps: format!("gaps:{{{id}}}"),
        deadline_ms: DEADLINE,
        user_id,
        now_ms: 2000,
        tombstone_ttl_s: 60,
        new_readers: String::new(),
    }
}

/// The copies of this status are gone.
pub fn shrink(id: u64) -> ShrinkTombstone {
    ShrinkTombstone {
        status: format!("status:{{{id}}}"),
    }
}

/// The private account of this user goes.
pub fn narrow_tombstone(id: u64, user_id: u64) -> NarrowTombstone {
    NarrowTombstone {
        status: format!("status:{{{id}}}"),
        user_id,
        new_readers: "followers:1".into(),
    }
}

/// A reply of user 1 is added to the profile and the home.
pub fn file(status_id: u64) -> FileStatus {
    FileStatus {
        profile: "profile:{1}".into(),
        user: "user:{1}".into(),
        home: "home:{1}".into(),
        active_mark: "active:{1}".into(),
        arrivals: "arrivals:{1}".into(),
        channel: "live:{1}".into(),
        post_bytes: "post_bytes:{1}".into(),
        posts: None,
        deadline_ms: DEADLINE,
        status_id,
        home_size: 1000,
        extra_bytes: 0,
    }
}

/// A status of user 1 is removed from the profile and the home.
pub fn unfile(status_id: u64) -> UnfileStatus {
    UnfileStatus {
        profile: "profile:{1}".into(),
        user: "user:{1}".into(),
        home: "home:{1}".into(),
        arrivals: "arrivals:{1}".into(),
        channel: "live:{1}".into(),
        posts: "posts:{1}".into(),
        notifications: "notifications:{1}".into(),
        post_bytes: "post_bytes:{1}".into(),
        status_id,
    }
}

/// A pass has delivered this status up to this score, by these tags.
pub fn note_pass(id: u64, delivered_to: u64, tags: &str) -> NotePass {
    NotePass {
        status: format!("status:{{{id}}}"),
        deadline_ms: DEADLINE,
        delivered_to,
        tags: tags.into(),
        readers: String::new(),
    }
}

fn author() -> Bench {
    let mut redis = Bench::start();
    redis.given("HSET user:{1} id 1 login Alice last 0 posts 0");
    redis
}
