//! Groups: their people and the copies with them, their counts and roles, their names and the directory.

use std::collections::BTreeSet;

use super::prelude::*;
use crate::{
    actions::groups,
    domain::{GroupNotice, GroupRole, GroupSlug, LoggedGroupAct},
    store::{Group, group_of, words_of},
};

pub(super) const GROUP_MEMBERSHIPS_MIRROR: Invariant = Invariant::new(
    "group_memberships_mirror",
    "memberships, home_groups, asked_groups and group_invitations follow from the people of the groups",
);
pub(super) const GROUPS_ARE_CONSISTENT: Invariant = Invariant::new(
    "groups_are_consistent",
    "a group has one owner and right counts, its parts are disjoint, and only members have roles and posts on the home",
);
pub(super) const GROUPS_ARE_LISTED: Invariant = Invariant::new(
    "groups_are_listed",
    "each group has its name in addresses, and the directory has exactly the listed groups with their words",
);

pub(super) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::Key(Key::GroupName(slug)) => check_name(exam, slug).await,
        Target::Key(Key::GroupWords(letter)) => check_words(exam, *letter).await,
        Target::Key(Key::GroupsListed) => check_listed(exam).await,
        Target::Key(key) => check_key_of_group(exam, key).await,
        Target::User(user, _) => check_user(exam, user.id).await,
        _ => Ok(()),
    }
}

/// Checks a key of a group that exists.
async fn check_key_of_group(exam: &mut Examination<'_>, key: &Key) -> Result<()> {
    let KeyOwner::Group(id) = key.owner() else {
        return Ok(());
    };
    let Some(group) = exam.store.group(id).await? else {
        return Ok(());
    };
    match key {
        Key::Group(_) => return check_group(exam, &group).await,
        _ if group.is_gone => return Ok(()),
        Key::GroupMembers(_) => check_people(exam, id, (key, Key::Memberships)).await?,
        Key::GroupHome(_) => check_people(exam, id, (key, Key::HomeGroups)).await?,
        Key::GroupRequests(_) => check_people(exam, id, (key, Key::AskedGroups)).await?,
        Key::GroupInvited(_) => check_people(exam, id, (key, Key::GroupInvitations)).await?,
        Key::GroupLog(_) => return check_log(exam, key).await,
        _ => {}
    }
    match key {
        Key::GroupHome(_) | Key::GroupNotified(_) => check_part(exam, id, (key, true)).await,
        Key::GroupMuted(_) => check_muted(exam, key).await,
        Key::GroupRequests(_) | Key::GroupInvited(_) | Key::GroupBanned(_) => {
            check_part(exam, id, (key, false)).await
        }
        _ => Ok(()),
    }
}

async fn check_group(exam: &mut Examination<'_>, group: &Group) -> Result<()> {
    exam.examined(GROUPS_ARE_CONSISTENT, 1);
    if group.is_gone {
        let text = format!("the group {} is not deleted yet", group.slug);
        exam.found(fault_of(GROUPS_ARE_CONSISTENT, group, text).repair_by(reconcile(group)));
        return Ok(());
    }
    check_roles(exam, group).await?;
    check_counts(exam, group).await?;
    check_place(exam, group).await
}

async fn check_log(exam: &mut Examination<'_>, key: &Key) -> Result<()> {
    let mut log = Members::of(GROUPS_ARE_CONSISTENT, key, "group act");
    while let Some(rows) = log.rows(exam).await? {
        log.check_unique(exam, &rows);
        log.valid::<LoggedGroupAct>(exam, &rows);
    }
    Ok(())
}

/// Checks that the people of a group exist and have it among their groups.
async fn check_people(
    exam: &mut Examination<'_>,
    group: GroupId,
    (key, mirror): (&Key, fn(UserId) -> Key),
) -> Result<()> {
    let mut rows = Members::of(GROUP_MEMBERSHIPS_MIRROR, key, "user id");
    while let Some(people) = rows.related::<UserId>(exam).await? {
        let mirrors = people.iter().map(|person| (mirror(*person), group));
        let mirrored = exam.store.contain_each(mirrors).await?;
        let states = exam.store.user_states(&people).await?;
        for ((person, mirrored), state) in people.into_iter().zip(mirrored).zip(states) {
            let (why, repair) = match state {
                UserState::Missing => ("who does not exist", Some(remove_missing(group, person))),
                UserState::Incomplete => ("whose account is incomplete", None),
                UserState::Exists if mirrored => continue,
                UserState::Exists => {
                    let step = reconcile_member(group, person);
                    ("whose own groups do not say so", Some(step))
                }
            };
            let name = names::user(person);
            let text = format!("{} has {name}, {why}", rows.key_name());
            let fault = rows.fault(text).unless(Key::User(person));
            let fault = fault.unless((Key::GroupMembers(group), person));
            exam.found(fault.repair_by(repair));
        }
    }
    Ok(())
}

