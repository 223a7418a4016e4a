//! Who stands in a list: the page of them, and the forms that add and remove people, which stand on
//! that page and on profiles.

use actix_web::{HttpResponse, http::StatusCode, web::Data};
use serde::Deserialize;

use super::{
    AppState,
    addresses::{Before, OwnList},
    answer::{page_with, see_other},
    current_user::CurrentUser,
    error::{Error, Result},
    forms::SignedForm,
    leading::local,
    rate, routes,
    view::{MembersPage, Notice, Typed},
};
use crate::{
    actions::lists::{Add, Edit, add, remove},
    domain::{Cursor, LocalPath, Login},
    store::{List, RateLimit},
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Fields {
    login: String,
    #[serde(deserialize_with = "local")]
    next: Option<LocalPath>,
}

pub(super) async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    OwnList(list): OwnList,
    Before(before): Before,
) -> Result<HttpResponse> {
    let (status, typed) = (StatusCode::OK, Typed::default());
    members(&app, &me, &list, before, status, typed).await
}

pub(super) async fn create(
    app: Data<AppState>,
    me: CurrentUser,
    OwnList(list): OwnList,
    SignedForm(fields): SignedForm<Fields>,
) -> Result<HttpResponse> {
    let login = Login::stored(fields.login.trim().trim_start_matches('@'));
    let person = match &login {
        Some(login) => app.store.user_by_login(login).await?,
        None => None,
    };
    let reason = match person {
        None => "Nobody here has that login.".to_owned(),
        Some(person) => {
            rate::take(&app.store, RateLimit::Follow(me.id)).await?;
            let actor = me.visitor.actor(me.id);
            match add(&app.store, actor, list.id.number, person.id).await? {
                Add::Done => {
                    me.visitor.tell(Notice::Listed(person.login));
                    return Ok(back(&fields, &list));
                }
                Add::NoList => return Err(Error::NotFound),
                Add::Unknown => "Nobody here has that login.".to_owned(),
                Add::Full { limit } => {
                    format!("This list holds {limit} people, and more no list can.")
                }
            }
        }
    };
    let typed = Typed::wrong(&fields.login, reason);
    let status = StatusCode::UNPROCESSABLE_ENTITY;
    members(&app, &me, &list, None, status, typed).await
}

pub(super) async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    OwnList(list): OwnList,
    SignedForm(fields): SignedForm<Fields>,
) -> Result<HttpResponse> {
    let login = Login::stored(&fields.login).ok_or(Error::NotFound)?;
    let person = app.store.user_by_login(&login).await?;
    let person = person.ok_or(Error::NotFound)?;
    rate::take(&app.store, RateLimit::Follow(me.id)).await?;
    let actor = me.visitor.actor(me.id);
    match remove(&app.store, actor, list.id.number, person.id).await? {
        Edit::Done => {
            me.visitor.tell(Notice::Unlisted(person.login));
            Ok(back(&fields, &list))
        }
        Edit::NoList => Err(Error::NotFound),
    }
}

async fn members(
    app: &AppState,
    me: &CurrentUser,
    list: &List,
    before: Option<Cursor>,
    status: StatusCode,
    typed: Typed,
) -> Result<HttpResponse> {
    let people = app.store.members_page(list.id, before).await?;
    let visit = me.visitor.visit();
    page_with(
        status,
        &MembersPage::new(&visit, list, before, &people, typed),
    )
}

/// To where the button stood, or to the people of the list.
fn back(fields: &Fields, list: &List) -> HttpResponse {
    let members = routes::list_members(list.id.number);
    see_other(fields.next.as_ref().map_or(&members, LocalPath::as_str))
}
