//! Editing a status, and its edit history.

use actix_web::{HttpResponse, http::StatusCode, web::Data};
use serde::Deserialize;

use super::view::{EditForm, EditPage, TextTyped, VersionsPage};
use crate::{
    actions::edits::edit as correct,
    domain::{EditState, LocalPath, Login, Message, StatusId, Warning},
    store::{Edit, RateLimit, Viewer, VisibleStatus},
    web::{
        AppState,
        accounts::view::{LogIn, LogInForm},
        addresses::{Named, Numbered},
        http::{
            answer::{page, page_with, see_other},
            errors::{Error, Result, view::Retained},
            forms::Submitted,
            rate,
            session::{
                current_user::CurrentUser,
                pending_form::PendingForm,
                visitor::{Visitor, now},
            },
        },
        parts::{field::Typed, notice::Notice, visit::Visit},
        routes,
    },
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub(in crate::web) struct Fields {
    message: String,
    warning: String,
    revision: u64,
}

const TOO_LATE: &str = "Posts can be edited for 15 minutes. This time is over.";
const TOO_OFTEN: &str = "A post can be edited 20 times. You have reached this limit.";
const OUTDATED: &str =
    "This post was changed elsewhere in the meantime. Save again to overwrite that change.";

pub(in crate::web) async fn edit(
    app: Data<AppState>,
    me: CurrentUser,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    let status = own(&app, Viewer::Member(me.id), id).await?;
    let typed = match me.visitor.pending_form() {
        Some(PendingForm::Edit {
            status,
            message,
            warning,
            revision,
        }) if status == id => TextTyped {
            message: Typed::text(message),
            warning: Typed::text(warning),
            revision,
        },
        _ if status.is_editable(now()) => TextTyped::of(&status),
        _ => return Err(Error::Refused(TOO_LATE.to_owned())),
    };
    let visit = me.visitor.visit();
    page(&EditPage::new(
        &visit,
        &status,
        EditForm::new(&visit, id, typed),
    ))
}

async fn own(app: &AppState, viewer: Viewer, id: StatusId) -> Result<VisibleStatus> {
    let status = app.store.status(viewer, id).await?;
    let has_text = |status: &VisibleStatus| status.is_own() && !status.is_repost();
    status.filter(has_text).ok_or(Error::NotFound)
}

pub(in crate::web) async fn update(
    app: Data<AppState>,
    visitor: Visitor,
    Numbered(id): Numbered,
    form: Submitted<Fields>,
) -> Result<HttpResponse> {
    let act = async |fields: &Fields| save(&app, &visitor, id, fields).await;
    let give_back =
        |fields: &Fields, visit: &Visit, error: &Error| fields.retained(id, visit, error);
    form.of_member(&visitor)
        .answer(&visitor, act, give_back)
        .await
}

async fn save(
    app: &AppState,
    visitor: &Visitor,
    id: StatusId,
    fields: &Fields,
) -> Result<HttpResponse> {
    let me = visitor.member()?.ok_or(Error::LoggedOut)?;
    let correction = match fields.parse() {
        Ok(correction) => correction,
        Err(typed) => {
            return refuse(app, visitor, id, typed, StatusCode::UNPROCESSABLE_ENTITY).await;
        }
    };
    rate::take(&app.store, RateLimit::Post(me.id)).await?;
    let (status, why) = match correct(&app.store, visitor.actor(me.id), id, &correction).await? {
        Edit::Done => return Ok(corrected(visitor, &me.login, id)),
        Edit::NotYours => return Err(Error::NotFound),
        Edit::TooLate => (StatusCode::UNPROCESSABLE_ENTITY, TOO_LATE),
        Edit::TooOften => (StatusCode::UNPROCESSABLE_ENTITY, TOO_OFTEN),
        Edit::Outdated => (StatusCode::CONFLICT, OUTDATED),
    };
    let mut typed = fields.typed();
    typed.message.error = Some(why.to_owned());
    refuse(app, visitor, id, typed, status).await
}

/// Forgets the pending edit and redirects to the status.
fn corrected(visitor: &Visitor, author: &Login, id: StatusId) -> HttpResponse {
    visitor.forget_pending_form(|form| matches!(form, PendingForm::Edit { .. }));
    visitor.set_notice(Notice::Edited);
    see_other(&routes::status(author, id))
}

/// Shows the form again; after a conflict with the current revision.
async fn refuse(
    app: &AppState,
    visitor: &Visitor,
    id: StatusId,
    typed: TextTyped,
    code: StatusCode,
) -> Result<HttpResponse> {
    let status = own(app, visitor.viewer()?, id).await?;
    let visit = visitor.visit();
    let revision = match code {
        StatusCode::CONFLICT => status.revision(),
        _ => typed.revision,
    };
    let form = EditForm::new(&visit, id, TextTyped { revision, ..typed });
    page_with(code, &EditPage::new(&visit, &status, form))
}

impl Fields {
    fn parse(&self) -> std::result::Result<EditState, TextTyped> {
        let message = Message::parse(&self.message);
        let warning = Warning::parse(&self.warning);
        let typed = TextTyped {
            message: Typed::checked(&self.message, &message),
            warning: Typed::checked(&self.warning, &warning),
            revision: self.revision,
        };
        match (message, warning) {
            (Ok(message), Ok(warning)) => Ok(EditState {
                message,
                warning,
                revision: self.revision,
            }),
            _ => Err(typed),
        }
    }

    fn typed(&self) -> TextTyped {
        TextTyped {
            message: Typed::text(&self.message),
            warning: Typed::text(&self.warning),
            revision: self.revision,
        }
    }

    /// Returns the text in a form to send it again, or, if the session has ended, in the log-in
    /// form.
    fn retained(&self, status: StatusId, visit: &Visit, error: &Error) -> Retained {
        if !matches!(error, Error::LoggedOut) {
            return Retained::Edit(EditForm::new(visit, status, self.typed()));
        }
        let log_in = LogIn {
            next: LocalPath::parse(&routes::edit_status(status)),
            pending_form: Some(PendingForm::Edit {
                status,
                message: self.message.clone(),
                warning: self.warning.clone(),
                revision: self.revision,
            }),
            ..LogIn::default()
        };
        Retained::LogIn(LogInForm::new(visit, log_in))
    }
}

/// Shows all versions of a status to everyone who can see it. Under another person's login it is
/// not found.
pub(in crate::web) async fn versions(
    app: Data<AppState>,
    visitor: Visitor,
    author: Named,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    let status = app.store.status(visitor.viewer()?, id).await?;
    let status = status
        .filter(|status| status.author().id == author.0.id && !status.is_repost())
        .ok_or(Error::NotFound)?;
    let earlier = app.store.earlier_versions(&status).await?;
    page(&VersionsPage::new(&visitor.visit(), &status, earlier))
}
