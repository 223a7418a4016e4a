//! The decisions about the member, and appeals against them.

use super::decisions_view::{AppealForm, DecisionsPage};
use crate::{
    actions::moderation::appeal,
    domain::{AccountState, Appeal},
    store::AppealOutcome,
    web::prelude::*,
};

#[derive(Deserialize)]
pub struct Fields {
    number: u64,
    #[serde(default)]
    appeal: String,
}

pub async fn index(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    let shown = show(&app, &me, None).await?;
    page(&shown)
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
        let text = Appeal::parse(&fields.appeal);
        let Ok(text) = text else {
            let typed = Typed::checked(&fields.appeal, &text);
            let shown = show(&app, me, Some((fields.number, typed))).await?;
            return page_with(StatusCode::UNPROCESSABLE_ENTITY, &shown);
        };
        rate::charge(&app.store, RateLimit::Report(me.id)).await?;
        let decision = app.store.decision(me.id, fields.number).await?;
        let now = me.visitor.visit().now;
        let decision = decision.filter(|one| one.may_be_appealed(now));
        let decision = decision.ok_or(Error::NotFound)?;
        match appeal(&app.store, &me.actor(), decision.number, text.as_str()).await? {
            AppealOutcome::Appealed => {}
            AppealOutcome::NotFound => return Err(Error::NotFound),
            AppealOutcome::Unchanged => {
                let reason = "You have appealed against this decision already.".to_owned();
                return Err(Error::Refused(reason));
            }
        }
        me.visitor.set_notice(Notice::Appealed);
        Ok(see_other(routes::DECISIONS))
    };
    let give_back = |fields: &Fields, visit: &Visit, _: &Error| {
        let typed = Typed::text(fields.appeal.clone());
        Retained::form(&AppealForm::new(visit, fields.number, typed))
    };
    form.answer(act, give_back).await
}
