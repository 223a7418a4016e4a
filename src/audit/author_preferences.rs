//! Author preferences: more or less, and only for followed people.

use std::collections::HashSet;

use super::{
    Invariant,
    fault::{Fault, Findings, Remedy, Subject},
};
use crate::{
    domain::{AuthorPreference, UserId},
    store::{Relation, Result, Store},
};

/// Checks a person's author preferences. They share a slot with the follows and change in one step, so a
/// disagreement seen twice is a fault, whatever is under way.
pub(super) async fn check(store: &Store, id: UserId, findings: &mut Findings) -> Result<()> {
    let rows = store.preference_rows(id).await?;
    findings.examined(Invariant::WeightsAreOfTheFollowed, rows.len());
    let people: Vec<UserId> = rows.keys().filter_map(|of| of.parse().ok()).collect();
    let follows = people.iter().map(|of| Relation::follow(id, *of));
    let followed = store.have_relations(follows.collect()).await?;
    let followed = people.into_iter().zip(followed);
    let followed: HashSet<UserId> = followed
        .filter_map(|(of, follows)| follows.then_some(of))
        .collect();
    for (of, weight) in rows {
        let of_followed = of.parse().is_ok_and(|of| followed.contains(&of));
        let what = match weight.parse() {
            Ok(AuthorPreference::More | AuthorPreference::Less) if of_followed => continue,
            Ok(AuthorPreference::More | AuthorPreference::Less) => "whom they do not follow",
            Ok(AuthorPreference::Normal) | Err(_) => "in no way that there is",
        };
        let fault = Fault::new(
            Invariant::WeightsAreOfTheFollowed,
            Subject::Person(id),
            format!("user {id} weighs {of}, {what}"),
        );
        let fault = fault.detail(format!("{weight:?}"));
        findings.found(fault.repair_by(Remedy::DropWeight(id, of)));
    }
    Ok(())
}
