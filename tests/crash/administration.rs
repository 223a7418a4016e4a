//! Acts of the people who run a site: none takes effect without its entry in the log.

use redwing::{
    actions::administration::{set_role, vouch},
    domain::{ActingPerson, Role},
};

use super::cut_off_everywhere;
use crate::support::{core::Core, crowd::member};

#[tokio::test]
async fn a_role_cut_off_anywhere_is_logged_or_not_given() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| member(&core.store, &format!("person_{number}")).await,
        async |store, who| set_role(store, ActingPerson::Host, *who, Some(Role::Moderator)).await,
        async |who| {
            let role = core.store.role(*who).await.expect("an answer");
            let log = core.store.acts_before(None, 1000).await.expect("an answer");
            let logged = log.items.iter().any(|act| act.act.person() == Some(*who));
            assert!(logged || role.is_none());
        },
    )
    .await;
}

#[tokio::test]
async fn a_vouch_cut_off_anywhere_is_logged_or_has_no_effect() {
    let core = Core::with(&["--new-account-days", "7"]);
    cut_off_everywhere(
        &core,
        async |number| member(&core.store, &format!("person_{number}")).await,
        async |store, who| vouch(store, ActingPerson::Host, *who).await.map(drop),
        async |who| {
            let user = core.store.user(*who).await.expect("an answer");
            let is_newcomer = user.expect("an account").newcomer_since.is_some();
            let log = core.store.acts_before(None, 1000).await.expect("an answer");
            let logged = log.items.iter().any(|act| act.act.person() == Some(*who));
            assert!(logged || is_newcomer);
        },
    )
    .await;
}
