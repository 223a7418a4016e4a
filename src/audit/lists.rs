//! Lists: each list and its members know of each other, home leaves out exactly the members of exclusive
//! lists, and each timeline is right. Also the lists that the person is a member of.

use std::collections::HashMap;

use super::{
    Invariant,
    edges::{check_scores, named},
    fault::{Concern, Fault, Findings, Remedy, Subject},
    timelines::check_timeline,
};
use crate::{
    domain::{ListId, Timeline, UserId},
    store::{Key, Pages, Relation, Result, Standing, Store},
};

/// Checks a person's lists, and the lists that they are a member of.
pub(super) async fn check(store: &Store, id: UserId, findings: &mut Findings) -> Result<()> {
    let mut kept_out: HashMap<UserId, u64> = HashMap::new();
    for list in store.lists(id).await? {
        let members = check_members(store, list.id, findings).await?;
        if list.exclusive {
            for member in members.into_iter().filter(|member| *member != id) {
                *kept_out.entry(member).or_default() += 1;
            }
        }
        let timeline = Timeline::List(list.id);
        check_timeline(store, timeline, store.mark(timeline).await?, findings).await?;
    }
    check_excluded(store, id, &kept_out, findings).await?;
    check_listed(store, id, findings).await
}

/// Checks that each member exists and knows of the list.
async fn check_members(
    store: &Store,
    list: ListId,
    findings: &mut Findings,
) -> Result<Vec<UserId>> {
    let place = Key::ListMembers(list);
    let mut pages = Pages::of(&place);
    let (mut all, mut last) = (Vec::new(), None);
    loop {
        let rows = store.rows(&mut pages).await?;
        if rows.is_empty() {
            return Ok(all);
        }
        check_scores(
            &place,
            &Subject::Person(list.owner),
            &rows,
            &mut last,
            findings,
        );
        findings.examined(Invariant::ListsMirror, rows.len());
        let mut members = Vec::with_capacity(rows.len());
        for (member, _) in rows {
            match member.parse::<UserId>() {
                Ok(id) => members.push(id),
                Err(_) => {
                    let what = format!("{member} is no person and stands in list {list}");
                    let remedy = Remedy::DropMember(place.clone(), member);
                    findings.found(mirror_fault(list.owner, what).repair_by(remedy));
                }
            }
        }
        let relations = members
            .iter()
            .map(|member| Relation::list_membership(list, *member));
        let known = store.are_mirrored(relations.collect()).await?;
        let standings = store.standings(&members).await?;
        for ((member, known), standing) in members.iter().zip(known).zip(standings) {
            let (what, remedy) = match standing {
                Standing::Nobody => ("who is not there", Remedy::RemoveMember(list, *member)),
                Standing::Damaged => ("who is damaged", Remedy::None),
                Standing::Person if !known => {
                    ("who does not know", Remedy::ListMembership(list, *member))
                }
                Standing::Person => continue,
            };
            let fault = mirror_fault(list.owner, format!("list {list} holds {member}, {what}"));
            let concerns = [
                Concern::ListMembership(list, *member),
                Concern::Account(*member),
            ];
            findings.found(fault.unless(concerns).repair_by(remedy));
        }
        all.extend(members);
    }
}

/// Checks that home leaves out the members of exclusive lists, counted by lists.
async fn check_excluded(
    store: &Store,
    id: UserId,
    kept_out: &HashMap<UserId, u64>,
    findings: &mut Findings,
) -> Result<()> {
    let mut pages = Pages::of(&Key::Excluded(id));
    let mut found: HashMap<String, f64> = HashMap::new();
    loop {
        let rows = store.rows(&mut pages).await?;
        if rows.is_empty() {
            break;
        }
        found.extend(rows);
    }
    findings.examined(Invariant::ListsMirror, found.len().max(kept_out.len()));
    let expected: HashMap<String, f64> = kept_out
        .iter()
        .map(|(member, lists)| (member.to_string(), *lists as f64))
        .collect();
    if found != expected {
        let what = format!("home of {id} leaves out other people than their exclusive lists hold");
        let detail = format!("{} instead of {}", found.len(), expected.len());
        let fault = mirror_fault(id, what).detail(detail);
        findings.found(fault.repair_by(Remedy::RecountExcluded(id)));
    }
    Ok(())
}

/// Checks that each list in a person's list memberships has them as a member.
async fn check_listed(store: &Store, id: UserId, findings: &mut Findings) -> Result<()> {
    let place = Key::ListMemberships(id);
    let mut pages = Pages::of(&place);
    let mut last = None;
    loop {
        let rows = store.rows(&mut pages).await?;
        if rows.is_empty() {
            return Ok(());
        }
        check_scores(&place, &Subject::Person(id), &rows, &mut last, findings);
        findings.examined(Invariant::ListsMirror, rows.len());
        let mut lists = Vec::with_capacity(rows.len());
        for (name, _) in rows {
            match name.parse::<ListId>() {
                Ok(list) => lists.push(list),
                Err(_) => {
                    let what = format!("{name} is no list and stands in {}", named(&place));
                    let remedy = Remedy::DropMember(place.clone(), name);
                    findings.found(mirror_fault(id, what).repair_by(remedy));
                }
            }
        }
        let relations = lists
            .iter()
            .map(|list| Relation::list_membership(*list, id));
        let stands = store.have_relations(relations.collect()).await?;
        for (list, _) in lists.iter().zip(stands).filter(|(_, stands)| !stands) {
            let what = format!("user {id} is said to stand in list {list}, and does not");
            let concerns = [Concern::ListMembership(*list, id), Concern::List(*list)];
            let fault = mirror_fault(id, what).unless(concerns);
            findings.found(fault.repair_by(Remedy::ListMembership(*list, id)));
        }
    }
}

fn mirror_fault(of: UserId, what: String) -> Fault {
    Fault::new(Invariant::ListsMirror, Subject::Person(of), what)
}
