//! The feed of a group, and the removal of a post by those who run the group.

use super::{
    handlers::done,
    person::to_copy,
    posts_view::{AtomFeed, RemovalForm, RemovalPage, has_feed},
    words::GroupDone,
};
use crate::{
    actions::statuses::group_posts,
    domain::GroupActNote,
    store::RemovePostOutcome,
    web::{
        addresses::OfGroup,
        http::errors::{Gone, error_page::retain},
        prelude::*,
    },
};

/// A note to the author.
#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Fields {
    note: String,
}

/// Shows the newest posts of a group that everyone finds and reads, as a visitor sees them.
pub async fn feed(
    app: Data<AppState>,
    visitor: Visitor,
    OfGroup(seen): OfGroup,
) -> Result<HttpResponse> {
    if !has_feed(&seen.group) {
        return Err(Error::NotFound);
    }
    let page = app.store.group_page(Viewer::Anonymous, seen.group.id, None);
    let feed = AtomFeed::new(&visitor.visit(), &seen.group, &page.await?);
    let xml = askama::Template::render(&feed);
    let xml = xml.map_err(|error| Error::Internal(error.to_string()))?;
    Ok(HttpResponse::Ok()
        .content_type("application/atom+xml; charset=utf-8")
        .body(xml))
}

pub async fn ask_to_remove(
    app: Data<AppState>,
    me: CurrentUser,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    let restored = me.visitor.restore(|form| match form {
        PendingForm::RemovedPost { status, note } if status == id => Some(note),
        _ => None,
    });
    let note = restored.unwrap_or_default();
    let visit = me.visitor.visit();
    let status = match to_remove(&app, me.id, id).await {
        Err(Error::NotFound) if !note.trim().is_empty() => {
            let error = Error::Gone(Gone::GroupPost);
            return Ok(retain(&me.visitor, &error, &visit, to_copy(&note)));
        }
        found => found?,
    };
    let form = RemovalForm::new(&visit, id, Typed::text(note));
    page(&RemovalPage::new(&visit, &status, form))
}

/// Returns a status that the member may remove from its group.
async fn to_remove(app: &AppState, me: UserId, id: StatusId) -> Result<VisibleStatus> {
    let viewer = Viewer::Member(me);
    let status = app.store.status(viewer, id).await?.ok_or(Error::NotFound)?;
    match app.store.may_remove_from_group(viewer, &status).await? {
        true => Ok(status),
        false => Err(Error::NotFound),
    }
}

pub async fn remove(
    app: Data<AppState>,
    Numbered(id): Numbered,
    form: MemberForm<Fields>,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| {
        let removed = remove_once(&app, me, id, fields).await;
        removed.map_err(|error| error.of_form_about(Gone::GroupPost))
    };
    let give_back = |fields: &Fields, visit: &Visit, error: &Error| match error {
        Error::LoggedOut => {
            let next = LocalPath::parse(&routes::remove_group_post(id));
            let note = fields.note.clone();
            Retained::log_in(visit, next, PendingForm::RemovedPost { status: id, note })
        }
        Error::Gone(_) => to_copy(&fields.note),
        _ => Retained::form(&RemovalForm::new(visit, id, Typed::text(&fields.note))),
    };
    form.answer(act, give_back).await
}

async fn remove_once(
    app: &AppState,
    me: &CurrentUser,
    id: StatusId,
    fields: &Fields,
) -> Result<HttpResponse> {
    let status = to_remove(app, me.id, id).await?;
    let note = GroupActNote::parse(&fields.note);
    let Ok(note) = note else {
        let visit = me.visitor.visit();
        let form = RemovalForm::new(&visit, id, Typed::checked(&fields.note, &note));
        let page = RemovalPage::new(&visit, &status, form);
        return page_with(StatusCode::UNPROCESSABLE_ENTITY, &page);
    };
    rate::check_room_for_note(&app.store, note.as_str()).await?;
    rate::charge(&app.store, RateLimit::Delete(me.id)).await?;
    let group = status.group().map(|group| routes::group(&group.slug));
    let note = note.as_str().to_owned();
    match group_posts::remove(&app.store, me.actor(), id, note).await? {
        RemovePostOutcome::Done => {
            let is_this = |form: &PendingForm| match form {
                PendingForm::RemovedPost { status, .. } => *status == id,
                _ => false,
            };
            me.visitor.forget_pending_form(is_this);
            done(
                me,
                GroupDone::PostRemoved,
                group.as_deref().unwrap_or(routes::GROUPS),
            )
        }
        RemovePostOutcome::NotFound => Err(Error::NotFound),
    }
}
