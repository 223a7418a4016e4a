//! The page of a case: the reports, the decisions, and the form of the next one.

use super::{
    decision_form::{DecisionFields, DecisionForm},
    reported_view::{self, GroupReport, MessageReport, PostThenAndNow},
};
use crate::{
    domain::{Login, ReportSubject},
    store::{Case, CaseFile, FiledReport, RecordedDecision, UnixMs},
    web::parts::{button_form::ButtonForm, moment::Moment, prelude::*},
};

/// Characters of a post that name it above the form.
const SUBJECT_CHARACTERS: usize = 80;

#[derive(Debug, Template)]
#[template(path = "moderation/case.html")]
pub struct CasePage {
    layout: Layout,
    login: String,
    profile: String,
    name: String,
    joined: Moment,
    posts_in_words: String,
    inviter: Option<Login>,
    /// The moderator who works on it, and since when.
    claim: Option<(String, Moment)>,
    claim_button: Option<ButtonForm>,
    /// The page that freezes people whom a suspended person invited.
    freeze_invited: Option<String>,
    report_count: String,
    reports: Vec<ReportLine>,
    posts: Vec<PostThenAndNow>,
    pager: Option<Pager>,
    messages: Vec<MessageReport>,
    groups: Vec<GroupReport>,
    /// The links to further reports of messages and groups.
    texts_pager: Option<Pager>,
    decisions: Vec<DecisionLine>,
    /// The beginning of the post that the form is about.
    subject: Option<String>,
    form: DecisionForm,
}

#[derive(Debug)]
struct ReportLine {
    reporter: String,
    reason: String,
    note: String,
    about: &'static str,
    at: Moment,
}

#[derive(Debug)]
struct DecisionLine {
    words: String,
    grounds: String,
    at: Moment,
    ended: Option<(String, Moment)>,
    appeal: Option<String>,
    answer: Option<String>,
    undo: Option<ButtonForm>,
    answer_form: Option<AnswerForm>,
}

#[derive(Debug, Template)]
#[template(path = "moderation/_answer_form.html")]
pub struct AnswerForm {
    csrf_token: String,
    action: String,
    number: u64,
    explanation: Field,
}

impl askama::filters::HtmlSafe for AnswerForm {}

/// Creates the form that answers an appeal.
pub fn answer_form(visit: &Visit, login: &Login, number: u64, typed: Typed) -> AnswerForm {
    AnswerForm {
        csrf_token: visit.csrf_token.clone(),
        action: routes::answer_appeal(login),
        number,
        explanation: Field::new(
            Kind::Optional,
            "explanation",
            "Explanation for the person",
            typed,
        )
        .with_hint("Up to 500 characters."),
    }
}

impl CasePage {
    /// Returns the page after a decision about an earlier state of the case.
    pub fn outdated(visit: &Visit, data: &CaseFile, fields: DecisionFields) -> Self {
        let page = Self::new(visit, data, fields);
        Self {
            layout: page.layout.wrong_if(true),
            form: page.form.outdated(),
            ..page
        }
    }

    pub fn new(visit: &Visit, data: &CaseFile, fields: DecisionFields) -> Self {
        let (case, user) = (&data.case, &data.user);
        let fields = DecisionFields {
            revision: case.revision,
            seen: case.open().map(|(at_us, _)| at_us).max().unwrap_or(0),
            ..fields
        };
        let subject = subject(data, &fields);
        let form = DecisionForm::new(visit, &user.login, fields);
        let claim = case.claim(visit.now);
        Self {
            layout: Layout::new(visit, Section::Settings, format!("Case of @{}", user.login))
                .wrong_if(form.errors.has_some()),
            login: user.login.to_string(),
            profile: routes::profile(&user.login),
            name: user.name.clone(),
            joined: visit.moment(user.signup),
            posts_in_words: match user.posts {
                1 => "1 post".to_owned(),
                number => format!("{} posts", count(number)),
            },
            inviter: data.inviters.first().map(|inviter| inviter.login.clone()),
            claim: claim.map(|(by, at)| (data.login(by), visit.moment(at))),
            claim_button: claim_button(visit, user, case),
            freeze_invited: case
                .is_suspended
                .then(|| routes::freeze_invited(&user.login)),
            report_count: count(case.open().count() as u64),
            reports: data
                .reports
                .iter()
                .map(|report| report_line(visit, data, report))
                .collect(),
            posts: reported_view::posts_then_and_now(visit, data),
            pager: reported_view::posts_pager(data),
            messages: reported_view::messages(visit, data),
            groups: reported_view::groups(data),
            texts_pager: reported_view::texts_pager(data),
            decisions: case
                .decisions
                .iter()
                .map(|one| decision_line(visit, data, one))
                .collect(),
            subject,
            form,
        }
    }
}

