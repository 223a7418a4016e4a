//! Invitations, in the slot of the inviter. The unused ones and the people who came with one are two sorted sets,
//! and one step moves from the first to the second. So an invitation admits one person.

mod branch;

use std::str::FromStr;

use futures_util::try_join;

pub use self::branch::{BranchPerson, InvitedBranch};
use super::prelude::*;
use crate::domain::{ParseError, SecretCode, SecretLink};

script_calls! {
    MakeInvitation = "make_invitation"(
        invitations, user, auth;
        deadline_ms: u64, session_epoch: String, code: String, term_ms: u64, limit: usize, min_age_ms: u64,
        removable_ms: u64
    );
    RevokeInvitation = "revoke_invitation"(
        invitations, auth; deadline_ms: u64, session_epoch: String, code: String
    );
    ClaimInvitation = "claim_invitation"(invitations, invited, user; deadline_ms: u64, code: String, person: u64);
    ReleaseInvitation = "release_invitation"(invitations, invited; code: String, end_ms: u64, person: u64);
}

/// Most unused invitations of a person with a role that permits any number.
const MOST_INVITATIONS: usize = 1000;
const DAY_MS: u64 = 86_400_000;

outcomes! {
    pub enum MakeOutcome {
        Made = "made",
        /// The account is not old enough.
        TooYoung = "too_young",
        TooMany = "too_many",
    }
}

outcomes! {
    pub enum RevokeOutcome {
        /// By this call or an earlier one.
        Revoked = "revoked",
        /// It was used or removed after its end before, or it was revoked before the newest one was made.
        Gone = "gone",
    }
}

outcomes! {
    pub enum ClaimOutcome {
        Claimed = "claimed",
        /// Used, revoked or ended, or the inviter is suspended or leaving.
        Gone = "gone",
    }
}

/// A member of the invitations of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredInvitation {
    Unused(SecretCode),
    /// A sign-up has claimed it, and is not complete.
    Claimed(SecretCode),
    /// It was revoked since the newest one was made.
    Revoked(SecretCode),
}

impl StoredInvitation {
    /// The beginning of a claimed one. Scripts have it too.
    const CLAIMED: &str = "claimed:";
    /// The beginning of the mark of a revoked one.
    const REVOKED: &str = "revoked:";
}

impl FromStr for StoredInvitation {
    type Err = ParseError;

    fn from_str(text: &str) -> std::result::Result<Self, ParseError> {
        if let Some(code) = text.strip_prefix(Self::CLAIMED) {
            return Ok(Self::Claimed(code.parse()?));
        }
        match text.strip_prefix(Self::REVOKED) {
            Some(code) => Ok(Self::Revoked(code.parse()?)),
            None => Ok(Self::Unused(text.parse()?)),
        }
    }
}

/// An unused invitation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    pub link: SecretLink,
    pub end: UnixMs,
}

impl Store {
    /// Makes an invitation of the actor. `freely`: without the limits of number and age.
    pub async fn make_invitation(
        &self,
        call: &Call,
        actor: &Actor,
        code: &SecretCode,
        freely: bool,
    ) -> Result<MakeOutcome> {
        let limits = &self.config.limits;
        let (limit, min_age_days) = match freely {
            true => (MOST_INVITATIONS, 0),
            false => (limits.max_invitations, limits.invitation_age_days),
        };
        let make = MakeInvitation {
            invitations: keys::invitations(actor.id),
            user: keys::user(actor.id),
            auth: keys::auth(actor.id),
            deadline_ms: call.deadline(),
            session_epoch: actor.epoch().to_owned(),
            code: code.to_string(),
            term_ms: limits.invitation_days * DAY_MS,
            limit,
            min_age_ms: min_age_days * DAY_MS,
            removable_ms: self.removable_until().await.0,
        };
        self.connection.run_durably(&make).await
    }

