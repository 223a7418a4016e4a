//! Posting, one status on its page, deleting it.

use actix_web::{HttpResponse, web::Data};
use serde::Deserialize;

use super::{
    AppState,
    addresses::{Named, Numbered},
    answer::{page, see_other},
    current_user::CurrentUser,
    error::{Error, Result},
    forms::{SignedForm, Submitted},
    homes,
    leading::Leading,
    rate, routes,
    view::{
        ComposeForm, DeletePage, Kept, LogIn, LogInForm, Notice, PermalinkPage, Retained, Typed,
        Visit,
    },
    visitor::Visitor,
};
use crate::{
    actions::statuses::{Delete, Post, delete as delete_status, post},
    domain::{LocalPath, Message, Nonce},
    store::{RateLimit, Viewer, VisibleStatus},
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Fields {
    pub(super) message: String,
    pub(super) nonce: String,
}

pub(super) async fn create(
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
    let me = visitor.member()?.ok_or(Error::LoggedOut)?.id;
    let parsed = Message::parse(&fields.message);
    let Ok(message) = &parsed else {
        let visit = visitor.visit();
        let typed = Typed::checked(&fields.message, &parsed);
        let compose = ComposeForm::retyped(&visit, Nonce::draw(), typed);
        return homes::with_compose(app, me, &visit, compose).await;
    };
    let nonce = Nonce::parse(&fields.nonce).ok_or(Error::BadForm)?;
    rate::take(&app.store, RateLimit::Post(me)).await?;
    match post(&app.store, visitor.actor(me), message, &nonce).await? {
        Post::Posted(_) => Ok(posted(visitor)),
        Post::NonceReused => Err(Error::Conflict),
    }
}

/// Home, with what was posted; what waited to be is done.
pub(super) fn posted(visitor: &Visitor) -> HttpResponse {
    if let Some(kept @ Kept::Message(_)) = visitor.kept() {
        visitor.forget(&kept);
    }
    visitor.tell(Notice::Posted);
    see_other(routes::HOME)
}

/// The message in a form to send it again, or, where the session has ended, in the one to log in:
/// behind that it waits at home. It keeps its nonce, so that a message which was posted without
/// the answer arriving is not posted twice; after a conflict it gets a new one.
fn give_back(fields: &Fields, visit: &Visit, error: &Error) -> Retained {
    match error {
        Error::LoggedOut => Retained::LogIn(fields.behind_log_in(visit, None)),
        error => Retained::Compose(fields.retyped(visit, error)),
    }
}

impl Fields {
    /// The form to log in, behind which the message waits on the page that it leads to.
    pub(super) fn behind_log_in(&self, visit: &Visit, next: Option<LocalPath>) -> LogInForm {
        let log_in = LogIn {
            next,
            kept: Some(Kept::Message(self.message.clone())),
            ..LogIn::default()
        };
        LogInForm::new(visit, log_in)
    }

    /// The form to send the message again after an error.
    pub(super) fn retyped(&self, visit: &Visit, error: &Error) -> ComposeForm {
        let sent = match error {
            Error::Conflict => None,
            _ => Nonce::parse(&self.nonce),
        };
        let nonce = sent.unwrap_or_else(Nonce::draw);
        ComposeForm::retyped(visit, nonce, Typed::text(&self.message))
    }
}

/// The permalink, for its author with how far a long delivery has come; that of a repost without a
/// comment leads on to its original's. Under another person's login a status is not found.
pub(super) async fn show(
    app: Data<AppState>,
    visitor: Visitor,
    author: Named,
    id: Numbered,
) -> Result<HttpResponse> {
    let status = app.store.status(visitor.viewer()?, id.0).await?;
    let status = status
        .filter(|status| status.author().id == author.0.id)
        .ok_or(Error::NotFound)?;
    if status.is_repost() {
        let original = status.shown();
        let path = routes::status(&original.author().login, original.id());
        return Ok(see_other(&path));
    }
    let progress = app.store.progress(&status).await?;
    page(&PermalinkPage::new(&visitor.visit(), &status, progress))
}

/// Asks once more.
pub(super) async fn ask(
    app: Data<AppState>,
    me: CurrentUser,
    id: Numbered,
) -> Result<HttpResponse> {
    let status = app.store.status(Viewer::Member(me.id), id.0).await?;
    let status = status.filter(VisibleStatus::own).ok_or(Error::NotFound)?;
    let from = Leading {
        next: me.visitor.came_from(),
    };
    let next = from.page_without(id.0);
    page(&DeletePage::new(&me.visitor.visit(), &status, next))
}

pub(super) async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    id: Numbered,
    SignedForm(leading): SignedForm<Leading>,
) -> Result<HttpResponse> {
    match delete_status(&app.store, me.visitor.actor(me.id), id.0).await? {
        Delete::Deleted => {
            me.visitor.tell(Notice::Deleted);
            Ok(see_other(leading.page_without(id.0)))
        }
        Delete::NotFound => Err(Error::NotFound),
    }
}
