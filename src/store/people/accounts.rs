//! Single steps of sign-up, log-in and passwords: `user`, `auth` and `login`.

use super::PEOPLE_KEPT;
use crate::{
    domain::{Bio, DisplayName, IdempotencyKey, Login, UserId},
    store::{
        Call, Result, Store, keys,
        redis::{
            reply::outcomes,
            scripts::{self, With},
        },
    },
};

/// A new account.
pub struct Draft<'a> {
    pub login: &'a Login,
    pub name: &'a DisplayName,
    /// PHC string.
    pub password_hash: &'a str,
    pub epoch: &'a str,
    pub idempotency_key: &'a IdempotencyKey,
}

/// The fields that only authentication reads, from one step.
#[derive(Debug, Clone)]
pub struct Auth {
    pub hash: String,
    pub epoch: String,
    pub idempotency_key: String,
}

/// The change from the session's epoch to a new one, which ends every session.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'a> {
    pub from: &'a str,
    pub to: &'a str,
}

outcomes! {
    pub enum Claim {
        Claimed = "claimed",
        /// The id is or was in use. Draw another.
        Taken = "taken",
    }
}

impl Store {
    /// Draws a user id. Ids ascend, but the counter may fall back after a failover, so each id is
    /// claimed.
    pub async fn draw_user(&self) -> Result<UserId> {
        let number: u64 = self
            .connection
            .query(redis::cmd("INCR").with(keys::NEXT_USER_ID))
            .await?;
        UserId::new(number).map_err(|_| crate::store::Error::Unexpected {
            what: "the counter of user ids",
            answer: number.to_string(),
        })
    }

    pub async fn claim_user(&self, call: &Call, id: UserId, draft: &Draft<'_>) -> Result<Claim> {
        let now = self.now().await?;
        let claim = scripts::CLAIM_USER
            .on([keys::user(id), keys::auth(id), keys::active(id)])
            .with(call.deadline())
            .with(id.get())
            .with(draft.login.as_str())
            .with(draft.name.as_str())
            .with(now.0)
            .with(draft.password_hash)
            .with(draft.epoch)
            .with(draft.idempotency_key.as_str())
            .with(self.config.timeouts.dormant.as_secs());
        let reply: String = self.connection.keep(claim).await?;
        scripts::CLAIM_USER.outcome(&reply)
    }

    /// Commits a sign-up. Returns the person who owns the login now.
    pub async fn commit_login(&self, call: &Call, login: &Login, id: UserId) -> Result<UserId> {
        let commit = scripts::COMMIT_LOGIN
            .on([keys::login(login)])
            .with(call.deadline())
            .with(id.get());
        let holder: u64 = self.connection.keep(commit).await?;
        UserId::new(holder).map_err(|_| crate::store::Error::Unexpected {
            what: "a login",
            answer: holder.to_string(),
        })
    }

    /// Returns the owner of a login.
    pub async fn holder(&self, login: &Login) -> Result<Option<UserId>> {
        let holder: Option<u64> = self
            .connection
            .query(redis::cmd("GET").with(keys::login(login)))
            .await?;
        Ok(holder.and_then(|number| UserId::new(number).ok()))
    }

    /// Adds a person to the newest people after a committed sign-up.
    pub async fn add_to_newest_people(&self, id: UserId) -> Result<()> {
        let signup: Option<u64> = self
            .connection
            .query(redis::cmd("HGET").with(keys::user(id)).with("signup"))
            .await?;
        let Some(signup) = signup else { return Ok(()) };
        let copies = vec![
            redis::cmd("ZADD")
                .with(keys::PEOPLE_NEWEST)
                .with("NX")
                .with(signup)
                .with(id.get()),
            redis::cmd("ZREMRANGEBYRANK")
                .with(keys::PEOPLE_NEWEST)
                .with(0)
                .with(-(PEOPLE_KEPT as i64) - 1),
        ];
        self.connection.chain(copies).await.map(drop)
    }

    /// Removes a person whose sign-up did not get its login. The id is never used again.
    pub async fn remove_user(&self, id: UserId) -> Result<()> {
        let remove = scripts::REMOVE_USER
            .on([keys::user(id), keys::auth(id), keys::active(id)])
            .with(self.now().await?.0);
        self.connection.query::<String>(remove).await.map(drop)
    }

    /// Returns password hash and epoch, read in one step.
    pub async fn auth(&self, of: UserId) -> Result<Option<Auth>> {
        let fields =
            redis::cmd("HMGET")
                .with(keys::auth(of))
                .with(&["hash", "epoch", "idempotency_key"]);
        let (hash, epoch, idempotency_key): (Option<String>, Option<String>, Option<String>) =
            self.connection.query(fields).await?;
        Ok(match (hash, epoch) {
            (Some(hash), Some(epoch)) => Some(Auth {
                hash,
                epoch,
                idempotency_key: idempotency_key.unwrap_or_default(),
            }),
            _ => None,
        })
    }

    /// Replaces the verified password hash. A new epoch ends every session. Returns `false` if password
    /// or epoch changed meanwhile.
    pub async fn set_password(
        &self,
        call: &Call,
        of: UserId,
        old: &str,
        new: &str,
        turn: Option<Turn<'_>>,
    ) -> Result<bool> {
        let (from, to) = turn.map_or(("", ""), |Turn { from, to }| (from, to));
        let set = scripts::SET_PASSWORD
            .on([keys::auth(of), keys::live(of)])
            .with(call.deadline())
            .with(old)
            .with(new)
            .with(to)
            .with(from);
        let reply: String = self.connection.keep(set).await?;
        scripts::SET_PASSWORD.succeeded(&reply, ["replaced", "outdated"])
    }

    /// Ends every session of a person.
    pub async fn new_epoch(&self, call: &Call, of: UserId, epoch: &str) -> Result<()> {
        let renew = scripts::NEW_EPOCH
            .on([keys::auth(of), keys::live(of)])
            .with(call.deadline())
            .with(epoch);
        self.connection.keep::<String>(renew).await.map(drop)
    }

    /// Changes a person's name and bio.
    pub async fn edit_user(
        &self,
        call: &Call,
        id: UserId,
        name: &DisplayName,
        bio: &Bio,
    ) -> Result<()> {
        let edit = scripts::EDIT_USER
            .on([keys::user(id)])
            .with(call.deadline())
            .with(name.as_str())
            .with(bio.as_str());
        self.connection.keep::<String>(edit).await.map(drop)
    }
}
