//! Random sequences compared with a simple model: the order follows the plain formula, each post is
//! on one page, and no unseen post is lost.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use redwing::{
    actions::{favourites, follows, homes, importance},
    domain::{AuthorPreference, PAGE_SIZE, StatusId, UserId},
    store::{PreferenceOutcome, ReadMode, VisibleStatus},
};

use crate::support::{
    core::Core,
    crowd::{self, people},
    environment::{games, with_deep_stack},
};

const PEOPLE: usize = 5;
const DAY_MS: u128 = 86_400_000;

#[derive(Debug, Clone)]
enum Step {
    Post {
        by: usize,
        count: usize,
    },
    /// Deletes the n-th newest status of all.
    Delete(usize),
    Reply {
        by: usize,
        nth: usize,
    },
    Favourite {
        by: usize,
        nth: usize,
    },
    Unfavourite {
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
    SetPreference {
        by: usize,
        of: usize,
        preference: AuthorPreference,
    },
    /// Makes the n-th newest status of all this many hours older.
    Age {
        nth: usize,
        hours: u64,
    },
    /// A visit that reads the first page of home.
    ReadLatest(usize),
    /// A visit that reads all important posts.
    ReadImportant(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let who = || 0..PEOPLE;
    let nth = || 0..30_usize;
    let preference = prop::sample::select(AuthorPreference::ALL.to_vec());
    prop_oneof![
        6 => (who(), 1..14_usize).prop_map(|(by, count)| Step::Post { by, count }),
        1 => nth().prop_map(Step::Delete),
        5 => (who(), nth()).prop_map(|(by, nth)| Step::Reply { by, nth }),
        8 => (who(), nth()).prop_map(|(by, nth)| Step::Favourite { by, nth }),
        2 => (who(), nth()).prop_map(|(by, nth)| Step::Unfavourite { by, nth }),
        3 => (who(), who()).prop_map(|(from, to)| Step::Follow { from, to }),
        1 => (who(), who()).prop_map(|(from, to)| Step::Unfollow { from, to }),
        4 => (who(), who(), preference).prop_map(|(by, of, preference)| Step::SetPreference { by, of, preference }),
        3 => (nth(), 1..60_u64).prop_map(|(nth, hours)| Step::Age { nth, hours }),
        1 => who().prop_map(Step::ReadLatest),
        3 => who().prop_map(Step::ReadImportant),
    ]
}

#[derive(Debug, Clone)]
struct Plain {
    author: UserId,
    posted_ms: u64,
    reply_to: Option<(StatusId, UserId)>,
    favourited_by: BTreeSet<UserId>,
}

struct Game<'a> {
    core: &'a Core,
    who: Vec<UserId>,
    statuses: BTreeMap<StatusId, Plain>,
    follows: BTreeSet<(UserId, UserId)>,
    author_preferences: BTreeMap<(UserId, UserId), AuthorPreference>,
    /// Statuses that each reader has seen; `None` before the first visit.
    seen: BTreeMap<UserId, BTreeSet<StatusId>>,
}

impl Game<'_> {
    fn nth(&self, nth: usize) -> Option<StatusId> {
        self.statuses.keys().rev().nth(nth).copied()
    }

    /// Returns statuses of other people on a home, newest first.
    fn others(&self, reader: UserId) -> Vec<StatusId> {
        let newest_first = self.statuses.iter().rev();
        let theirs = newest_first.filter(|(_, plain)| self.belongs(reader, plain));
        theirs.map(|(id, _)| *id).collect()
    }

    /// Returns whether another person's status comes to a home. A reply comes to readers who follow
    /// both authors.
    fn belongs(&self, reader: UserId, plain: &Plain) -> bool {
        let follows = |who| self.follows.contains(&(reader, who));
        let known = |who| who == reader || who == plain.author || follows(who);
        follows(plain.author)
            && plain
                .reply_to
                .is_none_or(|(_, parent_author)| known(parent_author))
    }

