//! A member's named lists: making, reading, naming and deleting them. Nobody else's are found.

use actix_web::{HttpResponse, http::StatusCode, web::Data};
use serde::Deserialize;

use super::{
    AppState,
    addresses::{Before, NumberedList, OwnList},
    answer::{page, page_with, see_other},
    current_user::CurrentUser,
    error::{Error, Result},
    forms::{Nothing, SignedForm, Submitted},
    rate, routes,
    view::{
        DeleteListPage, EditListPage, Kept, ListForm, ListPage, ListsPage, LogIn, LogInForm,
        Notice, Retained, Typed, Visit,
    },
    visitor::Visitor,
};
use crate::{
    actions::{
        homes::list_page,
        lists::{Create, Edit, create as create_list, delete as delete_list, edit as edit_list},
    },
    domain::{ListName, LocalPath, Nonce, UserId},
    store::RateLimit,
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Fields {
    name: String,
    nonce: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Edited {
    name: String,
    /// There where the box is ticked.
    exclusive: Option<String>,
}

pub(super) async fn index(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    let typed = match me.visitor.kept() {
        Some(Kept::ListName(name)) => Typed::text(name),
        _ => Typed::default(),
    };
    let visit = me.visitor.visit();
    let form = ListForm::new(&visit, Nonce::draw(), typed);
    page(&ListsPage::new(&visit, app.store.lists(me.id).await?, form))
}

pub(super) async fn create(
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
        return refused(app, me, visitor, Typed::checked(&fields.name, &parsed)).await;
    };
    let nonce = Nonce::parse(&fields.nonce).ok_or(Error::BadForm)?;
    rate::take(&app.store, RateLimit::Follow(me)).await?;
    match create_list(&app.store, visitor.actor(me), name, &nonce).await? {
        Create::Created(list) => {
            if let Some(kept @ Kept::ListName(_)) = visitor.kept() {
                visitor.forget(&kept);
            }
            visitor.tell(Notice::ListMade);
            Ok(see_other(&routes::list_members(list.number)))
        }
        Create::NonceReused => Err(Error::Conflict),
        Create::TooMany { limit } => {
            let reason = format!("You have {limit} lists, and more nobody can have.");
            let typed = Typed::wrong(&fields.name, reason);
            refused(app, me, visitor, typed).await
        }
    }
}

async fn refused(
    app: &AppState,
    me: UserId,
    visitor: &Visitor,
    typed: Typed,
) -> Result<HttpResponse> {
    let visit = visitor.visit();
    let form = ListForm::new(&visit, Nonce::draw(), typed);
    let lists = app.store.lists(me).await?;
    page_with(
        StatusCode::UNPROCESSABLE_ENTITY,
        &ListsPage::new(&visit, lists, form),
    )
}

/// The name in a form to send it again, or, where the session has ended, in the one to log in. It
/// keeps its nonce, so that a list which was made without the answer arriving is not made twice.
fn give_back(fields: &Fields, visit: &Visit, error: &Error) -> Retained {
    if matches!(error, Error::LoggedOut) {
        let log_in = LogIn {
            next: LocalPath::parse(routes::LISTS),
            kept: Some(Kept::ListName(fields.name.clone())),
            ..LogIn::default()
        };
        return Retained::LogIn(LogInForm::new(visit, log_in));
    }
    let sent = match error {
        Error::Conflict => None,
        _ => Nonce::parse(&fields.nonce),
    };
    let nonce = sent.unwrap_or_else(Nonce::draw);
    Retained::List(ListForm::new(visit, nonce, Typed::text(&fields.name)))
}

pub(super) async fn show(
    app: Data<AppState>,
    me: CurrentUser,
    OwnList(list): OwnList,
    Before(before): Before,
) -> Result<HttpResponse> {
    let statuses = list_page(&app.store, list.id, before).await?;
    page(&ListPage::new(
        &me.visitor.visit(),
        &list,
        before,
        &statuses,
    ))
}

pub(super) async fn edit(me: CurrentUser, OwnList(list): OwnList) -> Result<HttpResponse> {
    let typed = Typed::text(&list.name);
    page(&EditListPage::new(&me.visitor.visit(), &list, typed))
}

pub(super) async fn update(
    app: Data<AppState>,
    me: CurrentUser,
    OwnList(mut list): OwnList,
    SignedForm(fields): SignedForm<Edited>,
) -> Result<HttpResponse> {
    let exclusive = fields.exclusive.is_some();
    let parsed = ListName::parse(&fields.name);
    let Ok(name) = &parsed else {
        list.exclusive = exclusive;
        let typed = Typed::checked(&fields.name, &parsed);
        let form = EditListPage::new(&me.visitor.visit(), &list, typed);
        return page_with(StatusCode::UNPROCESSABLE_ENTITY, &form);
    };
    rate::take(&app.store, RateLimit::Follow(me.id)).await?;
    let actor = me.visitor.actor(me.id);
    match edit_list(&app.store, actor, list.id.number, name, exclusive).await? {
        Edit::Done => {
            me.visitor.tell(Notice::ListSaved);
            Ok(see_other(&routes::list(list.id.number)))
        }
        Edit::NoList => Err(Error::NotFound),
    }
}

/// Asks once more.
pub(super) async fn ask(me: CurrentUser, OwnList(list): OwnList) -> Result<HttpResponse> {
    page(&DeleteListPage::new(&me.visitor.visit(), &list))
}

/// Deleting twice is answered as the first time.
pub(super) async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    NumberedList(number): NumberedList,
    _: SignedForm<Nothing>,
) -> Result<HttpResponse> {
    rate::take(&app.store, RateLimit::Follow(me.id)).await?;
    match delete_list(&app.store, me.visitor.actor(me.id), number).await? {
        Edit::Done => {
            me.visitor.tell(Notice::ListDeleted);
            Ok(see_other(routes::LISTS))
        }
        Edit::NoList => Err(Error::NotFound),
    }
}
