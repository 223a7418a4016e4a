//! Acts of the people who run a site. Each begins with its entry in the log.

use crate::{
    actions::{prelude::*, recovery::make_reset_link},
    domain::{Act, ActingPerson, Role, SecretLink},
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
        store.set_role(call, person, role).await
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
