//! The notices to people about acts in a group. The log of the group is the source of truth.

use crate::{
    actions::{notifications, prelude::*},
    domain::{GroupNotice, Notification, SiteNotice},
    store::Group,
};

/// Delivers the notices about the acts of a group since the last delivery.
pub(in crate::actions) async fn deliver_notices(
    store: &Store,
    call: &Call,
    group: &Group,
) -> Result<()> {
    let acts = store.group_acts_after(group.id, group.noticed_us).await?;
    let Some((_, last_us)) = acts.last() else {
        return Ok(());
    };
    for (logged, at_us) in &acts {
        let person = logged.act.notified().filter(|person| *person != logged.by);
        let Some(person) = person else {
            continue;
        };
        let notice = GroupNotice {
            group: group.id,
            slug: group.slug.clone(),
            name: group.name.clone(),
            act: logged.act.clone(),
            token: logged.token.clone(),
        };
        store
            .add_group_notice(call, person, &notice, *at_us)
            .await?;
        let notification = Notification::from_site(person, SiteNotice::GroupAct, *at_us);
        notifications::notify(store, call, person, notification, *at_us).await?;
    }
    store.mark_noticed(call, group.id, *last_us).await
}
