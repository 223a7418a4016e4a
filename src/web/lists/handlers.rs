//! A member's named lists: create, read, rename and delete. Lists of others are not found.

use super::view::{
    DeleteListPage, EditListForm, EditListPage, ListForm, ListPage, ListTyped, ListsPage,
};
use crate::{
    actions::{
        homes::list_page,
        lists::{Create, Edit, create as create_list, delete as delete_list, save as save_list},
    },
    domain::{ListName, ListNumber, SaveOutcome, ShownValues},
    web::{
        addresses::{NumberedList, OwnList},
        http::{
            errors::{Gone, error_page::retain},
            forms::Nothing,
            session::sent_as_new,
        },
        prelude::*,
    },
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Fields {
    name: String,
    idempotency_key: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Edited {
    name: String,
    /// Present if the box is checked.
    exclusive: Option<String>,
    /// The digests of the values with which the form was made.
    shown: String,
}

pub async fn index(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    let restored = me.visitor.restore(|form| match form {
        PendingForm::NewList { name } => Some(Typed::text(name)),
        _ => None,
    });
    let typed = restored.unwrap_or_default();
    let visit = me.visitor.visit();
    let form = ListForm::new(&visit, IdempotencyKey::draw(), typed);
    page(&ListsPage::new(&visit, app.store.lists(me.id).await?, form))
}

pub async fn create(app: Data<AppState>, form: MemberForm<Fields>) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| make(&app, me, fields).await;
    form.answer(act, give_back).await
}

async fn make(app: &AppState, me: &CurrentUser, fields: &Fields) -> Result<HttpResponse> {
    let parsed = ListName::parse(&fields.name);
    let Ok(name) = &parsed else {
        return show_form_again(app, me, fields, Typed::checked(&fields.name, &parsed)).await;
    };
    let sent = IdempotencyKey::parse(&fields.idempotency_key).ok_or(Error::BadForm)?;
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    let content = format!("list {}", name.as_str());
    let key = me.visitor.form_key(me.id, sent, &content).await?;
    let outcome = create_list(&app.store, me.actor(), name, &key).await?;
    me.visitor.confirm();
    match outcome {
        Create::Created(list) => {
            let visitor = &me.visitor;
            visitor.forget_pending_form(|form| matches!(form, PendingForm::NewList { .. }));
            visitor.set_notice(Notice::ListCreated);
            Ok(see_other(&routes::list_members(list.number)))
        }
        Create::KeyReused => Err(Error::Conflict),
        Create::TooMany { limit } => {
            let reason = format!("You have reached the limit of {limit} lists.");
            show_form_again(app, me, fields, Typed::wrong(&fields.name, reason)).await
        }
    }
}

async fn show_form_again(
    app: &AppState,
    me: &CurrentUser,
    fields: &Fields,
    typed: Typed,
) -> Result<HttpResponse> {
    let visit = me.visitor.visit();
    let key = IdempotencyKey::after_refusal_of(&fields.idempotency_key);
    let form = ListForm::new(&visit, key, typed);
    let lists = app.store.lists(me.id).await?;
    page_with(
        StatusCode::UNPROCESSABLE_ENTITY,
        &ListsPage::new(&visit, lists, form),
    )
}

/// Returns the name in a form to send it again, or, if the session has ended, in the log-in form.
/// The form keeps its idempotency key, so that a list whose response was lost is not created twice.
fn give_back(fields: &Fields, visit: &Visit, error: &Error) -> Retained {
    if matches!(error, Error::LoggedOut) {
        let name = fields.name.clone();
        let next = LocalPath::parse(routes::LISTS);
        return Retained::log_in(visit, next, PendingForm::NewList { name });
    }
    let sent = match error {
        Error::Conflict => None,
        _ => IdempotencyKey::parse(&fields.idempotency_key),
    };
    let idempotency_key =
        sent.unwrap_or_else(|| IdempotencyKey::after_refusal_of(&fields.idempotency_key));
    Retained::form(&ListForm::new(
        visit,
        idempotency_key,
        Typed::text(&fields.name),
    ))
}

/// Reads the list and its timeline together. The timeline of a missing list is empty.
pub async fn show(
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

pub async fn edit(
    me: CurrentUser,
    NumberedList(number): NumberedList,
    list: Result<OwnList>,
) -> Result<HttpResponse> {
    let pending = pending_edit(&me.visitor, number);
    let OwnList(list) = match (list, &pending) {
        (Err(Error::NotFound), Some(typed)) => return Ok(give_back_edit(&me, number, typed)),
        (list, _) => list?,
    };
    let visit = me.visitor.visit();
    let typed = pending.unwrap_or_else(|| ListTyped::from(&list));
    let form = EditListForm::new(&visit, number, typed);
    page(&EditListPage::new(&visit, &list, form))
}

/// Returns the edit of this list that was typed before the log-in.
fn pending_edit(visitor: &Visitor, number: ListNumber) -> Option<ListTyped> {
    visitor.restore(|form| match form {
        PendingForm::EditedList {
            list,
            name,
            exclusive,
            shown,
        } if list == number => Some(ListTyped {
            name: Typed::text(name),
            exclusive,
            shown: ShownValues::parse(&shown),
        }),
        _ => None,
    })
}

/// Gives back an edit that was typed before the log-in, of a list that was deleted.
fn give_back_edit(me: &CurrentUser, number: ListNumber, typed: &ListTyped) -> HttpResponse {
    let visit = me.visitor.visit();
    let retained = as_new_list(&visit, number, &typed.name.text);
    retain(&me.visitor, &Error::Gone(Gone::List), &visit, retained)
}

/// Returns the name of a deleted list in a form to make a new one. All forms for one list have the same key, so sending
/// two of them makes one.
fn as_new_list(visit: &Visit, deleted: ListNumber, name: &str) -> Retained {
    let key = sent_as_new::list_key(deleted);
    Retained::form(&ListForm::new(visit, key, Typed::text(name)))
}

pub async fn update(
    app: Data<AppState>,
    NumberedList(number): NumberedList,
    form: MemberForm<Edited>,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Edited| {
        let saved = save(&app, me, number, fields).await;
        saved.map_err(|error| error.of_form_about(Gone::List))
    };
    let give_back =
        |fields: &Edited, visit: &Visit, error: &Error| fields.retained(number, visit, error);
    form.answer(act, give_back).await
}

async fn save(
    app: &AppState,
    me: &CurrentUser,
    number: ListNumber,
    fields: &Edited,
) -> Result<HttpResponse> {
    let parsed = ListName::parse(&fields.name);
    let Ok(name) = &parsed else {
        let typed = fields.typed(Typed::checked(&fields.name, &parsed));
        let code = StatusCode::UNPROCESSABLE_ENTITY;
        return show_edit_again(app, me, number, (typed, code)).await;
    };
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    let shown = ShownValues::parse(&fields.shown);
    let values = (name, fields.exclusive());
    match save_list(&app.store, me.actor(), number, values, &shown).await? {
        SaveOutcome::Saved => Ok(saved(me, number)),
        SaveOutcome::NotFound => Err(Error::NotFound),
        SaveOutcome::Conflicts(conflicts) => {
            let typed = fields.typed(Typed::text(&fields.name));
            let typed = typed.in_conflict(&conflicts);
            show_edit_again(app, me, number, (typed, StatusCode::CONFLICT)).await
        }
    }
}

async fn show_edit_again(
    app: &AppState,
    me: &CurrentUser,
    number: ListNumber,
    (typed, code): (ListTyped, StatusCode),
) -> Result<HttpResponse> {
    let list = app.store.list(me.list(number)).await?;
    let list = list.ok_or(Error::NotFound)?;
    let visit = me.visitor.visit();
    let form = EditListForm::new(&visit, number, typed);
    page_with(code, &EditListPage::new(&visit, &list, form))
}

/// Forgets the pending edit and redirects to the list.
fn saved(me: &CurrentUser, number: ListNumber) -> HttpResponse {
    let visitor = &me.visitor;
    visitor.confirm();
    visitor.forget_pending_form(
        |form| matches!(form, PendingForm::EditedList { list, .. } if *list == number),
    );
    visitor.set_notice(Notice::ListSaved);
    see_other(&routes::list(number))
}

impl Edited {
    fn exclusive(&self) -> bool {
        self.exclusive.is_some()
    }

    fn typed(&self, name: Typed) -> ListTyped {
        ListTyped {
            name,
            exclusive: self.exclusive(),
            shown: ShownValues::parse(&self.shown),
        }
    }

    /// Returns the edited list in its form, or, if the session has ended, in the log-in form. The name of a deleted
    /// list is in the form of a new one.
    fn retained(&self, list: ListNumber, visit: &Visit, error: &Error) -> Retained {
        if matches!(error, Error::Gone(_)) {
            return as_new_list(visit, list, &self.name);
        }
        if !matches!(error, Error::LoggedOut) {
            let typed = self.typed(Typed::text(&self.name));
            return Retained::form(&EditListForm::new(visit, list, typed));
        }
        let edited = PendingForm::EditedList {
            list,
            name: self.name.clone(),
            exclusive: self.exclusive(),
            shown: self.shown.clone(),
        };
        Retained::log_in(visit, LocalPath::parse(&routes::edit_list(list)), edited)
    }
}

pub async fn ask(me: CurrentUser, OwnList(list): OwnList) -> Result<HttpResponse> {
    page(&DeleteListPage::new(&me.visitor.visit(), &list))
}

/// Responds to a repeated delete like to the first.
pub async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    NumberedList(number): NumberedList,
    _: SignedForm<Nothing>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    match delete_list(&app.store, me.actor(), number).await? {
        Edit::Done => {
            me.visitor.confirm();
            me.visitor.set_notice(Notice::ListDeleted);
            Ok(see_other(routes::LISTS))
        }
        Edit::NoList => Err(Error::NotFound),
    }
}
