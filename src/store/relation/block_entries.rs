//! The entries of a block in the slots of both people. A block removes the connections between them, and each removal names
//! the entry in its own slot. The scores of entries differ, so an unblock keeps later removals from taking effect, however
//! late they are.

use crate::store::prelude::*;

/// The entry of a block in the slot of one of its people: the block itself, or its mirror.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockEntry {
    /// The person in whose slot it lies.
    person: UserId,
    pub(in crate::store) key: String,
    pub(in crate::store) member: String,
    pub(in crate::store) score: String,
}

/// Both entries of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockEntries {
    pub of_blocker: BlockEntry,
    pub of_blocked: BlockEntry,
}

impl BlockEntry {
    pub fn person(&self) -> UserId {
        self.person
    }

    fn new(person: UserId, key: String, member: UserId, score: f64) -> Self {
        Self {
            person,
            key,
            member: member.to_string(),
            score: format!("{score:.0}"),
        }
    }
}

impl Store {
    /// Returns the entries of a block. `None` if the block is not set, or its mirror is not written.
    ///
    /// The mirror is read first. If the block is found after that, it is in force. A connection in the slot of the
    /// blocked person is then older than the mirror, for as long as this mirror exists. Two round trips.
    pub async fn block_entries(&self, by: UserId, blocked: UserId) -> Result<Option<BlockEntries>> {
        let mirror = Place::new(Key::BlockedBy(blocked), by);
        let Some(mirror_score) = self.query_score(&mirror).await? else {
            return Ok(None);
        };
        let block = Place::of(&Relation::Block(by, blocked));
        let Some(score) = self.query_score(&block).await? else {
            return Ok(None);
        };
        Ok(Some(BlockEntries {
            of_blocker: BlockEntry::new(by, keys::blocked(by), blocked, score),
            of_blocked: BlockEntry::new(blocked, keys::blocked_by(blocked), by, mirror_score),
        }))
    }
}
