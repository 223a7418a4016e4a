//! A member's named lists: create, read, rename and delete. Lists of others are not found.

use actix_web::{HttpResponse, http::StatusCode, web::Data};
use serde::Deserialize;
use tokio::try_join;

use super::view::{DeleteListPage, EditListForm, EditListPage, ListForm, ListPage, ListsPage};
use crate::{
    actions::{
        homes::list_page,
        lists::{Create, Edit, create as create_list, delete as delete_list, edit as edit_list},
    },
    domain::{IdempotencyKey, ListId, ListName, ListNumber, LocalPath, UserId},
    store::RateLimit,
    web::{
        AppState,
        accounts::view::{LogIn, LogInForm},
        addresses::{Before, NumberedList, OwnList},
        http::{
            answer::{page, page_with, see_other},
            errors::{Error, Result, view::Retained},
            forms::{Nothing, SignedForm, Submitted},
            rate,
            session::{current_user::CurrentUser, pending_form::PendingForm, visitor::Visitor},
        },
        parts::{field::Typed, notice::Notice, visit::Visit},
        routes,
    },
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub(in crate::web) struct Fields {
    name: String,
    idempotency_key: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(in crate::web) struct Edited {
    name: String,
    /// Present if the box is checked.
    exclusive: Option<String>,
}

pub(in crate::web) async fn index(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    let typed = match me.visitor.pending_form() {
        Some(PendingForm::NewList { name }) => Typed::text(name),
        _ => Typed::default(),
    };
    let visit = me.visitor.visit();
    let form = ListForm::new(&visit, IdempotencyKey::draw(), typed);
    page(&ListsPage::new(&visit, app.store.lists(me.id).await?, form))
}

pub(in crate::web) async fn create(
    app: Data<AppState>,
    visitor: Visitor,
    form: Submitted<Fields>,
) -> Result<HttpResponse> {
    let act = async |fields: &Fields| make(&app, &visitor, fields).await;
    form.of_member(&visitor)
        .answer(&visitor, act, give_back)
        .await
}

async fn make(app: &AppState, visitor: &Visitor, fields: &Fields) -> Result<HttpResponse> {
    let me = visitor.member()?.ok_or(Error::LoggedOut)?.id;
    let parsed = ListName::parse(&fields.name);
    let Ok(name) = &parsed else {
        return show_form_again(app, me, visitor, Typed::checked(&fields.name, &parsed)).await;
    };
    let idempotency_key = IdempotencyKey::parse(&fields.idempotency_key).ok_or(Error::BadForm)?;
    rate::take(&app.store, RateLimit::Follow(me)).await?;
    match create_list(&app.store, visitor.actor(me), name, &idempotency_key).await? {
        Create::Created(list) => {
            visitor.forget_pending_form(|form| matches!(form, PendingForm::NewList { .. }));
            visitor.set_notice(Notice::ListCreated);
            Ok(see_other(&routes::list_members(list.number)))
        }
        Create::KeyReused => Err(Error::Conflict),
        Create::TooMany { limit } => {
            let reason = format!("You have reached the limit of {limit} lists.");
            let typed = Typed::wrong(&fields.name, reason);
            show_form_again(app, me, visitor, typed).await
        }
    }
}

async fn show_form_again(
    app: &AppState,
    me: UserId,
    visitor: &Visitor,
    typed: Typed,
) -> Result<HttpResponse> {
    let visit = visitor.visit();
    let form = ListForm::new(&visit, IdempotencyKey::draw(), typed);
    let lists = app.store.lists(me).await?;
    page_with(
        StatusCode::UNPROCESSABLE_ENTITY,
        &ListsPage::new(&visit, lists, form),
    )
}

/// Returns the name in a form to send it again, or, if the session has ended, in the log-in form.
/// The form keeps its idempotency key, so that a list whose response was lost is not created twice.
fn give_back(fields: &Fields, visit: &Visit, error: &Error) -> Retained {
    if matches!(error, Error::LoggedOut) {
        let log_in = LogIn {
            next: LocalPath::parse(routes::LISTS),
            pending_form: Some(PendingForm::NewList {
                name: fields.name.clone(),
            }),
            ..LogIn::default()
        };
        return Retained::LogIn(LogInForm::new(visit, log_in));
    }
    let sent = match error {
        Error::Conflict => None,
        _ => IdempotencyKey::parse(&fields.idempotency_key),
    };
    let idempotency_key = sent.unwrap_or_else(IdempotencyKey::draw);
    Retained::List(ListForm::new(
        visit,
        idempotency_key,
        Typed::text(&fields.name),
    ))
}

/// Reads the list and its timeline together. The timeline of a missing list is empty.
pub(in crate::web) async fn show(
    app: Data<AppState>,
    me: CurrentUser,
    NumberedList(number): NumberedList,
    Before(before): Before,
) -> Result<HttpResponse> {
    let id = me.list(number);
    let (list, statuses) = try_join!(app.store.list(id), list_page(&app.store, id, before))?;
    let list = list.ok_or(Error::NotFound)?;
    let visit = me.visitor.visit();
    page(&ListPage::new(&visit, &list, before, &statuses))
}

pub(in crate::web) async fn edit(me: CurrentUser, OwnList(list): OwnList) -> Result<HttpResponse> {
    let number = list.id.number;
    let (name, exclusive) = match me.visitor.pending_form() {
        Some(PendingForm::EditedList {
            list,
            name,
            exclusive,
        }) if list == number => (name, exclusive),
        _ => (list.name.clone(), list.exclusive),
    };
    let visit = me.visitor.visit();
    let form = EditListForm::new(&visit, number, Typed::text(name), exclusive);
    page(&EditListPage::new(&visit, &list, form))
}

pub(in crate::web) async fn update(
    app: Data<AppState>,
    visitor: Visitor,
    NumberedList(number): NumberedList,
    form: Submitted<Edited>,
) -> Result<HttpResponse> {
    let act = async |fields: &Edited| save(&app, &visitor, number, fields).await;
    let give_back =
        |fields: &Edited, visit: &Visit, error: &Error| fields.retained(number, visit, error);
    form.of_member(&visitor)
        .answer(&visitor, act, give_back)
        .await
}

async fn save(
    app: &AppState,
    visitor: &Visitor,
    number: ListNumber,
    fields: &Edited,
) -> Result<HttpResponse> {
    let owner = visitor.member()?.ok_or(Error::LoggedOut)?.id;
    let parsed = ListName::parse(&fields.name);
    let Ok(name) = &parsed else {
        let list = app.store.list(ListId { owner, number }).await?;
        let visit = visitor.visit();
        let typed = Typed::checked(&fields.name, &parsed);
        let form = EditListForm::new(&visit, number, typed, fields.exclusive());
        let form = EditListPage::new(&visit, &list.ok_or(Error::NotFound)?, form);
        return page_with(StatusCode::UNPROCESSABLE_ENTITY, &form);
    };
    rate::take(&app.store, RateLimit::Follow(owner)).await?;
    let actor = visitor.actor(owner);
    match edit_list(&app.store, actor, number, name, fields.exclusive()).await? {
        Edit::Done => {
            visitor.forget_pending_form(|form| matches!(form, PendingForm::EditedList { .. }));
            visitor.set_notice(Notice::ListSaved);
            Ok(see_other(&routes::list(number)))
        }
        Edit::NoList => Err(Error::NotFound),
    }
}

impl Edited {
    fn exclusive(&self) -> bool {
        self.exclusive.is_some()
    }

    /// Returns the edited list in its form, or, if the session has ended, in the log-in form.
    fn retained(&self, list: ListNumber, visit: &Visit, error: &Error) -> Retained {
        if !matches!(error, Error::LoggedOut) {
            let name = Typed::text(&self.name);
            return Retained::ListEdit(EditListForm::new(visit, list, name, self.exclusive()));
        }
        let log_in = LogIn {
            next: LocalPath::parse(&routes::edit_list(list)),
            pending_form: Some(PendingForm::EditedList {
                list,
                name: self.name.clone(),
                exclusive: self.exclusive(),
            }),
            ..LogIn::default()
        };
        Retained::LogIn(LogInForm::new(visit, log_in))
    }
}

/// Asks for confirmation.
pub(in crate::web) async fn ask(me: CurrentUser, OwnList(list): OwnList) -> Result<HttpResponse> {
    page(&DeleteListPage::new(&me.visitor.visit(), &list))
}

/// Responds to a repeated delete like to the first.
pub(in crate::web) async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    NumberedList(number): NumberedList,
    _: SignedForm<Nothing>,
) -> Result<HttpResponse> {
    rate::take(&app.store, RateLimit::Follow(me.id)).await?;
    match delete_list(&app.store, me.visitor.actor(me.id), number).await? {
        Edit::Done => {
            me.visitor.set_notice(Notice::ListDeleted);
            Ok(see_other(routes::LISTS))
        }
        Edit::NoList => Err(Error::NotFound),
    }
}
