//! The queue of people who ask to join, for those who answer them.

use super::view::ApprovalsPage;
use crate::{
    actions::approvals::{Decision, answer_all_as},
    domain::{Answer, PAGE_SIZE, Power, RefusalReason},
    web::{administration::handlers::require, prelude::*},
};

#[derive(Deserialize)]
pub struct Answers {
    /// The ids of the people who asked.
    from: String,
    answer: Answer,
    /// Shown to a refused person.
    #[serde(default)]
    reason: String,
    #[serde(flatten)]
    return_to: ReturnTo,
}

impl Answers {
    fn people(&self) -> Result<Vec<UserId>> {
        let ids = self.from.split(' ').take(PAGE_SIZE);
        ids.map(|id| id.parse().map_err(|_| Error::BadForm))
            .collect()
    }

    fn decision(&self) -> Result<Decision> {
        let reason = RefusalReason::parse(&self.reason);
        let refused = |error| Error::Refused(format!("The reason was not sent. {error}"));
        Ok(Decision {
            answer: self.answer,
            reason: reason.map_err(refused)?,
        })
    }
}

pub async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    Before(after): Before,
) -> Result<HttpResponse> {
    let role = require(&app, &me, Power::AnswerApplicants).await?;
    let (applicants, _) = try_join!(
        app.store.applicants_after(after, PAGE_SIZE),
        app.store.read_staff_state()
    )?;
    let visit = me.visitor.visit();
    page(&ApprovalsPage::new(&visit, role, after, &applicants))
}

/// Answers one person, or all of a page.
pub async fn answer(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(answers): SignedForm<Answers>,
) -> Result<HttpResponse> {
    require(&app, &me, Power::AnswerApplicants).await?;
    let (people, decision) = (answers.people()?, answers.decision()?);
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    let answered = answer_all_as(&app.store, me.actor(), &people, &decision).await?;
    me.visitor.set_notice(match decision.answer {
        _ if answered < people.len() => Notice::ApplicantsGone,
        Answer::Accept => Notice::ApplicantsLetIn,
        Answer::Refuse => Notice::ApplicantsRefused,
    });
    Ok(see_other(
        answers.return_to.page_or(routes::ADMIN_APPROVALS),
    ))
}
