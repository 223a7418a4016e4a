//! Random sequences of what people are told of against a plain in-memory log of it: every line, who
//! stands in it, which are new, and how many are unread.

use proptest::prelude::*;
use redwing::{
    actions::{favourites, follows, statuses},
    domain::{Deed, Notification, PAGE_SIZE, StatusId, UserId},
    store::{Notified, Pages, Place, Regard, Store},
};

use super::size;
use crate::support::{
    core::Core,
    crowd::{self, people},
};

const PEOPLE: usize = 4;

#[derive(Debug, Clone)]
enum Step {
    Post(usize),
    /// The nth of all that live.
    Delete(usize),
    Favour {
        by: usize,
        nth: usize,
    },
    Unfavour {
        by: usize,
        nth: usize,
    },
    Follow {
        from: usize,
        to: usize,
    },
    Unfollow {
        from: usize,
        to: usize,
    },
    /// The first page is read.
    Visit(usize),
    /// A visit of it ends.
    Pause(usize),
    /// Everybody looks at everything.
    Look,
}

fn step() -> impl Strategy<Value = Step> {
    let who = || 0..PEOPLE;
    prop_oneof![
        3 => who().prop_map(Step::Post),
        2 => (0..60_usize).prop_map(Step::Delete),
        9 => (who(), 0..60_usize).prop_map(|(by, nth)| Step::Favour { by, nth }),
        3 => (who(), 0..60_usize).prop_map(|(by, nth)| Step::Unfavour { by, nth }),
        3 => (who(), who()).prop_map(|(from, to)| Step::Follow { from, to }),
        2 => (who(), who()).prop_map(|(from, to)| Step::Unfollow { from, to }),
        4 => who().prop_map(Step::Visit),
        3 => who().prop_map(Step::Pause),
        1 => Just(Step::Look),
    ]
}

/// What one person was told, the last of it last, with how often that had happened to anybody.
#[derive(Default)]
struct Log {
    told: Vec<(Notification, u64)>,
    /// What had been read when it was undone: it comes back to where it was.
    undone: Vec<(Notification, u64)>,
    /// How far it was read, before this visit and with it.
    read: [u64; 2],
    visiting: bool,
}

impl Log {
    fn unread(&self) -> u64 {
        let [_, read] = self.read;
        self.told.iter().filter(|(_, at)| *at > read).count() as u64
    }

    /// The lines, newest first: what was done, by how many, and whether some of it is new.
    fn lines(&self) -> Vec<(Deed, usize, bool)> {
        let [before, _] = self.read;
        let mut lines: Vec<(Deed, usize, bool)> = Vec::new();
        for (what, at) in self.told.iter().rev() {
            match lines.iter_mut().find(|(deed, ..)| *deed == what.deed) {
                Some((_, count, _)) => *count += 1,
                None => lines.push((what.deed, 1, *at > before)),
            }
        }
        lines
    }
}

struct Game<'a> {
    core: &'a Core,
    who: Vec<UserId>,
    statuses: Vec<(StatusId, usize)>,
    logs: Vec<Log>,
    moment: u64,
}

