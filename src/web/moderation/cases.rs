//! The case of a person: its page, claims, decisions, their ends, and answers to appeals.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::{
    branch::page_after_suspension,
    case_view::{CasePage, answer_form},
    decision_form::{DecisionFields, DecisionForm, Parsed},
};
use crate::{
    actions::moderation::{answer_appeal, claim, decide, end_decision, may_answer},
    domain::{ActingPerson, AppealAnswer, Cursor, Decision, Explanation, Measure, Power},
    store::{Case, ClaimCaseOutcome, Claiming, DecideOutcome, EndOutcome, NewDecision},
    web::{
        addresses::{BeforeTexts, WithLogin},
        administration::handlers::{person_for, require},
        http::{
            errors::{Gone, error_page::retain},
            forms::Nothing,
        },
        prelude::*,
    },
};

#[derive(Deserialize)]
pub struct Ended {
    number: u64,
}

#[derive(Deserialize)]
pub struct AnswerFields {
    number: u64,
    answer: String,
    #[serde(default)]
    explanation: String,
}

/// Returns the person if the member may decide about them.
pub(super) async fn subject(app: &AppState, me: &CurrentUser, login: &Login) -> Result<User> {
    person_for(app, me, login, Power::Moderate).await
}

pub async fn show(
    app: Data<AppState>,
    me: CurrentUser,
    WithLogin(login): WithLogin,
    Before(before): Before,
    BeforeTexts(texts): BeforeTexts,
) -> Result<HttpResponse> {
    let user = match subject(&app, &me, &login).await {
        Ok(user) => user,
        Err(error) => return give_back_pending(&me, &login, error),
    };
    let typed = DecisionFields::before(&me.visitor, |login| user.has_had(login));
    let of_typed = typed.as_ref().and_then(DecisionFields::cursor_at_own_post);
    let places = (before.or(of_typed), texts);
    let data = app.store.case_file(&user, places).await?;
    let visit = me.visitor.visit();
    let saved = typed.as_ref();
    if let Some(saved) = saved.filter(|fields| is_saved(me.id, &visit, &data.case, fields)) {
        return show_without_saved(&app, &me, &user, (before, texts), saved).await;
    }
    let shown = match typed {
        Some(fields) if fields.revision != data.case.revision => {
            CasePage::outdated(&visit, &data, fields)
        }
        fields => CasePage::new(&visit, &data, fields.unwrap_or_default()),
    };
    page(&shown)
}

/// Shows the case without a form that was saved before, and forgets the form. The page does not need that write.
async fn show_without_saved(
    app: &AppState,
    me: &CurrentUser,
    user: &User,
    places: (Option<Cursor>, Option<Cursor>),
    fields: &DecisionFields,
) -> Result<HttpResponse> {
    fields.forget_before(&me.visitor, user);
    let data = app.store.case_file(user, places).await?;
    let visit = Visit {
        notice: Some(Notice::Decided),
        ..me.visitor.visit()
    };
    page(&CasePage::new(&visit, &data, DecisionFields::default()))
}

/// Returns whether an earlier arrival of this form was saved. Its answer may be lost.
fn is_saved(by: UserId, visit: &Visit, case: &Case, fields: &DecisionFields) -> bool {
    let decision = fields.parse(visit).map(|parsed| decision(by, parsed));
    decision.is_some_and(|decision| case.has_since(fields.revision, &decision, visit.now))
}

/// Gives back the text that a moderator typed before the log-in, if its person is gone, or if the moderator may not
/// decide about the person any more. The text is not sent.
fn give_back_pending(me: &CurrentUser, login: &Login, error: Error) -> Result<HttpResponse> {
    let typed = DecisionFields::before(&me.visitor, |about| about.is_same(login));
    let typed = typed.filter(|_| matches!(error, Error::NotFound | Error::NotPermitted));
    let Some(typed) = typed else {
        return Err(error);
    };
    let texts: [&str; 2] = [&typed.explanation, &typed.warning];
    let retained = match error {
        Error::NotPermitted => Retained::texts(&texts, (routes::HOME, "Home")),
        _ => to_copy(&texts),
    };
    let (visit, error) = (me.visitor.visit(), error.of_form_about(Gone::Case));
    Ok(retain(&me.visitor, &error, &visit, retained))
}

/// Shows the case with the form of a decision about a reported post.
pub async fn show_with_post(
    app: Data<AppState>,
    me: CurrentUser,
    WithLogin(login): WithLogin,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    let user = subject(&app, &me, &login).await?;
    if !app.store.is_reported_post(user.id, id).await? {
        return Err(Error::NotFound);
    }
    let fields = DecisionFields::about(id);
    let places = (fields.cursor_at_own_post(), None);
    let data = app.store.case_file(&user, places).await?;
    let visit = me.visitor.visit();
    page(&CasePage::new(&visit, &data, fields))
}

