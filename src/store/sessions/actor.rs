//! On whose behalf truth is written, and by what right: a session that ended writes nothing more.

use crate::{
    domain::UserId,
    store::{Error, Result, Store, keys, redis::scripts::With},
};

/// A person, and the epoch of the session that asks. Seeds and repairs ask without a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    pub(in crate::store) id: UserId,
    epoch: Option<String>,
}

impl Actor {
    /// Somebody who asks by a session of this epoch.
    #[must_use]
    pub fn in_session(id: UserId, epoch: String) -> Self {
        let epoch = Some(epoch);
        Self { id, epoch }
    }

    #[must_use]
    pub fn id(&self) -> UserId {
        self.id
    }

    /// The epoch as a script takes it: empty where there is no session that could have ended.
    pub(in crate::store) fn epoch(&self) -> &str {
        self.epoch.as_deref().unwrap_or_default()
    }
}

impl From<UserId> for Actor {
    fn from(id: UserId) -> Self {
        Self { id, epoch: None }
    }
}

impl Store {
    /// Looks whether the session that asks stands at this moment: for truth in a slot where its
    /// epoch does not lie.
    ///
    /// # Errors
    /// `Ended` where it does not.
    pub async fn stands(&self, actor: &Actor) -> Result<()> {
        let Some(asked) = &actor.epoch else {
            return Ok(());
        };
        let read = redis::cmd("HGET").with(keys::auth(actor.id)).with("epoch");
        match self.connection.query::<Option<String>>(read).await? {
            Some(epoch) if epoch == *asked => Ok(()),
            _ => Err(Error::Ended),
        }
    }
}
