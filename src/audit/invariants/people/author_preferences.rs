//! Choices about followed users: author preferences, which are more or less, and home filters.

use crate::{audit::invariants::prelude::*, domain::HomeFilter};

pub(in crate::audit) const PREFERENCES_ARE_OF_FOLLOWED: Invariant = Invariant::new(
    "preferences_are_of_followed",
    "author preferences and home filters are about followed users",
);

/// Checks the choices of a user. They share a slot with the follows and change in one step, so a
/// disagreement seen twice is a fault, whatever is under way.
pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    let Target::User(user, _) = exam.target else {
        return Ok(());
    };
    check_preferences(exam, user.id).await?;
    for filter in HomeFilter::ALL {
        check_filter(exam, user.id, &Key::home_filter(user.id, filter)).await?;
    }
    Ok(())
}

async fn check_filter(exam: &mut Examination<'_>, id: UserId, key: &Key) -> Result<()> {
    let mut members = Members::of(PREFERENCES_ARE_OF_FOLLOWED, key, "user id");
    while let Some(rows) = members.rows(exam).await? {
        let users: Vec<UserId> = members.valid(exam, &rows);
        let entry = |user: &UserId| (Key::Following(id), *user);
        for user in exam.without_entry(users, entry).await? {
            let fault = members.wrong_member(&names::user(user), "whom they do not follow");
            exam.found(fault.repair_by(members.remove(user)));
        }
    }
    Ok(())
}

async fn check_preferences(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
    let rows = exam.store.preference_rows(id).await?;
    exam.examined(PREFERENCES_ARE_OF_FOLLOWED, rows.len());
    let follows = rows.keys().map(|of| (Key::Following(id), of.clone()));
    let follows = exam.store.contain_each(follows).await?;
    for ((of, preference), follows) in rows.into_iter().zip(follows) {
        let why = match preference.parse() {
            Ok(AuthorPreference::More | AuthorPreference::Less) if follows => continue,
            Ok(AuthorPreference::More | AuthorPreference::Less) => "whom they do not follow",
            Ok(AuthorPreference::Normal) | Err(_) => "with an unknown value",
        };
        let key = Key::AuthorPreferences(id);
        let name = of.parse::<UserId>().map_or(format!("{of:?}"), names::user);
        let text = format!("{} contain {name}, {why}", names::key(&key));
        let fault = Fault::new(PREFERENCES_ARE_OF_FOLLOWED, &key, text);
        let words = format!("removed {name} from {}", names::key(&key));
        let steps = move |store: Store| async move { store.drop_preference(id, &of).await };
        let repair = RepairStep::new(words, steps).with_effect(Effect::Source);
        exam.found(fault.detail(format!("{preference:?}")).repair_by(repair));
    }
    Ok(())
}
