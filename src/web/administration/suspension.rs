//! Suspending a person and ending a suspension, for those who run the site.

use super::{
    handlers::{person_for, require},
    view::{SuspendForm, SuspendPage},
};
use crate::{
    actions::administration::{restore_as, suspend_as},
    domain::{AccountState, Power, SuspensionReason},
    store::{ChangeOutcome, DecideOutcome},
    web::{
        addresses::WithLogin,
        http::{errors::Gone, forms::Nothing},
        moderation::branch::page_after_suspension,
        prelude::*,
    },
};

#[derive(Deserialize)]
pub struct Fields {
    #[serde(default)]
    reason: String,
}

fn check(outcome: ChangeOutcome, login: &Login) -> Result<()> {
    match outcome {
        ChangeOutcome::Changed => Ok(()),
        ChangeOutcome::Refused => Err(Error::Refused(format!(
            "The account of @{login} is being deleted, or waits to be let in."
        ))),
        ChangeOutcome::Unknown => Err(Error::NotFound),
    }
}

fn check_decision(outcome: DecideOutcome, login: &Login) -> Result<()> {
    let reason = match outcome {
        DecideOutcome::Decided => return Ok(()),
        DecideOutcome::Unknown => return Err(Error::NotFound),
        DecideOutcome::Claimed => format!("Another moderator works on the case of @{login}."),
        DecideOutcome::Refused | DecideOutcome::Outdated | DecideOutcome::Full => {
            format!("@{login} is suspended already, or the account is being deleted.")
        }
    };
    Err(Error::Refused(reason))
}

pub async fn ask(
    app: Data<AppState>,
    me: CurrentUser,
    WithLogin(login): WithLogin,
) -> Result<HttpResponse> {
    let user = person_for(&app, &me, &login, Power::Suspend).await?;
    let visit = me.visitor.visit();
    let form = SuspendForm::new(&visit, &user.login, Typed::default());
    page(&SuspendPage::new(&visit, &user.login, form))
}

pub async fn suspend(
    app: Data<AppState>,
    form: MemberForm<Fields>,
    WithLogin(login): WithLogin,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| {
        let suspended = send_suspension(&app, me, &login, fields).await;
        suspended.map_err(|error| error.of_form_about(Gone::Case))
    };
    let give_back = |fields: &Fields, visit: &Visit, error: &Error| match error {
        Error::Gone(_) => Retained::texts(&[&fields.reason], (routes::ADMIN_REPORTS, "Reports")),
        _ => {
            let typed = SuspendForm::typed(&fields.reason);
            Retained::form(&SuspendForm::new(visit, &login, typed))
        }
    };
    form.answer(act, give_back).await
}

async fn send_suspension(
    app: &AppState,
    me: &CurrentUser,
    login: &Login,
    fields: &Fields,
) -> Result<HttpResponse> {
    let user = person_for(app, me, login, Power::Suspend).await?;
    let Ok(Some(reason)) = SuspensionReason::parse(&fields.reason) else {
        let visit = me.visitor.visit();
        let typed = SuspendForm::typed(&fields.reason);
        let form = SuspendForm::new(&visit, &user.login, typed);
        let page = SuspendPage::new(&visit, &user.login, form);
        return page_with(StatusCode::UNPROCESSABLE_ENTITY, &page);
    };
    rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
    let outcome = suspend_as(&app.store, me.actor(), user.id, &reason).await?;
    check_decision(outcome, &user.login)?;
    let login = user.login.clone();
    me.visitor.set_notice(Notice::Suspended { login });
    let role = require(app, me, Power::Suspend).await?;
    let person = routes::admin_person(&user.login);
    let next = page_after_suspension(app, role, &user, person).await?;
    Ok(see_other(&next))
}

pub async fn restore(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(Nothing {}): SignedForm<Nothing>,
    WithLogin(login): WithLogin,
) -> Result<HttpResponse> {
    let user = person_for(&app, &me, &login, Power::Suspend).await?;
    // A second press finds nothing to do, and adds nothing to the log.
    if matches!(user.state, AccountState::Suspended { .. }) {
        rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
        let outcome = restore_as(&app.store, me.actor(), user.id).await?;
        check(outcome, &user.login)?;
    }
    let login = user.login.clone();
    me.visitor.set_notice(Notice::SuspensionEnded { login });
    Ok(see_other(&routes::admin_person(&user.login)))
}
