//! Founds the groups of a plan and lets their people join.

use std::collections::HashMap;

use crate::seed::{
    dates::{age_of_groups, age_of_membership},
    jobs::{retry, run_all},
    members::SeededSite,
    plan::{PlannedGroup, idempotency_key},
};
use crate::{
    actions::groups::{self, Found},
    domain::{GroupAct, GroupId, GroupRole, Joining},
    store::{self, Actor, Store},
};

/// Founds the groups that are missing, and adds their people. A group whose owner or address is taken is left out.
/// Returns the groups by their place in the plan.
pub(in crate::seed) async fn write_groups(
    planned: &[PlannedGroup],
    site: &SeededSite<'_>,
) -> store::Result<HashMap<usize, GroupId>> {
    let write = async |(place, group)| {
        let group = write_group(group, site).await?;
        Ok::<_, store::Error>(group.map(|group| (place, group)))
    };
    let written = run_all(site.at_once, planned.iter().enumerate(), write).await?;
    Ok(written.into_iter().flatten().collect())
}

async fn write_group(
    planned: &PlannedGroup,
    site: &SeededSite<'_>,
) -> store::Result<Option<GroupId>> {
    let (store, slug) = (site.store, &planned.draft.slug);
    let Some(owner) = site.id(planned.owner) else {
        return Ok(None);
    };
    let group = match retry(async || store.group_named(slug).await).await? {
        Some(group) => group,
        None => {
            let key = &idempotency_key(&["group", slug.as_str()]);
            let actor = || Actor::dated_back(owner, age_of_groups());
            let founded = || groups::found_for_host(store, actor(), &planned.draft, key);
            match retry(founded).await? {
                Found::Founded(group) => group,
                _ => return Ok(None),
            }
        }
    };
    let row = retry(async || store.group(group).await).await?;
    if row.is_none_or(|row| row.owner != Some(owner)) {
        return Ok(None);
    }
    let joining = planned.draft.settings.joining;
    let moderators = planned.moderators.iter();
    let people = moderators.clone().chain(&planned.members);
    for (place, person) in people.enumerate() {
        if let Some(person) = site.id(*person) {
            let age = age_of_membership(place, planned);
            let [owner, person] = [owner, person].map(|id| Actor::dated_back(id, age));
            add(store, (group, joining), &owner, &person).await?;
        }
    }
    let count = planned.moderators.len() + planned.members.len();
    let owner = Actor::dated_back(owner, age_of_membership(count, planned));
    for person in moderators.filter_map(|place| site.id(*place)) {
        let act = GroupAct::SetRole(person, GroupRole::Moderator);
        retry(|| groups::manage(store, owner.clone(), group, act.clone())).await?;
    }
    Ok(Some(group))
}

/// Makes a person a member, by the way of joining of the group.
async fn add(
    store: &Store,
    (group, joining): (GroupId, Joining),
    owner: &Actor,
    person: &Actor,
) -> store::Result<()> {
    let id = person.id();
    if retry(async || store.group_tie(group, id).await)
        .await?
        .membership()
        .is_some()
    {
        return Ok(());
    }
    if joining == Joining::Invitation {
        let act = GroupAct::Invite(id);
        retry(|| groups::manage(store, owner.clone(), group, act.clone())).await?;
    }
    retry(|| groups::join(store, person.clone(), group)).await?;
    if joining == Joining::Request {
        let act = GroupAct::Accept(id);
        retry(|| groups::manage(store, owner.clone(), group, act.clone())).await?;
    }
    Ok(())
}