/// Returns the beginning of the post that a form is about.
fn subject(data: &CaseFile, fields: &DecisionFields) -> Option<String> {
    let post: StatusId = fields.post.parse().ok()?;
    let mut posts = data.posts.items.iter();
    let (_, reported) = posts.find(|(name, _)| name.status == post)?;
    let message = &reported.text.message;
    let beginning: String = message.chars().take(SUBJECT_CHARACTERS).collect();
    Some(match beginning.len() < message.len() {
        true => format!("{beginning}…"),
        false => beginning,
    })
}

fn claim_button(visit: &Visit, user: &User, case: &Case) -> Option<ButtonForm> {
    let me = visit.me()?.id;
    let here = routes::admin_case(&user.login);
    let (path, label) = match case.claim(visit.now) {
        Some((by, _)) if by != me => return None,
        Some(_) => (routes::release_case(&user.login), "Give back"),
        None if case.last_us == 0 => return None,
        None => (routes::claim_case(&user.login), "Claim"),
    };
    let label = (label, format!("the case of @{}", user.login));
    Some(ButtonForm::new(visit, (path, &here), "claim", label).secondary())
}

fn report_line(visit: &Visit, data: &CaseFile, report: &FiledReport) -> ReportLine {
    ReportLine {
        reporter: data.reporter(report.name.reporter),
        reason: report.report.reason.words().into_owned(),
        note: report.report.note.clone(),
        about: match report.name.subject {
            ReportSubject::Post(_) => "a post",
            ReportSubject::Message(..) => "a message",
            ReportSubject::Group(_) => "a group",
            ReportSubject::Person => "the person",
        },
        at: visit.moment(UnixMs(report.state.at_us() / 1000)),
    }
}

fn decision_line(visit: &Visit, data: &CaseFile, one: &RecordedDecision) -> DecisionLine {
    let (login, here) = (&data.user.login, routes::admin_case(&data.user.login));
    let moment = |at_us: u64| visit.moment(UnixMs(at_us / 1000));
    let undo = || {
        let label = ("Take back", format!("this decision about @{login}"));
        let path = (routes::end_decision(login), here.as_str());
        ButtonForm::new(visit, path, "undo", label)
            .with_field("number", one.number.to_string())
            .secondary()
    };
    let answer = one.answer.as_ref().map(|(_, answer)| {
        let by = data.actor(answer.by);
        let verb = if answer.is_granted {
            "granted"
        } else {
            "refused"
        };
        match answer.explanation.as_str() {
            "" => format!("{by} {verb} the appeal."),
            words => format!("{by} {verb} the appeal: {words}"),
        }
    });
    DecisionLine {
        words: format!(
            "{} {}",
            data.actor(one.decision.by),
            one.decision.measure.words()
        ),
        grounds: one.decision.grounds(),
        at: moment(one.number),
        ended: one
            .ended
            .map(|(at_us, ending)| (data.actor(ending.by), moment(at_us))),
        appeal: one.appeal.as_ref().map(|(_, text)| text.clone()),
        answer,
        undo: one.is_undoable(visit.now).then(undo),
        answer_form: one
            .awaits_answer()
            .then(|| answer_form(visit, login, one.number, Typed::default())),
    }
}
