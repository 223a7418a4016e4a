//! Members of a list: their page, and the forms that add and remove people. These forms are on that
//! page and on profiles.

use std::sync::Arc;

use super::view::{AddForm, MembersPage};
use crate::{
    actions::lists::{Add, Edit, add, remove},
    domain::{Cursor, ListId, ListNumber},
    store::PeopleOf,
    web::{addresses::NumberedList, http::return_to::local, prelude::*},
};

const UNKNOWN_LOGIN: &str = "No account has this login.";

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Fields {
    login: String,
    #[serde(deserialize_with = "local")]
    next: Option<LocalPath>,
}

/// Reads the list and its members together. A missing list has no members.
pub async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    NumberedList(number): NumberedList,
    Before(before): Before,
) -> Result<HttpResponse> {
    let restored = me.visitor.restore(|form| match form {
        PendingForm::ListMember { list, login } if list == number => Some(Typed::text(login)),
        _ => None,
    });
    let typed = restored.unwrap_or_default();
    let visit = me.visitor.visit();
    let form = AddForm::new(&visit, number, None, typed);
    let members = members(&app, &visit, me.list(number), before, form);
    page(&members.await?)
}

pub async fn create(
    app: Data<AppState>,
    NumberedList(number): NumberedList,
    form: MemberForm<Fields>,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| put(&app, me, number, fields).await;
    let give_back =
        |fields: &Fields, visit: &Visit, error: &Error| fields.retained(number, visit, error);
    form.answer(act, give_back).await
}

async fn put(
    app: &AppState,
    me: &CurrentUser,
    number: ListNumber,
    fields: &Fields,
) -> Result<HttpResponse> {
    let Some(person) = fields.person(app, Viewer::Member(me.id)).await? else {
        return show_form_again(app, me, number, fields, UNKNOWN_LOGIN).await;
    };
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    match add(&app.store, me.actor(), number, person.id).await? {
        Add::Done => {
            let (visitor, login) = (&me.visitor, person.login.clone());
            visitor.forget_pending_form(
                |form| matches!(form, PendingForm::ListMember { list, .. } if *list == number),
            );
            visitor.set_notice(Notice::ListMemberAdded { login });
            Ok(fields.back(number))
        }
        Add::NoList => Err(Error::NotFound),
        Add::Unknown => show_form_again(app, me, number, fields, UNKNOWN_LOGIN).await,
        Add::Full { limit } => {
            let reason = format!("This list has reached the limit of {limit} people.");
            show_form_again(app, me, number, fields, &reason).await
        }
    }
}

/// Shows the members again, with the rejected login.
async fn show_form_again(
    app: &AppState,
    me: &CurrentUser,
    list: ListNumber,
    fields: &Fields,
    reason: &str,
) -> Result<HttpResponse> {
    let visit = me.visitor.visit();
    let typed = Typed::wrong(&fields.login, reason);
    let form = AddForm::new(&visit, list, fields.next.clone(), typed);
    let members = members(app, &visit, me.list(list), None, form);
    page_with(StatusCode::UNPROCESSABLE_ENTITY, &members.await?)
}

impl Fields {
    /// Returns the person with this login, with or without a leading @.
    async fn person(&self, app: &AppState, viewer: Viewer) -> Result<Option<Arc<User>>> {
        match Login::stored(Login::typed(&self.login)) {
            Some(login) => Ok(app.store.find_user(viewer, &login).await?),
            None => Ok(None),
        }
    }

    /// Returns the login in its form, or, if the session has ended, in the log-in form. A button
    /// returns to its page, because nothing was typed.
    fn retained(&self, list: ListNumber, visit: &Visit, error: &Error) -> Retained {
        if !matches!(error, Error::LoggedOut) {
            let typed = Typed::text(&self.login);
            return Retained::form(&AddForm::new(visit, list, self.next.clone(), typed));
        }
        let typed = || PendingForm::ListMember {
            list,
            login: self.login.clone(),
        };
        let members = || LocalPath::parse(&routes::list_members(list));
        let next = self.next.clone().or_else(members);
        Retained::log_in(visit, next, self.next.is_none().then(typed))
    }

    /// Redirects to the page of the button, or to the list's members.
    fn back(&self, list: ListNumber) -> HttpResponse {
        let members = routes::list_members(list);
        see_other(self.next.as_ref().map_or(&members, LocalPath::as_str))
    }
}

pub async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    NumberedList(number): NumberedList,
    SignedForm(fields): SignedForm<Fields>,
) -> Result<HttpResponse> {
    let login = Login::stored(&fields.login).ok_or(Error::NotFound)?;
    let viewer = Viewer::Member(me.id);
    let person = app.store.find_user(viewer, &login).await?;
    let person = person.ok_or(Error::NotFound)?;
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    let actor = me.actor();
    match remove(&app.store, actor, number, person.id).await? {
        Edit::Done => {
            me.visitor.set_notice(Notice::ListMemberRemoved {
                login: person.login.clone(),
            });
            Ok(fields.back(number))
        }
        Edit::NoList => Err(Error::NotFound),
    }
}

async fn members(
    app: &AppState,
    visit: &Visit,
    id: ListId,
    before: Option<Cursor>,
    form: AddForm,
) -> Result<MembersPage> {
    let viewer = Viewer::Member(id.owner);
    let (list, people) = try_join!(
        app.store.list(id),
        app.store.people_page(viewer, PeopleOf::List(id), before)
    )?;
    let list = list.ok_or(Error::NotFound)?;
    Ok(MembersPage::new(visit, &list, before, &people, form))
}
