//! The person who writes, with the session that allows it. An ended session writes nothing.

use std::time::Duration;

use crate::store::{BlockEntry, prelude::*, redis::clock::millis};

/// A person, and the epoch of the requesting session. The seed and repairs have no session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    pub(in crate::store) id: UserId,
    epoch: Option<String>,
    /// Age of its actions in ms. 0 except in the seed.
    age_ms: u64,
    /// The block for which its connections are removed. If it has ended, they stay.
    block: Option<BlockEntry>,
}

impl Actor {
    /// Creates an actor with a session of this epoch.
    #[must_use]
    pub fn in_session(id: UserId, epoch: String) -> Self {
        let epoch = Some(epoch);
        Self {
            epoch,
            ..Self::from(id)
        }
    }

    /// Creates an actor whose posts, edits, reposts, favourites, follows, groups, memberships and messages are dated
    /// back. Each is still later than the earlier ones of the person. A membership is later than the earlier ones of
    /// its group, and a message is later than the earlier ones of its chat.
    #[must_use]
    pub fn dated_back(id: UserId, age: Duration) -> Self {
        Self {
            age_ms: millis(age),
            ..Self::from(id)
        }
    }

    /// Creates an actor whose connections are removed for a block, while its entry in the slot of the actor exists.
    #[must_use]
    pub fn for_block(entry: BlockEntry) -> Self {
        let person = entry.person();
        Self {
            block: Some(entry),
            ..Self::from(person)
        }
    }

    #[must_use]
    pub fn id(&self) -> UserId {
        self.id
    }

    /// Returns the age of its actions in ms.
    #[must_use]
    pub fn age_ms(&self) -> u64 {
        self.age_ms
    }

    /// The epoch as a script takes it: empty where there is no session that could have ended.
    pub(in crate::store) fn epoch(&self) -> &str {
        self.epoch.as_deref().unwrap_or_default()
    }

    /// Returns key, member and score of the block as scripts take them. The score is empty without a block.
    pub(in crate::store) fn block_words(&self) -> [String; 3] {
        match self.block.clone() {
            Some(block) => [block.key, block.member, block.score],
            None => [keys::blocked(self.id), String::new(), String::new()],
        }
    }
}

impl From<UserId> for Actor {
    fn from(id: UserId) -> Self {
        Self {
            id,
            epoch: None,
            age_ms: 0,
            block: None,
        }
    }
}

impl Store {
    /// Checks at this moment that the requesting session is valid. Needed for writes to a slot that does
    /// not hold the epoch.
    pub async fn check_session(&self, actor: &Actor) -> Result<()> {
        let Some(asked) = &actor.epoch else {
            return Ok(());
        };
        let read = redis::cmd("HGET").with((keys::auth(actor.id), "epoch"));
        match self.connection.query::<Option<String>>(read).await? {
            Some(epoch) if epoch == *asked => Ok(()),
            _ => Err(Error::Ended),
        }
    }
}