/// Checks that mutes are of people. A mute outlasts the membership.
async fn check_muted(exam: &mut Examination<'_>, key: &Key) -> Result<()> {
    let mut rows = Members::of(GROUPS_ARE_CONSISTENT, key, "user id");
    while let Some(some) = rows.rows(exam).await? {
        rows.valid::<UserId>(exam, &some);
    }
    Ok(())
}

/// Checks that only members have a delivery, or that no member asks, is invited or is banned.
async fn check_part(
    exam: &mut Examination<'_>,
    group: GroupId,
    (key, of_members): (&Key, bool),
) -> Result<()> {
    let mut rows = Members::of(GROUPS_ARE_CONSISTENT, key, "user id");
    while let Some(some) = rows.rows(exam).await? {
        let people: Vec<UserId> = rows.valid(exam, &some);
        let members = people
            .iter()
            .map(|person| (Key::GroupMembers(group), *person));
        let are_members = exam.store.contain_each(members).await?;
        for (person, is_member) in people.into_iter().zip(are_members) {
            if is_member == of_members {
                continue;
            }
            let why = match of_members {
                true => "who is no member",
                false => "who is a member",
            };
            let fault = rows.wrong_member(&names::user(person), why);
            let fault = fault.unless((Key::GroupMembers(group), person));
            exam.found(fault.repair_by(rows.remove(person)));
        }
    }
    Ok(())
}

/// Checks that the owner is the one member with that role.
async fn check_roles(exam: &mut Examination<'_>, group: &Group) -> Result<()> {
    let roles = exam.store.group_roles(group.id).await?;
    let owners = roles.iter().filter(|(_, role)| **role == GroupRole::Owner);
    let owners: Vec<UserId> = owners.map(|(person, _)| *person).collect();
    if group.owner.map(|owner| vec![owner]) != Some(owners) {
        let text = format!("the group {} has no owner, or another one", group.slug);
        exam.found(fault_of(GROUPS_ARE_CONSISTENT, group, text));
    }
    let people: Vec<UserId> = roles.into_keys().collect();
    let members = people
        .iter()
        .map(|person| (Key::GroupMembers(group.id), *person));
    let are_members = exam.store.contain_each(members).await?;
    if are_members.contains(&false) {
        let text = format!(
            "the group {} has a role of a person who is no member",
            group.slug
        );
        exam.found(fault_of(GROUPS_ARE_CONSISTENT, group, text));
    }
    Ok(())
}

async fn check_counts(exam: &mut Examination<'_>, group: &Group) -> Result<()> {
    let id = group.id;
    let members = exam.store.cardinality(&Key::GroupMembers(id)).await?;
    let requests = exam.store.cardinality(&Key::GroupRequests(id)).await?;
    if (group.members, group.requests) == (members, requests) {
        return Ok(());
    }
    let text = format!("the counts of the group {} are wrong", group.slug);
    let words = format!("counted the people of the group {} again", group.slug);
    let fault = fault_of(GROUPS_ARE_CONSISTENT, group, text);
    exam.found(fault.repair(
        words,
        move |store| async move { store.recount_group(id).await },
    ));
    Ok(())
}

/// Checks the name in addresses and the place in the directory.
async fn check_place(exam: &mut Examination<'_>, group: &Group) -> Result<()> {
    exam.examined(GROUPS_ARE_LISTED, 1);
    let holder = exam.store.group_named(&group.slug).await?;
    if holder != Some(group.id) {
        let text = format!("the name {} does not lead to its group", group.slug);
        let fault = fault_of(GROUPS_ARE_LISTED, group, text);
        let repair = holder.is_none().then(|| reconcile(group));
        exam.found(fault.repair_by(repair));
    }
    let words = match group.is_listed() {
        true => words_of(group),
        false => BTreeSet::new(),
    };
    let (is_listed, has_words) = exam.store.are_group_words_entered(group.id, &words).await?;
    if is_listed != group.is_listed() || !has_words {
        let text = format!("the directory and the group {} differ", group.slug);
        exam.found(fault_of(GROUPS_ARE_LISTED, group, text).repair_by(reconcile(group)));
    }
    Ok(())
}

