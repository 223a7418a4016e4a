//! Acts of the people who run a site: none takes effect without its entry in the log.

use redwing::{
    actions::administration::set_role,
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
