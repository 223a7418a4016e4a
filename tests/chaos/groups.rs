//! Groups that everybody can join: people found, join and leave them, post in them, and delete their posts there.

use std::{rc::Rc, time::Instant};

use rand::RngExt;
use reqwest::StatusCode;

use super::{
    crowd::Crowd,
    forms::RetryPolicy,
    history::{Action, WriteState},
    pages::{Copies, author_of, check_timeline, shown_on},
    people::Citizen,
};
use crate::support::Page;

/// Number of groups. Each of the first citizens founds one.
pub const GROUPS: usize = 2;

/// Returns the address of the group of a founder.
fn slug_of(number: usize) -> String {
    format!("chaos-{number}")
}

/// Returns whether a person founded a group. Founders never leave.
pub fn is_founder(login: &str, slug: &str) -> bool {
    slug.replace("chaos-", "person_") == login
}

/// Returns the group that the text of a post names.
pub fn group_of(text: &str) -> Option<&str> {
    let (_, words) = text.split_once(" tells ")?;
    words.split(' ').next()
}

pub fn path_of(slug: &str) -> String {
    format!("/groups/{slug}")
}

/// Checks that each post of a group on a home is by a person who may be on it, and that the owner may be a member.
pub fn check_groups_of_home(crowd: &Crowd, me: &str, page: &Page) {
    let history = crowd.history.borrow();
    let posts = shown_on(page).into_iter();
    let wrong = posts.filter(|(_, text)| {
        let author = author_of(text);
        let is_wrong = |slug| {
            !is_founder(me, slug) && !history.may_have_group_on_home(me, slug)
                || history.is_off_home(me, author)
        };
        author != me && group_of(text).is_some_and(is_wrong)
    });
    let wrong: Vec<(u64, String)> = wrong.collect();
    drop(history);
    for (_, text) in wrong {
        if crowd.copies == Copies::Kept {
            let claim = format!("the home of {me} shows \"{text}\"");
            crowd.fault(&claim, &[me, group_of(&text).unwrap_or_default()]);
        }
    }
}

impl Citizen<'_> {
    /// Founds the group of this citizen, until it is accepted.
    pub async fn found_group(&mut self, number: usize) {
        let slug = slug_of(number);
        let page = loop {
            match self.get_page("/groups/new").await {
                Some(page) => break page,
                None => self.crowd.ready().await,
            }
        };
        let form = page.form("/groups/new").set("name", &slug);
        let form = form.set("slug", &slug).choose("kind", "public");
        let form = form.choose("joining", "open");
        let me = Rc::clone(&self.person);
        let action = Action::FoundGroup(slug.clone());
        self.send_until_accepted(&me, &action, form, RetryPolicy::Endless)
            .await;
        self.crowd.groups.borrow_mut().push(slug);
    }

    /// Opens a group, and joins it, leaves it, posts there or deletes an own post.
    pub async fn use_a_group(&mut self) {
        let groups = self.crowd.groups.borrow().clone();
        if groups.is_empty() {
            return;
        }
        let slug = groups[self.dice.random_range(0..groups.len())].clone();
        let (path, asked) = (path_of(&slug), Instant::now());
        let Some(page) = self.get_page(&path).await else {
            return;
        };
        let me = self.person.login.clone();
        if page.status != StatusCode::OK {
            let claim = format!("{path}: {}", page.status);
            return self.crowd.fault(&claim, &[&slug]);
        }
        check_timeline(self.crowd, &page, asked);
        let join = page.find_form(&format!("{path}/join"));
        let state = self.crowd.history.borrow().group_membership(&me, &slug);
        let (is_member, is_founder) = (join.is_none(), is_founder(&me, &slug));
        let is_wrong = is_member && !state.may_hold || !is_member && !state.may_not_hold;
        if is_wrong && !is_founder {
            let claim = format!("{me} is a member of {slug}: {is_member}");
            self.crowd.fault(&claim, &[&me, &slug]);
        }
        if let Some(form) = join {
            return self
                .send_own_until_accepted(&Action::JoinGroup(slug), form)
                .await;
        }
        match self.dice.random_range(0..10) {
            0..2 if !is_founder => self.leave_group(slug).await,
            2..4 => self.delete_group_post(&page).await,
            _ => self.post_in_group(&page, slug).await,
        }
    }

    async fn leave_group(&mut self, slug: String) {
        let path = format!("{}/leave", path_of(&slug));
        let Some(page) = self.get_page(&path).await else {
            return;
        };
        match page.find_form(&path) {
            Some(form) => {
                self.send_own_until_accepted(&Action::LeaveGroup(slug), form)
                    .await
            }
            None => {
                let claim = format!("no form on {path}: {}", page.status);
                let me = self.person.login.clone();
                let state = self.crowd.history.borrow().group_membership(&me, &slug);
                if !state.may_not_hold {
                    self.crowd.fault(&claim, &[&me, &slug]);
                }
            }
        }
    }

    async fn post_in_group(&mut self, page: &Page, slug: String) {
        let Some(form) = page.find_form("/statuses") else {
            let claim = format!("a member of {slug} cannot post:\n{}", page.html);
            return self.crowd.fault(&claim, &[&self.person.login, &slug]);
        };
        let words = self.next_words();
        let text = words.replace(" says ", &format!(" tells {slug} "));
        let form = form.set("message", &text);
        self.send_own_until_accepted(&Action::PostInGroup(slug, text), form)
            .await;
    }

    async fn delete_group_post(&mut self, page: &Page) {
        let me = self.person.login.clone();
        let own = shown_on(page).into_iter();
        let mut own: Vec<(u64, String)> = own.filter(|(_, text)| author_of(text) == me).collect();
        own.retain(|(_, text)| {
            let deletion = Action::Delete(text.clone());
            self.crowd.history.borrow().write_state(&me, &deletion) == WriteState::NotDone
        });
        if own.is_empty() {
            return;
        }
        let (id, text) = own.swap_remove(self.dice.random_range(0..own.len()));
        self.delete_post((text, id)).await;
    }
}
