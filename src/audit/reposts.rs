//! Reposts: the claim, the repost and its original agree, and reposts of dead statuses are dead. Also
//! hidden reposts, which are of followed people only.

use super::{
    Invariant,
    edges::named,
    fault::{Concern, Fault, Findings, Remedy, Subject},
};
use crate::{
    domain::{StatusHeader, StatusId, UserId},
    store::{Key, Life, Pages, Relation, Result, Row, Store},
};

/// Checks a person's reposts without a comment, and their hidden reposts.
pub(super) async fn check(store: &Store, id: UserId, findings: &mut Findings) -> Result<()> {
    let place = Key::OwnReposts(id);
    let subject = Subject::Person(id);
    let mut pages = Pages::of(&place);
    loop {
        let rows = store.rows(&mut pages).await?;
        if rows.is_empty() {
            break;
        }
        let claims: Vec<(StatusId, StatusId)> = pairs(&place, &subject, &rows, findings);
        let ids: Vec<StatusId> = claims.iter().map(|(_, id)| *id).collect();
        for ((original, repost), life) in claims.into_iter().zip(store.lives(&ids).await?) {
            let reposts = |status: StatusHeader| {
                let of = status.repost_of.map(|origin| origin.status);
                status.author == id && of == Some(original)
            };
            if !life.living().is_some_and(reposts) {
                let what = format!("user {id} reposts {original} by {repost}, which does not");
                let fault = Fault::new(Invariant::RepostsAgree, subject.clone(), what);
                let concerns = [Concern::Repost(id, original), Concern::Status(repost)];
                findings.found(
                    fault
                        .unless(concerns)
                        .repair_by(Remedy::Repost(id, original)),
                );
            }
        }
    }
    check_hidden(store, id, findings).await
}

async fn check_hidden(store: &Store, id: UserId, findings: &mut Findings) -> Result<()> {
    let place = Key::HiddenReposts(id);
    let mut pages = Pages::of(&place);
    loop {
        let rows = store.rows(&mut pages).await?;
        if rows.is_empty() {
            return Ok(());
        }
        findings.examined(Invariant::RepostsAgree, rows.len());
        let people = rows.iter().filter_map(|(member, _)| member.parse().ok());
        let people: Vec<UserId> = people.collect();
        let relations = people.iter().map(|person| Relation::follow(id, *person));
        let follows = store.have_relations(relations.collect()).await?;
        let followed = people.iter().zip(follows).filter(|(_, follows)| *follows);
        let followed: Vec<String> = followed.map(|(person, _)| person.to_string()).collect();
        for (member, _) in rows.iter().filter(|(member, _)| !followed.contains(member)) {
            let what = format!("user {id} hides the reposts of {member}, and does not follow them");
            let fault = Fault::new(Invariant::RepostsAgree, Subject::Person(id), what);
            findings.found(fault.repair_by(Remedy::DropMember(place.clone(), member.clone())));
        }
    }
}

/// Checks living reposts and quotes.
pub(super) async fn check_living(
    store: &Store,
    ids: &[StatusId],
    findings: &mut Findings,
) -> Result<()> {
    findings.examined(Invariant::RepostsAgree, ids.len());
    let living = ids.iter().zip(store.lives(ids).await?);
    let living: Vec<(StatusId, StatusHeader)> = living
        .filter_map(|(id, life)| Some((*id, life.living()?)))
        .collect();
    let originals: Vec<StatusId> = living
        .iter()
        .map(|(id, status)| status.original().map_or(*id, |origin| origin.status))
        .collect();
    let lives = store.lives(&originals).await?;
    let held = store.held_as_each(&living).await?;
    let mirrored = store.mirrored_as_each(&living).await?;
    for (at, (id, status)) in living.iter().enumerate() {
        let what = if !lives[at].is_living() {
            "which is dead"
        } else if mirrored[at] != Some(*id) {
            "which does not know"
        } else if status.repost_of.is_some() && held[at] != Some(*id) {
            "and its author does by another"
        } else {
            continue;
        };
        let original = originals[at];
        let fault = Fault::new(
            Invariant::RepostsAgree,
            Subject::Status(*id),
            format!("status {id} reposts {original}, {what}"),
        );
        let concerns = [
            Concern::Status(*id),
            Concern::Status(original),
            Concern::Repost(status.author, original),
        ];
        findings.found(fault.unless(concerns).repair_by(Remedy::Status(*id)));
    }
    Ok(())
}

/// Checks the reposts and quotes listed under a status.
pub(super) async fn check_reposts(store: &Store, of: StatusId) -> Result<Findings> {
    let mut findings = Findings::default();
    let subject = Subject::Reposts(of);
    for place in [Key::RepostedBy(of), Key::Quotes(of)] {
        let mut pages = Pages::of(&place);
        loop {
            let rows = store.rows(&mut pages).await?;
            if rows.is_empty() {
                break;
            }
            let reposts: Vec<(UserId, StatusId)> = pairs(&place, &subject, &rows, &mut findings);
            let ids: Vec<StatusId> = reposts.iter().map(|(_, id)| *id).collect();
            for ((member, id), life) in reposts.into_iter().zip(store.lives(&ids).await?) {
                let by = matches!(place, Key::RepostedBy(_)).then_some(member);
                if by.is_none() && member.get() != id.get() {
                    let what = format!("{member} has a wrong place in {}", named(&place));
                    let fault = Fault::new(Invariant::RepostsAgree, subject.clone(), what);
                    let remedy = Remedy::DropMember(place.clone(), member.to_string());
                    findings.found(fault.repair_by(remedy));
                } else if !does_repost(of, by, life) {
                    let what = format!("status {of} is said to be reposted by {id}, and is not");
                    let fault = Fault::new(Invariant::RepostsAgree, subject.clone(), what);
                    let fault = fault.unless([Concern::Status(id), Concern::Status(of)]);
                    findings.found(fault.repair_by(Remedy::ForgetRepost(of, id, by)));
                }
            }
        }
    }
    Ok(findings)
}

/// Returns whether a status is a repost of another: a person's without a comment, or a quote.
fn does_repost(of: StatusId, by: Option<UserId>, life: Life) -> bool {
    let Some(status) = life.living() else {
        return false;
    };
    let original = match by {
        Some(by) => status.repost_of.filter(|_| status.author == by),
        None => status.quote_of,
    };
    original.is_some_and(|original| original.status == of)
}

/// Returns the members with the ids that their scores negate.
fn pairs<Id: std::str::FromStr>(
    place: &Key,
    subject: &Subject,
    rows: &[Row],
    findings: &mut Findings,
) -> Vec<(Id, StatusId)> {
    findings.examined(Invariant::RepostsAgree, rows.len());
    let mut pairs = Vec::with_capacity(rows.len());
    for (member, score) in rows {
        match (member.parse(), StatusId::of_score(*score)) {
            (Ok(member), Some(id)) => pairs.push((member, id)),
            _ => {
                let what = format!("{member} stands in {} without a repost", named(place));
                let fault = Fault::new(Invariant::RepostsAgree, subject.clone(), what);
                findings.found(fault.repair_by(Remedy::DropMember(place.clone(), member.clone())));
            }
        }
    }
    pairs
}
