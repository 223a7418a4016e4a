//! A home when a group becomes or stops being one of its sources.

use super::{add_statuses_of, remove_statuses};
use crate::{
    actions::prelude::*,
    domain::{GroupId, Source},
};

/// Brings the home of a person in line with their membership in a group. Both slots of the membership are written: a
/// post that is filed before the newest ones are read here is among them, and a later one is delivered.
pub(in crate::actions) async fn reconcile_home(
    store: &Store,
    call: &Call,
    (group, person): (GroupId, UserId),
    is_on_home: bool,
) -> Result<()> {
    let home = Timeline::Home(person);
    if !is_on_home {
        return remove_statuses(store, home, |status| status.group == Some(group)).await;
    }
    let newest = store.newest_of_group(group).await?;
    add_statuses_of(store, call, home, Source::Group(group), &newest).await
}
