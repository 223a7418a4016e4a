//! Changing who can reply to a post and quote it, hiding replies, and removing posts from quotes.

use super::view::ReplyControlPage;
use crate::{
    actions::reply_control::{detach_quote, save_reply_control, set_hidden},
    domain::{Repliers, ReplyControl, SaveOutcome, ShownValues},
    store::ControlOutcome,
    web::{collections::handlers::back, prelude::*},
};

#[derive(Deserialize)]
pub struct Fields {
    repliers: String,
    quoting_closed: Option<String>,
    /// The digests of the values with which the form was made.
    #[serde(default)]
    shown: String,
}

impl Fields {
    fn chosen(&self) -> Result<ReplyControl> {
        Ok(ReplyControl {
            repliers: Repliers::stored(&self.repliers).ok_or(Error::BadForm)?,
            is_quoting_closed: self.quoting_closed.is_some(),
        })
    }
}

/// Whether a reply is hidden or shown again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyState {
    Hidden,
    Shown,
}

/// Shows the form to the author of a post.
pub async fn show(
    app: Data<AppState>,
    me: CurrentUser,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    let status = own(&app, me.id, id).await?;
    page(&ReplyControlPage::new(&me.visitor.visit(), &status))
}

async fn own(app: &AppState, me: UserId, id: StatusId) -> Result<VisibleStatus> {
    let status = app.store.status(Viewer::Member(me), id).await?;
    status
        .filter(VisibleStatus::is_own_text)
        .ok_or(Error::NotFound)
}

pub async fn update(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(fields): SignedForm<Fields>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    let saved = save(&app, &me, &fields, id).await;
    saved.map_err(|error| match error {
        Error::NotFound => Error::Deleted {
            back: routes::HOME.to_owned(),
        },
        error => error,
    })
}

async fn save(
    app: &AppState,
    me: &CurrentUser,
    fields: &Fields,
    id: StatusId,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Save(me.id)).await?;
    let (chosen, shown) = (fields.chosen()?, ShownValues::parse(&fields.shown));
    match save_reply_control(&app.store, me.actor(), id, chosen, &shown).await? {
        SaveOutcome::Saved => {
            me.visitor.set_notice(Notice::ReplyControlSaved);
            Ok(see_other(&routes::status(&me.login, id)))
        }
        SaveOutcome::NotFound => Err(Error::NotFound),
        SaveOutcome::Conflicts(conflicts) => {
            let status = own(app, me.id, id).await?;
            let page = ReplyControlPage::new(&me.visitor.visit(), &status);
            let page = page.in_conflict(chosen, (shown, &conflicts));
            page_with(StatusCode::CONFLICT, &page)
        }
    }
}

/// Hides a reply in a conversation that the member began, or shows it again.
pub async fn set_reply(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    OfRoute(reply): OfRoute<ReplyState>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Save(me.id)).await?;
    let is_hidden = reply == ReplyState::Hidden;
    match set_hidden(&app.store, me.actor(), id, is_hidden).await? {
        ControlOutcome::NotFound => Err(not_found(&form, id)),
        ControlOutcome::Done => {
            me.visitor.set_notice(match reply {
                ReplyState::Hidden => Notice::ReplyHidden,
                ReplyState::Shown => Notice::ReplyShown,
            });
            Ok(back(&form, id))
        }
    }
}

/// Removes the member's post from a quote of it.
pub async fn detach(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Save(me.id)).await?;
    match detach_quote(&app.store, me.actor(), id).await? {
        ControlOutcome::NotFound => Err(not_found(&form, id)),
        ControlOutcome::Done => {
            me.visitor.set_notice(Notice::QuoteDetached);
            Ok(back(&form, id))
        }
    }
}

fn not_found(form: &SignedForm<ReturnTo>, id: StatusId) -> Error {
    Error::Deleted {
        back: form.0.page_without(id).to_owned(),
    }
}
