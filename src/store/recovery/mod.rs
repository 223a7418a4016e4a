//! Recovery codes, and links that set a new password. Their digests lie in the slot of their user, so the script
//! that uses one up also sets the password: of two requests with one code, one succeeds.

use super::prelude::*;

script_calls! {
    SetRecoveryCodes = "set_recovery_codes"(
        recovery, auth; deadline_ms: u64, session_epoch: String, now_ms: u64, [digests: Vec<String>]
    );
    AddResetLink = "add_reset_link"(recovery, auth; deadline_ms: u64, digest: String, end_ms: u64);
    RecoverAccount = "recover_account"(
        recovery, auth, channel; deadline_ms: u64, digest: String, new_hash: String, new_epoch: String
    );
}

/// The field with the time at which the codes were made.
const MADE: &str = "made";

/// The recovery codes of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecoveryCodes {
    pub made: UnixMs,
    pub unused: usize,
}

impl Store {
    /// Replaces the recovery codes of the actor.
    pub async fn set_recovery_codes(
        &self,
        call: &Call,
        actor: &Actor,
        digests: Vec<String>,
    ) -> Result<()> {
        let set = SetRecoveryCodes {
            recovery: keys::recovery(actor.id),
            auth: keys::auth(actor.id),
            deadline_ms: call.deadline(),
            session_epoch: actor.epoch().to_owned(),
            now_ms: self.now().await?.0,
            digests,
        };
        self.connection.run_durably(&set).await
    }

    /// Returns the recovery codes of a user, if they ever made some.
    pub async fn recovery_codes(&self, of: UserId) -> Result<Option<RecoveryCodes>> {
        let read = redis::cmd("HGETALL").with(keys::recovery(of));
        let fields: Vec<(String, u64)> = self.connection.query(read).await?;
        let made = fields.iter().find(|(field, _)| field == MADE);
        let unused = fields.iter().filter(|(_, end_ms)| *end_ms == 0).count();
        Ok(made.map(|(_, made)| RecoveryCodes {
            made: UnixMs(*made),
            unused,
        }))
    }

    /// Stores the code of a link that sets a new password until this time.
    pub async fn add_reset_link(
        &self,
        call: &Call,
        of: UserId,
        digest: String,
        end: UnixMs,
    ) -> Result<()> {
        let add = AddResetLink {
            recovery: keys::recovery(of),
            auth: keys::auth(of),
            deadline_ms: call.deadline(),
            digest,
            end_ms: end.0,
        };
        self.connection.run_durably(&add).await
    }

    /// Returns whether a link with this code is valid.
    pub async fn is_reset_link_valid(&self, of: UserId, digest: &str) -> Result<bool> {
        let read = redis::cmd("HGET").with((keys::recovery(of), digest));
        let end_ms: Option<u64> = self.connection.query(read).await?;
        let now = self.now().await?;
        Ok(end_ms.is_some_and(|end_ms| end_ms > now.0))
    }

    /// Returns whether a code or the code of a link is valid.
    pub async fn is_recovery_code_valid(&self, of: UserId, digest: &str) -> Result<bool> {
        let read = redis::cmd("HGET").with((keys::recovery(of), digest));
        let end_ms: Option<u64> = self.connection.query(read).await?;
        let now = self.now().await?;
        Ok(end_ms.is_some_and(|end_ms| end_ms == 0 || end_ms > now.0))
    }

    /// Sets a new password and ends every session, if the code is valid. The code is used up.
    pub async fn recover_account(
        &self,
        call: &Call,
        of: UserId,
        digest: String,
        (new_hash, new_epoch): (&str, &str),
    ) -> Result<bool> {
        let recover = RecoverAccount {
            recovery: keys::recovery(of),
            auth: keys::auth(of),
            channel: keys::live(of),
            deadline_ms: call.deadline(),
            digest,
            new_hash: new_hash.to_owned(),
            new_epoch: new_epoch.to_owned(),
        };
        let word: String = self.connection.write_durably(recover.command()).await?;
        RecoverAccount::SCRIPT.succeeded(&word, ["recovered", "wrong"])
    }
}
