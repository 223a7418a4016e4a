//! The only page of a person with a request to join that waits or was refused.

use crate::{
    domain::AccountState,
    web::parts::{moment::Moment, prelude::*},
};

#[derive(Debug, Template)]
#[template(path = "approvals/applicant.html")]
pub struct ApplicantPage {
    layout: Layout,
    login: String,
    question: String,
    state: State,
}

#[derive(Debug)]
enum State {
    Waiting { answer: String, end: Moment },
    Refused { reason: String, deletion: Moment },
}

impl ApplicantPage {
    /// Creates the page. `None` if the user is no applicant.
    pub fn of(visit: &Visit, user: &User) -> Option<Self> {
        let (title, state) = match &user.state {
            AccountState::Refused { reason, deletion } => {
                let (reason, deletion) = (reason.clone(), visit.moment(*deletion));
                (
                    "Your request was refused",
                    State::Refused { reason, deletion },
                )
            }
            AccountState::Waiting { answer, end } => {
                let (answer, end) = (answer.clone(), visit.moment(*end));
                ("Your request to join", State::Waiting { answer, end })
            }
            _ => return None,
        };
        Some(Self {
            layout: Layout::new(visit, Section::Elsewhere, title).without_navigation(),
            login: user.login.to_string(),
            question: visit.site.question().to_owned(),
            state,
        })
    }
}
