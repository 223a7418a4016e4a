//! Favourites and bookmarks: favourites and their mirrors agree, and members are statuses. A deleted
//! status is no fault here; it is removed when the page is read.

use super::prelude::*;

pub(super) const FAVOURITES_MIRROR: Invariant = Invariant::new(
    "favourites_mirror",
    "favourites and favourited_by mirror each other, and bookmarks are statuses",
);

pub(super) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::User(user, _) => {
            check_favourites(exam, user.id).await?;
            let key = Key::Bookmarks(user.id);
            let mut bookmarks = Members::of(FAVOURITES_MIRROR, &key, "status id");
            let parse = |id: &str| id.parse::<StatusId>().ok();
            while bookmarks.related(exam, parse).await?.is_some() {}
            Ok(())
        }
        Target::Key(Key::FavouritedBy(of)) => check_favourited_by(exam, *of).await,
        _ => Ok(()),
    }
}

async fn check_favourites(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
    let key = Key::Favourites(id);
    let mut members = Members::of(FAVOURITES_MIRROR, &key, "status id");
    while let Some(statuses) = members.related(exam, |id| id.parse().ok()).await? {
        let lives = exam.store.lives(&statuses).await?;
        let mirrors = statuses
            .iter()
            .map(|status| (Key::FavouritedBy(*status), id));
        let mirrored = exam.store.contain_each(mirrors).await?;
        for ((status, life), mirrored) in statuses.into_iter().zip(lives).zip(mirrored) {
            if life.is_living() && !mirrored {
                let (user, status_name) = (names::user(id), names::status(status));
                let why = "whose favourited_by does not contain them";
                let fault = members.fault(format!("{user} has favourited {status_name}, {why}"));
                let fault = fault.unless((Key::Favourites(id), status));
                exam.found(fault.repair_by(reconcile(id, status)));
            }
        }
    }
    Ok(())
}

async fn check_favourited_by(exam: &mut Examination<'_>, of: StatusId) -> Result<()> {
    let key = Key::FavouritedBy(of);
    let mut members = Members::of(FAVOURITES_MIRROR, &key, "user id");
    while let Some(users) = members.related(exam, |id| id.parse().ok()).await? {
        let sources = users.iter().map(|user| (Key::Favourites(*user), of));
        let contained = exam.store.contain_each(sources).await?;
        for (user, _) in users
            .into_iter()
            .zip(contained)
            .filter(|(_, contained)| !contained)
        {
            let (name, user_name) = (members.key_name(), names::user(user));
            let why = "who has not favourited it";
            let fault = members.fault(format!("{name} contains {user_name}, {why}"));
            let fault = fault.unless((Key::Favourites(user), of));
            exam.found(fault.repair_by(reconcile(user, of)));
        }
    }
    Ok(())
}

fn reconcile(by: UserId, id: StatusId) -> RepairStep {
    let (status, user) = (names::status(id), names::user(by));
    let words = format!("made favourited_by of {status} match the favourites of {user}");
    repair::reconcile(words, Thing::Favourite(by, id))
}
