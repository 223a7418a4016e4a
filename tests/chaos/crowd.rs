//! State shared by all simulated people: the site, the history and the figures of the run. Requests
//! are sent here, whatever their outcome.

use std::{
    cell::{Cell, RefCell},
    time::{Duration, Instant},
};

use reqwest::StatusCode;
use tokio::{sync::watch, time::timeout};

use super::{
    history::{Action, History, Outcome},
    pages::Copies,
};
use crate::support::{
    Form, Page, Person,
    process::ORIGIN,
    request::{Request, client},
    waiting::eventually,
};

/// Time limit for any answer, longer than every timeout of the site.
const ANSWER_LIMIT: Duration = Duration::from_secs(30);

pub struct Crowd {
    pub history: RefCell<History>,
    /// Logins of everyone known to have signed up.
    pub members: RefCell<Vec<String>>,
    /// Addresses of the groups that were founded.
    pub groups: RefCell<Vec<String>>,
    pub pages: Cell<u64>,
    pub outage: RefCell<Outage>,
    requests: watch::Sender<u64>,
    over: Cell<bool>,
    base: String,
    /// Claims made about timelines while the site runs.
    pub copies: Copies,
}

/// Outage times, from the first failed request to the next successful answer.
#[derive(Default)]
pub struct Outage {
    since: Option<Instant>,
    /// Longest time during which no request was answered.
    pub longest: Duration,
    /// Longest time for any one person.
    pub longest_of_one: Duration,
}

/// Outcome of a request.
pub enum Answer {
    Page(Box<Page>),
    Lost,
    Unreached,
}

impl Crowd {
    pub fn new(base: &str, copies: Copies) -> Self {
        Self {
            history: RefCell::new(History::new()),
            members: RefCell::default(),
            groups: RefCell::default(),
            pages: Cell::new(0),
            outage: RefCell::default(),
            requests: watch::Sender::new(0),
            over: Cell::new(false),
            base: base.to_owned(),
            copies,
        }
    }

    /// Returns a visitor without a session.
    pub fn visitor(&self) -> Person {
        Person::at(client(), &self.base, ORIGIN)
    }

    /// Waits until this many more requests have been sent, so that a disruption falls among them.
    pub async fn after_requests(&self, more: u64) {
        let mut sent = self.requests.subscribe();
        let until = *sent.borrow() + more;
        // The sender lives as long as the crowd.
        let _ = sent.wait_for(|sent| *sent >= until).await;
    }

    /// Stops people from starting new actions.
    pub fn end(&self) {
        self.over.set(true);
    }

    pub fn is_over(&self) -> bool {
        self.over.get()
    }

    pub fn fault(&self, claim: &str, about: &[&str]) {
        self.history.borrow_mut().fault(claim, about);
    }

    pub fn has_faults(&self) -> bool {
        !self.history.borrow().faults().is_empty()
    }

    /// Sends a request, and records a fault if the answer is one that must never occur.
    pub async fn send_request(&self, request: Request<'_>, name: &str) -> Answer {
        self.requests.send_modify(|sent| *sent += 1);
        let answer = match timeout(ANSWER_LIMIT, request.try_send()).await {
            Ok(Ok(page)) => Answer::Page(Box::new(page)),
            Ok(Err(error)) if error.is_connect() => Answer::Unreached,
            Ok(Err(_)) => Answer::Lost,
            Err(_) => {
                self.fault(&format!("{name}: no answer in {ANSWER_LIMIT:?}"), &[]);
                Answer::Lost
            }
        };
        if let Answer::Page(page) = &answer
            && page.status == StatusCode::INTERNAL_SERVER_ERROR
        {
            self.fault(&format!("{name} is answered with 500:\n{}", page.html), &[]);
        }
        answer
    }

    /// Returns a page, or `None` if the site is down.
    pub async fn get_page(&self, person: &Person, path: &str) -> Option<Page> {
        let asked = Instant::now();
        let page = self.try_get_page(person, path).await;
        // A page for visitors needs no Redis, so it does not show the end of an outage.
        if person.cookies.session().is_some() || page.is_none() {
            self.outage.borrow_mut().note(asked, page.is_some());
        }
        page
    }

    async fn try_get_page(&self, person: &Person, path: &str) -> Option<Page> {
        match self.send_request(Request::get(person, path), path).await {
            Answer::Page(page) if page.status == StatusCode::SERVICE_UNAVAILABLE => None,
            Answer::Page(page) => {
                self.pages.set(self.pages.get() + 1);
                Some(*page)
            }
            Answer::Lost | Answer::Unreached => None,
        }
    }

    /// Sends a form once. Success is only a redirect to a page other than log-in.
    pub async fn send(
        &self,
        person: &Person,
        action: &Action,
        form: &Form,
    ) -> (Outcome, Option<Page>) {
        let who = person.login.as_str();
        let asked = Instant::now();
        let sending = self.history.borrow_mut().sent(who, action);
        let request = Request::submit(person, form);
        let (outcome, page) = match self.send_request(request, &form.action).await {
            Answer::Unreached => (Outcome::Unreached, None),
            Answer::Lost => (Outcome::Lost, None),
            Answer::Page(page) => (outcome_of(&page), Some(*page)),
        };
        self.history.borrow_mut().answered(sending, outcome);
        let served = outcome == Outcome::Acknowledged;
        self.outage.borrow_mut().note(asked, served);
        if let (Outcome::Refused, Some(page)) = (outcome, &page)
            && page.status != StatusCode::SERVICE_UNAVAILABLE
            && !self.history.borrow().may_lack_object(action)
        {
            let claim = format!(
                "{who}'s {action:?} is answered with {}:\n{}",
                page.status, page.html
            );
            self.fault(&claim, &[who, &format!("{action:?}")]);
        }
        (outcome, page)
    }

    /// Waits until the site reports that it is ready, as a supervisor would.
    pub async fn ready(&self) {
        let visitor = self.visitor();
        eventually("the site is ready", async || {
            let answer = Request::get(&visitor, "/readyz").try_send().await;
            answer.is_ok_and(|page| page.status == StatusCode::OK)
        })
        .await;
    }
}

fn outcome_of(page: &Page) -> Outcome {
    let accepted = page.status == StatusCode::SEE_OTHER && !page.location().starts_with("/login");
    if accepted {
        Outcome::Acknowledged
    } else {
        Outcome::Refused
    }
}

impl Outage {
    fn note(&mut self, asked: Instant, served: bool) {
        if !served {
            self.since.get_or_insert(asked);
        } else if let Some(since) = self.since.take() {
            self.longest = self.longest.max(since.elapsed());
        }
    }
}
