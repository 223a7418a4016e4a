//! Messages between two people: write, accept, read and delete.

use rand::RngExt;
use reqwest::StatusCode;

use super::{
    history::{Action, WriteState},
    people::Citizen,
};
use crate::support::Page;

impl Citizen<'_> {
    /// Opens the conversation with a random person, and writes there or deletes an own message.
    pub async fn write_or_delete_message(&mut self) {
        let Some(other) = self.random_login() else {
            return;
        };
        let Some(page) = self.get_page(&format!("/messages/new?to={other}")).await else {
            return;
        };
        match page.status {
            StatusCode::OK => self.write_message(&page, "/messages/new", other).await,
            StatusCode::SEE_OTHER => {
                let path = path_of(&page);
                if let Some(page) = self.get_page(&path).await {
                    self.use_conversation(&page, &path, other).await;
                }
            }
            _ => {}
        }
    }

    async fn use_conversation(&mut self, page: &Page, path: &str, other: String) {
        if page.status != StatusCode::OK {
            return;
        }
        if let Some(accept) = page.find_form(&format!("{path}/accept")) {
            return self
                .send_own_until_accepted(&Action::AcceptMessages(other), accept)
                .await;
        }
        let own = own_messages(page);
        if self.dice.random_bool(0.2) && !own.is_empty() {
            let (text, id) = own[self.dice.random_range(0..own.len())].clone();
            let form = page
                .form(&format!("{path}/hide"))
                .to(&format!("{path}/delete"));
            let action = Action::DeleteMessage(other, text);
            let form = form.set_new("message", &id);
            return self.send_own_until_accepted(&action, form).await;
        }
        // A stranger writes one message until the other answers or accepts.
        let accepted = Action::AcceptMessages(self.person.login.clone());
        let is_accepted =
            self.crowd.history.borrow().write_state(&other, &accepted) == WriteState::Done;
        if is_accepted || page.has(".message:not(.own) .bubble") {
            self.write_message(page, path, other).await;
        }
    }

    async fn write_message(&mut self, page: &Page, action: &str, other: String) {
        let Some(form) = page.find_form(action) else {
            let claim = format!("no form to write to {other}:\n{}", page.html);
            return self.crowd.fault(&claim, &[&other]);
        };
        let text = self.next_words().replace(" says ", " whispers ");
        let form = form.set("message", &text);
        let form = match action {
            "/messages/new" => form.set("people", &other),
            _ => form,
        };
        self.send_own_until_accepted(&Action::Message(other, text), form)
            .await;
    }
}

/// Returns the path of a redirect to a conversation.
pub fn path_of(page: &Page) -> String {
    let path = page.location().split('#').next();
    path.unwrap_or_default().to_owned()
}

/// Returns the texts and numbers of own messages on a page of a conversation.
fn own_messages(page: &Page) -> Vec<(String, String)> {
    let items = page.html.split("<li id=\"message-").skip(1);
    let own = items.filter(|item| item.contains("class=\"message own\""));
    let text_of = |item: &str| {
        let at = item.find(" whispers ")?;
        let start = item[..at].rfind('>')? + 1;
        let end = at + item[at..].find('<')?;
        Some((
            item[start..end].to_owned(),
            item.split('"').next()?.to_owned(),
        ))
    };
    own.filter_map(text_of).collect()
}