/// Checks that a name leads to the group that has it.
async fn check_name(exam: &mut Examination<'_>, slug: &GroupSlug) -> Result<()> {
    exam.examined(GROUPS_ARE_LISTED, 1);
    let Some(id) = exam.store.group_named(slug).await? else {
        return Ok(());
    };
    let group = exam.store.group(id).await?;
    if group.is_some_and(|group| group.slug == *slug) {
        return Ok(());
    }
    let text = format!("the name {slug} leads to no group of that name");
    let fault = Fault::new(GROUPS_ARE_LISTED, Key::GroupName(slug.clone()), text);
    let fault = fault
        .unless(Key::Group(id))
        .unless(Key::GroupName(slug.clone()));
    let words = format!("freed the name {slug}");
    exam.found(fault.repair_by(repair::reconcile(words, Thing::Group(id, slug.clone()))));
    Ok(())
}

/// Checks that each entry is a word of a listed group.
async fn check_words(exam: &mut Examination<'_>, letter: char) -> Result<()> {
    let key = Key::GroupWords(letter);
    let mut rows = Members::of(GROUPS_ARE_LISTED, &key, "group word");
    while let Some(entries) = rows.rows(exam).await? {
        for (entry, _) in entries {
            let word = entry.rsplit_once(' ').map(|(word, _)| word.to_owned());
            let id = group_of(&entry);
            let group = match id {
                Some(id) => exam.store.group(id).await?,
                None => None,
            };
            let is_right = group
                .zip(word)
                .is_some_and(|(group, word)| group.is_listed() && words_of(&group).contains(&word));
            if is_right {
                continue;
            }
            let fault =
                rows.wrong_member(&format!("{entry:?}"), "which is no word of a listed group");
            let fault = match id {
                Some(id) => fault.unless(Key::Group(id)),
                None => fault,
            };
            exam.found(fault.repair_by(rows.remove(&entry)));
        }
    }
    Ok(())
}

/// Checks that the directory has listed groups only.
async fn check_listed(exam: &mut Examination<'_>) -> Result<()> {
    let mut rows = Members::of(GROUPS_ARE_LISTED, &Key::GroupsListed, "group id");
    while let Some(ids) = rows.related::<GroupId>(exam).await? {
        for id in ids {
            let group = exam.store.group(id).await?;
            if group.is_some_and(|group| group.is_listed()) {
                continue;
            }
            let fault = rows.wrong_member(&format!("the group {id}"), "which is not listed");
            exam.found(fault.unless(Key::Group(id)).repair_by(rows.remove(id)));
        }
    }
    Ok(())
}

/// Checks that the groups of a user have them, and that the notices can be read.
async fn check_user(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
    for (key, truth) in [
        (
            Key::Memberships(id),
            Key::GroupMembers as fn(GroupId) -> Key,
        ),
        (Key::HomeGroups(id), Key::GroupHome),
        (Key::AskedGroups(id), Key::GroupRequests),
        (Key::GroupInvitations(id), Key::GroupInvited),
    ] {
        let mut rows = Members::of(GROUP_MEMBERSHIPS_MIRROR, &key, "group id");
        while let Some(some) = rows.rows(exam).await? {
            let groups: Vec<GroupId> = rows.valid(exam, &some);
            let entry = |group: &GroupId| (truth(*group), id);
            for group in exam.without_entry(groups, entry).await? {
                let why = "which does not have them";
                let fault = rows.wrong_member(&format!("the group {group}"), why);
                let fault = fault.unless((Key::GroupMembers(group), id));
                let fault = fault.unless(Key::Group(group));
                exam.found(fault.repair_by(reconcile_member(group, id)));
            }
        }
    }
    let key = Key::GroupNotices(id);
    let mut notices = Members::of(GROUP_MEMBERSHIPS_MIRROR, &key, "group notice");
    while let Some(rows) = notices.rows(exam).await? {
        notices.check_unique(exam, &rows);
        notices.valid::<GroupNotice>(exam, &rows);
    }
    Ok(())
}

fn fault_of(invariant: Invariant, group: &Group, text: String) -> Fault {
    Fault::new(invariant, Key::Group(group.id), text).unless(Key::Group(group.id))
}

fn reconcile(group: &Group) -> RepairStep {
    let words = format!("reconciled the group {}", group.slug);
    repair::reconcile(words, Thing::Group(group.id, group.slug.clone()))
}

fn reconcile_member(group: GroupId, person: UserId) -> RepairStep {
    let name = names::user(person);
    let words = format!("made the groups of {name} match the group {group}");
    repair::reconcile(words, Thing::GroupMember(group, person))
}

fn remove_missing(group: GroupId, person: UserId) -> RepairStep {
    let words = format!("removed {} from the group {group}", names::user(person));
    let repair = RepairStep::new(words, move |store| async move {
        groups::go(&store, person, group).await
    });
    repair.with_effect(Effect::Orphan)
}
