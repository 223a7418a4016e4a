//! Acts of the people who run a site. Each begins with its entry in the log.

use crate::{
    actions::{account_states, prelude::*, recovery::make_reset_link},
    domain::{Act, ActingPerson, Role, SecretLink, SuspensionReason},
    store::{ChangeOutcome, SiteDraft},
};

/// Gives a person a role, or takes it from them.
pub async fn set_role(
    store: &Store,
    by: ActingPerson,
    person: UserId,
    role: Option<Role>,
) -> Result<()> {
    let call = &store.begin().await?;
    let steps = async {
        let act = Act::SetRole { person, role };
        store.log_act(call, by, act).await?;
        store.set_role(call, person, role).await?;
        match role {
            Some(Role::Owner) => store.note_owner(person).await,
            _ => Ok(()),
        }
    };
    call.finish(steps.await).await
}

/// Makes a link with which a person sets a new password.
pub async fn make_link(store: &Store, by: ActingPerson, person: UserId) -> Result<SecretLink> {
    let call = &store.begin().await?;
    let act = Act::MakeResetLink { person };
    call.finish(store.log_act(call, by, act).await).await?;
    make_reset_link(store, person).await
}

/// Suspends a person: ends their sessions and hides them from everybody.
pub async fn suspend(
    store: &Store,
    by: ActingPerson,
    person: UserId,
    reason: &SuspensionReason,
) -> Result<ChangeOutcome> {
    let text = reason.as_str().to_owned();
    let act = Act::Suspend {
        person,
        reason: text,
    };
    log(store, by, act).await?;
    account_states::suspend(store, person, reason).await
}

/// Ends the suspension of a person.
pub async fn restore(store: &Store, by: ActingPerson, person: UserId) -> Result<ChangeOutcome> {
    log(store, by, Act::Restore { person }).await?;
    account_states::restore(store, person).await
}

/// Suspends a person in the name of the actor, whose power was checked.
pub async fn suspend_as(
    store: &Store,
    actor: Actor,
    person: UserId,
    reason: &SuspensionReason,
) -> Result<ChangeOutcome> {
    store.check_session(&actor).await?;
    suspend(store, ActingPerson::Person(actor.id()), person, reason).await
}

/// Ends the suspension of a person in the name of the actor, whose power was checked.
pub async fn restore_as(store: &Store, actor: Actor, person: UserId) -> Result<ChangeOutcome> {
    store.check_session(&actor).await?;
    restore(store, ActingPerson::Person(actor.id()), person).await
}

/// Begins the deletion of an account, in any state.
pub async fn delete(store: &Store, by: ActingPerson, person: UserId) -> Result<ChangeOutcome> {
    log(store, by, Act::Delete { person }).await?;
    account_states::delete(store, person).await
}

async fn log(store: &Store, by: ActingPerson, act: Act) -> Result<()> {
    let call = &store.begin().await?;
    call.finish(store.log_act(call, by, act).await).await
}

/// Changes the name, the description, the contact, the rules and the entrance of the site.
pub async fn change_site(store: &Store, actor: Actor, draft: SiteDraft) -> Result<()> {
    let call = &store.begin().await?;
    let steps = async {
        store.check_session(&actor).await?;
        let act = Act::ChangeSite {
            name: draft.name.as_str().to_owned(),
            entrance: draft.entrance,
        };
        let by = ActingPerson::Person(actor.id());
        store.log_act(call, by, act).await?;
        if let Some(count) = store.changed_rule_count(&draft).await? {
            store.log_act(call, by, Act::ChangeRules { count }).await?;
        }
        store.change_site(call, &draft).await
    };
    call.finish(steps.await).await
}
