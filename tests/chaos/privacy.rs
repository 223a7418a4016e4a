//! Pairs of a private account and a guest: requests, answers, blocks, mutes and posts for followers. One citizen acts
//! for both, so the state of a pair is known at every moment, and every page of the guest must agree with it.

use std::time::{Duration, Instant};

use rand::RngExt;
use redwing::domain::PAGE_SIZE;
use reqwest::StatusCode;

use super::{
    crowd::Crowd,
    forms::sign_up_form,
    history::{Action, Outcome},
    network::{COPY_DELAY, WRITE_DEADLINE},
    pages::Copies,
    people::Citizen,
};
use crate::support::{Form, Page, Person, waiting::pause_for};

/// Number of pairs.
pub const PAIRS: usize = 4;
/// Time between two looks at a page.
const PAUSE: Duration = Duration::from_millis(200);

/// The guest's relation to the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bond {
    Strangers,
    Asked,
    Follows,
    BlockedByHost,
    BlockedByGuest,
}

/// Sides of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Host,
    Guest,
}

pub struct Pair {
    host: Person,
    guest: Person,
    bond: Bond,
    is_muted: bool,
    /// Texts of the host, each for followers.
    posts: Vec<String>,
}

impl Pair {
    /// Signs up both, and makes the account of the host private.
    pub async fn enter(crowd: &Crowd, number: usize) -> Self {
        let [mut host, mut guest] = [crowd.visitor(), crowd.visitor()];
        host.login = format!("host_{number}");
        guest.login = format!("guest_{number}");
        let pair = Self {
            host,
            guest,
            bond: Bond::Strangers,
            is_muted: false,
            posts: Vec::new(),
        };
        for side in [Side::Host, Side::Guest] {
            let form = sign_up_form(crowd, pair.person(side)).await;
            pair.send(crowd, side, "signs up", form).await;
        }
        let page = pair.page(crowd, Side::Host, "/settings/privacy").await;
        let form = page.form("/settings/account");
        let form = form.set_new("account", "private");
        pair.send(crowd, Side::Host, "becomes private", form).await;
        pair
    }

    fn person(&self, side: Side) -> &Person {
        match side {
            Side::Host => &self.host,
            Side::Guest => &self.guest,
        }
    }

    /// Returns a page, as soon as the site serves it.
    async fn page(&self, crowd: &Crowd, side: Side, path: &str) -> Page {
        loop {
            match crowd.get_page(self.person(side), path).await {
                Some(page) => return page,
                None => crowd.ready().await,
            }
        }
    }

    /// Sends a form until it is accepted. Every form of a pair can be sent again. A lost one can still be applied until
    /// its deadline.
    async fn send(&self, crowd: &Crowd, side: Side, what: &str, form: Form) {
        let action = Action::OfPair(what.to_owned());
        let mut was_lost = false;
        loop {
            match crowd.send(self.person(side), &action, &form).await.0 {
                Outcome::Acknowledged => break,
                outcome => was_lost |= outcome == Outcome::Lost,
            }
            crowd.ready().await;
        }
        if was_lost {
            pause_for(WRITE_DEADLINE).await;
        }
    }

    /// Returns the form with this path on a page. A derived copy can leave a page without it for the delay of the
    /// outbox, or if a failover lost the copy.
    async fn form(&self, crowd: &Crowd, side: Side, (page, path): (&str, &str)) -> Option<Form> {
        let begun = Instant::now();
        loop {
            let shown = self.page(crowd, side, page).await;
            if let Some(form) = shown.find_form(path) {
                return Some(form);
            }
            if begun.elapsed() > COPY_DELAY {
                if crowd.copies == Copies::Kept {
                    let claim = format!("{page} has no form for {path}: {}", shown.html);
                    self.fault(crowd, &claim);
                }
                return None;
            }
            pause_for(PAUSE).await;
        }
    }

    /// Sends the form with this path on a page. Returns whether there was one.
    async fn send_from(&self, crowd: &Crowd, side: Side, place: (&str, &str)) -> bool {
        let Some(form) = self.form(crowd, side, place).await else {
            return false;
        };
        self.send(crowd, side, place.1, form).await;
        true
    }

    fn fault(&self, crowd: &Crowd, claim: &str) {
        let names = format!(
            "{} and {}, {:?}",
            self.host.login, self.guest.login, self.bond
        );
        crowd.fault(&format!("{names}: {claim}"), &["OfPair"]);
    }

    async fn answer(&self, crowd: &Crowd, answer: &str) -> bool {
        let path = "/settings/requests";
        let Some(form) = self.form(crowd, Side::Host, (path, path)).await else {
            return false;
        };
        let form = form.set_new("answer", answer);
        self.send(crowd, Side::Host, answer, form).await;
        true
    }

    async fn block(&mut self, crowd: &Crowd, side: Side) {
        let (other, bond) = match side {
            Side::Host => (&self.guest, Bond::BlockedByHost),
            Side::Guest => (&self.host, Bond::BlockedByGuest),
        };
        let page = format!("/@{}", other.login);
        let form = format!("{page}/block");
        if self.send_from(crowd, side, (&page, &form)).await {
            self.bond = bond;
        }
    }

    async fn unblock(&mut self, crowd: &Crowd, side: Side) {
        let path = "/settings/blocked";
        let form = format!("{path}/remove");
        if self.send_from(crowd, side, (path, &form)).await {
            self.bond = Bond::Strangers;
        }
    }