impl Game<'_> {
    fn store(&self) -> &Store {
        &self.core.store
    }

    fn nth(&self, nth: usize) -> Option<(StatusId, usize)> {
        self.statuses.get(nth % self.statuses.len().max(1)).copied()
    }

    fn tell(&mut self, to: usize, by: usize, what: Notification) {
        let log = &mut self.logs[to];
        if to == by || log.told.iter().any(|(told, _)| *told == what) {
            return;
        }
        if let Some(at) = log.undone.iter().position(|(told, _)| *told == what) {
            log.told.push(log.undone.remove(at));
            log.told.sort_by_key(|(_, at)| *at);
            return;
        }
        self.moment += 1;
        log.told.push((what, self.moment));
    }

    fn undo(&mut self, to: usize, what: Notification) {
        let log = &mut self.logs[to];
        let [_, read] = log.read;
        let undone = log
            .told
            .iter()
            .filter(|(told, at)| *told == what && *at <= read);
        log.undone.extend(undone);
        log.told.retain(|(told, _)| *told != what);
    }

    fn forget(&mut self, to: usize, gone: impl Fn(Notification) -> bool) {
        let log = &mut self.logs[to];
        log.told.retain(|(told, _)| !gone(*told));
        log.undone.retain(|(told, _)| !gone(*told));
    }

    async fn take(&mut self, step: &Step) {
        match *step {
            Step::Post(by) => {
                let id = crowd::post(self.store(), self.who[by], "a line").await;
                self.statuses.push((id, by));
            }
            Step::Delete(nth) => {
                let Some((id, author)) = self.nth(nth) else {
                    return;
                };
                let deleted = statuses::delete(self.store(), self.who[author], id).await;
                deleted.expect("an answer");
                self.statuses.retain(|(other, _)| *other != id);
                self.forget(author, |told| told.deed.status() == Some(id));
            }
            Step::Favour { by, nth } => {
                let Some((id, author)) = self.nth(nth) else {
                    return;
                };
                crowd::favour(self.store(), self.who[by], id).await;
                self.tell(author, by, Notification::favourite(self.who[by], id));
            }
            Step::Unfavour { by, nth } => {
                let Some((id, author)) = self.nth(nth) else {
                    return;
                };
                let left = favourites::unfavour(self.store(), self.who[by], id).await;
                left.expect("an answer");
                let gone = Notification::favourite(self.who[by], id);
                self.undo(author, gone);
            }
            Step::Follow { from, to } => {
                let follow = follows::follow(self.store(), self.who[from], self.who[to]).await;
                follow.map(drop).expect("an answer");
                self.tell(to, from, Notification::follow(self.who[from]));
            }
            Step::Unfollow { from, to } => {
                let left = follows::unfollow(self.store(), self.who[from], self.who[to]).await;
                left.expect("an answer");
                let gone = Notification::follow(self.who[from]);
                self.undo(to, gone);
            }
            Step::Visit(reader) => self.visit(reader).await,
            Step::Pause(reader) => {
                self.logs[reader].visiting = false;
                let who = self.who[reader];
                let estate = self.store().estate(who).await.expect("an answer");
                if estate.noticed[0].is_some() {
                    let key = format!("noticed:{{{who}}}");
                    self.core.redis.command(&["HSET", &key, "at", "1"]);
                }
            }
            Step::Look => self.compare().await,
        }
    }

    async fn visit(&mut self, reader: usize) {
        let log = &mut self.logs[reader];
        let [before, read] = log.read;
        let newest = log.told.iter().map(|(_, at)| *at).max().unwrap_or_default();
        let before = if log.visiting { before } else { read };
        log.read = [before, read.max(newest)];
        log.visiting = true;
        let page = self
            .store()
            .notifications_page(self.who[reader], None, Regard::Visit);
        let page = page.await.expect("an answer");
        let mut expected = self.logs[reader].lines();
        expected.truncate(PAGE_SIZE);
        assert_eq!(said(&page.items), expected, "a visit of {reader}");
    }

    /// A glance outside of a visit marks what is unread.
    async fn compare(&mut self) {
        for reader in 0..PEOPLE {
            let shown = super::told(self.store(), self.who[reader]).await;
            let log = &mut self.logs[reader];
            let kept = log.read;
            if !log.visiting {
                log.read = [log.read[1]; 2];
            }
            assert_eq!(said(&shown), log.lines(), "all of {reader}");
            log.read = kept;
            let unread = self.unread(reader).await;
            assert_eq!(unread, self.logs[reader].unread(), "unread of {reader}");
        }
    }

    /// How many stand above what was read, in the store.
    async fn unread(&self, reader: usize) -> u64 {
        let who = self.who[reader];
        let estate = self.store().estate(who).await.expect("an answer");
        let read = estate.noticed[0].as_ref().map(|read| read.parse());
        let read: f64 = read.transpose().expect("a number").unwrap_or_default();
        let mut pages = Pages::of(&Place::Notifications(who));
        let rows = self.store().rows(&mut pages).await.expect("an answer");
        rows.iter().filter(|(_, at)| *at > read).count() as u64
    }
}

fn said(lines: &[Notified]) -> Vec<(Deed, usize, bool)> {
    lines
        .iter()
        .map(|line| (line.deed, size(line), line.is_new))
        .collect()
}

async fn play(core: &Core, steps: &[Step], round: usize) {
    let who = people(&core.store, &format!("round{round}"), PEOPLE).await;
    let mut game = Game {
        core,
        who,
        statuses: Vec::new(),
        logs: (0..PEOPLE).map(|_| Log::default()).collect(),
        moment: 0,
    };
    for _ in 0..35 {
        game.take(&Step::Post(0)).await;
    }
    for step in steps.iter().chain([&Step::Look]) {
        game.take(step).await;
    }
    core.drain().await;
    game.compare().await;
}

#[test]
fn what_people_are_told_is_what_a_plain_log_says() {
    let core = Core::start();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let rounds = std::sync::atomic::AtomicUsize::new(0);
    let config = ProptestConfig {
        cases: 8,
        max_shrink_iters: 32,
        failure_persistence: None,
        ..Default::default()
    };
    proptest!(config, |(steps in prop::collection::vec(step(), 60..200))| {
        let round = rounds.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        runtime.block_on(play(&core, &steps, round));
    });
    runtime.block_on(core.assert_sound());
}