pub async fn set_claim(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(Nothing {}): SignedForm<Nothing>,
    OfRoute(claiming): OfRoute<Claiming>,
    WithLogin(login): WithLogin,
) -> Result<HttpResponse> {
    let user = subject(&app, &me, &login).await?;
    rate::charge(&app.store, RateLimit::Save(me.id)).await?;
    match claim(&app.store, &me.actor(), user.id, claiming).await? {
        ClaimCaseOutcome::Done => {}
        ClaimCaseOutcome::Nothing => return Err(Error::NotFound),
        ClaimCaseOutcome::Taken => return Err(claimed()),
    }
    me.visitor.set_notice(match claiming {
        Claiming::Claim => Notice::CaseClaimed,
        Claiming::Release => Notice::CaseReleased,
    });
    Ok(see_other(&routes::admin_case(&user.login)))
}

fn claimed() -> Error {
    let reason = "Another moderator works on this. Wait for their decision, or half an hour.";
    Error::Refused(reason.to_owned())
}

pub async fn create_decision(
    app: Data<AppState>,
    form: MemberForm<DecisionFields>,
    WithLogin(login): WithLogin,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &DecisionFields| {
        let decided = send_decision(&app, me, &login, fields).await;
        decided.map_err(|error| error.of_form_about(Gone::Case))
    };
    let give_back = |fields: &DecisionFields, visit: &Visit, error: &Error| match error {
        Error::Gone(_) => to_copy(&[&fields.explanation, &fields.warning]),
        Error::LoggedOut => {
            let next = LocalPath::parse(&routes::admin_case(&login));
            Retained::log_in(visit, next, fields.pending(&login))
        }
        _ => Retained::form(&DecisionForm::new(visit, &login, fields.clone())),
    };
    form.answer(act, give_back).await
}

/// Returns the texts of a form about a case that cannot be sent.
pub(super) fn to_copy(texts: &[&str]) -> Retained {
    Retained::texts(texts, (routes::ADMIN_REPORTS, "Reports"))
}

async fn send_decision(
    app: &AppState,
    me: &CurrentUser,
    login: &Login,
    fields: &DecisionFields,
) -> Result<HttpResponse> {
    let user = subject(app, me, login).await?;
    let visit = me.visitor.visit();
    let Some(parsed) = fields.parse(&visit) else {
        let places = (fields.cursor_at_own_post(), None);
        let data = app.store.case_file(&user, places).await?;
        let form = CasePage::new(&visit, &data, fields.clone());
        return page_with(StatusCode::UNPROCESSABLE_ENTITY, &form);
    };
    check_post(app, user.id, &parsed.measure).await?;
    rate::charge(&app.store, RateLimit::Save(me.id)).await?;
    app.store.check_session(&me.actor()).await?;
    let new = new_decision(me.id, parsed, fields);
    let outcome = decide(&app.store, user.id, &new).await?;
    if outcome == DecideOutcome::Outdated {
        return answer_outdated(app, me, &user, (&new, fields)).await;
    }
    check(outcome, &user.login)?;
    answer_decided(app, me, &user, (&new, fields)).await
}

/// Answers a form about an earlier state of the case. If an earlier arrival of the form was saved and another act came
/// after it, the decision is not offered again.
async fn answer_outdated(
    app: &AppState,
    me: &CurrentUser,
    user: &User,
    (new, fields): (&NewDecision, &DecisionFields),
) -> Result<HttpResponse> {
    let visit = me.visitor.visit();
    let places = (fields.cursor_at_own_post(), None);
    let data = app.store.case_file(user, places).await?;
    if is_saved(me.id, &visit, &data.case, fields) {
        return answer_decided(app, me, user, (new, fields)).await;
    }
    // The new form is about the case as it is now.
    let form = CasePage::outdated(&visit, &data, fields.clone());
    page_with(StatusCode::CONFLICT, &form)
}

async fn answer_decided(
    app: &AppState,
    me: &CurrentUser,
    user: &User,
    (new, fields): (&NewDecision, &DecisionFields),
) -> Result<HttpResponse> {
    fields.forget_before(&me.visitor, user);
    me.visitor.set_notice(Notice::Decided);
    Ok(see_other(&after_decision(app, me, user, new).await?))
}

/// Returns the page to show after a decision.
async fn after_decision(
    app: &AppState,
    me: &CurrentUser,
    user: &User,
    new: &NewDecision,
) -> Result<String> {
    let case = routes::admin_case(&user.login);
    match new.decision.measure {
        Measure::Suspend => {
            let role = require(app, me, Power::Moderate).await?;
            page_after_suspension(app, role, user, case).await
        }
        _ => Ok(case),
    }
}

/// Requires that the post of a decision was reported. Moderators decide about no other posts.
async fn check_post(app: &AppState, subject: UserId, measure: &Measure) -> Result<()> {
    match measure.post() {
        Some(post) if !app.store.is_reported_post(subject, post).await? => Err(Error::NotFound),
        _ => Ok(()),
    }
}