    /// Returns the score by the same formula, over plain sets.
    fn score(&self, reader: UserId, id: StatusId, at_ms: u64) -> u128 {
        let post = &self.statuses[&id];
        let author = post.author;
        let counts = |who: &UserId| {
            *who != author && *who != reader && self.follows.contains(&(reader, *who))
        };
        let all = || self.statuses.values();
        let answerers: BTreeSet<UserId> = all()
            .filter(|other| other.reply_to.is_some_and(|(answered, _)| answered == id))
            .map(|other| other.author)
            .filter(&counts)
            .collect();
        let favourited_by = post.favourited_by.iter().filter(|who| counts(who)).count();
        let favourited =
            all().filter(|other| other.author == author && other.favourited_by.contains(&reader));
        let answered = all().filter(|other| {
            other.author == reader
                && other
                    .reply_to
                    .is_some_and(|(_, parent_author)| parent_author == author)
        });
        let points = 10
            + 12 * answerers.len().min(10)
            + 5 * favourited_by.min(20)
            + 4 * answered.count().min(10)
            + 2 * favourited.count().min(10);
        let halves = match self.author_preferences.get(&(reader, author)) {
            Some(AuthorPreference::More) => 4,
            Some(AuthorPreference::Less) => 1,
            Some(AuthorPreference::Normal) | None => 2,
        };
        let age = u128::from(at_ms.saturating_sub(post.posted_ms));
        points as u128 * halves * 500 * DAY_MS / (DAY_MS + age)
    }

    async fn perform(&mut self, step: &Step) {
        let store = &self.core.store;
        match *step {
            Step::Post { by, count } => {
                for _ in 0..count {
                    self.post(self.who[by], None).await;
                }
            }
            Step::Delete(nth) => {
                let Some(id) = self.nth(nth) else { return };
                let plain = self.statuses.remove(&id).expect("it lives");
                crowd::delete(store, plain.author, id).await;
            }
            Step::Reply { by, nth } => {
                let Some(id) = self.nth(nth) else { return };
                self.post(self.who[by], Some(id)).await;
            }
            Step::Favourite { by, nth } => {
                let Some(id) = self.nth(nth) else { return };
                crowd::favourite(store, self.who[by], id).await;
                let plain = self.statuses.get_mut(&id).expect("it lives");
                plain.favourited_by.insert(self.who[by]);
            }
            Step::Unfavourite { by, nth } => {
                let Some(id) = self.nth(nth) else { return };
                let taken_back = favourites::unfavourite(store, self.who[by], id).await;
                taken_back.expect("an answer");
                let plain = self.statuses.get_mut(&id).expect("it lives");
                plain.favourited_by.remove(&self.who[by]);
            }
            Step::Follow { from, to } if from != to => {
                crowd::follow(store, self.who[from], self.who[to]).await;
                self.follows.insert((self.who[from], self.who[to]));
            }
            Step::Follow { .. } => {}
            Step::Unfollow { from, to } => {
                let edge = (self.who[from], self.who[to]);
                let left = follows::unfollow(store, edge.0, edge.1).await;
                left.expect("an answer");
                self.follows.remove(&edge);
                self.author_preferences.remove(&edge);
            }
            Step::SetPreference { by, of, preference } => {
                self.set_preference(self.who[by], self.who[of], preference)
                    .await
            }
            Step::Age { nth, hours } => {
                let Some(id) = self.nth(nth) else { return };
                let plain = self.statuses.get_mut(&id).expect("it lives");
                plain.posted_ms -= hours * 3_600_000;
                let key = format!("status:{{{id}}}");
                let posted = plain.posted_ms.to_string();
                self.core.redis.command(&["HSET", &key, "posted", &posted]);
            }
            Step::ReadLatest(reader) => self.read_latest(self.who[reader]).await,
            Step::ReadImportant(reader) => self.read_important(self.who[reader]).await,
        }
    }

    async fn set_preference(&mut self, by: UserId, of: UserId, preference: AuthorPreference) {
        let set = importance::set_author_preference(&self.core.store, by, of, preference).await;
        let expected = if self.follows.contains(&(by, of)) {
            self.author_preferences.insert((by, of), preference);
            PreferenceOutcome::Set
        } else {
            PreferenceOutcome::NotFollowing
        };
        assert_eq!(set.expect("an answer"), expected);
    }

