//! Forms that are sent until they are accepted, or until somebody gives up: the same form or the one
//! that came back with the answer, sometimes twice at once, sometimes once more for nothing.

use std::{rc::Rc, time::Instant};

use rand::RngExt;

use super::{
    crowd::Crowd,
    history::{Deed, Outcome},
    people::Citizen,
};
use crate::support::{Form, PASSWORD, Page, Person, person::name_of};

/// What somebody does when a form was not accepted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// Sends it until it is.
    Endless,
    /// Gives up sometimes.
    Human,
}

impl Citizen<'_> {
    pub async fn insist_myself(&mut self, deed: &Deed, form: Form) {
        let me = Rc::clone(&self.person);
        self.insist(&me, deed, form, Patience::Human).await;
    }

    /// Sends a form until it is accepted or patience ends, the same form or the one that came back
    /// with the answer; sometimes twice at once, and sometimes once more though it was accepted.
    pub async fn insist(
        &mut self,
        person: &Person,
        deed: &Deed,
        mut form: Form,
        patience: Patience,
    ) -> bool {
        loop {
            let twice = self.dice.random_bool(0.15);
            let asked = Instant::now();
            let (accepted, page) = self.send(person, deed, &form, twice).await;
            self.note(asked, accepted);
            if accepted {
                // The form to get in is over when one is in.
                let entrance = matches!(deed, Deed::SignUp | Deed::LogIn);
                if !entrance && self.dice.random_bool(0.05) {
                    self.send(person, deed, &form, false).await;
                }
                return true;
            }
            if patience == Patience::Human && self.dice.random_bool(0.3) {
                return false;
            }
            form = page.map_or(form.clone(), |page| again(self.crowd, deed, &page, &form));
            if self.dice.random_bool(0.6) {
                self.crowd.ready().await;
            }
        }
    }

    async fn send(
        &self,
        person: &Person,
        deed: &Deed,
        form: &Form,
        twice: bool,
    ) -> (bool, Option<Page>) {
        if !twice {
            let (outcome, page) = self.crowd.send(person, deed, form).await;
            return (outcome == Outcome::Acknowledged, page);
        }
        let (first, second) = tokio::join!(
            self.crowd.send(person, deed, form),
            self.crowd.send(person, deed, form)
        );
        let accepted = [first.0, second.0].contains(&Outcome::Acknowledged);
        (accepted, first.1.or(second.1))
    }
}

/// The filled form to sign up with.
pub async fn sign_up_form(crowd: &Crowd, person: &Person) -> Form {
    let page = loop {
        match crowd.look(person, "/signup").await {
            Some(page) => break page,
            None => crowd.ready().await,
        }
    };
    page.form("/signup")
        .set("login", &person.login)
        .set("name", &name_of(&person.login))
        .set("password", PASSWORD)
}

/// The form that came back with the answer, which holds what was typed but a password.
fn again(crowd: &Crowd, deed: &Deed, page: &Page, form: &Form) -> Form {
    let Some(back) = page.find_form(&form.action) else {
        return form.clone();
    };
    match deed {
        Deed::SignUp | Deed::LogIn => back.set("password", PASSWORD),
        Deed::Post(text) | Deed::Answer(text, _) => {
            with_its_text(crowd, page, back, "message", text)
        }
        Deed::MakeList(name) => with_its_text(crowd, page, back, "name", name),
        Deed::Enlist(_, login) => with_its_text(crowd, page, back, "login", login),
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