fn decision(by: UserId, parsed: Parsed) -> Decision {
    Decision {
        by: ActingPerson::Person(by),
        measure: parsed.measure,
        reason: parsed.reason,
        explanation: parsed.explanation.as_str().to_owned(),
    }
}

/// Builds the decision of a form. The same form sent twice is one decision.
fn new_decision(by: UserId, parsed: Parsed, fields: &DecisionFields) -> NewDecision {
    let mut hasher = DefaultHasher::new();
    (by.get(), fields).hash(&mut hasher);
    NewDecision {
        decision: decision(by, parsed),
        revision: Some(fields.revision),
        seen_us: fields.seen,
        token: format!("{:016x}", hasher.finish()),
    }
}

fn check(outcome: DecideOutcome, login: &Login) -> Result<()> {
    let reason = match outcome {
        DecideOutcome::Decided => return Ok(()),
        DecideOutcome::Unknown => return Err(Error::NotFound),
        DecideOutcome::Claimed => return Err(claimed()),
        DecideOutcome::Outdated => DecisionForm::OUTDATED.to_owned(),
        DecideOutcome::Refused => {
            format!("The account of @{login} is in this state already, or is being deleted.")
        }
        DecideOutcome::Full => format!("There is no room for more decisions about @{login}."),
    };
    Err(Error::Refused(reason))
}

pub async fn end(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(Ended { number }): SignedForm<Ended>,
    WithLogin(login): WithLogin,
) -> Result<HttpResponse> {
    let user = subject(&app, &me, &login).await?;
    let decision = app.store.decision(user.id, number).await?;
    let decision = decision.filter(|one| one.decision.measure.is_undoable());
    let decision = decision.ok_or(Error::NotFound)?;
    rate::charge(&app.store, RateLimit::Save(me.id)).await?;
    app.store.check_session(&me.actor()).await?;
    let by = ActingPerson::Person(me.id);
    match end_decision(&app.store, by, user.id, &decision).await? {
        EndOutcome::Ended | EndOutcome::Upheld | EndOutcome::Answered => {}
        EndOutcome::NotFound => return Err(Error::NotFound),
        EndOutcome::TooLate => {
            let reason = "This decision is older than 30 days.".to_owned();
            return Err(Error::Refused(reason));
        }
    }
    me.visitor.set_notice(Notice::DecisionEnded);
    Ok(see_other(&routes::admin_case(&user.login)))
}

pub async fn answer(
    app: Data<AppState>,
    form: MemberForm<AnswerFields>,
    WithLogin(login): WithLogin,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &AnswerFields| {
        let answered = send_answer(&app, me, &login, fields).await;
        answered.map_err(|error| error.of_form_about(Gone::Case))
    };
    let give_back = |fields: &AnswerFields, visit: &Visit, error: &Error| match error {
        Error::Gone(_) => to_copy(&[&fields.explanation]),
        _ => {
            let explanation = Typed::text(fields.explanation.clone());
            Retained::form(&answer_form(visit, &login, fields.number, explanation))
        }
    };
    form.answer(act, give_back).await
}

async fn send_answer(
    app: &AppState,
    me: &CurrentUser,
    login: &Login,
    fields: &AnswerFields,
) -> Result<HttpResponse> {
    let user = subject(app, me, login).await?;
    let decision = app.store.decision(user.id, fields.number).await?;
    let decision = &decision.ok_or(Error::NotFound)?;
    let answer = fields.parse(me.id)?;
    if !may_answer(&app.store, decision, ActingPerson::Person(me.id)).await? {
        let reason = "Another moderator answers appeals against your decisions.".to_owned();
        return Err(Error::Refused(reason));
    }
    rate::charge(&app.store, RateLimit::Save(me.id)).await?;
    app.store.check_session(&me.actor()).await?;
    match answer_appeal(&app.store, user.id, decision, answer).await? {
        EndOutcome::Ended | EndOutcome::Upheld => {}
        EndOutcome::NotFound | EndOutcome::TooLate => return Err(Error::NotFound),
        EndOutcome::Answered => {
            let reason = "Someone answered this appeal meanwhile.".to_owned();
            return Err(Error::Refused(reason));
        }
    }
    me.visitor.set_notice(Notice::AppealAnswered);
    Ok(see_other(&routes::admin_case(&user.login)))
}

impl AnswerFields {
    fn parse(&self, by: UserId) -> Result<AppealAnswer> {
        let explanation = Explanation::parse(&self.explanation);
        let explanation = explanation.map_err(|error| Error::Refused(error.to_string()))?;
        Ok(AppealAnswer {
            by: ActingPerson::Person(by),
            is_granted: match self.answer.as_str() {
                "grant" => true,
                "refuse" => false,
                _ => return Err(Error::BadForm),
            },
            explanation: explanation.as_str().to_owned(),
        })
    }
}
