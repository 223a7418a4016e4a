//! One simulated person, who does one thing at a time as drawn from the seed: signs up, reads,
//! posts, replies, favourites, votes, searches, follows, writes messages, edits lists, uses groups and deletes. After an error
//! the person may send a form again. Every page is checked.

use std::{rc::Rc, time::Instant};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use reqwest::StatusCode;

use super::{
    crowd::Crowd,
    forms::{RetryPolicy, sign_up_form},
    groups::GROUPS,
    history::{Action, Outcome, WriteState},
    pages::{check_home, check_profile, learn},
    privacy::{PAIRS, Pair},
    talk::TAGGED,
};
use crate::support::{PASSWORD, Page, Person};

/// Maximum number of accounts that each person tries to create besides their own.
const NEWCOMERS_EACH: usize = 2;

pub struct Citizen<'a> {
    pub person: Rc<Person>,
    pub(super) crowd: &'a Crowd,
    pub(super) dice: StdRng,
    posts: usize,
    pub(super) lists: usize,
    newcomers: usize,
    failing_since: Option<Instant>,
    number: usize,
    /// A private account and its guest. This citizen acts for both.
    pub pair: Option<Pair>,
}

impl<'a> Citizen<'a> {
    pub fn new(crowd: &'a Crowd, seed: u64, number: usize) -> Self {
        let mut person = crowd.visitor();
        person.login = format!("person_{number}");
        Self {
            person: Rc::new(person),
            crowd,
            dice: StdRng::seed_from_u64(seed ^ (number as u64 + 1).wrapping_mul(0x9e37_79b9)),
            posts: 0,
            lists: 0,
            newcomers: 0,
            failing_since: None,
            number,
            pair: None,
        }
    }

    /// Acts until the crowd ends.
    pub async fn live(mut self) -> Self {
        self.sign_up().await;
        if self.number < PAIRS {
            self.pair = Some(Pair::enter(self.crowd, self.number).await);
        }
        if self.number < GROUPS {
            self.found_group(self.number).await;
        }
        while !self.crowd.is_over() {
            match self.dice.random_range(0..100) {
                0..25 => drop(self.read_home().await),
                25..35 => self.read_a_profile().await,
                35..48 => self.post().await,
                48..55 => self.write_or_delete_message().await,
                55..60 => self.act_for_the_pair().await,
                60..66 => self.use_a_group().await,
                66..73 => self.talk().await,
                73..81 => self.follow_or_unfollow().await,
                81..90 => self.change_lists().await,
                90..96 => self.delete().await,
                96..98 => self.change_browsers().await,
                _ => self.sign_up_newcomer().await,
            }
        }
        self
    }

    async fn sign_up(&mut self) {
        let form = sign_up_form(self.crowd, &self.person).await;
        let me = Rc::clone(&self.person);
        self.send_until_accepted(&me, &Action::SignUp, form, RetryPolicy::Endless)
            .await;
        self.crowd.members.borrow_mut().push(me.login.clone());
    }

    /// Signs up another person, who may give up halfway. Then the sign-up is complete or has no
    /// effect.
    async fn sign_up_newcomer(&mut self) {
        if self.newcomers == NEWCOMERS_EACH {
            return;
        }
        self.newcomers += 1;
        let mut newcomer = self.crowd.visitor();
        newcomer.login = format!("friend_{}_of_{}", self.newcomers, self.person.login);
        let form = sign_up_form(self.crowd, &newcomer).await;
        if self
            .send_until_accepted(&newcomer, &Action::SignUp, form, RetryPolicy::Human)
            .await
        {
            self.crowd.members.borrow_mut().push(newcomer.login);
        }
    }

    async fn post(&mut self) {
        let Some(home) = self.read_home().await else {
            return;
        };
        let (mut text, mut form) = (self.next_words(), home.form("/statuses"));
        match self.posts % 4 {
            0 => text += TAGGED,
            1 => form = form.set("option_1", "Tea").set("option_2", "Coffee"),
            _ => {}
        }
        let form = form.set("message", &text);
        self.send_own_until_accepted(&Action::Post(text), form)
            .await;
    }

    /// Returns a text that was not used before.
    pub(super) fn next_words(&mut self) -> String {
        self.posts += 1;
        format!("{} says {}", self.person.login, self.posts)
    }

    async fn delete(&mut self) {
        let (author, now) = (self.person.login.clone(), Instant::now());
        let standing = {
            let history = self.crowd.history.borrow();
            let mut mine: Vec<_> = history.ids();
            mine.retain(|(text, _)| text.starts_with(&format!("{author} says ")));
            mine.retain(|(text, _)| !history.was_done(&author, &Action::Delete(text.clone()), now));
            mine
        };
        if standing.is_empty() {
            return;
        }
        let post = standing[self.dice.random_range(0..standing.len())].clone();
        self.delete_post(post).await;
    }

