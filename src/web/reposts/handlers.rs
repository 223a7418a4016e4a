//! Reposting, undoing a repost, quoting, and the people who reposted a status.

use actix_web::{HttpResponse, http::StatusCode, web::Data};
use tokio::try_join;

use super::quote::QuotePage;
use crate::{
    actions::{
        reposts::{Repost, repost, take_back},
        statuses::{Post, post},
    },
    domain::{Draft, IdempotencyKey, LocalPath, StatusId, UserId},
    store::{RateLimit, Viewer, VisibleStatus},
    web::{
        AppState,
        accounts::view::{LogIn, LogInForm},
        addresses::{Before, Named, Numbered},
        collections::handlers::back,
        conversations::handlers::gone,
        http::{
            answer::{page, page_with, see_other},
            errors::{Error, Result, view::Retained},
            forms::{SignedForm, Submitted},
            rate,
            return_to::ReturnTo,
            session::{current_user::CurrentUser, pending_form::PendingForm, visitor::Visitor},
        },
        parts::{notice::Notice, visit::Visit},
        routes,
        statuses::{
            compose::{ComposeForm, DraftTyped},
            handlers::Fields,
            reacted_people::{ReactedPeoplePage, Reaction},
        },
    },
};

pub(in crate::web) async fn create(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    rate::take(&app.store, RateLimit::Post(me.id)).await?;
    match repost(&app.store, me.visitor.actor(me.id), id).await? {
        Repost::Done(_) => Ok(back(&form, id)),
        Repost::Unknown => Err(Error::Deleted {
            back: form.0.page_without(id).to_owned(),
        }),
    }
}

/// Deletes the repost. Like all deletions, it has no rate limit.
pub(in crate::web) async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    take_back(&app.store, me.visitor.actor(me.id), id).await?;
    Ok(back(&form, id))
}

/// Shows the form to quote a status.
pub(in crate::web) async fn new_quote(
    app: Data<AppState>,
    me: CurrentUser,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    let quoted = to_quote(&app, me.id, id).await?.ok_or(Error::NotFound)?;
    let typed = match me.visitor.pending_form() {
        Some(PendingForm::Post(post)) => DraftTyped::text(&post),
        _ => DraftTyped::default(),
    };
    let visit = me.visitor.visit();
    let compose = ComposeForm::with_draft(&visit, IdempotencyKey::draw(), typed);
    page(&QuotePage::new(&visit, quoted.shown(), compose))
}

pub(in crate::web) async fn quote(
    app: Data<AppState>,
    visitor: Visitor,
    Numbered(id): Numbered,
    form: Submitted<Fields>,
) -> Result<HttpResponse> {
    let act = async |fields: &Fields| publish(&app, &visitor, id, fields).await;
    let give_back = |fields: &Fields, visit: &Visit, error: &Error| match error {
        Error::LoggedOut => {
            let log_in = LogIn {
                next: LocalPath::parse(&routes::quote(id)),
                pending_form: Some(PendingForm::Post(fields.post.clone())),
                ..LogIn::default()
            };
            Retained::LogIn(LogInForm::new(visit, log_in))
        }
        // The quoted status is gone, so the text can be posted without it.
        Error::Deleted { .. } => Retained::Compose(fields.compose_form(visit, error)),
        error => Retained::Compose(fields.compose_form(visit, error).quoting(id)),
    };
    form.of_member(&visitor)
        .answer(&visitor, act, give_back)
        .await
}

async fn publish(
    app: &AppState,
    visitor: &Visitor,
    id: StatusId,
    fields: &Fields,
) -> Result<HttpResponse> {
    let me = visitor.member()?.ok_or(Error::LoggedOut)?.id;
    let quoted = to_quote(app, me, id).await?.ok_or_else(gone)?;
    let quote_of = Some(quoted.shown().as_status_ref());
    let draft = match DraftTyped::parse(&fields.post) {
        Ok(draft) => Draft { quote_of, ..draft },
        Err(typed) => return refuse(visitor, &quoted, *typed),
    };
    let idempotency_key = IdempotencyKey::parse(&fields.idempotency_key).ok_or(Error::BadForm)?;
    rate::take(&app.store, RateLimit::Post(me)).await?;
    match post(&app.store, visitor.actor(me), draft, &idempotency_key).await? {
        Post::Posted(_) => {
            visitor.forget_pending_form(|form| matches!(form, PendingForm::Post(_)));
            visitor.set_notice(Notice::Posted);
            Ok(see_other(routes::HOME))
        }
        Post::TargetDeleted => Err(gone()),
        Post::KeyReused => Err(Error::Conflict),
    }
}

/// Shows the form again, with the quoted status.
fn refuse(visitor: &Visitor, quoted: &VisibleStatus, typed: DraftTyped) -> Result<HttpResponse> {
    let visit = visitor.visit();
    let compose = ComposeForm::with_draft(&visit, IdempotencyKey::draw(), typed);
    let form = QuotePage::new(&visit, quoted.shown(), compose);
    page_with(StatusCode::UNPROCESSABLE_ENTITY, &form)
}

async fn to_quote(app: &AppState, me: UserId, id: StatusId) -> Result<Option<VisibleStatus>> {
    Ok(app.store.status(Viewer::Member(me), id).await?)
}

/// Lists the people who reposted a status without a comment. Under another person's login it is not
/// found.
pub(in crate::web) async fn reposters(
    app: Data<AppState>,
    visitor: Visitor,
    author: Named,
    Numbered(id): Numbered,
    Before(before): Before,
) -> Result<HttpResponse> {
    let viewer = visitor.viewer()?;
    let (status, people) = try_join!(
        app.store.status(viewer, id),
        app.store.reposters_page(viewer, id, before)
    )?;
    let status = status
        .filter(|status| status.author().id == author.0.id && !status.is_repost())
        .ok_or(Error::NotFound)?;
    let (visit, reaction) = (visitor.visit(), Reaction::Repost);
    page(&ReactedPeoplePage::new(
        &visit, reaction, &status, before, &people,
    ))
}
