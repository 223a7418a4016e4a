//! Replies, favourites and votes compared with the history, and the results of search and tag
//! pages.

use std::collections::BTreeSet;

use super::{Found, Verdict, served};
use crate::{
    chaos::{
        history::{Action, WriteState},
        pages::{addressee_of, author_of},
        talk::{SEARCH, TAG, TAGGED},
    },
    support::{Page, Person},
};

impl Found<'_> {
    /// Returns the texts of all statuses that a person favourited.
    pub(super) async fn favourites_of(&self, person: &Person) -> BTreeSet<String> {
        let pages = person.pages("/favourites").await;
        let texts: Vec<String> = pages.iter().flat_map(Page::messages).collect();
        let each: BTreeSet<String> = texts.iter().cloned().collect();
        if each.len() != texts.len() {
            let claim = format!("{} favours something twice: {texts:?}", person.login);
            self.crowd.fault(&claim, &[&person.login]);
        }
        each
    }

    /// Returns whether a status by an author belongs on a person's timeline. A reply belongs there
    /// if the person also follows the replied-to author. A text addressed to someone may be a
    /// top-level status: a reply to a meanwhile deleted status is returned to its author, who posts
    /// it without the reply.
    pub(super) fn is_for(
        &self,
        owner: &str,
        sources: &BTreeSet<String>,
        (id, text): &(u64, String),
    ) -> bool {
        self.alone.contains(id)
            || addressee_of(text).is_none_or(|addressee| {
                addressee == owner || addressee == author_of(text) || sources.contains(addressee)
            })
    }

    pub(super) async fn judge_replies_and_votes(&self, verdict: &mut Verdict) {
        let statuses = self.profiles.values().flatten();
        let standing: Vec<(u64, &str)> = statuses.map(|(id, text)| (*id, text.as_str())).collect();
        for (who, member) in &self.members {
            for (id, text) in &standing {
                let favourite = self.crowd.history.borrow().favourite(who, text);
                let (is_on, claim) = (
                    self.stars[who].contains(*text),
                    format!("a favourite of {who} is on \"{text}\""),
                );
                self.judge_state(favourite, is_on, &claim, &[who, text], verdict);
                let vote = Action::Vote((*text).to_owned());
                if self.crowd.history.borrow().was_sent(who, &vote) {
                    let page = served(member, &format!("/@{}/{id}", author_of(text))).await;
                    let badges = page.texts(&format!("#status-{id} .poll .badge"));
                    verdict.judge(self.crowd, who, &vote, badges == ["Your vote"]);
                }
            }
        }
        let visitor = self.crowd.visitor();
        let all = |tagged: bool| {
            let found = standing
                .iter()
                .filter(|(_, text)| !tagged || text.ends_with(TAGGED));
            let mut ids: Vec<u64> = found.map(|(id, _)| *id).collect();
            ids.sort_unstable_by(|a, b| b.cmp(a));
            ids
        };
        for (path, due) in [(SEARCH, all(false)), (TAG, all(true))] {
            let found = visitor.ids(path).await;
            if found != due {
                let claim = format!("{path} finds {found:?}, not {due:?}");
                self.crowd.fault(&claim, &[]);
            }
        }
        self.judge_replies().await;
    }

    /// Checks that each reply is in the conversation of its parent, and that the conversation has
    /// no other reply. Only a reply to a meanwhile deleted status may be top-level.
    async fn judge_replies(&self) {
        let visitor = self.crowd.visitor();
        for (id, text) in self.profiles.values().flatten() {
            if addressee_of(text).is_none() && !self.alone.contains(id) {
                let claim = format!("\"{text}\" answers something");
                self.crowd.fault(&claim, &[text]);
            }
        }
        let actions = self.crowd.history.borrow().actions();
        for (who, action) in actions {
            let Action::Answer(text, to) = &action else {
                continue;
            };
            if self.crowd.history.borrow().may_be_deleted(to) {
                continue;
            }
            let statuses = self.profiles.get(&who).into_iter().flatten();
            let Some((id, _)) = statuses.into_iter().find(|(_, other)| other == text) else {
                continue;
            };
            let page = served(&visitor, &format!("/@{who}/{id}")).await;
            let known =
                self.crowd.history.borrow().write_state(&who, &action) != WriteState::NotDone;
            if !known || !page.has(".ancestors") || self.alone.contains(id) {
                let claim = format!("\"{text}\" answers nothing:\n{}", page.html);
                self.crowd.fault(&claim, &[text]);
            }
        }
    }
}
