//! The lists of every person compared with the history: which lists exist, their members, and that
//! their timelines and the owner's home agree.

use std::collections::BTreeSet;

use super::{Found, Verdict};
use crate::{
    chaos::{
        history::{Action, PossibleState, WriteState},
        lists::lists_on,
    },
    support::Person,
};

/// A list as its pages show it.
pub(super) struct Shown {
    name: String,
    exclusive: bool,
    members: BTreeSet<String>,
    statuses: Vec<u64>,
}

impl Found<'_> {
    pub(super) async fn lists_of(&self, person: &Person) -> Vec<Shown> {
        let mut lists = Vec::new();
        for list in lists_on(&person.open("/lists").await) {
            let members = format!("{}/members", list.path);
            lists.push(Shown {
                exclusive: person.open(&list.path).await.has("main .row .badge"),
                members: self.people(person, &members).await,
                statuses: person.ids(&list.path).await,
                name: list.name,
            });
        }
        lists
    }

    /// Returns the people kept off a home by the owner's exclusive lists.
    pub(super) fn people_off_home(&self, login: &str) -> BTreeSet<&str> {
        let exclusive = self.lists[login].iter().filter(|list| list.exclusive);
        let members = exclusive.flat_map(|list| &list.members).map(String::as_str);
        members.filter(|member| *member != login).collect()
    }

    pub(super) fn judge_lists(&self, verdict: &mut Verdict) {
        for (who, action) in self.crowd.history.borrow().actions() {
            let is_there = |name: &String| {
                let mut lists = self.lists.get(&who).into_iter().flatten();
                lists.any(|list| list.name == *name)
            };
            match &action {
                Action::CreateList(name) => {
                    let dropped = Action::DeleteList(name.clone());
                    let dropped = self.crowd.history.borrow().write_state(&who, &dropped);
                    if dropped == WriteState::NotDone {
                        verdict.judge(self.crowd, &who, &action, is_there(name));
                    }
                }
                Action::DeleteList(name) => {
                    verdict.judge(self.crowd, &who, &action, !is_there(name));
                }
                _ => {}
            }
        }
        for (owner, lists) in &self.lists {
            for list in lists {
                self.judge_list(owner, list, verdict);
            }
        }
    }

    fn judge_list(&self, owner: &str, list: &Shown, verdict: &mut Verdict) {
        let name = list.name.as_str();
        let is_exclusive = self.crowd.history.borrow().is_exclusive(owner, name);
        self.judge_state(
            is_exclusive,
            list.exclusive,
            &format!("{name} is exclusive"),
            &[name],
            verdict,
        );
        for member in self.members.keys().filter(|member| *member != owner) {
            let list_membership = self
                .crowd
                .history
                .borrow()
                .list_membership(owner, name, member);
            let (is_present, claim) = (
                list.members.contains(member),
                format!("{name} holds {member}"),
            );
            self.judge_state(
                list_membership,
                is_present,
                &claim,
                &[name, member],
                verdict,
            );
        }
        let profiles = list
            .members
            .iter()
            .filter_map(|member| self.profiles.get(member));
        let statuses = profiles.flatten();
        let due = statuses.filter(|status| self.is_for(owner, &list.members, status));
        let mut due: Vec<u64> = due.map(|(id, _)| *id).collect();
        due.sort_unstable_by(|a, b| b.cmp(a));
        if list.statuses != due {
            let claim = format!("{name} shows {:?}, not {due:?}", list.statuses);
            self.crowd.fault(&claim, &[name]);
        }
    }

    pub(super) fn judge_state(
        &self,
        state: PossibleState,
        is_so: bool,
        claim: &str,
        about: &[&str],
        verdict: &mut Verdict,
    ) {
        match (state.may_hold, state.may_not_hold) {
            (true, true) if is_so => verdict.unknown_done += 1,
            (true, true) => verdict.unknown_not_done += 1,
            (may, _) if may == is_so => verdict.found += usize::from(is_so),
            _ => {
                let claim = format!("LOST: {claim}: {is_so}, is {state:?}");
                self.crowd.fault(&claim, about);
            }
        }
    }
}
