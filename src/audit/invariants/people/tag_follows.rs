//! Tag follows: followed tags and tag followers mirror each other.

use crate::audit::invariants::prelude::*;

pub(in crate::audit) const TAG_FOLLOWS_MIRROR: Invariant = Invariant::new(
    "tag_follows_mirror",
    "followed tags and tag followers mirror each other",
);

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::User(user, _) => check_followed_tags(exam, user.id).await,
        Target::Key(Key::TagFollowers(tag)) => check_tag_followers(exam, tag).await,
        _ => Ok(()),
    }
}

async fn check_followed_tags(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
    let members = Members::of(TAG_FOLLOWS_MIRROR, &Key::FollowedTags(id), "tag");
    let mirror = |tag: &FoldedTag| (Key::TagFollowers(tag.clone()), id);
    let fault = |members: &Members, tag: FoldedTag| {
        let why = "whose tag_followers do not contain them";
        let fault = members.fault(format!("{} follows #{tag}, {why}", names::user(id)));
        let fault = fault.unless((Key::FollowedTags(id), &tag));
        fault.repair_by(reconcile(id, tag))
    };
    members.check_mirror(exam, mirror, fault).await
}

async fn check_tag_followers(exam: &mut Examination<'_>, tag: &FoldedTag) -> Result<()> {
    let members = Members::of(
        TAG_FOLLOWS_MIRROR,
        &Key::TagFollowers(tag.clone()),
        "user id",
    );
    let mirror = |user: &UserId| (Key::FollowedTags(*user), tag);
    let fault = |members: &Members, user| {
        let fault = members.wrong_member(&names::user(user), "who does not follow it");
        fault.repair_by(reconcile(user, tag.clone()))
    };
    members.check_mirror(exam, mirror, fault).await
}

fn reconcile(id: UserId, tag: FoldedTag) -> RepairStep {
    let user = names::user(id);
    let words =
        format!("made tag_followers of #{tag} and home of {user} match the tags they follow");
    repair::reconcile(words, Relation::TagFollow(id, tag))
}
