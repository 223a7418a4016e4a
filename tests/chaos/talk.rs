//! Actions on posts of other people: reply, favourite, vote, and search by a word or a tag.

use std::time::Instant;

use rand::RngExt;
use reqwest::StatusCode;

use super::{
    history::Action,
    pages::{author_of, check_timeline},
    people::Citizen,
};
use crate::support::{Form, Page, action_path};

/// Suffix of texts that have a tag.
pub const TAGGED: &str = " #chaos";
/// Search that finds every text, and page of the tag.
pub const SEARCH: &str = "/search?q=says";
pub const TAG: &str = "/tags/chaos";

impl Citizen<'_> {
    /// Searches, or acts on a post of another person.
    pub async fn talk(&mut self) {
        if self.dice.random_bool(0.2) {
            return self.search_something().await;
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
        let Some(page) = self.get_page(&format!("/@{}/{id}", author_of(&text))).await else {
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
            0..2 => self.reply(&page, text).await,
            2 if page.find_button(&action_path("vote", id)).is_some() => {
                let vote = voted(page.button(&action_path("vote", id)), id);
                self.send_own_until_accepted(&Action::Vote(text), vote)
                    .await;
            }
            _ => self.press_favourite(&page, (text, id)).await,
        }
    }

    async fn search_something(&mut self) {
        let path = if self.dice.random_bool(0.5) {
            SEARCH
        } else {
            TAG
        };
        let asked = Instant::now();
        if let Some(page) = self.get_page(path).await {
            check_timeline(self.crowd, &page, asked);
        }
    }

    async fn reply(&mut self, page: &Page, to: String) {
        let Some(form) = page.find_form("/statuses") else {
            let claim = format!("no form to answer \"{to}\":\n{}", page.html);
            return self.crowd.fault(&claim, &[&to]);
        };
        let text = format!("{} to {}", self.next_words(), author_of(&to));
        let form = form.set("message", &text);
        self.send_own_until_accepted(&Action::Answer(text, to), form)
            .await;
    }

    async fn press_favourite(&mut self, page: &Page, (text, id): (String, u64)) {
        let me = self.person.login.clone();
        let unstar = page.find_button(&action_path("unfavourite", id));
        let is_present = unstar.is_some();
        let state = self.crowd.history.borrow().favourite(&me, &text);
        if (is_present && !state.may_hold) || (!is_present && !state.may_not_hold) {
            let claim = format!("a favourite of {me} is on \"{text}\": {is_present}");
            self.crowd.fault(&claim, &[&me, &text]);
        }
        match unstar.or_else(|| page.find_button(&action_path("favourite", id))) {
            Some(form) if is_present => {
                self.send_own_until_accepted(&Action::Unfavourite(text), form)
                    .await
            }
            Some(form) => {
                self.send_own_until_accepted(&Action::Favourite(text), form)
                    .await
            }
            None => {
                let claim = format!("no favourite button on \"{text}\":\n{}", page.html);
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
