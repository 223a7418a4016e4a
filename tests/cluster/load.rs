//! Writers who post without a pause and send each form until it is accepted, while a test changes
//! the cluster. Afterwards their posts are checked.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use reqwest::StatusCode;
use tokio::task::JoinHandle;

use crate::support::{Form, Person, Site, waiting::eventually};

/// Time for which one form may be refused.
const PATIENCE: Duration = Duration::from_secs(80);

/// Answers that one person received.
pub struct History {
    pub person: Person,
    /// Accepted texts, with their times.
    pub accepted: Vec<(String, Instant)>,
    /// Number of answers that asked to try again.
    pub refusals: usize,
}

pub struct Load {
    stop: Arc<AtomicBool>,
    accepted: Arc<AtomicUsize>,
    people: Vec<JoinHandle<History>>,
}

impl Load {
    /// Makes everyone follow everyone and start posting.
    pub async fn start(site: &Site, people: usize) -> Self {
        let logins: Vec<String> = (0..people)
            .map(|number| format!("poster_{number}"))
            .collect();
        let mut posters = Vec::new();
        for login in &logins {
            posters.push(Person::sign_up(site, login).await);
        }
        for person in &posters {
            for other in logins.iter().filter(|login| **login != person.login) {
                person.follow(other).await;
            }
        }
        let (stop, accepted) = (Arc::default(), Arc::default());
        let people = posters
            .into_iter()
            .map(|person| tokio::spawn(post(person, Arc::clone(&stop), Arc::clone(&accepted))))
            .collect();
        Self {
            stop,
            accepted,
            people,
        }
    }

    /// Waits until this many more posts were accepted.
    pub async fn go_on(&self, posts: usize) {
        let goal = self.accepted.load(Ordering::SeqCst) + posts;
        eventually("more posts are accepted", async || {
            self.accepted.load(Ordering::SeqCst) >= goal
        })
        .await;
    }

    /// Stops all writers, each after an accepted post.
    pub async fn stop(self) -> Vec<History> {
        self.stop.store(true, Ordering::SeqCst);
        let mut histories = Vec::new();
        for person in self.people {
            histories.push(person.await.expect("no writer got an error page"));
        }
        histories
    }
}

async fn post(person: Person, stop: Arc<AtomicBool>, accepted: Arc<AtomicUsize>) -> History {
    let mut history = History {
        person,
        accepted: Vec::new(),
        refusals: 0,
    };
    for number in 0.. {
        let text = format!("number {number} of {}", history.person.login);
        let form = history.form().await.set("message", &text);
        history.send(&form).await;
        history.accepted.push((text, Instant::now()));
        accepted.fetch_add(1, Ordering::SeqCst);
        if stop.load(Ordering::SeqCst) {
            break;
        }
    }
    history
}

impl History {
    /// Returns the form of the writer's home, as soon as it is readable.
    async fn form(&mut self) -> Form {
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            let page = self.person.get("/").await;
            match page.status {
                StatusCode::OK => return page.form("/statuses"),
                StatusCode::SERVICE_UNAVAILABLE => self.refusals += 1,
                other => panic!("home responds with {other}:\n{}", page.html),
            }
        }
        panic!("the home of {} stays unavailable", self.person.login)
    }

    /// Sends the form until it is accepted.
    async fn send(&mut self, form: &Form) {
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            let answer = self.person.submit(form).await;
            match answer.status {
                StatusCode::SEE_OTHER => return,
                StatusCode::SERVICE_UNAVAILABLE => self.refusals += 1,
                other => panic!("a post gets the response {other}:\n{}", answer.html),
            }
        }
        panic!("no further post of {} is accepted", self.person.login)
    }

    /// Returns the longest time without an accepted post.
    pub fn longest_wait(&self) -> Duration {
        self.accepted
            .windows(2)
            .map(|pair| pair[1].1 - pair[0].1)
            .max()
            .unwrap_or_default()
    }

    /// Returns the accepted texts, newest first.
    fn texts(&self) -> Vec<&str> {
        self.accepted
            .iter()
            .rev()
            .map(|(text, _)| text.as_str())
            .collect()
    }
}

/// Checks that each accepted post is exactly once on its author's profile and on every home, and
/// that nothing else is there.
pub async fn assert_all_there(histories: &[History]) {
    let mut all: Vec<&str> = histories.iter().flat_map(History::texts).collect();
    all.sort_unstable();
    for history in histories {
        let profile = everything(&history.person, &history.person.profile()).await;
        assert_eq!(profile, history.texts(), "{}", history.person.login);
        let mut home = everything(&history.person, "/").await;
        home.sort_unstable();
        assert_eq!(home, all, "home of {}", history.person.login);
    }
}

async fn everything(person: &Person, path: &str) -> Vec<String> {
    let pages = person.pages(path).await;
    pages.iter().flat_map(|page| page.messages()).collect()
}
