//! List memberships: each list and its members know of each other, and home leaves out exactly the
//! members of exclusive lists.

use std::collections::{HashMap, HashSet};

use super::prelude::*;
use crate::actions::{homes, lists};

pub(super) const LIST_MEMBERSHIPS_MIRROR: Invariant = Invariant::new(
    "list_memberships_mirror",
    "lists and list memberships mirror each other, and homes exclude the members of exclusive lists",
);

pub(super) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    let Target::User(user, _) = exam.target else {
        return Ok(());
    };
    let mut excluded: HashMap<UserId, u64> = HashMap::new();
    for list in exam.store.lists(user.id).await? {
        let members = check_members(exam, list.id).await?;
        if list.exclusive {
            for member in members.into_iter().filter(|member| *member != user.id) {
                *excluded.entry(member).or_default() += 1;
            }
        }
    }
    check_excluded(exam, user.id, &excluded).await?;
    check_memberships(exam, user.id).await
}

/// Checks that each member exists and has the list in their memberships.
async fn check_members(exam: &mut Examination<'_>, list: ListId) -> Result<Vec<UserId>> {
    let key = Key::ListMembers(list);
    let mut rows = Members::of(LIST_MEMBERSHIPS_MIRROR, &key, "user id");
    let mut all = Vec::new();
    while let Some(members) = rows.related(exam).await? {
        let mirrors = members
            .iter()
            .map(|member| (Key::ListMemberships(*member), list));
        let mirrored = exam.store.contain_each(mirrors).await?;
        let states = exam.store.user_states(&members).await?;
        for ((member, mirrored), state) in members.iter().zip(mirrored).zip(states) {
            let (why, repair) = match state {
                UserState::Missing => ("who does not exist", Some(remove_missing(list, *member))),
                UserState::Incomplete => ("whose account is incomplete", None),
                UserState::Exists if !mirrored => (
                    "whose list_memberships do not contain it",
                    Some(reconcile(list, *member)),
                ),
                UserState::Exists => continue,
            };
            let (name, member_name) = (names::list(list), names::user(*member));
            let fault = rows.fault(format!("{name} has the member {member_name}, {why}"));
            let fault = fault.unless((key.clone(), member));
            exam.found(fault.unless(Key::User(*member)).repair_by(repair));
        }
        all.extend(members);
    }
    Ok(all)
}

/// Checks that home excludes the members of exclusive lists, counted by lists.
async fn check_excluded(
    exam: &mut Examination<'_>,
    id: UserId,
    expected: &HashMap<UserId, u64>,
) -> Result<()> {
    let key = Key::Excluded(id);
    let mut rows = Members::of(LIST_MEMBERSHIPS_MIRROR, &key, "user id");
    let mut found: HashMap<String, f64> = HashMap::new();
    while let Some(some) = rows.rows(exam).await? {
        found.extend(some);
    }
    let expected = expected
        .iter()
        .map(|(member, lists)| (member.to_string(), *lists as f64));
    let expected: HashMap<String, f64> = expected.collect();
    if found != expected {
        let name = names::key(&key);
        let text = format!("{name} does not match the members of their exclusive lists");
        let detail = format!("{} instead of {}", found.len(), expected.len());
        let members: HashSet<&String> = found.keys().chain(expected.keys()).collect();
        let wrong = members
            .into_iter()
            .filter(|member| found.get(*member) != expected.get(*member));
        let wrong: Vec<String> = wrong.cloned().collect();
        let words = format!("counted {name} again");
        let fault = Fault::new(LIST_MEMBERSHIPS_MIRROR, &key, text).detail(detail);
        exam.found(fault.repair(words, move |store| async move {
            let lists = store.lists(id).await?;
            let exclusive = lists.iter().filter(|list| list.exclusive);
            let exclusive: Vec<ListId> = exclusive.map(|list| list.id).collect();
            store.recount_excluded(id, &exclusive, &wrong).await?;
            homes::rebuild(&store, Timeline::Home(id), Begin::Visit).await
        }));
    }
    Ok(())
}

/// Checks that each list in a user's memberships has them as a member.
async fn check_memberships(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
    let members = Members::of(LIST_MEMBERSHIPS_MIRROR, &Key::ListMemberships(id), "list");
    let mirror = |list: &ListId| (Key::ListMembers(*list), id);
    let fault = |members: &Members, list: ListId| {
        let fault = members.wrong_member(&names::list(list), "which does not have them");
        let fault = fault.unless(Key::ListMembers(list));
        fault.repair_by(reconcile(list, id))
    };
    members.check_mirror(exam, mirror, fault).await
}

fn reconcile(list: ListId, member: UserId) -> RepairStep {
    let (list_name, member_name) = (names::list(list), names::user(member));
    let words = format!("made list_memberships of {member_name} match the members of {list_name}");
    repair::reconcile(words, Thing::ListMembership(list, member))
}

fn remove_missing(list: ListId, member: UserId) -> RepairStep {
    let words = format!("removed {} from {}", names::user(member), names::list(list));
    let repair = RepairStep::new(words, move |store| async move {
        let removed = lists::remove(&store, list.owner, list.number, member).await;
        removed.map(drop)
    });
    repair.with_effect(Effect::Orphan)
}
