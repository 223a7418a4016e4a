//! The page of people who ask to join.

use crate::{
    domain::{Power, RefusalReason, Role, may},
    store::Applicant,
    web::parts::{moment::Moment, prelude::*},
};

/// The form that answers one person, or all of a page.
#[derive(Debug, Template)]
#[template(path = "approvals/_answer_form.html")]
struct AnswerForm {
    csrf_token: String,
    /// The page of the form, to return to.
    here: String,
    /// The ids of the people who asked.
    from: String,
    /// The login of the person. `None` for all on the page.
    login: Option<String>,
}

impl askama::filters::HtmlSafe for AnswerForm {}

/// A person who waits.
#[derive(Debug)]
struct ApplicantLine {
    login: String,
    name: String,
    asked: Moment,
    end: Moment,
    answer: String,
    form: AnswerForm,
}

#[derive(Debug, Template)]
#[template(path = "approvals/approvals.html")]
pub struct ApprovalsPage {
    layout: Layout,
    question: String,
    /// Whether the page leads to the rest of the administration.
    reads_administration: bool,
    waiting: String,
    applicants: Vec<ApplicantLine>,
    /// The form that answers all on the page, if there are several.
    all: Option<AnswerForm>,
    pager: Pager,
}

impl ApprovalsPage {
    /// Creates the page from after `after` on.
    pub fn new(visit: &Visit, role: Role, after: Option<Cursor>, page: &Page<Applicant>) -> Self {
        let here = routes::page(routes::ADMIN_APPROVALS, after);
        let form = |from: String, login| AnswerForm {
            csrf_token: visit.csrf_token.clone(),
            here: here.clone(),
            from,
            login,
        };
        let line = |one: &Applicant| ApplicantLine {
            login: one.login.to_string(),
            name: one.name.clone(),
            asked: visit.moment(one.asked),
            end: visit.moment(one.end),
            answer: one.answer.clone(),
            form: form(one.id.to_string(), Some(one.login.to_string())),
        };
        let ids: Vec<String> = page.items.iter().map(|one| one.id.to_string()).collect();
        Self {
            layout: Layout::new(visit, Section::Settings, "Requests to join"),
            question: visit.site.question().to_owned(),
            reads_administration: may(Some(role), Power::ReadAdministration),
            waiting: count(visit.waiting.applicants.unwrap_or_default()),
            applicants: page.items.iter().map(line).collect(),
            all: (ids.len() > 1).then(|| form(ids.join(" "), None)),
            pager: Pager::new(routes::ADMIN_APPROVALS, after, page.next).of_queue(),
        }
    }
}
