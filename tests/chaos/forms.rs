//! Forms are sent until they are accepted or the person gives up. A retry uses the same form or the
//! one returned with the answer. Sometimes a form is sent twice at once, or again after it was
//! accepted.

use std::{rc::Rc, time::Instant};

use rand::RngExt;

use super::{
    crowd::Crowd,
    history::{Action, Outcome},
    people::Citizen,
};
use crate::support::{Form, PASSWORD, Page, Person, person::name_of};

/// Behaviour after a form was not accepted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RetryPolicy {
    /// Retries until it is accepted.
    Endless,
    /// Sometimes gives up.
    Human,
}

impl Citizen<'_> {
    pub async fn send_own_until_accepted(&mut self, action: &Action, form: Form) {
        let me = Rc::clone(&self.person);
        self.send_until_accepted(&me, action, form, RetryPolicy::Human)
            .await;
    }

    /// Sends a form until it is accepted or the retry policy ends the attempts. A retry sends the same
    /// form, or the one returned with the answer. Sometimes sends a form twice at once, and sometimes
    /// again although it was accepted.
    pub async fn send_until_accepted(
        &mut self,
        person: &Person,
        action: &Action,
        mut form: Form,
        retry_policy: RetryPolicy,
    ) -> bool {
        loop {
            let twice = self.dice.random_bool(0.15);
            let asked = Instant::now();
            let (accepted, page) = self.send(person, action, &form, twice).await;
            self.note(asked, accepted);
            if accepted {
                // The form to get in is no longer needed after a successful log-in.
                let entrance = matches!(action, Action::SignUp | Action::LogIn);
                if !entrance && self.dice.random_bool(0.05) {
                    self.send(person, action, &form, false).await;
                }
                return true;
            }
            if retry_policy == RetryPolicy::Human && self.dice.random_bool(0.3) {
                return false;
            }
            form = page.map_or(form.clone(), |page| again(self.crowd, action, &page, &form));
            if self.dice.random_bool(0.6) {
                self.crowd.ready().await;
            }
        }
    }

    async fn send(
        &self,
        person: &Person,
        action: &Action,
        form: &Form,
        twice: bool,
    ) -> (bool, Option<Page>) {
        if !twice {
            let (outcome, page) = self.crowd.send(person, action, form).await;
            return (outcome == Outcome::Acknowledged, page);
        }
        let (first, second) = tokio::join!(
            self.crowd.send(person, action, form),
            self.crowd.send(person, action, form)
        );
        let accepted = [first.0, second.0].contains(&Outcome::Acknowledged);
        (accepted, first.1.or(second.1))
    }
}

/// Returns the filled sign-up form.
pub async fn sign_up_form(crowd: &Crowd, person: &Person) -> Form {
    let page = loop {
        match crowd.get_page(person, "/signup").await {
            Some(page) => break page,
            None => crowd.ready().await,
        }
    };
    page.form("/signup")
        .set("login", &person.login)
        .set("name", &name_of(&person.login))
        .set("password", PASSWORD)
}

/// Returns the form of the answer page, which holds the typed values except a password.
fn again(crowd: &Crowd, action: &Action, page: &Page, form: &Form) -> Form {
    let Some(back) = page.find_form(&form.action) else {
        return form.clone();
    };
    match action {
        Action::SignUp | Action::LogIn => back.set("password", PASSWORD),
        Action::Post(text)
        | Action::Answer(text, _)
        | Action::Message(_, text)
        | Action::PostInGroup(_, text) => with_its_text(crowd, page, back, "message", text),
        Action::CreateList(name) => with_its_text(crowd, page, back, "name", name),
        Action::AddMember(_, login) => with_its_text(crowd, page, back, "login", login),
        _ => back,
    }
}

fn with_its_text(crowd: &Crowd, page: &Page, back: Form, field: &str, text: &str) -> Form {
    if back.value(field) != text {
        crowd.fault(
            &format!("the form came back without its text: {}", page.html),
            &[text],
        );
    }
    back
}
