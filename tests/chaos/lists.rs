//! Actions on lists, and claims that hold on a list's page at every moment.

use std::{collections::BTreeSet, time::Instant};

use rand::RngExt;
use reqwest::StatusCode;

use super::{
    crowd::Crowd,
    history::Action,
    pages::{Copies, author_of, check_timeline},
    people::Citizen,
};
use crate::support::{Form, Page};

/// Maximum number of lists that a person has at a time.
const LISTS: usize = 3;

/// List as its owner knows it. No other list ever has the same name.
#[derive(Clone)]
pub struct Known {
    pub name: String,
    pub path: String,
}

/// Returns the lists shown on a lists page.
pub fn lists_on(page: &Page) -> Vec<Known> {
    let names = page.texts(".lists a").into_iter();
    let paths = page.attributes(".lists a", "href");
    let known = names.zip(paths).map(|(name, path)| Known { name, path });
    known.collect()
}

impl Citizen<'_> {
    /// Creates a list, or acts on a list that certainly exists.
    pub async fn change_lists(&mut self) {
        let Some(page) = self.get_page("/lists").await else {
            return;
        };
        let me = self.person.login.clone();
        let Some(form) = page.find_form("/lists") else {
            let claim = format!("{me} cannot make a list: {}", page.status);
            return self.crowd.fault(&claim, &[&me, "List"]);
        };
        let mut lists = lists_on(&page);
        for list in &lists {
            if !self.crowd.history.borrow().list(&me, &list.name).may_hold {
                let claim = format!("{me} has the list {}", list.name);
                self.crowd.fault(&claim, &[&me, &list.name]);
            }
        }
        if lists.is_empty() || lists.len() < LISTS && self.dice.random_bool(0.2) {
            self.lists += 1;
            let name = format!("{me} list {}", self.lists);
            let form = form.set("name", &name);
            return self
                .send_own_until_accepted(&Action::CreateList(name), form)
                .await;
        }
        lists.retain(|list| {
            !self
                .crowd
                .history
                .borrow()
                .list(&me, &list.name)
                .may_not_hold
        });
        if lists.is_empty() {
            return;
        }
        let list = lists.swap_remove(self.dice.random_range(0..lists.len()));
        match self.dice.random_range(0..20) {
            0..6 => self.read(&list).await,
            6..15 => self.add_or_remove_member(&list).await,
            15..19 => self.change_exclusive(&list).await,
            _ => {
                let path = format!("{}/delete", list.path);
                if let Some(form) = self.form_at(&path).await {
                    self.send_own_until_accepted(&Action::DeleteList(list.name), form)
                        .await;
                }
            }
        }
    }

    async fn read(&mut self, list: &Known) {
        let asked = Instant::now();
        if let Some(page) = self.get_page(&list.path).await {
            check_list(self.crowd, &self.person.login, &list.name, &page, asked);
        }
    }

    async fn add_or_remove_member(&mut self, list: &Known) {
        let Some(mut member) = self.random_login() else {
            return;
        };
        let members = format!("{}/members", list.path);
        let Some(page) = self.get_page(&members).await else {
            return;
        };
        let me = self.person.login.clone();
        let people = page.texts(".person .p-nickname");
        if !people.is_empty() && self.dice.random_bool(0.4) {
            member = people[self.dice.random_range(0..people.len())].clone();
        }
        let is_present = people.contains(&member);
        let list_membership = self
            .crowd
            .history
            .borrow()
            .list_membership(&me, &list.name, &member);
        if (is_present && !list_membership.may_hold)
            || (!is_present && !list_membership.may_not_hold)
        {
            let claim = format!("{} of {me} holds {member}: {is_present}", list.name);
            self.crowd.fault(&claim, &[&list.name, &member]);
        }
        let (name, login) = (list.name.clone(), member.clone());
        if !is_present {
            let form = page.form(&members).set("login", &member);
            let action = Action::AddMember(name, login);
            return self.send_own_until_accepted(&action, form).await;
        }
        let remove = page.form(&format!("{members}/remove"));
        let action = Action::RemoveMember(name, login);
        self.send_own_until_accepted(&action, remove.set("login", &member))
            .await;
    }

    /// Makes a list exclusive, or not exclusive.
    async fn change_exclusive(&mut self, list: &Known) {
        let path = format!("{}/edit", list.path);
        let Some(mut form) = self.form_at(&path).await else {
            return;
        };
        let me = self.person.login.clone();
        let is_exclusive = form.fields.iter().any(|(name, _)| name == "exclusive");
        let state = self.crowd.history.borrow().is_exclusive(&me, &list.name);
        if (is_exclusive && !state.may_hold) || (!is_exclusive && !state.may_not_hold) {
            let claim = format!("{} of {me} is exclusive: {is_exclusive}", list.name);
            self.crowd.fault(&claim, &[&list.name]);
        }
        let action = if is_exclusive {
            form = form.without("exclusive");
            Action::MakeOpen(list.name.clone())
        } else {
            form.fields.push(("exclusive".to_owned(), "1".to_owned()));
            Action::MakeExclusive(list.name.clone())
        };
        self.send_own_until_accepted(&action, form).await;
    }

    /// Returns the form on a page of a list that certainly exists.
    async fn form_at(&mut self, path: &str) -> Option<Form> {
        let page = self.get_page(path).await?;
        let form = page.find_form(path);
        if form.is_none() {
            let claim = format!("no form on {path}: {}", page.status);
            self.crowd.fault(&claim, &[&self.person.login, "List"]);
        }
        form
    }
}

/// Checks the first page of a list.
fn check_list(crowd: &Crowd, me: &str, list: &str, page: &Page, asked: Instant) {
    if page.status != StatusCode::OK {
        let claim = format!("{list} of {me}: {}", page.status);
        crowd.fault(&claim, &[me, list]);
        return;
    }
    let shown = check_timeline(crowd, page, asked);
    let authors: BTreeSet<&str> = shown.iter().map(|(_, text)| author_of(text)).collect();
    for author in authors {
        let may_be_shown = crowd.history.borrow().may_be_on_list(me, list, author);
        if crowd.copies == Copies::Kept && !may_be_shown {
            let claim = format!("{list} of {me} shows {author}, who is not on the list");
            crowd.fault(&claim, &[list, author]);
        }
    }
}
