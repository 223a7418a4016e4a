//! Polls: the stored counts match the votes, each vote is by a user for an existing option, and found from that user.

use crate::audit::invariants::prelude::*;

pub(in crate::audit) const POLLS_MATCH_BALLOTS: Invariant = Invariant::new(
    "polls_match_ballots",
    "the counts of polls match their ballots, each for an existing option and noted with its voter",
);

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::Statuses(statuses) => {
            let polled = statuses.iter().filter(|status| status.stored.has_poll);
            let polled: Vec<StatusId> = polled.map(|status| status.id).collect();
            check_counts(exam, &polled).await
        }
        Target::Key(Key::Ballots(of)) => check_ballots(exam, *of).await,
        Target::Key(key @ Key::Votes(_)) => check_notes(exam, key).await,
        _ => Ok(()),
    }
}

/// Checks the counts of polls, all in one round trip.
async fn check_counts(exam: &mut Examination<'_>, ids: &[StatusId]) -> Result<()> {
    exam.examined(POLLS_MATCH_BALLOTS, ids.len());
    for (id, counts) in ids.iter().zip(exam.store.poll_counts(ids).await?) {
        let Some(counts) = counts else { continue };
        let has_no_vote = counts.stored.is_empty() && counts.actual.starts_with("0 ");
        if counts.stored != counts.actual && !has_no_vote {
            let (id, name) = (*id, names::status(*id));
            let text = format!("the poll of {name} does not match its ballots");
            let detail = format!("stored {:?}, actual {:?}", counts.stored, counts.actual);
            let fault = Fault::new(POLLS_MATCH_BALLOTS, Key::Status(id), text).detail(detail);
            let words = format!("counted the ballots of {name} again");
            exam.found(fault.repair(words, move |store| async move {
                store.recount_ballots(id).await
            }));
        }
    }
    Ok(())
}

/// Checks the votes. If the poll itself is lost, that is only reported.
async fn check_ballots(exam: &mut Examination<'_>, of: StatusId) -> Result<()> {
    let key = Key::Ballots(of);
    let mut members = Members::of(POLLS_MATCH_BALLOTS, &key, "user id");
    let counts = exam.store.poll_counts(&[of]).await?.pop().flatten();
    while let Some(rows) = members.rows(exam).await? {
        let Some(counts) = &counts else {
            if exam.store.life(of).await?.is_living() {
                let text = format!("{} has ballots and no poll", names::status(of));
                exam.found(members.fault(text));
            }
            return Ok(());
        };
        for (member, choice) in rows
            .iter()
            .filter(|row| !is_ballot(row, counts.option_count))
        {
            let name = members.key_name();
            let fault = members.fault(format!("{member} has the choice {choice} in {name}"));
            exam.found(fault.repair_by(members.remove(member)));
        }
        let is_valid = |row: &&Row| is_ballot(row, counts.option_count);
        let valid = rows.iter().filter(is_valid);
        let voters: Vec<UserId> = valid.filter_map(|row| row.0.parse().ok()).collect();
        check_voters(exam, &members, of, &voters).await?;
    }
    Ok(())
}

/// Checks that a poll is noted with each of its voters.
async fn check_voters(
    exam: &mut Examination<'_>,
    members: &Members,
    of: StatusId,
    voters: &[UserId],
) -> Result<()> {
    let Life::Living(header) = exam.store.life(of).await? else {
        return Ok(());
    };
    let (status, author) = (of, header.author);
    let poll = StatusRef { status, author };
    for voter in exam.store.voters_without_note(poll, voters).await? {
        let (name, poll_name) = (names::user(voter), names::status(of));
        let fault = members.fault(format!("{name} has no note of the vote in {poll_name}"));
        let words = format!("noted the vote of {name} in {poll_name}");
        exam.found(fault.repair(words, move |store| async move {
            if !store.note_vote(voter, poll).await? {
                store.drop_ballots(&[of], voter).await?;
            }
            Ok(())
        }));
    }
    Ok(())
}

/// Checks that the notes of a voter name statuses. Superfluous notes are allowed.
async fn check_notes(exam: &mut Examination<'_>, key: &Key) -> Result<()> {
    let mut members = Members::of(POLLS_MATCH_BALLOTS, key, "status id");
    while let Some(rows) = members.rows(exam).await? {
        members.valid::<StatusId>(exam, &rows);
    }
    Ok(())
}

/// Returns whether a vote names some of these options.
fn is_ballot((member, choice): &Row, options: usize) -> bool {
    let most = f64::from((1_u32 << options) - 1);
    member.parse::<UserId>().is_ok() && (1.0..=most).contains(choice) && choice.fract() == 0.0
}
