//! Posting, replying and deleting.

use actix_web::{HttpResponse, web::Data};
use serde::Deserialize;

use super::{
    compose::{ComposeForm, DraftTyped, Reply},
    help::PostingHelpPage,
    view::DeletePage,
};
use crate::{
    actions::statuses::{Delete, Post, delete as delete_status, post},
    domain::{Draft, IdempotencyKey, LocalPath, Login, StatusId, UserId},
    store::{RateLimit, Viewer, VisibleStatus},
    web::{
        AppState,
        accounts::view::{LogIn, LogInForm},
        addresses::Numbered,
        conversations, homes,
        http::{
            answer::{page, see_other},
            errors::{Error, Result, view::Retained},
            forms::{SignedForm, Submitted},
            rate,
            return_to::ReturnTo,
            session::{
                current_user::CurrentUser,
                pending_form::{PendingForm, PostFields},
                visitor::{Member, Visitor},
            },
        },
        parts::{notice::Notice, visit::Visit},
        routes,
    },
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub(in crate::web) struct Fields {
    #[serde(flatten)]
    pub(in crate::web) post: PostFields,
    pub(in crate::web) idempotency_key: String,
    /// The id of the status it replies to; empty for other posts.
    reply_to: String,
}

impl Fields {
    fn reply_to(&self) -> Result<Option<StatusId>> {
        match self.reply_to.as_str() {
            "" => Ok(None),
            id => id.parse().map(Some).map_err(|_| Error::BadForm),
        }
    }
}

/// Shows who can see posts, to everyone.
pub(in crate::web) async fn help(visitor: Visitor) -> Result<HttpResponse> {
    page(&PostingHelpPage::new(&visitor.visit()))
}

pub(in crate::web) async fn create(
    app: Data<AppState>,
    visitor: Visitor,
    form: Submitted<Fields>,
) -> Result<HttpResponse> {
    let act = async |fields: &Fields| publish(&app, &visitor, fields).await;
    form.of_member(&visitor)
        .answer(&visitor, act, give_back)
        .await
}

async fn publish(app: &AppState, visitor: &Visitor, fields: &Fields) -> Result<HttpResponse> {
    let Member { id: me, login, .. } = visitor.member()?.ok_or(Error::LoggedOut)?;
    let reply_to = fields.reply_to()?;
    let draft = match DraftTyped::parse(&fields.post) {
        Ok(draft) => Draft { reply_to, ..draft },
        Err(typed) => return refuse(app, visitor, me, reply_to, *typed).await,
    };
    let idempotency_key = IdempotencyKey::parse(&fields.idempotency_key).ok_or(Error::BadForm)?;
    rate::take(&app.store, RateLimit::Post(me)).await?;
    match post(&app.store, visitor.actor(me), draft, &idempotency_key).await? {
        Post::Posted(id) => {
            visitor.forget_pending_form(|form| match form {
                PendingForm::Post(_) => reply_to.is_none(),
                PendingForm::Reply { reply_to: to, .. } => reply_to == Some(*to),
                _ => false,
            });
            visitor.set_notice(Notice::Posted);
            Ok(posted(&login, reply_to, id))
        }
        Post::TargetDeleted => Err(conversations::handlers::gone()),
        Post::KeyReused => Err(Error::Conflict),
    }
}

/// Shows the form again on its page.
async fn refuse(
    app: &AppState,
    visitor: &Visitor,
    me: UserId,
    reply_to: Option<StatusId>,
    typed: DraftTyped,
) -> Result<HttpResponse> {
    let visit = visitor.visit();
    let compose = ComposeForm::with_draft(&visit, IdempotencyKey::draw(), typed);
    match reply_to {
        None => homes::handlers::with_compose(app, me, &visit, compose).await,
        Some(to) => {
            let viewer = Viewer::Member(me);
            conversations::handlers::with_compose(app, &visit, viewer, to, compose).await
        }
    }
}

/// Redirects to home after a post, and to the conversation after a reply.
fn posted(login: &Login, reply_to: Option<StatusId>, id: StatusId) -> HttpResponse {
    match reply_to {
        None => see_other(routes::HOME),
        Some(_) => see_other(&routes::status_on(&routes::status(login, id), id)),
    }
}

/// Returns the draft in a form to send it again, or, if the session has ended, in the log-in form.
/// After the log-in it is on home, or below the status it replies to. The form keeps its
/// idempotency key, so that a draft whose response was lost is not posted twice. After a conflict
/// it gets a new one.
fn give_back(fields: &Fields, visit: &Visit, error: &Error) -> Retained {
    let to = fields.reply_to().ok().flatten();
    if matches!(error, Error::LoggedOut) {
        let post = fields.post.clone();
        let log_in = LogIn {
            next: to.and_then(|to| LocalPath::parse(&routes::status_by_id(to))),
            pending_form: Some(match to {
                None => PendingForm::Post(post),
                Some(reply_to) => PendingForm::Reply { reply_to, post },
            }),
            ..LogIn::default()
        };
        return Retained::LogIn(LogInForm::new(visit, log_in));
    }
    let reply = to.filter(|_| !matches!(error, Error::Deleted { .. }));
    let reply = reply.map(|to| Reply { to, name: None });
    Retained::Compose(fields.compose_form(visit, error).replying(reply))
}

impl Fields {
    /// Returns the form to send the message again after an error.
    pub(in crate::web) fn compose_form(&self, visit: &Visit, error: &Error) -> ComposeForm {
        let sent = match error {
            Error::Conflict | Error::Deleted { .. } => None,
            _ => IdempotencyKey::parse(&self.idempotency_key),
        };
        let idempotency_key = sent.unwrap_or_else(IdempotencyKey::draw);
        ComposeForm::with_draft(visit, idempotency_key, DraftTyped::text(&self.post))
    }
}

/// Asks for confirmation.
pub(in crate::web) async fn ask(
    app: Data<AppState>,
    me: CurrentUser,
    id: Numbered,
) -> Result<HttpResponse> {
    let status = app.store.status(Viewer::Member(me.id), id.0).await?;
    let status = status
        .filter(VisibleStatus::is_own)
        .ok_or(Error::NotFound)?;
    let from = ReturnTo {
        next: me.visitor.came_from(),
    };
    let next = from.page_without(id.0);
    page(&DeletePage::new(&me.visitor.visit(), &status, next))
}

pub(in crate::web) async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    id: Numbered,
    SignedForm(return_to): SignedForm<ReturnTo>,
) -> Result<HttpResponse> {
    match delete_status(&app.store, me.visitor.actor(me.id), id.0).await? {
        Delete::Deleted => {
            me.visitor.set_notice(Notice::Deleted);
            Ok(see_other(return_to.page_without(id.0)))
        }
        Delete::NotFound => Err(Error::NotFound),
    }
}
