//! Members of a list: their page, and the forms that add and remove people. These forms are on that
//! page and on profiles.

use std::sync::Arc;

use actix_web::{HttpResponse, http::StatusCode, web::Data};
use serde::Deserialize;
use tokio::try_join;

use super::view::{MemberForm, MembersPage};
use crate::{
    actions::lists::{Add, Edit, add, remove},
    domain::{Cursor, ListId, ListNumber, LocalPath, Login},
    store::{RateLimit, User},
    web::{
        AppState,
        accounts::view::{LogIn, LogInForm},
        addresses::{Before, NumberedList},
        http::{
            answer::{page, page_with, see_other},
            errors::{Error, Result, view::Retained},
            forms::{SignedForm, Submitted},
            rate,
            return_to::local,
            session::{current_user::CurrentUser, pending_form::PendingForm, visitor::Visitor},
        },
        parts::{field::Typed, notice::Notice, visit::Visit},
        routes,
    },
};

const NOBODY: &str = "No account has this login.";

#[derive(Deserialize, Default)]
#[serde(default)]
pub(in crate::web) struct Fields {
    login: String,
    #[serde(deserialize_with = "local")]
    next: Option<LocalPath>,
}

/// Reads the list and its members together. A missing list has no members.
pub(in crate::web) async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    NumberedList(number): NumberedList,
    Before(before): Before,
) -> Result<HttpResponse> {
    let typed = match me.visitor.pending_form() {
        Some(PendingForm::ListMember { list, login }) if list == number => Typed::text(login),
        _ => Typed::default(),
    };
    let visit = me.visitor.visit();
    let form = MemberForm::new(&visit, number, None, typed);
    let members = members(&app, &visit, me.list(number), before, form);
    page(&members.await?)
}

pub(in crate::web) async fn create(
    app: Data<AppState>,
    visitor: Visitor,
    NumberedList(number): NumberedList,
    form: Submitted<Fields>,
) -> Result<HttpResponse> {
    let act = async |fields: &Fields| put(&app, &visitor, number, fields).await;
    let give_back =
        |fields: &Fields, visit: &Visit, error: &Error| fields.retained(number, visit, error);
    form.of_member(&visitor)
        .answer(&visitor, act, give_back)
        .await
}

async fn put(
    app: &AppState,
    visitor: &Visitor,
    number: ListNumber,
    fields: &Fields,
) -> Result<HttpResponse> {
    let owner = visitor.member()?.ok_or(Error::LoggedOut)?.id;
    let reason = match fields.person(app).await? {
        None => NOBODY.to_owned(),
        Some(person) => {
            rate::take(&app.store, RateLimit::Follow(owner)).await?;
            match add(&app.store, visitor.actor(owner), number, person.id).await? {
                Add::Done => {
                    visitor
                        .forget_pending_form(|form| matches!(form, PendingForm::ListMember { .. }));
                    visitor.set_notice(Notice::ListMemberAdded {
                        login: person.login.clone(),
                    });
                    return Ok(fields.back(number));
                }
                Add::NoList => return Err(Error::NotFound),
                Add::Unknown => NOBODY.to_owned(),
                Add::Full { limit } => {
                    format!("This list has reached the limit of {limit} people.")
                }
            }
        }
    };
    show_form_again(app, visitor, ListId { owner, number }, fields, reason).await
}

/// Shows the members again, with the rejected login.
async fn show_form_again(
    app: &AppState,
    visitor: &Visitor,
    list: ListId,
    fields: &Fields,
    reason: String,
) -> Result<HttpResponse> {
    let visit = visitor.visit();
    let typed = Typed::wrong(&fields.login, reason);
    let form = MemberForm::new(&visit, list.number, fields.next.clone(), typed);
    let members = members(app, &visit, list, None, form);
    page_with(StatusCode::UNPROCESSABLE_ENTITY, &members.await?)
}

impl Fields {
    /// Returns the person with this login, with or without a leading @.
    async fn person(&self, app: &AppState) -> Result<Option<Arc<User>>> {
        match Login::stored(self.login.trim().trim_start_matches('@')) {
            Some(login) => Ok(app.store.user_by_login(&login).await?),
            None => Ok(None),
        }
    }

    /// Returns the login in its form, or, if the session has ended, in the log-in form. A button
    /// returns to its page, because nothing was typed.
    fn retained(&self, list: ListNumber, visit: &Visit, error: &Error) -> Retained {
        if !matches!(error, Error::LoggedOut) {
            let typed = Typed::text(&self.login);
            return Retained::Member(MemberForm::new(visit, list, self.next.clone(), typed));
        }
        let typed = || PendingForm::ListMember {
            list,
            login: self.login.clone(),
        };
        let members = || LocalPath::parse(&routes::list_members(list));
        let log_in = LogIn {
            pending_form: self.next.is_none().then(typed),
            next: self.next.clone().or_else(members),
            ..LogIn::default()
        };
        Retained::LogIn(LogInForm::new(visit, log_in))
    }

    /// Redirects to the page of the button, or to the list's members.
    fn back(&self, list: ListNumber) -> HttpResponse {
        let members = routes::list_members(list);
        see_other(self.next.as_ref().map_or(&members, LocalPath::as_str))
    }
}

pub(in crate::web) async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    NumberedList(number): NumberedList,
    SignedForm(fields): SignedForm<Fields>,
) -> Result<HttpResponse> {
    let login = Login::stored(&fields.login).ok_or(Error::NotFound)?;
    let person = app.store.user_by_login(&login).await?;
    let person = person.ok_or(Error::NotFound)?;
    rate::take(&app.store, RateLimit::Follow(me.id)).await?;
    let actor = me.visitor.actor(me.id);
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
    form: MemberForm,
) -> Result<MembersPage> {
    let (list, people) = try_join!(app.store.list(id), app.store.members_page(id, before))?;
    let list = list.ok_or(Error::NotFound)?;
    Ok(MembersPage::new(visit, &list, before, &people, form))
}
