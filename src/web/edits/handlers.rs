//! Editing a status, and its edit history.

use std::cell::Cell;

use super::{
    deleted::DeletedPost,
    view::{EditForm, EditPage, TextTyped, VersionsPage},
};
use crate::{
    actions::edits::edit as correct,
    domain::{EditState, Message, Visibility, Warning},
    store::Edit,
    web::{
        http::{errors::error_page::retain, session::visitor::now},
        prelude::*,
    },
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Fields {
    message: String,
    warning: String,
    revision: u64,
    visibility: String,
}

const TOO_LATE: &str = "Posts can be edited for 15 minutes. This time is over.";
const TOO_OFTEN: &str = "A post can be edited 20 times. You have reached this limit.";

pub async fn edit(
    app: Data<AppState>,
    me: CurrentUser,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    let pending = pending_edit(&me.visitor, id);
    let status = match (own(&app, Viewer::Member(me.id), id).await, &pending) {
        (Err(Error::NotFound), Some(typed)) => return give_back(&app, &me, id, typed).await,
        (status, _) => status?,
    };
    let typed = match pending {
        Some(typed) => typed,
        None if status.is_editable(now()) => TextTyped::of(&status),
        None if status.revision() >= EditState::MAX => {
            return Err(Error::Refused(TOO_OFTEN.to_owned()));
        }
        None => return Err(Error::Refused(TOO_LATE.to_owned())),
    };
    show_form(&me, &status, typed, StatusCode::OK)
}

/// Returns the edit of this status that was typed before the log-in.
fn pending_edit(visitor: &Visitor, id: StatusId) -> Option<TextTyped> {
    visitor.restore(|form| match form {
        PendingForm::Edit {
            status,
            message,
            warning,
            revision,
            visibility,
        } if status == id => Some(TextTyped {
            message: Typed::text(message),
            warning: Typed::text(warning),
            revision,
            visibility: Visibility::stored(&visibility),
        }),
        _ => None,
    })
}

/// Gives back an edit of a post that was deleted, in a form to post it as a new one.
async fn give_back(
    app: &AppState,
    me: &CurrentUser,
    id: StatusId,
    typed: &TextTyped,
) -> Result<HttpResponse> {
    let deleted = DeletedPost::find(app, me.id, id).await?;
    let visit = me.visitor.visit();
    let retained = Retained::form(&deleted.form(&visit, id, typed));
    Ok(retain(&me.visitor, &deleted.error(), &visit, retained))
}

/// Returns the widest visibility that an edit offers. In a group there is no choice.
fn widest(status: &VisibleStatus) -> Visibility {
    match status.group_id() {
        Some(_) => Visibility::Group,
        None => status.own_visibility(),
    }
}

async fn own(app: &AppState, viewer: Viewer, id: StatusId) -> Result<VisibleStatus> {
    let status = app.store.status(viewer, id).await?;
    status
        .filter(VisibleStatus::is_own_text)
        .ok_or(Error::NotFound)
}

pub async fn update(
    app: Data<AppState>,
    Numbered(id): Numbered,
    form: MemberForm<Fields>,
) -> Result<HttpResponse> {
    let deleted = Cell::new(None);
    let act = async |me: &CurrentUser, fields: &Fields| match save(&app, me, id, fields).await {
        Err(Error::NotFound) => {
            let post = DeletedPost::find(&app, me.id, id).await?;
            let error = post.error();
            deleted.set(Some(post));
            Err(error)
        }
        saved => saved,
    };
    let give_back = |fields: &Fields, visit: &Visit, error: &Error| match deleted.take() {
        Some(deleted) => Retained::form(&deleted.form(visit, id, &fields.typed())),
        None => fields.retained(id, visit, error),
    };
    form.answer(act, give_back).await
}

async fn save(
    app: &AppState,
    me: &CurrentUser,
    id: StatusId,
    fields: &Fields,
) -> Result<HttpResponse> {
    let correction = match fields.parse() {
        Ok(correction) => correction,
        Err(typed) => return refuse(app, me, id, typed).await,
    };
    rate::count(&app.store, RateLimit::Post(me.id)).await?;
    let why = match correct(&app.store, me.actor(), id, &correction).await? {
        Edit::Done => return Ok(corrected(me, id)),
        Edit::NotYours => return Err(Error::NotFound),
        Edit::Outdated => return show_conflict(app, me, id, (fields, &correction)).await,
        Edit::TooLate => TOO_LATE,
        Edit::TooOften => TOO_OFTEN,
    };
    let mut typed = fields.typed();
    typed.message.error = Some(why.to_owned());
    refuse(app, me, id, typed).await
}

/// Forgets the pending edit and redirects to the status.
fn corrected(me: &CurrentUser, id: StatusId) -> HttpResponse {
    let visitor = &me.visitor;
    visitor.confirm();
    visitor.forget_pending_form(
        |form| matches!(form, PendingForm::Edit { status, .. } if *status == id),
    );
    visitor.set_notice(Notice::Edited);
    see_other(&routes::status(&me.login, id))
}

/// Shows the form again with its errors.
async fn refuse(
    app: &AppState,
    me: &CurrentUser,
    id: StatusId,
    typed: TextTyped,
) -> Result<HttpResponse> {
    let status = own(app, Viewer::Member(me.id), id).await?;
    show_form(me, &status, typed, StatusCode::UNPROCESSABLE_ENTITY)
}

/// Shows the form again, with the text and the revision that another edit stored meanwhile.
async fn show_conflict(
    app: &AppState,
    me: &CurrentUser,
    id: StatusId,
    (fields, correction): (&Fields, &EditState),
) -> Result<HttpResponse> {
    let status = own(app, Viewer::Member(me.id), id).await?;
    let stored_warning = status.own_warning().unwrap_or_default();
    let warning = correction.warning.as_ref().map_or("", Warning::as_str);
    let is_other_warning = warning != stored_warning;
    // If the texts are the same, another device has changed them, and this one has changed who can see them.
    let is_other_message = correction.message.as_str() != status.message() || !is_other_warning;
    let typed = fields.typed();
    let typed = TextTyped {
        message: typed
            .message
            .in_conflict(is_other_message.then(|| status.message())),
        warning: typed
            .warning
            .in_conflict(is_other_warning.then_some(stored_warning)),
        revision: status.revision(),
        visibility: typed.visibility,
    };
    show_form(me, &status, typed, StatusCode::CONFLICT)
}

fn show_form(
    me: &CurrentUser,
    status: &VisibleStatus,
    typed: TextTyped,
    code: StatusCode,
) -> Result<HttpResponse> {
    let visit = me.visitor.visit();
    let form = EditForm::new(&visit, status.id(), typed).up_to(widest(status));
    page_with(code, &EditPage::new(&visit, status, form))
}

impl Fields {
    fn parse(&self) -> std::result::Result<EditState, TextTyped> {
        let message = Message::parse(&self.message);
        let warning = Warning::parse(&self.warning);
        let revision = self.revision;
        let visibility = Visibility::stored(&self.visibility);
        let typed = TextTyped {
            message: Typed::checked(&self.message, &message),
            warning: Typed::checked(&self.warning, &warning),
            revision,
            visibility,
        };
        let (Ok(message), Ok(warning)) = (message, warning) else {
            return Err(typed);
        };
        Ok(EditState {
            message,
            warning,
            revision,
            visibility,
        })
    }

    fn typed(&self) -> TextTyped {
        TextTyped {
            message: Typed::text(&self.message),
            warning: Typed::text(&self.warning),
            revision: self.revision,
            visibility: Visibility::stored(&self.visibility),
        }
    }

    /// Returns the text in a form to send it again, or, if the session has ended, in the log-in
    /// form.
    fn retained(&self, status: StatusId, visit: &Visit, error: &Error) -> Retained {
        if !matches!(error, Error::LoggedOut) {
            return Retained::form(&EditForm::again(visit, status, self.typed()));
        }
        let edit = PendingForm::Edit {
            status,
            message: self.message.clone(),
            warning: self.warning.clone(),
            revision: self.revision,
            visibility: self.visibility.clone(),
        };
        Retained::log_in(visit, LocalPath::parse(&routes::edit_status(status)), edit)
    }
}

/// Shows all versions of a status to everyone who can see it. Under another person's login it is
/// not found.
pub async fn versions(
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
