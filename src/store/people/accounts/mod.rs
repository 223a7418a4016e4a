//! Single steps of sign-up, log-in and passwords: `user`, `auth` and `login`.

pub(in crate::store) mod state;

use super::{PEOPLE_KEPT, calls};
use crate::{
    domain::{
        Admission, Application, Bio, Correspondents, DisplayName, IdempotencyKey, Role, Visibility,
    },
    store::prelude::*,
};

pub struct Draft<'a> {
    pub login: &'a Login,
    pub name: &'a DisplayName,
    /// PHC string.
    pub password_hash: &'a str,
    pub epoch: &'a str,
    pub idempotency_key: &'a IdempotencyKey,
    pub admission: Option<Admission>,
    /// The request to join, for the entrance by approval.
    pub application: Option<Application>,
    /// Whether the limits of new accounts apply.
    pub is_newcomer: bool,
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
pub struct EpochChange<'a> {
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

outcomes! {
    pub enum EditUserOutcome {
        Edited = "edited",
        Unknown = "unknown_user",
        /// Another device changed one of the fields meanwhile. Nothing is changed.
        Conflict = "conflict",
    }
}

/// A change of a person's name, bio or both. `None` keeps the stored value.
#[derive(Debug, Clone, Copy)]
pub struct ProfileChange<'a> {
    pub name: Option<&'a DisplayName>,
    pub bio: Option<&'a Bio>,
    /// The stored person that the change is based on. Without it, the change also overwrites values that another
    /// device stored meanwhile.
    pub based_on: Option<&'a User>,
}

impl Store {
    /// Draws a user id. Ids ascend, but the counter may fall back after a failover, so each id is
    /// claimed.
    pub async fn draw_user(&self) -> Result<UserId> {
        let next = redis::cmd("INCR").with(keys::NEXT_USER_ID);
        user_id(
            self.connection.query(next).await?,
            "the counter of user ids",
        )
    }

    pub async fn claim_user(&self, call: &Call, id: UserId, draft: &Draft<'_>) -> Result<Claim> {
        let now = self.now().await?.0;
        let claim = calls::ClaimUser {
            user: keys::user(id),
            auth: keys::auth(id),
            active_mark: keys::active(id),
            deadline_ms: call.deadline(),
            user_id: id.get(),
            login: draft.login.to_string(),
            name: draft.name.as_str().to_owned(),
            signup_ms: now,
            password_hash: draft.password_hash.to_owned(),
            epoch: draft.epoch.to_owned(),
            idempotency_key: draft.idempotency_key.as_str().to_owned(),
            mark_ttl_s: self.config.timeouts.dormant.as_secs(),
            admission: draft
                .admission
                .as_ref()
                .map_or_else(String::new, Admission::to_string),
            role: match draft.admission {
                Some(Admission::SetUp) => Role::Owner.as_str(),
                _ => "",
            },
            application: draft
                .application
                .as_ref()
                .map_or_else(String::new, Application::to_string),
            end_ms: now.saturating_add(millis(self.config.timeouts.deletion)),
            newcomer: if draft.is_newcomer { "1" } else { "" },
        };
        self.connection.run_durably(&claim).await
    }

    /// Commits a sign-up. Returns the person who owns the login now.
    pub async fn commit_login(&self, call: &Call, login: &Login, id: UserId) -> Result<UserId> {
        let commit = calls::CommitLogin {
            login: keys::login(login),
            deadline_ms: call.deadline(),
            user_id: id.get(),
        };
        let holder = self.connection.write_durably(commit.command()).await?;
        user_id(holder, "a login")
    }

    /// Returns what admitted a person. `None` if the entrance was open.
    pub async fn admission(&self, of: UserId) -> Result<Option<Admission>> {
        let get = redis::cmd("HGET").with((keys::user(of), "admission"));
        let admission: Option<String> = self.connection.query(get).await?;
        Ok(admission.and_then(|text| text.parse().ok()))
    }

