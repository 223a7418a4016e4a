//! Reports, decisions and roles: the queue and the list of the people who run the site follow from them, and reports
//! can be read.

use super::prelude::*;
use crate::{
    actions::moderation,
    store::{Case, QueuePlaces, SuspensionRecord},
};

pub(super) const CASES_ARE_QUEUED: Invariant = Invariant::new(
    "cases_are_queued",
    "the queue holds exactly the people with open reports, open appeals and closed reports",
);
pub(super) const ROLES_MIRROR: Invariant = Invariant::new(
    "roles_mirror",
    "the list of the people who run the site has exactly their roles",
);
pub(super) const POST_MARKS_MATCH: Invariant = Invariant::new(
    "post_marks_match",
    "a living post is hidden or has a warning by the moderators exactly while a decision about its author says so, and \
     waits for them only while a report says so",
);
pub(super) const MEASURES_ARE_IN_FORCE: Invariant = Invariant::new(
    "measures_are_in_force",
    "an account is limited, frozen or suspended exactly while a decision about its person says so",
);
pub(super) const REPORTS_ARE_READABLE: Invariant = Invariant::new(
    "reports_are_readable",
    "each open or closed report can be read",
);

pub(super) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::User(user, _) => {
            check_role(exam, user).await?;
            check_case(exam, user).await
        }
        Target::Key(key @ (Key::AdminReports | Key::AdminAppeals | Key::AdminClosedReports)) => {
            check_queue(exam, key).await
        }
        _ => Ok(()),
    }
}

async fn check_role(exam: &mut Examination<'_>, user: &UserSnapshot) -> Result<()> {
    exam.examined(ROLES_MIRROR, 1);
    if exam.store.mirrored_role(user.id).await? == user.role {
        return Ok(());
    }
    let name = names::user(user.id);
    let text = format!("{name} has another role in the list of the people who run the site");
    let fault = Fault::new(ROLES_MIRROR, Key::User(user.id), text).unless(Key::User(user.id));
    let words = format!("copied the role of {name}");
    exam.found(fault.repair_by(repair::reconcile(words, Thing::Role(user.id))));
    Ok(())
}

async fn check_case(exam: &mut Examination<'_>, user: &UserSnapshot) -> Result<()> {
    let id = user.id;
    exam.examined(CASES_ARE_QUEUED, 1);
    let case = exam.store.case(id).await?;
    let name = names::user(id);
    if exam.store.queue_places(id).await? != QueuePlaces::of(&case) {
        let text = format!("{name} has a wrong place in the queue of reports");
        let fault = Fault::new(CASES_ARE_QUEUED, Key::Case(id), text).unless(Key::Case(id));
        let words = format!("corrected the place of {name} in the queue of reports");
        exam.found(fault.repair_by(repair::reconcile(words, Thing::Case(id))));
    }
    check_measures(exam, user, &case).await?;
    check_post_marks(exam, &case).await?;
    let filed = exam.store.filed_reports(id, &case.reports).await?;
    exam.examined(REPORTS_ARE_READABLE, filed.len());
    let states = [Key::OpenReports(id), Key::ClosedReports(id)];
    let counted = exam.store.member_counts(&states).await?;
    if counted.iter().sum::<usize>() != filed.len() {
        let text = format!("a report about {name} cannot be read");
        let fault = Fault::new(REPORTS_ARE_READABLE, Key::Case(id), text);
        exam.found(fault.unless(Key::Case(id)));
    }
    Ok(())
}

/// Compares the state of an account with the decisions. They change in one step, so a difference is a fault.
async fn check_measures(
    exam: &mut Examination<'_>,
    user: &UserSnapshot,
    case: &Case,
) -> Result<()> {
    exam.examined(MEASURES_ARE_IN_FORCE, 1);
    if user.leaving == Leaving::Now {
        return Ok(());
    }
    let id = case.subject;
    let now = exam.store.now().await?;
    let standing = case.standing_measures(now);
    let until = user.frozen.as_ref().and_then(|until| until.parse().ok());
    let frozen_until = until.map(UnixMs).filter(|until| *until > now);
    let suspended = (standing.suspension, case.is_suspended);
    let what = match suspended {
        (SuspensionRecord::InForce, false) => "is not suspended, although a decision says so",
        (SuspensionRecord::Ended, true) => "is suspended, although the decision was taken back",
        _ if user.is_limited && !standing.is_limited => "is limited, although no decision says so",
        _ if user.is_limited != standing.is_limited => {
            "is not limited, although a decision says so"
        }
        _ if frozen_until == standing.frozen_until => return Ok(()),
        _ if standing.frozen_until.is_none() => "is frozen, although no decision says so",
        _ => "is not frozen until the time that a decision says",
    };
    let name = names::user(id);
    let fault = Fault::new(
        MEASURES_ARE_IN_FORCE,
        Key::User(id),
        format!("{name} {what}"),
    );
    let words = format!("brought the state of {name} in line with the decisions");
    exam.found(fault.repair(words, move |store| async move {
        moderation::repair_measures(&store, id).await
    }));
    Ok(())
}

/// Checks the posts about which there are decisions. Nothing else marks a post.
async fn check_post_marks(exam: &mut Examination<'_>, case: &Case) -> Result<()> {
    let posts = case.post_marks();
    exam.examined(POST_MARKS_MATCH, posts.len());
    let ids: Vec<StatusId> = posts.keys().copied().collect();
    let now = exam.store.post_marks(&ids).await?;
    for ((id, marks), now) in posts.into_iter().zip(now) {
        let Some(now) = now.filter(|now| !now.follows(&marks)) else {
            continue;
        };
        let name = names::status(id);
        let text = match (marks.is_hidden, now.is_hidden) {
            (true, false) => format!("{name} is shown, although a decision hides it"),
            (false, true) => format!("{name} is hidden, although no decision says so"),
            _ if now.is_waiting && !marks.is_waiting => {
                format!("{name} waits for a moderator, although one has approved it")
            }
            _ => format!("{name} has another warning than the decisions say"),
        };
        let key = Key::Case(case.subject);
        let fault = Fault::new(POST_MARKS_MATCH, key.clone(), text).unless(key);
        let words = format!("brought {name} in line with the decisions");
        exam.found(fault.repair_by(repair::reconcile(words, Thing::Case(case.subject))));
    }
    Ok(())
}

/// Checks that the queue holds existing people. Their places are checked with them.
async fn check_queue(exam: &mut Examination<'_>, key: &Key) -> Result<()> {
    let mut members = Members::of(CASES_ARE_QUEUED, key, "user id");
    while let Some(rows) = members.rows(exam).await? {
        let users: Vec<UserId> = members.valid(exam, &rows);
        for (user, state) in users.iter().zip(exam.store.user_states(&users).await?) {
            if state != UserState::Exists {
                let fault = members.wrong_member(&names::user(*user), "who does not exist");
                exam.found(fault.repair_by(members.remove(user)));
            }
        }
    }
    Ok(())
}
