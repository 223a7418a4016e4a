//! Posts in groups: where they come, who reads and writes them, and their removal.

mod delivery;
mod many_members;
mod notices;
mod pages;
mod removal;
mod writing;

use redwing::{
    domain::{GroupId, GroupKind, StatusId, UserId},
    store::{Store, Viewer, VisibleStatus},
};

use crate::support::groups;

/// Founds a group of this kind with an owner and members who have logins of this form.
pub async fn group_of(
    store: &Store,
    kind: GroupKind,
    owner: UserId,
    members: &[UserId],
) -> GroupId {
    let slug = format!("group-{owner}-{kind}");
    let group = groups::found(store, owner, &groups::draft(&slug, kind)).await;
    for member in members {
        groups::join(store, group, *member).await;
    }
    group
}

/// Returns the ids on the first page of a group's timeline, as this viewer sees it.
pub async fn page_of(store: &Store, viewer: Viewer, group: GroupId) -> Vec<StatusId> {
    let page = store.group_page(viewer, group, None).await;
    let items = page.expect("an answer").items;
    items.iter().map(VisibleStatus::id).collect()
}
