//! Polls: the stored counts match the votes, and each vote is by a person for an existing option.

use super::{
    Invariant,
    fault::{Fault, Findings, Remedy, Subject},
};
use crate::{
    domain::{StatusId, UserId},
    store::{Key, Pages, Result, Row, Store},
};

/// Checks the counts of polls, all in one round trip.
pub(super) async fn check(store: &Store, ids: &[StatusId], findings: &mut Findings) -> Result<()> {
    findings.examined(Invariant::PollsAddUp, ids.len());
    for (id, count) in ids.iter().zip(store.counts_of_ballots(ids).await?) {
        let Some(count) = count else { continue };
        let nobody = count.says.is_empty() && count.is.starts_with("0 ");
        if count.says != count.is && !nobody {
            let what = format!("the poll of status {id} says what its ballots do not");
            let detail = format!("says {}, is {}", count.says, count.is);
            let fault = Fault::new(Invariant::PollsAddUp, Subject::Status(*id), what);
            findings.found(fault.detail(detail).repair_by(Remedy::RecountBallots(*id)));
        }
    }
    Ok(())
}

/// Checks the votes. If the poll itself is lost, that is only reported.
pub(super) async fn check_ballots(store: &Store, of: StatusId) -> Result<Findings> {
    let mut findings = Findings::default();
    let place = Key::Ballots(of);
    let fault = |what| Fault::new(Invariant::PollsAddUp, Subject::Ballots(of), what);
    let mut pages = Pages::of(&place);
    let count = store.counts_of_ballots(&[of]).await?.pop().flatten();
    loop {
        let rows = store.rows(&mut pages).await?;
        findings.examined(Invariant::PollsAddUp, rows.len());
        let Some(count) = &count else {
            let lost = !rows.is_empty() && store.life(of).await?.is_living();
            if lost {
                findings.found(fault(format!("status {of} has ballots and no poll")));
            }
            return Ok(findings);
        };
        if rows.is_empty() {
            return Ok(findings);
        }
        let wrong = rows.iter().filter(|row| !is_ballot(row, count.options));
        for (member, chosen) in wrong {
            let what = format!("{member} chose {chosen} in the poll of status {of}");
            let remedy = Remedy::DropMember(place.clone(), member.clone());
            findings.found(fault(what).repair_by(remedy));
        }
    }
}

/// Returns whether a vote names some of these options.
fn is_ballot((member, chosen): &Row, options: usize) -> bool {
    let most = f64::from((1_u32 << options) - 1);
    member.parse::<UserId>().is_ok() && (1.0..=most).contains(chosen) && chosen.fract() == 0.0
}
