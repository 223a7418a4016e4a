//! Single steps of the change of a login. `user` is the source of truth: it has the login, the former ones, and the
//! change that is under way. Each of these logins names its user.

use super::calls;
use crate::{
    domain::FormerLogins,
    store::{prelude::*, redis::call::millis},
};

/// A change of a login that is under way.
#[derive(Debug, Clone)]
pub struct LoginChange<'a> {
    pub actor: &'a Actor,
    /// The new login.
    pub login: &'a Login,
    /// Random. It distinguishes the attempts of one change from those of another.
    pub token: String,
}

outcomes! {
    pub enum BeginRename {
        Begun = "begun",
        TooSoon = "too_soon",
        TooMany = "too_many",
        UnderWay = "under_way",
        Unknown = "unknown_user",
    }
}

outcomes! {
    pub enum FinishRename {
        Renamed = "renamed",
        /// It was cancelled, or the account is being deleted.
        Refused = "refused",
    }
}

outcomes! {
    pub enum TakeOverRename {
        TakenOver = "taken_over",
        /// Another reconciliation is under way.
        Other = "other",
    }
}

/// The logins of a person, from one step.
#[derive(Debug, Clone)]
pub struct LoginHistory {
    pub login: Login,
    pub former: FormerLogins,
    /// Time of the last change.
    pub renamed: Option<UnixMs>,
}

impl LoginHistory {
    /// Returns the login and the former ones.
    pub fn all(&self) -> impl Iterator<Item = &Login> {
        let former = self.former.iter().map(|former| &former.login);
        former.chain([&self.login])
    }

    /// Returns whether a login is or was that of the person.
    pub fn has_had(&self, login: &Login) -> bool {
        self.login.is_same(login) || self.former.contains(login)
    }
}

impl Store {
    /// Returns the logins of a person. `None` if the person does not exist.
    pub async fn login_history(&self, of: UserId) -> Result<Option<LoginHistory>> {
        let histories = self.login_histories(&[of]).await?;
        Ok(histories.into_iter().next().flatten())
    }

    /// Returns the logins of each person. One round trip.
    pub async fn login_histories(&self, of: &[UserId]) -> Result<Vec<Option<LoginHistory>>> {
        let fields = ["login", "former_logins", "renamed"];
        let read = |id: &UserId| redis::cmd("HMGET").with((keys::user(*id), &fields[..]));
        let rows: Vec<[Option<String>; 3]> =
            self.connection.query_each(of.iter().map(read)).await?;
        let history = |[login, former, renamed]: [Option<String>; 3]| {
            Some(LoginHistory {
                login: login.as_deref().and_then(Login::stored)?,
                former: FormerLogins::stored(former.as_deref()),
                renamed: renamed.and_then(|ms| ms.parse().ok()).map(UnixMs),
            })
        };
        Ok(rows.into_iter().map(history).collect())
    }

    /// Begins a change of a login, which excludes others.
    pub async fn begin_rename(&self, call: &Call, change: &LoginChange<'_>) -> Result<BeginRename> {
        let id = change.actor.id();
        let begin = calls::BeginRename {
            user: keys::user(id),
            auth: keys::auth(id),
            deadline_ms: call.deadline(),
            login: change.login.to_string(),
            token: change.token.clone(),
            interval_ms: millis(self.config.timeouts.rename),
            max_former: FormerLogins::MAX,
            session_epoch: change.actor.epoch().to_owned(),
        };
        self.connection.run_durably(&begin).await
    }

    /// Gives the person the login that was claimed for this change.
    pub async fn finish_rename(
        &self,
        call: &Call,
        change: &LoginChange<'_>,
    ) -> Result<FinishRename> {
        let id = change.actor.id();
        let finish = calls::FinishRename {
            user: keys::user(id),
            auth: keys::auth(id),
            channel: keys::live(id),
            deadline_ms: call.deadline(),
            login: change.login.to_string(),
            token: change.token.clone(),
            redirect_ms: FormerLogins::REDIRECT_MS,
            session_epoch: change.actor.epoch().to_owned(),
        };
        self.connection.run_durably(&finish).await
    }

    /// Cancels the change of a login that is under way, if any, and excludes others until the deadline of this call.
    pub async fn take_over_rename(
        &self,
        call: &Call,
        of: UserId,
        login: &Login,
    ) -> Result<TakeOverRename> {
        let take_over = calls::TakeOverRename {
            user: keys::user(of),
            deadline_ms: call.deadline(),
            login: login.to_string(),
        };
        self.connection.run(&take_over).await
    }

    /// Ends the reconciliation that took over a change of a login.
    pub async fn end_take_over(&self, call: &Call, of: UserId, login: &Login) -> Result<()> {
        let token = format!("reconciliation-{}", call.deadline());
        self.cancel_rename(of, login, token).await
    }

    /// Cancels the change of a login that has this token.
    pub async fn cancel_rename(&self, of: UserId, login: &Login, token: String) -> Result<()> {
        let cancel = calls::CancelRename {
            user: keys::user(of),
            login: login.to_string(),
            token,
        };
        self.connection.run(&cancel).await
    }

    /// Frees a login that was claimed for a change that was not made.
    pub async fn free_login(&self, call: &Call, login: &Login, of: UserId) -> Result<()> {
        let free = calls::FreeLogin {
            login: keys::login(login),
            deadline_ms: call.deadline(),
            user_id: of.get(),
        };
        self.connection.run(&free).await
    }

    /// Copies the login of a person to the place where sessions read it.
    pub async fn copy_login(&self, of: UserId) -> Result<()> {
        let copy = calls::CopyLogin {
            user: keys::user(of),
            auth: keys::auth(of),
        };
        self.connection.run(&copy).await
    }
}

/// Parses `<token> <login>`.
pub(in crate::store) fn login_of_change(text: &str) -> Option<Login> {
    Login::stored(text.split_once(' ')?.1)
}