    pub async fn holder(&self, login: &Login) -> Result<Option<UserId>> {
        let get = redis::cmd("GET").with(keys::login(login));
        let holder: Option<u64> = self.connection.query(get).await?;
        Ok(holder.and_then(|number| UserId::new(number).ok()))
    }

    /// Adds a person to the newest people after a committed sign-up.
    pub async fn add_to_newest_people(&self, id: UserId) -> Result<()> {
        let get = redis::cmd("HGET").with((keys::user(id), "signup"));
        let signup: Option<u64> = self.connection.query(get).await?;
        match signup {
            Some(signup) => self.place_among_newest(id, UnixMs(signup)).await,
            None => Ok(()),
        }
    }

    /// Adds a person with this time of the sign-up to the newest people.
    pub async fn place_among_newest(&self, id: UserId, UnixMs(signup): UnixMs) -> Result<()> {
        let copies = vec![
            redis::cmd("ZADD").with((keys::PEOPLE_NEWEST, "NX", signup, id.get())),
            trim(keys::PEOPLE_NEWEST, PEOPLE_KEPT),
        ];
        self.connection.chain(copies).await.map(drop)
    }

    /// Removes a person whose sign-up did not get its login. The id is never used again.
    pub async fn remove_user(&self, id: UserId) -> Result<()> {
        let remove = calls::RemoveUser {
            user: keys::user(id),
            auth: keys::auth(id),
            active_mark: keys::active(id),
            now_ms: self.now().await?.0,
        };
        self.connection.run(&remove).await
    }

    /// Returns password hash and epoch, read in one step.
    pub async fn auth(&self, of: UserId) -> Result<Option<Auth>> {
        let fields = redis::cmd("HMGET").with((keys::auth(of), "hash", "epoch", "idempotency_key"));
        let (hash, epoch, idempotency_key): (Option<String>, Option<String>, Option<String>) =
            self.connection.query(fields).await?;
        Ok(hash.zip(epoch).map(|(hash, epoch)| Auth {
            hash,
            epoch,
            idempotency_key: idempotency_key.unwrap_or_default(),
        }))
    }

    /// Replaces the verified password hash. A new epoch ends every session and removes the recovery codes. Returns `false` if password
    /// or epoch changed meanwhile.
    pub async fn set_password(
        &self,
        call: &Call,
        of: UserId,
        old: &str,
        new: &str,
        epoch_change: Option<EpochChange<'_>>,
    ) -> Result<bool> {
        let (from, to) = epoch_change.map_or(("", ""), |EpochChange { from, to }| (from, to));
        let set = calls::SetPassword {
            auth: keys::auth(of),
            channel: keys::live(of),
            recovery: keys::recovery(of),
            deadline_ms: call.deadline(),
            old_hash: old.to_owned(),
            new_hash: new.to_owned(),
            new_epoch: to.to_owned(),
            session_epoch: from.to_owned(),
        };
        let reply: String = self.connection.write_durably(set.command()).await?;
        calls::SetPassword::SCRIPT.succeeded(&reply, ["replaced", "outdated"])
    }

    /// Ends every session of a person.
    pub async fn new_epoch(&self, call: &Call, actor: &Actor, epoch: &str) -> Result<()> {
        let renew = calls::NewEpoch {
            auth: keys::auth(actor.id()),
            channel: keys::live(actor.id()),
            deadline_ms: call.deadline(),
            epoch: epoch.to_owned(),
            session_epoch: actor.epoch().to_owned(),
        };
        self.connection.run_durably(&renew).await
    }

    /// Sets the visibility that the actor's composer offers first. `None`: that of the last post.
    pub async fn set_default_visibility(
        &self,
        call: &Call,
        actor: &Actor,
        visibility: Option<Visibility>,
    ) -> Result<()> {
        let value = visibility.map_or("", Visibility::as_str);
        self.set_choice(call, actor, "default_visibility", value)
            .await
    }

