//! The people below a person in the tree of invitations.

use tokio::try_join;

use crate::store::{AccountRecord, prelude::*};

/// People below a person that are examined, and levels of the tree.
const EXAMINED: usize = 200;
const LEVELS: usize = 10;

/// A person below another in the tree of invitations.
#[derive(Debug, Clone)]
pub struct BranchPerson {
    pub account: AccountRecord,
    /// The account is not frozen, suspended or being deleted.
    pub is_free: bool,
}

/// The people below a person in the tree of invitations.
#[derive(Debug, Clone)]
pub struct InvitedBranch {
    /// The nearest first, and of one level the newest first.
    pub people: Vec<BranchPerson>,
    /// There can be more people.
    pub is_cut: bool,
}

impl Store {
    /// Reads the people below a person in the tree of invitations, at most 200. One round trip for each level of the
    /// tree, at most ten, and one more.
    pub async fn invited_branch(&self, of: UserId) -> Result<InvitedBranch> {
        let (mut ids, mut level, mut is_cut) = (Vec::new(), vec![of], false);
        for _ in 0..LEVELS {
            let room = EXAMINED - ids.len();
            let reads = level.iter().map(|inviter| {
                redis::cmd("ZRANGE").with((keys::invited(*inviter), 0, room, "REV"))
            });
            let rows: Vec<Vec<u64>> = self.connection.query_each(reads).await?;
            level = user_ids(rows.into_iter().flatten());
            is_cut |= level.len() > room;
            level.truncate(room);
            ids.extend_from_slice(&level);
            if level.is_empty() {
                break;
            }
        }
        is_cut |= !level.is_empty();
        let (accounts, free) = try_join!(self.account_records(&ids), self.free_accounts(&ids))?;
        let people = accounts.into_iter().map(|account| BranchPerson {
            is_free: free.contains(&account.id),
            account,
        });
        Ok(InvitedBranch {
            people: people.collect(),
            is_cut,
        })
    }

    /// Returns those of these accounts that are not frozen, suspended or being deleted. One round trip.
    async fn free_accounts(&self, ids: &[UserId]) -> Result<Vec<UserId>> {
        type State = (Option<String>, Option<u64>, Option<String>);
        let now = self.now().await?;
        let reads = ids.iter().map(|id| {
            redis::cmd("HMGET").with((keys::user(*id), "suspended", "frozen", "leaving"))
        });
        let states: Vec<State> = self.connection.query_each(reads).await?;
        let is_free = |(suspended, frozen, leaving): &State| {
            let is_frozen = frozen.is_some_and(|until_ms| until_ms > now.0);
            suspended.is_none() && !is_frozen && leaving.as_deref() != Some("deleting")
        };
        let free = ids.iter().zip(&states).filter(|(_, state)| is_free(state));
        Ok(free.map(|(id, _)| *id).collect())
    }
}