    pub(super) async fn delete_post(&mut self, (text, id): (String, u64)) {
        let author = self.person.login.clone();
        let path = format!("/statuses/{id}/delete");
        let Some(page) = self.get_page(&path).await else {
            return;
        };
        let action = Action::Delete(text.clone());
        let tried =
            self.crowd.history.borrow().write_state(&author, &action) != WriteState::NotDone;
        match page.find_form(&path) {
            Some(form) => self.send_own_until_accepted(&action, form).await,
            None if tried && page.status == StatusCode::NOT_FOUND => {}
            None => {
                let claim = format!("{author} cannot delete {id}: {}", page.status);
                self.crowd.fault(&claim, &[&text]);
            }
        }
    }

    async fn follow_or_unfollow(&mut self) {
        let Some(other_login) = self.random_login() else {
            return;
        };
        let path = format!("/@{other_login}");
        let Some(page) = self.get_page(&path).await else {
            return;
        };
        let unfollow = page.find_form(&format!("{path}/unfollow"));
        let follows = unfollow.is_some();
        let me = self.person.login.clone();
        let edge = self.crowd.history.borrow().edge(&me, &other_login);
        if (follows && !edge.may_hold) || (!follows && !edge.may_not_hold) {
            let claim = format!("the page says that {me} follows {other_login}: {follows}");
            self.crowd.fault(&claim, &[&me, &other_login]);
        }
        match unfollow.or_else(|| page.find_form(&format!("{path}/follow"))) {
            Some(form) if follows => {
                self.send_own_until_accepted(&Action::Unfollow(other_login), form)
                    .await
            }
            Some(form) => {
                self.send_own_until_accepted(&Action::Follow(other_login), form)
                    .await
            }
            None => self.crowd.fault(
                &format!("no button on {path}:\n{}", page.html),
                &[&me, &other_login],
            ),
        }
    }

    /// Logs out and in again: the old session is over, the new one valid.
    async fn change_browsers(&mut self) {
        let Some(home) = self.read_home().await else {
            return;
        };
        let old = self.person.cookies.all();
        let (outcome, _) = self
            .crowd
            .send(&self.person, &Action::LogOut, &home.form("/logout"))
            .await;
        if outcome == Outcome::Acknowledged {
            self.person.cookies.replace(old);
            let page = self.get_page("/").await;
            if page.is_some_and(|page| page.has("form[action=\"/logout\"]")) {
                let claim = format!("{} logged out, and is still in", self.person.login);
                self.crowd
                    .fault(&claim, &[&self.person.login.clone(), "Log"]);
            }
        }
        self.person.cookies.replace(Vec::new());
        let form = loop {
            if let Some(page) = self.get_page("/login").await {
                break page.form("/login");
            }
            self.crowd.ready().await;
        };
        let form = form
            .set("login", &self.person.login)
            .set("password", PASSWORD);
        let me = Rc::clone(&self.person);
        self.send_until_accepted(&me, &Action::LogIn, form, RetryPolicy::Endless)
            .await;
    }

    async fn read_home(&mut self) -> Option<Page> {
        let asked = Instant::now();
        let page = self.get_page("/").await?;
        check_home(self.crowd, &self.person.login, &page, asked);
        page.has("form[action=\"/logout\"]").then_some(page)
    }

    async fn read_a_profile(&mut self) {
        let Some(other_login) = self.random_login() else {
            return;
        };
        let asked = Instant::now();
        if let Some(page) = self.get_page(&format!("/@{other_login}")).await {
            check_profile(self.crowd, &other_login, &page, asked);
        }
        if self.dice.random_bool(0.5) {
            let Some(page) = self.get_page(&format!("/@{}", self.person.login)).await else {
                return;
            };
            learn(self.crowd, &page);
        }
    }

    pub(super) fn random_login(&mut self) -> Option<String> {
        let mut others = self.crowd.members.borrow().clone();
        others.retain(|login| *login != self.person.login);
        let has_others = !others.is_empty();
        has_others.then(|| others.swap_remove(self.dice.random_range(0..others.len())))
    }

    /// Returns a page, or `None` if the site is down. In that case it sometimes waits until the
    /// site is back.
    pub(super) async fn get_page(&mut self, path: &str) -> Option<Page> {
        let asked = Instant::now();
        let page = self.crowd.get_page(&self.person, path).await;
        self.note(asked, page.is_some());
        if page.is_none() && self.dice.random_bool(0.7) {
            self.crowd.ready().await;
        }
        page
    }

    pub(super) fn note(&mut self, asked: Instant, served: bool) {
        if !served {
            self.failing_since.get_or_insert(asked);
        } else if let Some(since) = self.failing_since.take() {
            let mut outage = self.crowd.outage.borrow_mut();
            outage.longest_of_one = outage.longest_of_one.max(since.elapsed());
        }
    }
}