    /// Makes the actor's account private or public.
    pub async fn set_private(&self, call: &Call, actor: &Actor, is_private: bool) -> Result<()> {
        let value = if is_private { "1" } else { "" };
        self.set_choice(call, actor, "private", value).await
    }

    /// Sets who may begin a chat with the actor alone, and one with several people. `None` keeps the stored value.
    pub async fn set_correspondents(
        &self,
        call: &Call,
        actor: &Actor,
        (from, group_from): (Option<Correspondents>, Option<Correspondents>),
    ) -> Result<()> {
        let value = |choice: Correspondents| match choice {
            Correspondents::Everyone => "",
            other => other.as_str(),
        };
        for (field, choice) in [("messages_from", from), ("group_messages_from", group_from)] {
            if let Some(choice) = choice {
                self.set_choice(call, actor, field, value(choice)).await?;
            }
        }
        Ok(())
    }

    /// Sets whether the actor shows others which messages they have read.
    pub async fn set_read_marks(&self, call: &Call, actor: &Actor, are_shown: bool) -> Result<()> {
        let value = if are_shown { "1" } else { "" };
        self.set_choice(call, actor, "read_marks", value).await
    }

    /// Sets whether the actor's profile shows the favourites to others.
    pub async fn set_favourites_shown(
        &self,
        call: &Call,
        actor: &Actor,
        are_shown: bool,
    ) -> Result<()> {
        let value = if are_shown { "1" } else { "" };
        self.set_choice(call, actor, "public_favourites", value)
            .await
    }

    /// Sets the role of a person. A person with a role is no newcomer.
    pub async fn set_role(&self, call: &Call, person: UserId, role: Option<Role>) -> Result<()> {
        if role.is_some() {
            self.end_newcomer_limits(call, person).await?;
        }
        let value = role.map_or("", Role::as_str);
        self.set_choice(call, &person.into(), "role", value).await
    }

    /// Ends the limits of the new account of a person.
    pub async fn end_newcomer_limits(&self, call: &Call, person: UserId) -> Result<()> {
        self.set_choice(call, &person.into(), "newcomer_since", "")
            .await
    }

    async fn set_choice(
        &self,
        call: &Call,
        actor: &Actor,
        field: &'static str,
        value: &'static str,
    ) -> Result<()> {
        let set = calls::SetChoice {
            user: keys::user(actor.id()),
            auth: keys::auth(actor.id()),
            deadline_ms: call.deadline(),
            field,
            value,
            session_epoch: actor.epoch().to_owned(),
        };
        self.connection.run_durably(&set).await
    }

    /// Changes a person's name, bio or both.
    pub async fn edit_user(
        &self,
        call: &Call,
        actor: &Actor,
        change: ProfileChange<'_>,
    ) -> Result<EditUserOutcome> {
        let ProfileChange {
            name,
            bio,
            based_on,
        } = change;
        let changes = match (name, bio) {
            (Some(_), Some(_)) => "name bio",
            (Some(_), None) => "name",
            (None, Some(_)) => "bio",
            (None, None) => "",
        };
        let edit = calls::EditUser {
            user: keys::user(actor.id()),
            auth: keys::auth(actor.id()),
            deadline_ms: call.deadline(),
            changes,
            name: name.map_or_else(String::new, |name| name.as_str().to_owned()),
            expected_name: expected(based_on.map(|user| user.name.as_str())),
            bio: bio.map_or_else(String::new, |bio| bio.as_str().to_owned()),
            expected_bio: expected(based_on.map(|user| user.bio.as_str())),
            session_epoch: actor.epoch().to_owned(),
        };
        self.connection.run_durably(&edit).await
    }
}

fn millis(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn user_id(number: u64, what: &'static str) -> Result<UserId> {
    UserId::new(number).map_err(|_| Error::Unexpected {
        what,
        answer: number.to_string(),
    })
}
