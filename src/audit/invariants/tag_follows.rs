//! Tag follows: followed tags and tag followers mirror each other.

use super::prelude::*;

pub(super) const TAG_FOLLOWS_MIRROR: Invariant = Invariant::new(
    "tag_follows_mirror",
    "followed tags and tag followers mirror each other",
);

pub(super) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::User(user, _) => check_followed_tags(exam, user.id).await,
        Target::Key(Key::TagFollowers(tag)) => check_tag_followers(exam, tag).await,
        _ => Ok(()),
    }
}

async fn check_followed_tags(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
    let key = Key::FollowedTags(id);
    let mut members = Members::of(TAG_FOLLOWS_MIRROR, &key, "tag");
    while let Some(tags) = members.related(exam, FoldedTag::stored).await? {
        let mirrors = tags.iter().map(|tag| (Key::TagFollowers(tag.clone()), id));
        let mirrored = exam.store.contain_each(mirrors).await?;
        for (tag, _) in tags
            .into_iter()
            .zip(mirrored)
            .filter(|(_, mirrored)| !mirrored)
        {
            let why = "whose tag_followers do not contain them";
            let fault = members.fault(format!("{} follows #{tag}, {why}", names::user(id)));
            let fault = fault.unless((Key::FollowedTags(id), &tag));
            exam.found(fault.repair_by(reconcile(id, tag)));
        }
    }
    Ok(())
}

async fn check_tag_followers(exam: &mut Examination<'_>, tag: &FoldedTag) -> Result<()> {
    let key = Key::TagFollowers(tag.clone());
    let mut members = Members::of(TAG_FOLLOWS_MIRROR, &key, "user id");
    while let Some(users) = members.related(exam, |id| id.parse().ok()).await? {
        let sources = users.iter().map(|user| (Key::FollowedTags(*user), tag));
        let follow = exam.store.contain_each(sources).await?;
        for (user, _) in users
            .into_iter()
            .zip(follow)
            .filter(|(_, follows)| !follows)
        {
            let (name, user_name) = (members.key_name(), names::user(user));
            let fault = members.fault(format!(
                "{name} contain {user_name}, who does not follow it"
            ));
            let fault = fault.unless((Key::FollowedTags(user), tag));
            exam.found(fault.repair_by(reconcile(user, tag.clone())));
        }
    }
    Ok(())
}

fn reconcile(id: UserId, tag: FoldedTag) -> RepairStep {
    let user = names::user(id);
    let words =
        format!("made tag_followers of #{tag} and home of {user} match the tags they follow");
    repair::reconcile(words, Thing::TagFollow(id, tag))
}
