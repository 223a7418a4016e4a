//! Muting a person, lifting a mute, and the page of muted people.

use super::view::MutedPage;
use crate::{
    actions::mutes::{Mute, mute, unmute},
    domain::MuteTerm,
    web::{follows::handlers::back, prelude::*},
};

#[derive(Deserialize)]
pub struct Fields {
    #[serde(default)]
    term: MuteTerm,
    #[serde(flatten)]
    return_to: ReturnTo,
}

impl Fields {
    /// The menu of a post names no term.
    pub fn until_unmuted(return_to: ReturnTo) -> Self {
        Self {
            term: MuteTerm::default(),
            return_to,
        }
    }
}

pub async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    Before(before): Before,
) -> Result<HttpResponse> {
    let people = app.store.muted_page(me.id, before).await?;
    page(&MutedPage::new(&me.visitor.visit(), before, &people))
}

pub async fn create(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(fields): SignedForm<Fields>,
    Named(person): Named,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    match mute(&app.store, me.actor(), person.id, fields.term).await? {
        Mute::Done => {
            let notice = Notice::Muted {
                login: person.login.clone(),
            };
            let place = fields.return_to.status();
            me.visitor.set_notice_at(notice, place);
            Ok(back(&fields.return_to, &person))
        }
        Mute::Oneself => Err(Error::Refused("You cannot mute yourself.".to_owned())),
        Mute::TooMany => {
            let limit = app.store.config().limits.max_muted;
            let reason = format!(
                "You have reached the limit of {limit} muted people. Unmute someone first."
            );
            Err(Error::Refused(reason))
        }
    }
}

pub async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(return_to): SignedForm<ReturnTo>,
    Named(person): Named,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    unmute(&app.store, me.actor(), person.id).await?;
    me.visitor.set_notice(Notice::Unmuted {
        login: person.login.clone(),
    });
    Ok(back(&return_to, &person))
}
