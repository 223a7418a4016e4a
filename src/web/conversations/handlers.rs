//! One status on its page, with what it answers above it, what answers it below, and the form to
//! answer it.

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
                kept::{Kept, Written},
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

/// The permalink, for its author with how far a long delivery has come; that of a repost without a
/// comment leads on to its original's. Under another person's login a status is not found.
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
    let typed = match visitor.kept() {
        Some(Kept::Reply { to, written }) if to == id.0 => DraftTyped::text(&written),
        _ => DraftTyped::default(),
    };
    let visit = visitor.visit();
    let compose = ComposeForm::retyped(&visit, IdempotencyKey::draw(), typed);
    page(&permalink(&app, &visit, viewer, (&status, after), compose).await?)
}

/// The permalink of a status again, with an answer that was refused.
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

/// What is to be answered or quoted was deleted meanwhile.
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

/// Where a status is found of which only the id is known: a living one on its permalink, and a deleted
/// one that was answered here, as a gap that names nobody. What somebody wrote in answer before they had
/// to log in is given back.
pub(in crate::web) async fn find(
    app: Data<AppState>,
    visitor: Visitor,
    Numbered(id): Numbered,
    After(after): After,
) -> Result<HttpResponse> {
    let viewer = visitor.viewer()?;
    let kept = kept_reply(&visitor, id);
    if let Some(status) = app.store.status(viewer, id).await? {
        let login = &status.author().login;
        return Ok(see_other(&match kept {
            None => routes::status(login, id),
            Some(_) => routes::reply(login, id),
        }));
    }
    if let Some(written) = kept {
        return Ok(give_back(&visitor, &written));
    }
    let conversation = app.store.conversation_at_gap(viewer, id, after).await?;
    let conversation = conversation.ok_or(Error::NotFound)?;
    page(&GapPage::new(&visitor.visit(), id, &conversation, after))
}

/// What the visitor wrote in answer to a status before they had to log in.
fn kept_reply(visitor: &Visitor, to_this: StatusId) -> Option<Written> {
    match visitor.kept() {
        Some(Kept::Reply { to, written }) if to == to_this => Some(written),
        _ => None,
    }
}

/// An answer to what was deleted meanwhile, in a form to post it by itself.
fn give_back(visitor: &Visitor, written: &Written) -> HttpResponse {
    let visit = visitor.visit();
    let compose = ComposeForm::retyped(&visit, IdempotencyKey::draw(), DraftTyped::text(written));
    retain(visitor, &gone(), &visit, Retained::Compose(compose))
}
