//! Reposts and quotes: the claim, the repost and its original agree, and reposts of dead statuses are
//! dead. Quotes of dead statuses stay.

use std::str::FromStr;

use crate::audit::invariants::prelude::*;

pub(in crate::audit) const REPOSTS_MIRROR: Invariant = Invariant::new(
    "reposts_mirror",
    "reposts and quotes are listed under living originals",
);

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::User(user, _) => check_own(exam, user.id).await,
        Target::Statuses(statuses) => check_statuses(exam, statuses).await,
        Target::Key(key @ Key::RepostedBy(of)) => check_reposted_by(exam, key, *of).await,
        Target::Key(key @ Key::Quotes(of)) => check_quotes(exam, key, *of).await,
        _ => Ok(()),
    }
}

/// Checks the claims of a user's reposts without a comment.
async fn check_own(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
    let key = Key::OwnReposts(id);
    let mut members = Members::of(REPOSTS_MIRROR, &key, "repost");
    while let Some(claims) = pairs::<StatusId>(exam, &mut members).await? {
        for (original, repost, life) in claims {
            let is_repost = |status: StatusHeader| {
                let of = status.repost_of.map(|origin| origin.status);
                status.author == id && of == Some(original)
            };
            if !life.living().is_some_and(is_repost) {
                let (name, original_name) = (members.key_name(), names::status(original));
                let why = format!("but {} is no such repost", names::status(repost));
                let fault = members.wrong_member(&original_name, &why);
                let fault = fault.unless((Key::OwnReposts(id), original));
                let words = format!("made the reposts of {original_name} match {name}");
                let repair = repair::reconcile(words, Thing::Repost(id, original));
                exam.found(fault.unless(Key::Status(repost)).repair_by(repair));
            }
        }
    }
    Ok(())
}

async fn check_statuses(exam: &mut Examination<'_>, statuses: &[ExaminedStatus]) -> Result<()> {
    let living = statuses.iter().filter_map(|status| match &status.life {
        Life::Living(header) => Some((status.id, header, header.original()?.status)),
        _ => None,
    });
    let living: Vec<(StatusId, &StatusHeader, StatusId)> = living.collect();
    exam.examined(REPOSTS_MIRROR, living.len());
    let originals: Vec<StatusId> = living.iter().map(|(_, _, original)| *original).collect();
    let lives = exam.store.lives(&originals).await?;
    let claims = living
        .iter()
        .map(|(_, header, of)| (Key::OwnReposts(header.author), of.get()));
    let claims = exam.store.member_scores(claims).await?;
    let mirrors = living
        .iter()
        .map(|(id, header, of)| match header.repost_of {
            Some(_) => (Key::RepostedBy(*of), header.author.get()),
            None => (Key::Quotes(*of), id.get()),
        });
    let mirrors = exam.store.member_scores(mirrors).await?;
    let found = living.into_iter().zip(lives).zip(claims).zip(mirrors);
    for ((((id, header, original), life), claim), mirror) in found {
        let is = |score: Option<f64>| score.and_then(StatusId::of_score) == Some(id);
        let why = if !life.is_living() && header.quote_of.is_some() {
            continue;
        } else if !life.is_living() {
            "which is deleted"
        } else if !is(mirror) {
            "where it is not listed"
        } else if header.repost_of.is_some() && !is(claim) {
            "but own_reposts of its author name another"
        } else {
            continue;
        };
        let (name, original_name) = (names::status(id), names::status(original));
        let text = format!("{name} reposts {original_name}, {why}");
        let fault = Fault::new(REPOSTS_MIRROR, Key::Status(id), text)
            .unless(Key::Status(id))
            .unless(Key::Status(original))
            .unless((Key::OwnReposts(header.author), original));
        exam.found(fault.repair_by(repair::reconcile_status(id)));
    }
    Ok(())
}

async fn check_reposted_by(exam: &mut Examination<'_>, key: &Key, of: StatusId) -> Result<()> {
    let mut members = Members::of(REPOSTS_MIRROR, key, "repost");
    while let Some(reposts) = pairs(exam, &mut members).await? {
        for (by, id, life) in reposts {
            let header = life.living().filter(|header| header.author == by);
            let original = header.and_then(|header| header.repost_of);
            if original.is_none_or(|original| original.status != of) {
                exam.found(not_a_repost(&members, of, id, Some(by)));
            }
        }
    }
    Ok(())
}

async fn check_quotes(exam: &mut Examination<'_>, key: &Key, of: StatusId) -> Result<()> {
    let mut members = Members::of(REPOSTS_MIRROR, key, "quote");
    while let Some(quotes) = pairs::<StatusId>(exam, &mut members).await? {
        for (member, id, life) in quotes {
            let original = life.living().and_then(|header| header.quote_of);
            if member != id {
                exam.found(members.invalid(&member.to_string()));
            } else if original.is_none_or(|original| original.status != of) {
                exam.found(not_a_repost(&members, of, id, None));
            }
        }
    }
    Ok(())
}

fn not_a_repost(members: &Members, of: StatusId, id: StatusId, by: Option<UserId>) -> Fault {
    let (name, repost) = (members.key_name(), names::status(id));
    let text = format!("{name} contains {repost}, which is no repost of it");
    let fault = members
        .fault(text)
        .unless(Key::Status(id))
        .unless(Key::Status(of));
    let words = format!("removed {repost} from {name}");
    fault.repair(words, move |store| async move {
        store.forget_repost(of, id, by).await
    })
}

/// Returns the next members, with the statuses whose ids their scores negate. `None` at the end.
async fn pairs<Id: FromStr>(
    exam: &mut Examination<'_>,
    members: &mut Members,
) -> Result<Option<Vec<(Id, StatusId, Life)>>> {
    let Some(rows) = members.rows(exam).await? else {
        return Ok(None);
    };
    let (mut valid, mut ids) = (Vec::new(), Vec::new());
    for (member, score) in &rows {
        match (member.parse(), StatusId::of_score(*score)) {
            (Ok(member), Some(id)) => {
                valid.push(member);
                ids.push(id);
            }
            _ => exam.found(members.invalid(member)),
        }
    }
    let lives = exam.store.lives(&ids).await?;
    let found = valid.into_iter().zip(ids).zip(lives);
    Ok(Some(
        found
            .map(|((member, id), life)| (member, id, life))
            .collect(),
    ))
}
