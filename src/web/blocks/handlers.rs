//! Blocking a person, lifting a block, and the page of blocked people.

use actix_web::web::Path;

use super::view::blocked_page;
use crate::{
    actions::blocks::{Block, block, unblock},
    web::prelude::*,
};

#[derive(Deserialize)]
pub struct Blocked {
    login: String,
}

pub async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    Before(before): Before,
) -> Result<HttpResponse> {
    let people = app.store.blocked_page(me.id, before).await?;
    page(&blocked_page(&me.visitor.visit(), before, &people))
}

/// Leads back to the page of the button, or home, because the pages of a blocked person are not found.
pub async fn create(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(return_to): SignedForm<ReturnTo>,
    login: Path<String>,
) -> Result<HttpResponse> {
    let login = Login::stored(&login).ok_or(Error::NotFound)?;
    let person = app
        .store
        .find_user_to_report(Viewer::Member(me.id), &login)
        .await?;
    let person = person.ok_or(Error::NotFound)?;
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    match block(&app.store, me.actor(), person.id).await? {
        Block::Done => {
            let notice = Notice::Blocked {
                login: person.login.clone(),
            };
            me.visitor.set_notice_at(notice, return_to.status());
            Ok(see_other(return_to.page_without_person(&person.login)))
        }
        Block::Unknown => Err(Error::NotFound),
        Block::Oneself => Err(Error::Refused("You cannot block yourself.".to_owned())),
        Block::TooMany => {
            let limit = app.store.config().limits.max_blocked;
            let reason = format!(
                "You have reached the limit of {limit} blocked people. Unblock someone first."
            );
            Err(Error::Refused(reason))
        }
    }
}

/// Lifts a block. The login is a field, because the person is not found by a path. An unknown login
/// gets the same answer as one that is not blocked.
pub async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(fields): SignedForm<Blocked>,
) -> Result<HttpResponse> {
    let login = Login::stored(&fields.login).ok_or(Error::NotFound)?;
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    if let Some(person) = app.store.user_by_login(&login).await? {
        unblock(&app.store, me.actor(), person.id).await?;
    }
    me.visitor.set_notice(Notice::Unblocked { login });
    Ok(see_other(routes::SETTINGS_BLOCKED))
}
