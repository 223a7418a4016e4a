//! Muting words, phrases and tags, lifting these mutes, and the page of them.

use super::view::{MuteTextForm, MutedTextsPage};
use crate::{
    actions::muted_texts::{mute_text, unmute_text},
    domain::{MuteTerm, MutedText},
    store::SetOutcome,
    web::prelude::*,
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Fields {
    text: String,
    term: MuteTerm,
    #[serde(flatten)]
    return_to: ReturnTo,
}

#[derive(Deserialize)]
pub struct Lifted {
    text: String,
    #[serde(flatten)]
    return_to: ReturnTo,
}

pub async fn index(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    let restored = me.visitor.restore(|form| match form {
        PendingForm::MutedText { text, term } => Some((Typed::text(text), term)),
        _ => None,
    });
    let (typed, term) = restored.unwrap_or_default();
    let texts = app.store.muted_texts(Viewer::Member(me.id)).await?;
    let visit = me.visitor.visit();
    let form = MuteTextForm::new(&visit, typed, term);
    page(&MutedTextsPage::new(&visit, &texts, form))
}

pub async fn create(app: Data<AppState>, form: MemberForm<Fields>) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| mute(&app, me, fields).await;
    form.answer(act, give_back).await
}

async fn mute(app: &AppState, me: &CurrentUser, fields: &Fields) -> Result<HttpResponse> {
    let parsed = MutedText::parse(&fields.text);
    let Ok(text) = &parsed else {
        return show_form_again(app, me, Typed::checked(&fields.text, &parsed), fields.term).await;
    };
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    match mute_text(&app.store, me.actor(), text, fields.term).await? {
        SetOutcome::Done => {
            let visitor = &me.visitor;
            visitor.forget_pending_form(|form| matches!(form, PendingForm::MutedText { .. }));
            visitor.set_notice(Notice::TextMuted);
            let page = fields.return_to.page_or(routes::SETTINGS_MUTED_WORDS);
            Ok(see_other(page))
        }
        SetOutcome::TooMany => {
            let limit = MutedText::MAX_COUNT;
            let reason = format!(
                "You have reached the limit of {limit} muted texts, or of 16 KB for all of them. Unmute one first."
            );
            show_form_again(app, me, Typed::wrong(&fields.text, reason), fields.term).await
        }
        SetOutcome::Unknown => Err(Error::NotFound),
    }
}

async fn show_form_again(
    app: &AppState,
    me: &CurrentUser,
    typed: Typed,
    term: MuteTerm,
) -> Result<HttpResponse> {
    let texts = app.store.muted_texts(Viewer::Member(me.id)).await?;
    let visit = me.visitor.visit();
    let form = MuteTextForm::new(&visit, typed, term);
    let page = MutedTextsPage::new(&visit, &texts, form);
    page_with(StatusCode::UNPROCESSABLE_ENTITY, &page)
}

/// Returns the text in its form, or, if the session has ended, in the log-in form.
fn give_back(fields: &Fields, visit: &Visit, error: &Error) -> Retained {
    if matches!(error, Error::LoggedOut) {
        let typed = PendingForm::MutedText {
            text: fields.text.clone(),
            term: fields.term,
        };
        let next = LocalPath::parse(routes::SETTINGS_MUTED_WORDS);
        return Retained::log_in(visit, next, typed);
    }
    let typed = Typed::text(&fields.text);
    Retained::form(&MuteTextForm::new(visit, typed, fields.term))
}

pub async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(fields): SignedForm<Lifted>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    if let Ok(text) = MutedText::parse(&fields.text) {
        unmute_text(&app.store, me.actor(), &text).await?;
    }
    me.visitor.set_notice(Notice::TextUnmuted);
    let page = fields.return_to.page_or(routes::SETTINGS_MUTED_WORDS);
    Ok(see_other(page))
}