    pub async fn revoke_invitation(
        &self,
        call: &Call,
        actor: &Actor,
        code: &SecretCode,
    ) -> Result<RevokeOutcome> {
        let revoke = RevokeInvitation {
            invitations: keys::invitations(actor.id),
            auth: keys::auth(actor.id),
            deadline_ms: call.deadline(),
            session_epoch: actor.epoch().to_owned(),
            code: code.to_string(),
        };
        self.connection.run_durably(&revoke).await
    }

    /// Returns whether a person revoked an invitation since they made the newest one.
    pub async fn was_invitation_revoked(&self, of: UserId, code: &SecretCode) -> Result<bool> {
        let mark = format!("{}{code}", StoredInvitation::REVOKED);
        let read = redis::cmd("ZSCORE").with((keys::invitations(of), mark));
        let found: Option<f64> = self.connection.query(read).await?;
        Ok(found.is_some())
    }

    /// Uses up an invitation for a person who signs up.
    pub async fn claim_invitation(
        &self,
        call: &Call,
        link: &SecretLink,
        person: UserId,
    ) -> Result<ClaimOutcome> {
        let claim = ClaimInvitation {
            invitations: keys::invitations(link.user),
            invited: keys::invited(link.user),
            user: keys::user(link.user),
            deadline_ms: call.deadline(),
            code: link.code.to_string(),
            person: person.get(),
        };
        self.connection.run_durably(&claim).await
    }

    /// Forgets the claim of an invitation after a complete sign-up.
    pub async fn use_up_invitation(&self, link: &SecretLink) -> Result<()> {
        let claimed = format!("{}{}", StoredInvitation::CLAIMED, link.code);
        let forget = redis::cmd("ZREM").with((keys::invitations(link.user), claimed));
        self.connection.execute(forget).await
    }

    /// Gives an invitation back after a sign-up that failed.
    pub async fn release_invitation(
        &self,
        link: &SecretLink,
        end_ms: u64,
        person: UserId,
    ) -> Result<()> {
        let release = ReleaseInvitation {
            invitations: keys::invitations(link.user),
            invited: keys::invited(link.user),
            code: link.code.to_string(),
            end_ms,
            person: person.get(),
        };
        self.connection.run(&release).await
    }

    /// Adds a person to the people who came by an invitation of a user.
    pub async fn add_invited(&self, inviter: UserId, person: UserId) -> Result<()> {
        let read = redis::cmd("HGET").with((keys::user(person), "signup"));
        let signup: Option<u64> = self.connection.query(read).await?;
        let score = signup
            .unwrap_or(1)
            .saturating_mul(1000)
            .saturating_add(person.get() % 1000);
        let add = redis::cmd("ZADD").with((keys::invited(inviter), "NX", score, person.get()));
        self.connection.execute(add).await
    }

    /// Returns the end of an invitation, if it is unused and its inviter is active.
    pub async fn invitation_end(&self, link: &SecretLink) -> Result<Option<UnixMs>> {
        let read = redis::cmd("ZSCORE").with((keys::invitations(link.user), link.code.to_string()));
        let (end, is_hidden): (Option<f64>, bool) =
            try_join!(self.connection.query(read), self.is_hidden(link.user))?;
        let now = self.now().await?;
        let end = end.map(|end_ms| UnixMs(end_ms as u64));
        Ok(end.filter(|end| *end > now && !is_hidden))
    }

    /// Returns the unused invitations of a person, the one that ends last first.
    pub async fn invitations(&self, of: UserId) -> Result<Vec<Invitation>> {
        let now = self.now().await?;
        let read = range_by_score(keys::invitations(of), "+inf", now.0, MOST_INVITATIONS);
        let rows: Vec<(String, f64)> = self
            .connection
            .query(read.with(("REV", "WITHSCORES")))
            .await?;
        let invitation = |(code, end): (String, f64)| {
            let StoredInvitation::Unused(code) = code.parse().ok()? else {
                return None;
            };
            let link = SecretLink { user: of, code };
            let end = UnixMs(end as u64);
            Some(Invitation { link, end })
        };
        Ok(rows.into_iter().filter_map(invitation).collect())
    }
}
