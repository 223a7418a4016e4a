//! Favourites and bookmarks: favourites and their mirrors agree, and members are statuses. A deleted
//! status is no fault here; it is removed when the page is read.

use crate::audit::invariants::prelude::*;

pub(in crate::audit) const FAVOURITES_MIRROR: Invariant = Invariant::new(
    "favourites_mirror",
    "favourites and favourited_by mirror each other, and bookmarks are statuses",
);

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::User(user, _) => {
            check_favourites(exam, user.id).await?;
            let key = Key::Bookmarks(user.id);
            let mut bookmarks = Members::of(FAVOURITES_MIRROR, &key, "status id");
            while bookmarks.related::<StatusId>(exam).await?.is_some() {}
            Ok(())
        }
        Target::Key(Key::FavouritedBy(of)) => check_favourited_by(exam, *of).await,
        _ => Ok(()),
    }
}

async fn check_favourites(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
    let key = Key::Favourites(id);
    let mut members = Members::of(FAVOURITES_MIRROR, &key, "status id");
    while let Some(statuses) = members.related(exam).await? {
        let mirror = |status: &StatusId| (Key::FavouritedBy(*status), id);
        let missing = exam.without_entry(statuses, mirror).await?;
        let lives = exam.store.lives(&missing).await?;
        for (status, _) in missing
            .into_iter()
            .zip(lives)
            .filter(|(_, life)| life.is_living())
        {
            let (user, status_name) = (names::user(id), names::status(status));
            let why = "whose favourited_by does not contain them";
            let fault = members.fault(format!("{user} has favourited {status_name}, {why}"));
            let fault = fault.unless((Key::Favourites(id), status));
            exam.found(fault.repair_by(reconcile(id, status)));
        }
    }
    Ok(())
}

async fn check_favourited_by(exam: &mut Examination<'_>, of: StatusId) -> Result<()> {
    let members = Members::of(FAVOURITES_MIRROR, &Key::FavouritedBy(of), "user id");
    let mirror = |user: &UserId| (Key::Favourites(*user), of);
    let fault = |members: &Members, user| {
        let fault = members.wrong_member(&names::user(user), "who has not favourited it");
        fault.repair_by(reconcile(user, of))
    };
    members.check_mirror(exam, mirror, fault).await
}

fn reconcile(by: UserId, id: StatusId) -> RepairStep {
    let (status, user) = (names::status(id), names::user(by));
    let words = format!("made favourited_by of {status} match the favourites of {user}");
    repair::reconcile(words, Relation::Favourite(by, id))
}
