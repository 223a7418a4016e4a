//! One status on its page, with the posts above it, its replies, and the reply form.

use actix_web::{HttpResponse, http::StatusCode, web::Data};

use crate::{
    domain::{IdempotencyKey, StatusId},
    store::{Viewer, VisibleStatus},
    web::{
        AppState,
        addresses::{After, Named, Numbered},
        http::{
            answer::{page, page_with, see_other},
            errors::{Error, Result, error_page::retain, view::Retained},
            session::{
                pending_form::{PendingForm, PostFields},
                visitor::Visitor,
            },
        },
        parts::visit::Visit,
        routes,
        statuses::{
            compose::{ComposeForm, DraftTyped, Reply},
            view::{GapPage, Permalink, PermalinkPage},
        },
    },
};

/// Shows the permalink; its author also sees the progress of a long delivery. A repost without a
/// comment redirects to its original. Under another person's login a status is not found.
pub(in crate::web) async fn show(
    app: Data<AppState>,
    visitor: Visitor,
    author: Named,
    id: Numbered,
    After(after): After,
) -> Result<HttpResponse> {
    let viewer = visitor.viewer()?;
    let status = app.store.status(viewer, id.0).await?;
    let status = status
        .filter(|status| status.author().id == author.0.id)
        .ok_or(Error::NotFound)?;
    if status.is_repost() {
        let original = status.shown();
        let path = routes::status(&original.author().login, original.id());
        return Ok(see_other(&path));
    }
    let typed = pending_reply(&visitor, id.0)
        .as_ref()
        .map(DraftTyped::text)
        .unwrap_or_default();
    let visit = visitor.visit();
    let compose = ComposeForm::with_draft(&visit, IdempotencyKey::draw(), typed);
    page(&permalink(&app, &visit, viewer, (&status, after), compose).await?)
}

/// Shows the permalink again, with a reply that was rejected.
pub(in crate::web) async fn with_compose(
    app: &AppState,
    visit: &Visit,
    viewer: Viewer,
    to: StatusId,
    compose: ComposeForm,
) -> Result<HttpResponse> {
    let status = app.store.status(viewer, to).await?.ok_or_else(gone)?;
    let page = permalink(app, visit, viewer, (&status, None), compose).await?;
    page_with(StatusCode::UNPROCESSABLE_ENTITY, &page)
}

/// The error for a status that was deleted before the reply or quote.
pub(in crate::web) fn gone() -> Error {
    Error::Deleted {
        back: routes::HOME.to_owned(),
    }
}

async fn permalink(
    app: &AppState,
    visit: &Visit,
    viewer: Viewer,
    (status, after): (&VisibleStatus, Option<StatusId>),
    compose: ComposeForm,
) -> Result<PermalinkPage> {
    let conversation = app.store.conversation(viewer, status, after).await?;
    let progress = app.store.progress(status).await?;
    let reply = Reply {
        to: status.id(),
        name: Some(status.author().name.clone()),
    };
    let parts = Permalink {
        compose: compose.replying(Some(reply)),
        conversation,
        after,
        progress,
    };
    Ok(PermalinkPage::new(visit, status, parts))
}

/// Finds a status by its id alone. A status redirects to its permalink; a deleted status with
/// replies is shown as a gap without a name. A reply that was typed before the log-in is given
/// back.
pub(in crate::web) async fn find(
    app: Data<AppState>,
    visitor: Visitor,
    Numbered(id): Numbered,
    After(after): After,
) -> Result<HttpResponse> {
    let viewer = visitor.viewer()?;
    let pending = pending_reply(&visitor, id);
    if let Some(status) = app.store.status(viewer, id).await? {
        let login = &status.author().login;
        return Ok(see_other(&match pending {
            None => routes::status(login, id),
            Some(_) => routes::reply(login, id),
        }));
    }
    if let Some(post) = pending {
        return Ok(give_back(&visitor, &post));
    }
    let conversation = app.store.conversation_at_gap(viewer, id, after).await?;
    let conversation = conversation.ok_or(Error::NotFound)?;
    page(&GapPage::new(&visitor.visit(), id, &conversation, after))
}

/// Returns the reply to this status that was typed before the log-in.
fn pending_reply(visitor: &Visitor, to: StatusId) -> Option<PostFields> {
    match visitor.pending_form() {
        Some(PendingForm::Reply { reply_to, post }) if reply_to == to => Some(post),
        _ => None,
    }
}

/// Gives back a reply to a deleted status, in a form to post it separately.
fn give_back(visitor: &Visitor, post: &PostFields) -> HttpResponse {
    let visit = visitor.visit();
    let compose = ComposeForm::with_draft(&visit, IdempotencyKey::draw(), DraftTyped::text(post));
    retain(visitor, &gone(), &visit, Retained::Compose(compose))
}
