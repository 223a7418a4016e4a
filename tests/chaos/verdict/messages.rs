//! The verdict about messages: each is with both people exactly once and in the same order, and the counts are exact.

use std::collections::BTreeMap;

use reqwest::StatusCode;

use super::{Found, Verdict, digits, served};
use crate::{
    chaos::{
        history::{Action, WriteState},
        messages::path_of,
    },
    support::Person,
};

/// Texts that a person sees of the conversation with another, oldest first.
type Conversations = BTreeMap<(String, String), Vec<String>>;

impl Found<'_> {
    pub(super) async fn judge_messages(&self, verdict: &mut Verdict) {
        let mut seen = Conversations::new();
        for (login, person) in &self.members {
            self.judge_unread_count(login, person).await;
            for other in self.members.keys().filter(|other| *other != login) {
                let texts = texts_with(person, other).await;
                seen.insert((login.clone(), other.clone()), texts);
            }
        }
        for ((one, other), texts) in &seen {
            let theirs = &seen[&(other.clone(), one.clone())];
            if one < other && texts != theirs {
                let claim = format!("{one} and {other} see {texts:?} and {theirs:?}");
                self.crowd.fault(&claim, &[one, "Message"]);
            }
        }
        for (who, action) in self.crowd.history.borrow().actions() {
            let (Action::Message(other, text) | Action::DeleteMessage(other, text)) = &action
            else {
                continue;
            };
            let texts = seen.get(&(who.clone(), other.clone()));
            let times = texts.map_or(0, |texts| texts.iter().filter(|one| *one == text).count());
            if times > 1 {
                let claim = format!("the message \"{text}\" of {who} is there {times} times");
                self.crowd.fault(&claim, &[text]);
            }
            let deletion = Action::DeleteMessage(other.clone(), text.clone());
            let is_kept =
                self.crowd.history.borrow().write_state(&who, &deletion) == WriteState::NotDone;
            match &action {
                Action::DeleteMessage(..) => verdict.judge(self.crowd, &who, &action, times == 0),
                // The deletion is judged separately.
                _ if is_kept => verdict.judge(self.crowd, &who, &action, times == 1),
                _ => {}
            }
        }
    }

    /// Compares the number in the navigation with the conversations that the list shows as unread.
    async fn judge_unread_count(&self, login: &str, person: &Person) {
        let mut listed = 0;
        for page in person.pages("/messages").await {
            listed += page.texts(".chats .is-new").len();
        }
        let page = served(person, "/settings").await;
        let shown = page.texts("[data-unread-chats]").into_iter().next();
        let counted = match shown.as_deref() {
            None | Some("") => 0,
            Some(shown) => digits(shown),
        };
        if counted != listed {
            let claim =
                format!("{login} has {listed} unread conversations, and the page says {counted}");
            self.crowd.fault(&claim, &[login, "Message"]);
        }
    }
}

async fn texts_with(person: &Person, other: &str) -> Vec<String> {
    let answer = person.get(&format!("/messages/new?to={other}")).await;
    if answer.status != StatusCode::SEE_OTHER {
        return Vec::new();
    }
    let (mut texts, mut path) = (Vec::new(), Some(path_of(&answer)));
    while let Some(at) = path {
        let page = served(person, &at).await;
        let mut above = page.texts(".bubble > p[dir]");
        above.append(&mut texts);
        texts = above;
        path = page.older();
    }
    texts
}
