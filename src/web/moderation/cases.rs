//! The case of a person: its page, claims, decisions, their ends, and answers to appeals.

use std::{
    collections::BTreeSet,
    hash::{DefaultHasher, Hash, Hasher},
};

use super::{
    branch::page_after_suspension,
    case_view::{CaseData, CasePage, SHOWN_REPORTS, answer_form},
    decision_form::{DecisionFields, DecisionForm, Parsed},
};
use crate::{
    actions::moderation::{answer_appeal, claim, decide, end_decision},
    domain::{
        ActingPerson, AppealAnswer, Cursor, Decision, Explanation, GroupId, Measure, Power,
        ReportName, Role, may_answer_appeal,
    },
    store::{
        Case, ClaimCaseOutcome, Claiming, DecideOutcome, EndOutcome, NamedReport, NewDecision,
        RecordedDecision, SentText,
    },
    web::{
        addresses::{BeforeTexts, WithLogin},
        administration::handlers::{person_for, require},
        http::forms::Nothing,
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
    let user = subject(&app, &me, &login).await?;
    let data = read(&app, &user, (before, texts)).await?;
    let visit = me.visitor.visit();
    page(&CasePage::new(&visit, &data, DecisionFields::default()))
}

/// Shows the case with the form of a decision about a reported post.
pub async fn show_with_post(
    app: Data<AppState>,
    me: CurrentUser,
    WithLogin(login): WithLogin,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    let user = subject(&app, &me, &login).await?;
    let is_reported = app.store.is_reported_post(user.id, id).await?;
    let before = is_reported.then(|| Cursor::before(id.get() + 1));
    let before = Some(before.ok_or(Error::NotFound)?);
    let data = read(&app, &user, (before, None)).await?;
    let visit = me.visitor.visit();
    page(&CasePage::new(&visit, &data, DecisionFields::about(id)))
}

/// Reads everything that the page of a case shows, with the reported posts and texts from these places on.
async fn read(
    app: &AppState,
    user: &User,
    (before, before_texts): (Option<Cursor>, Option<Cursor>),
) -> Result<CaseData> {
    let store = &app.store;
    let (case, inviters, posts) = try_join!(
        store.case(user.id),
        store.inviters_of(user.id),
        store.reported_posts(user.id, before)
    )?;
    let shown: Vec<_> = case.open().take(SHOWN_REPORTS).collect();
    let shown: Vec<_> = shown.iter().map(|(_, report)| **report).collect();
    let texts = store.sent_texts(&case, before_texts).await?;
    let groups = texts.items.iter().filter_map(|(name, _)| name.group());
    let groups: Vec<GroupId> = groups.collect();
    let people = named_people(&case, &shown, &texts.items);
    let mut statuses: Vec<StatusId> = posts.items.iter().map(|(name, _)| name.status).collect();
    statuses.dedup();
    // The author sees every post that still exists. Only reported ones are read.
    let author = Viewer::Member(user.id);
    let (reports, people, statuses, groups) = try_join!(
        store.filed_reports(user.id, &shown),
        store.account_records(&people),
        store.visible(author, &statuses),
        store.listed_of(&groups)
    )?;
    Ok(CaseData {
        user: user.clone(),
        case,
        reports,
        before,
        posts,
        before_texts,
        texts,
        groups,
        people,
        statuses,
        inviters,
    })
}

/// Returns the people whose logins the page shows: reporters, authors of messages, owners of groups, and moderators.
fn named_people(
    case: &Case,
    shown: &[NamedReport],
    texts: &[(ReportName, SentText)],
) -> Vec<UserId> {
    let of_texts = texts.iter().flat_map(|(name, text)| {
        let people = text.people().into_iter();
        people.chain(name.reporter.person())
    });
    let reporters = shown.iter().filter_map(|one| one.name.reporter.person());
    let people: BTreeSet<UserId> = reporters.chain(of_texts).chain(case.moderators()).collect();
    people.into_iter().collect()
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
        let user = subject(&app, me, &login).await?;
        let visit = me.visitor.visit();
        let Some(parsed) = fields.parse(&visit) else {
            let data = read(&app, &user, (None, None)).await?;
            let form = CasePage::new(&visit, &data, fields.clone());
            return page_with(StatusCode::UNPROCESSABLE_ENTITY, &form);
        };
        check_post(&app, user.id, &parsed.measure).await?;
        rate::check_room_for_words(&app.store, parsed.explanation.as_str()).await?;
        rate::charge(&app.store, RateLimit::Save(me.id)).await?;
        app.store.check_session(&me.actor()).await?;
        let new = new_decision(me.id, parsed, fields);
        check(decide(&app.store, user.id, &new).await?, &user.login)?;
        me.visitor.set_notice(Notice::Decided);
        Ok(see_other(&after_decision(&app, me, &user, &new).await?))
    };
    let give_back = |fields: &DecisionFields, visit: &Visit, _: &Error| {
        Retained::form(&DecisionForm::new(visit, &login, fields.clone()))
    };
    form.answer(act, give_back).await
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

/// Builds the decision of a form. The same form sent twice is one decision.
fn new_decision(by: UserId, parsed: Parsed, fields: &DecisionFields) -> NewDecision {
    let decision = Decision {
        by: ActingPerson::Person(by),
        measure: parsed.measure,
        reason: parsed.reason,
        explanation: parsed.explanation.as_str().to_owned(),
    };
    let mut hasher = DefaultHasher::new();
    (by.get(), fields).hash(&mut hasher);
    NewDecision {
        decision,
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
        DecideOutcome::Outdated => {
            "Someone decided about this person meanwhile. Open the case again to see it.".to_owned()
        }
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
        let user = subject(&app, me, &login).await?;
        let decision = app.store.decision(user.id, fields.number).await?;
        let decision = &decision.ok_or(Error::NotFound)?;
        let answer = fields.parse(me.id)?;
        check_answerer(&app, me, decision).await?;
        rate::check_room_for_words(&app.store, &answer.explanation).await?;
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
    };
    let give_back = |fields: &AnswerFields, visit: &Visit, _: &Error| {
        let explanation = Typed::text(fields.explanation.clone());
        Retained::form(&answer_form(visit, &login, fields.number, explanation))
    };
    form.answer(act, give_back).await
}

impl AnswerFields {
    fn parse(&self, by: UserId) -> Result<AppealAnswer> {
        let explanation = Explanation::parse(&self.explanation);
        let explanation = explanation.map_err(|error| Error::Refused(error.to_string()))?;
        Ok(AppealAnswer {
            by,
            is_granted: match self.answer.as_str() {
                "grant" => true,
                "refuse" => false,
                _ => return Err(Error::BadForm),
            },
            explanation: explanation.as_str().to_owned(),
        })
    }
}

/// Requires that another moderator than the one who decided answers, if there are several.
async fn check_answerer(
    app: &AppState,
    me: &CurrentUser,
    decision: &RecordedDecision,
) -> Result<()> {
    let roles = app.store.people_with_roles().await?;
    let moderators = roles.values().filter(|role| **role == Role::Moderator);
    match may_answer_appeal(decision.decision.by, me.id, moderators.count()) {
        true => Ok(()),
        false => {
            let reason = "Another moderator answers appeals against your decisions.".to_owned();
            Err(Error::Refused(reason))
        }
    }
}
