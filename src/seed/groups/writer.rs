//! Founds the groups of a plan and lets their people join.

use crate::seed::{
    jobs::{retry, run_all},
    load::Site,
    members::Member,
    plan::{PlannedGroup, idempotency_key},
};
use crate::{
    actions::{
        groups::{self, Found},
        statuses,
    },
    domain::{Draft, GroupAct, GroupId, GroupRole, Joining, Message, UserId},
    store::{self, Store},
};

/// Founds the groups that are missing, and adds their people. A group whose owner or address is taken is left out.
pub(in crate::seed) async fn write_groups(
    planned: &[PlannedGroup],
    site: &Site<'_>,
) -> store::Result<()> {
    run_all(site.at_once, planned, |group| write_group(group, site))
        .await
        .map(drop)
}

async fn write_group(planned: &PlannedGroup, site: &Site<'_>) -> store::Result<()> {
    let (store, slug) = (site.store, &planned.draft.slug);
    let Some(owner) = site.id(planned.owner) else {
        return Ok(());
    };
    let group = match retry(async || store.group_named(slug).await).await? {
        Some(group) => group,
        None => {
            let key = &idempotency_key(&["group", slug.as_str()]);
            let founded = || groups::found_for_host(store, owner, &planned.draft, key);
            match retry(founded).await? {
                Found::Founded(group) => group,
                _ => return Ok(()),
            }
        }
    };
    let row = retry(async || store.group(group).await).await?;
    if row.is_none_or(|row| row.owner != Some(owner)) {
        return Ok(());
    }
    let moderators = planned.moderators.iter();
    for place in moderators.clone().chain(&planned.members) {
        if let Some(person) = site.id(*place) {
            add(
                store,
                (group, owner),
                person,
                planned.draft.settings.joining,
            )
            .await?;
        }
    }
    for person in moderators.filter_map(|place| site.id(*place)) {
        let act = GroupAct::SetRole(person, GroupRole::Moderator);
        retry(|| groups::manage(store, owner, group, act.clone())).await?;
    }
    for (author, message) in &planned.posts {
        if let Some(author) = site.member(*author) {
            post(store, group, author, message).await?;
        }
    }
    Ok(())
}

/// Posts in a group, unless the author has posted the text before.
async fn post(
    store: &Store,
    group: GroupId,
    author: &Member,
    message: &Message,
) -> store::Result<()> {
    if author.posts_by_text.contains_key(message.as_str()) {
        return Ok(());
    }
    let key = &idempotency_key(&["group post", &group.to_string(), message.as_str()]);
    let draft = || Draft {
        group: Some(group),
        ..Draft::from(message)
    };
    let posted = retry(|| statuses::post(store, author.id, draft(), key));
    posted.await.map(drop)
}

/// Makes a person a member, by the way of joining of the group.
async fn add(
    store: &Store,
    (group, owner): (GroupId, UserId),
    person: UserId,
    joining: Joining,
) -> store::Result<()> {
    if retry(async || store.group_tie(group, person).await)
        .await?
        .membership()
        .is_some()
    {
        return Ok(());
    }
    if joining == Joining::Invitation {
        let act = GroupAct::Invite(person);
        retry(|| groups::manage(store, owner, group, act.clone())).await?;
    }
    retry(|| groups::join(store, person, group)).await?;
    if joining == Joining::Request {
        let act = GroupAct::Accept(person);
        retry(|| groups::manage(store, owner, group, act.clone())).await?;
    }
    Ok(())
}
