//! Single steps on the pinned posts of a person: the field `pinned` of the user. A deleted status leaves it with the
//! profile, in `unfile_status.lua`.

use crate::{domain::PinnedPosts, store::prelude::*};

script_calls! {
    PinStatus = "pin_status"(
        user, auth, profile; deadline_ms: u64, status_id: u64, max_pinned: usize, session_epoch: String
    );
    UnpinStatus = "unpin_status"(user, auth; deadline_ms: u64, status_id: u64, session_epoch: String);
}

outcomes! {
    pub enum PinOutcome {
        /// It is pinned, by this call or an earlier one.
        Done = "pinned",
        /// The person has pinned as many posts as possible.
        TooMany = "too_many",
        /// The person has no such post.
        NotFound = "not_found",
    }
}

impl Store {
    /// Pins a status of the actor to their profile.
    pub async fn pin_status(&self, call: &Call, actor: &Actor, id: StatusId) -> Result<PinOutcome> {
        let pin = PinStatus {
            user: keys::user(actor.id()),
            auth: keys::auth(actor.id()),
            profile: keys::profile(actor.id()),
            deadline_ms: call.deadline(),
            status_id: id.get(),
            max_pinned: PinnedPosts::MAX,
            session_epoch: actor.epoch().to_owned(),
        };
        self.connection.run_durably(&pin).await
    }

    pub async fn unpin_status(&self, call: &Call, actor: &Actor, id: StatusId) -> Result<()> {
        let unpin = UnpinStatus {
            user: keys::user(actor.id()),
            auth: keys::auth(actor.id()),
            deadline_ms: call.deadline(),
            status_id: id.get(),
            session_epoch: actor.epoch().to_owned(),
        };
        self.connection.run_durably(&unpin).await
    }
}
