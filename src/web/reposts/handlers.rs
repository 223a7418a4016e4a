//! Reposting, undoing a repost, and quoting.

use std::sync::Arc;

use super::quote::QuotePage;
use crate::{
    actions::{
        reposts::{Repost, earlier_quote, repost, undo_repost},
        statuses::Post,
    },
    domain::{Draft, Visibility},
    web::{
        collections::handlers::back,
        conversations::handlers::gone,
        http::errors::error_page::retain,
        prelude::*,
        statuses::{
            compose::{ComposeForm, DraftTyped},
            extras::Extras,
            handlers::{Fields, name_unreached, post_draft, posted_id, quote_refused},
        },
    },
};

pub async fn create(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Post(me.id)).await?;
    match repost(&app.store, me.actor(), id).await? {
        Repost::Done(_) => Ok(back(&form, id)),
        Repost::Unknown => Err(Error::Deleted {
            back: form.0.page_without(id).to_owned(),
        }),
    }
}

/// Deletes the repost.
pub async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Delete(me.id)).await?;
    undo_repost(&app.store, me.actor(), id).await?;
    Ok(back(&form, id))
}

pub async fn new_quote(
    app: Data<AppState>,
    me: CurrentUser,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    let (quoted, user) = try_join!(to_quote(&app, me.id, id), own_row(&app, me.id))?;
    let pending = match me.visitor.pending_form() {
        Some(PendingForm::Post(post)) => Some(DraftTyped::text(&post)),
        _ => None,
    };
    let is_typed = pending.is_some();
    let visit = me.visitor.visit();
    let typed = pending.unwrap_or_default();
    let compose =
        ComposeForm::with_draft(&visit, IdempotencyKey::draw(), typed).by(user.as_deref());
    match open_for_quotes(quoted) {
        Ok(quoted) => page(&QuotePage::new(&visit, quoted.shown(), compose)),
        Err(error) if is_typed => {
            let retained = Retained::form(&compose);
            Ok(retain(&me.visitor, &error, &visit, retained))
        }
        Err(error) => Err(error),
    }
}

/// Returns the status if it exists and its author lets others quote it.
fn open_for_quotes(quoted: Option<VisibleStatus>) -> Result<VisibleStatus> {
    let quoted = quoted.ok_or(Error::NotFound)?;
    match quoted.shown().is_quoting_closed() {
        true => Err(quote_refused()),
        false => Ok(quoted),
    }
}

pub async fn quote(
    app: Data<AppState>,
    Numbered(id): Numbered,
    form: MemberForm<Fields>,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| publish(&app, me, id, fields).await;
    let give_back = |fields: &Fields, visit: &Visit, error: &Error| match error {
        Error::LoggedOut => {
            let next = LocalPath::parse(&routes::quote(id));
            Retained::log_in(visit, next, PendingForm::Post(fields.post.clone()))
        }
        // The quoted status is gone or may not be quoted, so the text can be posted without it.
        Error::Gone(_) | Error::NotInGroup | Error::Refused(_) => {
            Retained::form(&fields.compose_form(visit, error))
        }
        error => {
            let form = fields.compose_form(visit, error);
            Retained::form(&form.quoting(id, Visibility::Public))
        }
    };
    form.answer(act, give_back).await
}

async fn publish(
    app: &AppState,
    me: &CurrentUser,
    id: StatusId,
    fields: &Fields,
) -> Result<HttpResponse> {
    let visitor = &me.visitor;
    let draft = DraftTyped::parse(&fields.post);
    if let Some(extras) = Extras::pressed(&fields.extras) {
        return show_extras(app, me, id, (fields, extras)).await;
    }
    let outcome = match (to_quote(app, me.id, id).await?, draft) {
        (Some(quoted), Ok(draft)) => {
            let drafts = std::slice::from_ref(&draft);
            if let Some(typed) = name_unreached(app, me, fields, drafts).await? {
                return refuse(visitor, &quoted, (fields, typed));
            }
            let quote = draft.quoting(quoted.shown().as_status_ref());
            let outcome = post_draft(app, me, fields.sent_key()?, quote).await?;
            visitor.confirm();
            outcome
        }
        (Some(quoted), Err(typed)) => return refuse(visitor, &quoted, (fields, *typed)),
        (None, Ok(draft)) => find_earlier_quote(app, me.id, (id, draft), fields).await?,
        (None, Err(_)) => Post::TargetDeleted,
    };
    posted_id(outcome)?;
    visitor.forget_pending_form(|form| matches!(form, PendingForm::Post(_)));
    visitor.set_notice(Notice::Posted);
    Ok(see_other(routes::HOME))
}

/// Shows the form with the typed text, and with a preview or errors.
async fn show_extras(
    app: &AppState,
    me: &CurrentUser,
    id: StatusId,
    (fields, extras): (&Fields, Extras),
) -> Result<HttpResponse> {
    let quoted = to_quote(app, me.id, id).await?.ok_or_else(gone)?;
    let visit = me.visitor.visit();
    match fields.with_extras(&visit, extras) {
        Ok(form) => page(&QuotePage::new(&visit, quoted.shown(), form)),
        Err(typed) => refuse(&me.visitor, &quoted, (fields, *typed)),
    }
}

/// Returns the outcome of a quote of a deleted status: the same form may have posted it before.
async fn find_earlier_quote(
    app: &AppState,
    me: UserId,
    (id, draft): (StatusId, Draft),
    fields: &Fields,
) -> Result<Post> {
    let key = fields.sent_key()?;
    let earlier = earlier_quote(&app.store, me, draft, (id, &key)).await?;
    Ok(earlier.map_or(Post::TargetDeleted, Post::from))
}

/// Shows the form again with the typed text and its errors.
fn refuse(
    visitor: &Visitor,
    quoted: &VisibleStatus,
    (fields, typed): (&Fields, DraftTyped),
) -> Result<HttpResponse> {
    let visit = visitor.visit();
    let key = IdempotencyKey::after_refusal_of(&fields.idempotency_key);
    let compose = ComposeForm::with_draft(&visit, key, typed);
    let form = QuotePage::new(&visit, quoted.shown(), compose);
    page_with(StatusCode::UNPROCESSABLE_ENTITY, &form)
}

/// Returns a status that the member may quote, or whose author does not let others quote it.
async fn to_quote(app: &AppState, me: UserId, id: StatusId) -> Result<Option<VisibleStatus>> {
    let status = app.store.status(Viewer::Member(me), id).await?;
    let is_known =
        |shown: &VisibleStatus| shown.widest_quote().is_some() || shown.is_quoting_closed();
    Ok(status.filter(|status| is_known(status.shown())))
}

async fn own_row(app: &AppState, me: UserId) -> Result<Option<Arc<User>>> {
    Ok(app.store.known_user(me).await?)
}
