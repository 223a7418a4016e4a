//! Invitations: making and revoking them, and the admission of a person who signs up.

use crate::{
    actions::prelude::*,
    domain::{
        Act, ActingPerson, Admission, Application, ApplicationAnswer, Power, SecretCode,
        SecretLink, may,
    },
    store::{ClaimOutcome, MakeOutcome, RevokeOutcome, SiteDraft},
};

/// Why a person may sign up.
#[derive(Debug, Clone)]
pub enum Entry {
    /// The entrance is open.
    Open,
    /// The host makes the account, as the seed does.
    Host,
    /// The person asks to join and waits for an answer.
    Approval(ApplicationAnswer),
    Invitation(SecretLink, u64),
    /// The person sets the site up and is its owner.
    SetUp(SiteDraft),
}

impl Entry {
    /// Returns what the account stores.
    pub(in crate::actions) fn admission(&self) -> Option<Admission> {
        match self {
            Self::Open | Self::Host | Self::Approval(_) => None,
            Self::Invitation(link, end_ms) => Some(Admission::Invitation(link.clone(), *end_ms)),
            Self::SetUp(_) => Some(Admission::SetUp),
        }
    }

    /// Returns the request to join that the account stores.
    pub(super) fn application(&self) -> Option<Application> {
        match self {
            Self::Approval(answer) => Some(Application::waiting(answer)),
            Self::Open | Self::Host | Self::Invitation(..) | Self::SetUp(_) => None,
        }
    }

    /// Returns whether the limits of new accounts apply. A person who asks to join gets them with the answer. People
    /// who may vouch do so by their invitations.
    pub(super) async fn makes_newcomer(&self, store: &Store) -> Result<bool> {
        Ok(match self {
            Self::Open => true,
            Self::Invitation(link, _) => !may(store.role(link.user).await?, Power::Vouch),
            Self::Approval(_) | Self::Host | Self::SetUp(_) => false,
        })
    }

    /// Uses up the reason for this person. Returns `false` if another person has used it.
    pub(in crate::actions) async fn claim(
        &self,
        store: &Store,
        call: &Call,
        person: UserId,
    ) -> Result<bool> {
        let claimed = match self {
            Self::Open | Self::Host | Self::Approval(_) => return Ok(true),
            Self::Invitation(link, _) => store.claim_invitation(call, link, person).await?,
            Self::SetUp(draft) => store.claim_site(call, person, draft).await?,
        };
        Ok(claimed == ClaimOutcome::Claimed)
    }
}

/// Gives back what admitted a person, after their sign-up failed.
pub(in crate::actions) async fn release(store: &Store, person: UserId) -> Result<()> {
    match store.admission(person).await? {
        None | Some(Admission::Approval(_)) => Ok(()),
        Some(Admission::Invitation(link, end_ms)) => {
            store.release_invitation(&link, end_ms, person).await
        }
        Some(Admission::SetUp) => store.release_site(person).await,
    }
}

/// Completes the claim of an invitation or of the set-up, after the sign-up succeeded. Later failures do not give it
/// back.
pub(in crate::actions) async fn use_up(store: &Store, person: UserId) -> Result<()> {
    match store.admission(person).await? {
        None | Some(Admission::Approval(_)) => Ok(()),
        Some(Admission::Invitation(link, _)) => store.use_up_invitation(&link).await,
        Some(Admission::SetUp) => store.keep_site(person).await,
    }
}

/// Makes an invitation of the actor.
pub async fn invite(store: &Store, actor: Actor) -> Result<MakeOutcome> {
    let role = store.role(actor.id()).await?;
    let freely = may(role, Power::InviteFreely);
    let code = SecretCode::draw();
    let call = &store.begin().await?;
    let steps = async {
        if freely {
            let by = ActingPerson::Person(actor.id());
            store.log_act(call, by, Act::MakeInvitation).await?;
        }
        store.make_invitation(call, &actor, &code, freely).await
    };
    call.finish(steps.await).await
}

/// Makes an invitation of a person for the host.
pub async fn invite_for_host(store: &Store, inviter: UserId) -> Result<MakeOutcome> {
    let code = SecretCode::draw();
    let call = &store.begin().await?;
    let steps = async {
        let act = Act::MakeInvitation;
        store.log_act(call, ActingPerson::Host, act).await?;
        store
            .make_invitation(call, &inviter.into(), &code, true)
            .await
    };
    call.finish(steps.await).await
}

/// Revokes an unused invitation of a person for the host, and logs it.
///
/// # Errors
/// If Redis could not be reached.
pub async fn revoke_for_host(
    store: &Store,
    inviter: UserId,
    code: &SecretCode,
) -> Result<RevokeOutcome> {
    let call = &store.begin().await?;
    let steps = async {
        let act = Act::RevokeInvitation;
        store.log_act(call, ActingPerson::Host, act).await?;
        store.revoke_invitation(call, &inviter.into(), code).await
    };
    call.finish(steps.await).await
}

/// Revokes an unused invitation of the actor. The same call again succeeds, and is not logged.
pub async fn revoke(store: &Store, actor: Actor, code: &SecretCode) -> Result<RevokeOutcome> {
    let role = store.role(actor.id()).await?;
    let is_logged =
        may(role, Power::InviteFreely) && !store.was_invitation_revoked(actor.id(), code).await?;
    let call = &store.begin().await?;
    let steps = async {
        if is_logged {
            let by = ActingPerson::Person(actor.id());
            store.log_act(call, by, Act::RevokeInvitation).await?;
        }
        store.revoke_invitation(call, &actor, code).await
    };
    call.finish(steps.await).await
}
