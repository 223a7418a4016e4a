//! Actions on posts of other people: reply, favourite, vote, and search by a word or a tag.

use std::time::Instant;

use rand::RngExt;
use reqwest::StatusCode;

use super::{
    history::Deed,
    pages::{author_of, look_at_timeline},
    people::Citizen,
};
use crate::support::{Form, Page, deed_path};

/// Suffix of texts that have a tag.
pub const TAGGED: &str = " #chaos";
/// Search that finds every text, and page of the tag.
pub const SEARCH: &str = "/search?q=says";
pub const TAG: &str = "/tags/chaos";

impl Citizen<'_> {
    /// Searches, or acts on a post of another person.
    pub async fn talk(&mut self) {
        if self.dice.random_bool(0.2) {
            return self.look_for_something().await;
        }
        let me = self.person.login.clone();
        let mut posts = self.crowd.history.borrow().ids();
        posts.retain(|(text, _)| {
            author_of(text) != me && !self.crowd.history.borrow().may_be_deleted(text)
        });
        if posts.is_empty() {
            return;
        }
        let (text, id) = posts.swap_remove(self.dice.random_range(0..posts.len()));
        let Some(page) = self.look(&format!("/@{}/{id}", author_of(&text))).await else {
            return;
        };
        if page.status != StatusCode::OK {
            if !self.crowd.history.borrow().may_be_deleted(&text) {
                let claim = format!("\"{text}\" is answered with {}", page.status);
                self.crowd.fault(&claim, &[&text]);
            }
            return;
        }
        match self.dice.random_range(0..5) {
            0..2 => self.answer(&page, text).await,
            2 if page.find_button(&deed_path("vote", id)).is_some() => {
                let vote = voted(page.button(&deed_path("vote", id)), id);
                self.insist_myself(&Deed::Vote(text), vote).await;
            }
            _ => self.press_star(&page, (text, id)).await,
        }
    }

    async fn look_for_something(&mut self) {
        let path = if self.dice.random_bool(0.5) {
            SEARCH
        } else {
            TAG
        };
        let asked = Instant::now();
        if let Some(page) = self.look(path).await {
            look_at_timeline(self.crowd, &page, asked);
        }
    }

    async fn answer(&mut self, page: &Page, to: String) {
        let Some(form) = page.find_form("/statuses") else {
            let claim = format!("no form to answer \"{to}\":\n{}", page.html);
            return self.crowd.fault(&claim, &[&to]);
        };
        let text = format!("{} to {}", self.next_words(), author_of(&to));
        let form = form.set("message", &text);
        self.insist_myself(&Deed::Answer(text, to), form).await;
    }

    async fn press_star(&mut self, page: &Page, (text, id): (String, u64)) {
        let me = self.person.login.clone();
        let unstar = page.find_button(&deed_path("unfavourite", id));
        let stands = unstar.is_some();
        let state = self.crowd.history.borrow().star(&me, &text);
        if (stands && !state.may_stand) || (!stands && !state.may_be_gone) {
            let claim = format!("a star of {me} is on \"{text}\": {stands}");
            self.crowd.fault(&claim, &[&me, &text]);
        }
        match unstar.or_else(|| page.find_button(&deed_path("favourite", id))) {
            Some(form) if stands => self.insist_myself(&Deed::Unstar(text), form).await,
            Some(form) => self.insist_myself(&Deed::Star(text), form).await,
            None => {
                let claim = format!("no star on \"{text}\":\n{}", page.html);
                self.crowd.fault(&claim, &[&me, &text]);
            }
        }
    }
}

/// Returns the form that votes for the first option.
fn voted(mut form: Form, id: u64) -> Form {
    let field = format!("vote-{id}");
    form.fields.retain(|(name, _)| *name != field);
    form.fields.push((field, "1".to_owned()));
    form
}
