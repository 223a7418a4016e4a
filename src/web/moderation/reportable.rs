//! The posts, messages, groups and people that a member can report.

use std::sync::Arc;

use super::{report_view::ReportableGroup, seen_messages, shown_post};
use crate::{
    domain::{ChatId, GroupSlug, MessageId},
    store::{NotReportable, PostToReport, ReportableMessage, ShownPost},
    web::prelude::*,
};

/// Returns the post if the member can report it: one that they see, or that the form with this field showed them.
pub(super) async fn post(
    app: &AppState,
    me: &CurrentUser,
    id: StatusId,
    shown: &str,
) -> Result<PostToReport> {
    let shown = shown_post::verified(me, id, shown);
    let post = app.store.post_to_report(me.id, id, shown).await?;
    post.map_err(not_reportable)
}

/// Returns the post if the member sees it and can report it.
pub(super) async fn visible_post(
    app: &AppState,
    me: &CurrentUser,
    id: StatusId,
) -> Result<VisibleStatus> {
    let post = app.store.visible_post_to_report(me.id, id).await?;
    post.map_err(not_reportable)
}

fn not_reportable(reason: NotReportable) -> Error {
    match reason {
        NotReportable::Own => oneself(),
        NotReportable::Unseen => Error::NotFound,
    }
}

/// Fails if the author of a shown post has no account any more.
pub(super) async fn check_author(app: &AppState, shown: &ShownPost) -> Result<()> {
    match app.store.is_known_author(shown).await? {
        true => Ok(()),
        false => Err(Error::NotFound),
    }
}

/// Returns the message if the member can read the conversation and can report it. The messages that the form with this
/// field showed replace the current ones.
pub(super) async fn message(
    app: &AppState,
    me: &CurrentUser,
    (chat, id): (ChatId, MessageId),
    seen: &str,
) -> Result<ReportableMessage> {
    let seen = seen_messages::verified(me, (chat, id), seen);
    let store = &app.store;
    let message = store.message_to_report(me.id, (chat, id), seen).await?;
    message.ok_or(Error::NotFound)
}

/// Returns the group if the member finds it and can report it.
pub(super) async fn group(
    app: &AppState,
    me: &CurrentUser,
    slug: &GroupSlug,
) -> Result<ReportableGroup> {
    let seen = app.store.find_group(Viewer::Member(me.id), Some(slug));
    let seen = seen.await?.ok_or(Error::NotFound)?;
    let owner = seen.group.owner.ok_or(Error::NotFound)?;
    if owner == me.id {
        let reason = "You own this group. You can delete it in its settings.";
        return Err(Error::Refused(reason.to_owned()));
    }
    let found = app.store.people(Viewer::Member(me.id), &[owner]).await?;
    Ok(ReportableGroup {
        seen,
        owner,
        found_owner: found.into_iter().next().map(|person| person.user),
    })
}

/// Returns the person if the member can report them: one that the member finds or blocks.
pub(super) async fn person(app: &AppState, me: &CurrentUser, login: &Login) -> Result<Arc<User>> {
    let user = app
        .store
        .find_user_to_report(Viewer::Member(me.id), login)
        .await?;
    let user = user.ok_or(Error::NotFound)?;
    match user.id == me.id {
        true => Err(oneself()),
        false => Ok(user),
    }
}

pub(super) fn oneself() -> Error {
    Error::Refused("You cannot report yourself.".to_owned())
}
