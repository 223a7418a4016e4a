//! The decisions about the member, and appeals against them.

use super::decisions_view::{AppealForm, DecisionsPage};
use crate::{
    actions::moderation::appeal,
    domain::{AccountState, Appeal},
    store::{AppealOutcome, ReadMode, RecordedDecision},
    web::{
        http::errors::{Gone, error_page::retain},
        prelude::*,
    },
};

#[derive(Deserialize)]
pub struct Fields {
    number: u64,
    #[serde(default)]
    appeal: String,
}

pub async fn index(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    let Some((number, typed)) = me.visitor.pending_form().and_then(to_appeal) else {
        return page(&show(&app, &me, None).await?);
    };
    let visit = me.visitor.visit();
    let error = match app.store.decision(me.id, number).await? {
        // It is about the account that sent the appeal, and this is another one.
        None => {
            forget_appeal_after_visit(&me);
            return page(&show(&app, &me, None).await?);
        }
        Some(one) if !one.may_be_appealed(visit.now) => Error::Gone(Gone::AppealedDecision),
        Some(one) if one.appeal.is_some() => appealed_already(),
        Some(_) => {
            let typed = me.visitor.restore(to_appeal);
            let typed = typed.map(|(number, appeal)| (number, Typed::text(appeal)));
            return page(&show(&app, &me, typed).await?);
        }
    };
    // The page with the decisions is needed, so it shows the text once.
    forget_appeal_after_visit(&me);
    Ok(retain(&me.visitor, &error, &visit, to_copy(&typed)))
}

/// Removes the appeal that was typed before the log-in, unless a prefetch or a HEAD request asks for the page.
fn forget_appeal_after_visit(me: &CurrentUser) {
    if me.visitor.read_mode() == ReadMode::Visit {
        forget_appeal(me);
    }
}

fn appealed_already() -> Error {
    let reason = "You have appealed against this decision already.";
    Error::Refused(reason.to_owned())
}

/// Returns the appeal that the member typed before the log-in, and the number of its decision.
fn to_appeal(form: PendingForm) -> Option<(u64, String)> {
    match form {
        PendingForm::Appeal { number, appeal } => Some((number, appeal)),
        _ => None,
    }
}

fn forget_appeal(me: &CurrentUser) {
    let is_appeal = |form: &PendingForm| matches!(form, PendingForm::Appeal { .. });
    me.visitor.forget_pending_form(is_appeal);
}

/// Returns the decision if the member can appeal against it.
async fn appealable(
    app: &AppState,
    me: &CurrentUser,
    number: u64,
) -> Result<Option<RecordedDecision>> {
    let now = me.visitor.visit().now;
    let decision = app.store.decision(me.id, number).await?;
    Ok(decision.filter(|one| one.may_be_appealed(now)))
}

/// Returns the text of an appeal that cannot be sent.
fn to_copy(appeal: &str) -> Retained {
    Retained::texts(&[appeal], (routes::DECISIONS, "Decisions about you"))
}

async fn show(
    app: &AppState,
    me: &CurrentUser,
    typed: Option<(u64, Typed)>,
) -> Result<DecisionsPage> {
    let (user, decisions) = try_join!(app.store.user(me.id), app.store.decisions(me.id))?;
    let user = user.ok_or(Error::NotFound)?;
    let is_hidden = user.state != AccountState::Active;
    let visit = me.visitor.visit();
    Ok(DecisionsPage::new(&visit, is_hidden, &decisions, typed))
}

pub async fn create_appeal(app: Data<AppState>, form: MemberForm<Fields>) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| {
        let sent = send_appeal(&app, me, fields).await;
        sent.map_err(|error| error.of_form_about(Gone::AppealedDecision))
    };
    let give_back = |fields: &Fields, visit: &Visit, error: &Error| match error {
        Error::Gone(_) => to_copy(&fields.appeal),
        Error::LoggedOut => {
            let (number, appeal) = (fields.number, fields.appeal.clone());
            let pending = PendingForm::Appeal { number, appeal };
            Retained::log_in(visit, LocalPath::parse(routes::DECISIONS), pending)
        }
        _ => {
            let typed = Typed::text(fields.appeal.clone());
            Retained::form(&AppealForm::new(visit, fields.number, typed))
        }
    };
    form.answer(act, give_back).await
}

async fn send_appeal(app: &AppState, me: &CurrentUser, fields: &Fields) -> Result<HttpResponse> {
    let text = Appeal::parse(&fields.appeal);
    let Ok(text) = text else {
        let typed = Typed::checked(&fields.appeal, &text);
        let shown = show(app, me, Some((fields.number, typed))).await?;
        return page_with(StatusCode::UNPROCESSABLE_ENTITY, &shown);
    };
    rate::charge(&app.store, RateLimit::Report(me.id)).await?;
    let decision = appealable(app, me, fields.number).await?;
    let decision = decision.ok_or(Error::NotFound)?;
    match appeal(&app.store, &me.actor(), decision.number, text.as_str()).await? {
        AppealOutcome::Appealed => {}
        AppealOutcome::NotFound => return Err(Error::NotFound),
        AppealOutcome::Unchanged => return Err(appealed_already()),
    }
    forget_appeal(me);
    me.visitor.set_notice(Notice::Appealed);
    Ok(see_other(routes::DECISIONS))
}
