//! Tag follows: followed tags and tag followers mirror each other.

use super::{
    Invariant,
    edges::{check_scores, named},
    fault::{Concern, Fault, Findings, Remedy, Subject},
};
use crate::{
    domain::{FoldedTag, UserId},
    store::{Key, Pages, Relation, Result, Row, Store},
};

/// Checks the tags that a person follows: each is valid and lists the person.
pub(super) async fn check(store: &Store, id: UserId, findings: &mut Findings) -> Result<()> {
    let place = Key::FollowedTags(id);
    let subject = Subject::Person(id);
    let mut pages = Pages::of(&place);
    let mut last = None;
    loop {
        let rows = store.rows(&mut pages).await?;
        if rows.is_empty() {
            return Ok(());
        }
        check_scores(&place, &subject, &rows, &mut last, findings);
        let tags: Vec<FoldedTag> = members(&place, &subject, &rows, findings, FoldedTag::stored);
        let relations = tags.iter().map(|tag| Relation::tag_follow(id, tag));
        let known = store.are_mirrored(relations.collect()).await?;
        for (tag, _) in tags.iter().zip(known).filter(|(_, known)| !known) {
            let what = format!("user {id} follows tag {tag}, which does not know");
            findings.found(fault(subject.clone(), what, id, tag));
        }
    }
}

/// Checks the listed followers of a tag: each follows it.
pub(super) async fn check_tag_followers(store: &Store, tag: &FoldedTag) -> Result<Findings> {
    let mut findings = Findings::default();
    let place = Key::TagFollowers(tag.clone());
    let subject = Subject::TagFollowers(tag.clone());
    let mut pages = Pages::of(&place);
    let mut last = None;
    loop {
        let rows = store.rows(&mut pages).await?;
        if rows.is_empty() {
            return Ok(findings);
        }
        check_scores(&place, &subject, &rows, &mut last, &mut findings);
        let people = members(&place, &subject, &rows, &mut findings, |id| id.parse().ok());
        let relations = people.iter().map(|id| Relation::tag_follow(*id, tag));
        let follow = store.have_relations(relations.collect()).await?;
        for (id, _) in people.iter().zip(follow).filter(|(_, follows)| !follows) {
            let what = format!("user {id} is said to follow tag {tag}, and does not");
            findings.found(fault(subject.clone(), what, *id, tag));
        }
    }
}

/// Returns the valid members and removes the others.
fn members<T>(
    place: &Key,
    subject: &Subject,
    rows: &[Row],
    findings: &mut Findings,
    parse: impl Fn(&str) -> Option<T>,
) -> Vec<T> {
    findings.examined(Invariant::TagsMirror, rows.len());
    let mut all = Vec::with_capacity(rows.len());
    for (member, _) in rows {
        match parse(member) {
            Some(one) => all.push(one),
            None => {
                let what = format!("{member} is nothing to stand in {}", named(place));
                let fault = Fault::new(Invariant::TagsMirror, subject.clone(), what);
                findings.found(fault.repair_by(Remedy::DropMember(place.clone(), member.clone())));
            }
        }
    }
    all
}

fn fault(subject: Subject, what: String, who: UserId, tag: &FoldedTag) -> Fault {
    Fault::new(Invariant::TagsMirror, subject, what)
        .unless([Concern::TagFollow(who, tag.clone())])
        .repair_by(Remedy::TagFollow(who, tag.clone()))
}
