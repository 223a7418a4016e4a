//! Suggestions: the newest and the most followed people, as many as the limit.

use crate::audit::invariants::prelude::*;

pub(in crate::audit) const SUGGESTIONS_ARE_CURRENT: Invariant = Invariant::new(
    "suggestions_are_current",
    "the suggestions are the newest and the most followed people",
);

/// Number that may be missing: a person who was pushed out returns only with the next follower.
const PUSHED_OUT: usize = 100;

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::User(user, _) => check_user(exam, user).await,
        Target::Key(key @ (Key::PeopleNewest | Key::PeopleFollowed)) => {
            check_suggested(exam, key).await
        }
        _ => Ok(()),
    }
}

async fn check_user(exam: &mut Examination<'_>, user: &UserSnapshot) -> Result<()> {
    let id = user.id;
    exam.examined(SUGGESTIONS_ARE_CURRENT, 2);
    let ranks = exam.store.suggestion_ranks(id).await?;
    let fault = |what: &str, key: &Key| {
        let (user, name) = (names::user(id), names::key(key));
        let fault = Fault::new(
            SUGGESTIONS_ARE_CURRENT,
            Key::User(id),
            format!("{user} {what} {name}"),
        );
        (
            fault,
            format!("put {user} into their place in {}", key.name()),
        )
    };
    if let Some(signup) = user.signup_ms() {
        let is_full = ranks.newest >= PEOPLE_KEPT as u64;
        let has_room = !is_full || ranks.first_newest.is_none_or(|first| signup > first);
        let belongs = has_room && !user.state.is_applicant();
        if let Some(what) = wrong_rank(ranks.as_newest, signup, belongs) {
            let key = Key::PeopleNewest;
            let (fault, words) = fault(what, &key);
            exam.found(
                fault
                    .unless(Key::User(id))
                    .repair(words, move |store| async move {
                        store.drop_member(&key, &id.to_string()).await?;
                        store.add_to_newest_people(id).await
                    }),
            );
        }
    }
    let followers = ranks.followers;
    let has_room = ranks.most_followed < (PEOPLE_KEPT - PUSHED_OUT) as u64;
    let belongs = followers > 0 && has_room;
    if let Some(what) = wrong_rank(ranks.as_followed, followers as f64, belongs) {
        let (fault, words) = fault(what, &Key::PeopleFollowed);
        let fault = fault.unless(Key::Followers(id));
        exam.found(fault.repair(words, move |store| async move {
            store.rank_followed(id, followers).await
        }));
    }
    Ok(())
}

fn wrong_rank(stored: Option<f64>, score: f64, belongs: bool) -> Option<&'static str> {
    match stored {
        None if belongs => Some("is missing in"),
        Some(stored) if stored != score => Some("has the wrong score in"),
        _ => None,
    }
}

/// Checks the suggestions: existing people, and not more than the limit.
async fn check_suggested(exam: &mut Examination<'_>, key: &Key) -> Result<()> {
    let mut members = Members::of(SUGGESTIONS_ARE_CURRENT, key, "user id");
    let count = exam.store.cardinality(key).await?;
    if count > PEOPLE_KEPT as u64 {
        let name = members.key_name();
        let words = format!("trimmed {name}");
        let key = key.clone();
        let fault = members.fault(format!("{name} contains more than {PEOPLE_KEPT} people"));
        let fault = fault.detail(count.to_string());
        exam.found(fault.repair(words, move |store| async move {
            store.trim_suggested(&key).await
        }));
    }
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