    /// Posts, or replies to a status.
    async fn post(&mut self, by: UserId, to: Option<StatusId>) {
        let store = &self.core.store;
        let reply_to = to.map(|to| (to, self.statuses[&to].author));
        let id = match to {
            Some(to) => crowd::reply(store, by, to, "an answer").await,
            None => crowd::post(store, by, "a line").await,
        };
        let viewer = redwing::store::Viewer::Anonymous;
        let status = store.status(viewer, id).await.expect("an answer");
        let plain = Plain {
            author: by,
            posted_ms: status.expect("it lives").posted().0,
            reply_to,
            favourited_by: BTreeSet::new(),
        };
        self.statuses.insert(id, plain);
    }

    /// Starts a visit after all passes are done.
    async fn visit(&mut self, reader: UserId) {
        self.core.drain().await;
        if self.seen.contains_key(&reader) {
            let key = format!("reading:{{{reader}}}");
            self.core.redis.command(&["HSET", &key, "at", "1"]);
        }
    }

    /// Waits for the next millisecond of Redis, because a post in the millisecond of a visit counts as seen.
    fn next_moment(&self) {
        let visit = self.core.redis.now_ms();
        while self.core.redis.now_ms() == visit {}
    }

    /// Marks everything from that id upwards as seen.
    fn has_seen(&mut self, reader: UserId, low: u64) {
        let seen = self.statuses.keys().filter(|id| id.get() >= low);
        let seen: Vec<StatusId> = seen.copied().collect();
        self.seen.entry(reader).or_default().extend(seen);
    }

    async fn read_latest(&mut self, reader: UserId) {
        self.visit(reader).await;
        let first = !self.seen.contains_key(&reader);
        let read = homes::home_page(&self.core.store, reader, None, ReadMode::Visit).await;
        let page = read.expect("an answer").page;
        let last = page.items.last().map_or(0, |status| status.id().get());
        let ends = page.next.is_none();
        self.has_seen(reader, if first || ends { 0 } else { last });
        self.next_moment();
    }

    async fn read_important(&mut self, reader: UserId) {
        self.visit(reader).await;
        let others = self.others(reader);
        let seen = self.seen.get(&reader);
        let is_new = |id: &&StatusId| seen.is_some_and(|seen| !seen.contains(id));
        let new: Vec<StatusId> = others.iter().filter(is_new).copied().collect();
        let chosen: Vec<StatusId> = match new.len() {
            0 => others.into_iter().take(PAGE_SIZE).collect(),
            _ => new.iter().copied().take(200).collect(),
        };
        let pages = crowd::important(&self.core.store, reader).await;
        let at_ms = pages[0].at.0;
        let mut expected = chosen;
        expected.sort_by_key(|id| (self.score(reader, *id, at_ms), *id));
        expected.reverse();
        let shown = pages.iter().flat_map(|page| &page.posts);
        let shown: Vec<StatusId> = shown.map(|post| VisibleStatus::id(&post.item)).collect();
        assert_eq!(shown, expected, "for {reader}");
        assert_eq!(pages[0].new, new.len() as u64);
        if new.len() <= PAGE_SIZE {
            self.has_seen(reader, 0);
        }
        self.next_moment();
    }
}

async fn play(core: &Core, steps: &[Step]) {
    core.redis.command(&["FLUSHALL"]);
    let who = people(&core.store, "person", PEOPLE).await;
    let mut game = Game {
        core,
        statuses: BTreeMap::new(),
        follows: BTreeSet::new(),
        author_preferences: BTreeMap::new(),
        seen: BTreeMap::new(),
        who,
    };
    for from in 0..PEOPLE - 1 {
        for to in 0..PEOPLE - 1 {
            game.perform(&Step::Follow { from, to }).await;
        }
    }
    for reader in 0..PEOPLE {
        game.perform(&Step::ReadLatest(reader)).await;
    }
    for step in steps {
        game.perform(step).await;
    }
    for reader in 0..PEOPLE {
        game.perform(&Step::ReadImportant(reader)).await;
    }
}

#[test]
fn the_order_matches_a_simple_model() {
    with_deep_stack(|| {
        let core = Core::start();
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        proptest!(games(12), |(steps in prop::collection::vec(step(), 30..90))| {
            runtime.block_on(play(&core, &steps));
        });
    });
}