    /// Posts for followers.
    async fn post(&mut self, crowd: &Crowd) {
        let text = format!("{} says {}", self.host.login, self.posts.len());
        let form = self.page(crowd, Side::Host, "/").await.form("/statuses");
        let form = form.set("message", &text).set("visibility", "followers");
        self.send(crowd, Side::Host, "posts", form).await;
        self.posts.push(text);
    }

    /// Sends a form of the guest on the profile of the host.
    async fn press(&self, crowd: &Crowd, action: &str) -> bool {
        let page = format!("/@{}", self.host.login);
        let path = format!("{page}/{action}");
        let Some(form) = self.form(crowd, Side::Guest, (&page, &path)).await else {
            return false;
        };
        let form = match action {
            // Each term is a button, and one of them is pressed.
            "mute" => form.set_new("term", "forever"),
            _ => form,
        };
        self.send(crowd, Side::Guest, action, form).await;
        true
    }

    /// Removes the guest from the followers of the host.
    async fn remove(&mut self, crowd: &Crowd) {
        let form = format!("/@{}/remove", self.guest.login);
        let path = "/settings/followers";
        if self.send_from(crowd, Side::Host, (path, &form)).await {
            self.bond = Bond::Strangers;
        }
    }

    /// Does one thing, by a number below 20.
    async fn act(&mut self, crowd: &Crowd, dice: u32) {
        match (self.bond, dice) {
            (Bond::BlockedByHost, _) => self.unblock(crowd, Side::Host).await,
            (Bond::BlockedByGuest, _) => self.unblock(crowd, Side::Guest).await,
            (_, 0) => self.block(crowd, Side::Host).await,
            (_, 1) => self.block(crowd, Side::Guest).await,
            (_, 2..5) => self.post(crowd).await,
            (_, 5) => {
                let action = if self.is_muted { "unmute" } else { "mute" };
                self.is_muted ^= self.press(crowd, action).await;
            }
            (Bond::Strangers, _) => {
                if self.press(crowd, "follow").await {
                    self.bond = Bond::Asked;
                }
            }
            (Bond::Asked, 6..15) => {
                if self.answer(crowd, "accept").await {
                    self.bond = Bond::Follows;
                }
            }
            (Bond::Asked, 15..18) => {
                if self.answer(crowd, "refuse").await {
                    self.bond = Bond::Strangers;
                }
            }
            (Bond::Asked, _) => {
                if self.press(crowd, "withdraw").await {
                    self.bond = Bond::Strangers;
                }
            }
            (Bond::Follows, 6..13) => self.post(crowd).await,
            (Bond::Follows, 13..16) => self.remove(crowd).await,
            (Bond::Follows, _) => {
                if self.press(crowd, "unfollow").await {
                    self.bond = Bond::Strangers;
                }
            }
        }
    }

    /// Compares what the guest sees with the state of the pair. Copies of a block, and new posts, may come with the
    /// outbox. Lost copies make posts missing, and show none too much.
    pub async fn check(&self, crowd: &Crowd, copies: Copies) {
        let begun = Instant::now();
        while let Some(claim) = self.difference(crowd, copies).await {
            let is_blocked = matches!(self.bond, Bond::BlockedByHost | Bond::BlockedByGuest);
            let may_be_late = is_blocked || self.bond == Bond::Follows;
            if !may_be_late || begun.elapsed() > COPY_DELAY {
                return self.fault(crowd, &claim);
            }
            pause_for(PAUSE).await;
        }
    }

    /// Returns what the guest sees and should not, or the reverse.
    async fn difference(&self, crowd: &Crowd, copies: Copies) -> Option<String> {
        let path = format!("/@{}", self.host.login);
        let profile = self.page(crowd, Side::Guest, &path).await;
        let home = self.page(crowd, Side::Guest, "/").await;
        let form = match self.bond {
            Bond::Strangers => Some("follow"),
            Bond::Asked => Some("withdraw"),
            Bond::Follows => Some("unfollow"),
            Bond::BlockedByHost | Bond::BlockedByGuest => None,
        };
        let is_right = match form {
            Some(form) => profile.find_form(&format!("{path}/{form}")).is_some(),
            None => profile.status == StatusCode::NOT_FOUND,
        };
        if !is_right && copies == Copies::Kept {
            return Some(format!("{path}: {} {}", profile.status, profile.html));
        }
        let follows = self.bond == Bond::Follows;
        for (page, sees) in [(&profile, follows), (&home, follows && !self.is_muted)] {
            let shown = page.messages();
            if !sees && shown.iter().any(|text| self.posts.contains(text)) {
                return Some(format!("{} shows {shown:?}", page.path));
            }
        }
        let newest = self.posts.iter().rev().take(PAGE_SIZE);
        let newest: Vec<String> = newest.cloned().collect();
        let is_complete = !follows || profile.messages() == newest;
        let claim = || format!("{path} shows {:?}, not {newest:?}", profile.messages());
        (!is_complete && copies == Copies::Kept).then(claim)
    }
}

impl Citizen<'_> {
    /// Lets the pair of this citizen act, if there is one, and checks its pages.
    pub async fn act_for_the_pair(&mut self) {
        let dice = self.dice.random_range(0..20);
        if let Some(pair) = &mut self.pair {
            pair.act(self.crowd, dice).await;
            pair.check(self.crowd, self.crowd.copies).await;
        }
    }
}
