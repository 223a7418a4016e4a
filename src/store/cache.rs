//! What a connection has read of statuses and people, kept right by Redis itself (CLIENT TRACKING,
//! OPTIN): it says on the same connection which keys have changed.
//!
//! The law of it: Redis sends that before the answer to any later command of this connection, and it
//! is applied in the step that takes answers off the wire. So whoever has made a trip, and then looks
//! here, finds nothing that was changed or deleted before that trip. Every page makes one (its
//! session, its timeline, whose login it names) before it looks.
//!
//! A read may cross the news that it is out of date: Redis answers, the key changes, and the answer
//! would be kept after the news of the change was heard. So a promise stands in the place of what is
//! being read; the news takes it away, and what was read is kept only where its promise stands.
//!
//! A cache belongs to one connection and ends with it. It is bounded in bytes. Rows of statuses and people
//! that are equal are one in memory, whichever connection read them (see [`super::twins`]).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use foldhash::fast::RandomState;
use quick_cache::{Weighter, unsync};
use redis::{Cmd, PushInfo, PushKind, Value};

pub(super) use super::cache_name::Name;
use super::{
    Result, User, interests::Interests, polls::OwnBallot, presence::Present, status_row::StatusRow,
    suggestions::Top, trends::Trends, twins::Twins, visited_home::VisitedHome,
};
use crate::domain::UserId;

/// What an entry takes besides its row: key, place in the table, and what is remembered of it.
const ENTRY_BYTES: u64 = 160;
/// What an entry takes on the average, for the size of the table to begin with.
const USUAL_BYTES: u64 = 2048;

/// What one read of one key gives, parsed.
pub(super) trait Row: Sized {
    /// What is asked for.
    type Question: Clone;

    fn name(question: &Self::Question) -> Name;

    /// One command that reads the key and nothing else.
    fn command(question: &Self::Question) -> Cmd;

    /// `None` where nothing is there.
    fn parse(question: &Self::Question, answer: Value) -> Result<Option<Self>>;

    /// How much memory it holds.
    fn bytes(&self) -> usize;

    /// The row in memory: where its kind is large, one for all connections that read the same.
    fn shared(self, _known: &Known, _name: Name) -> Arc<Self> {
        Arc::new(self)
    }

    fn into_held(row: Arc<Self>) -> Held;

    /// The row, where it answers this question.
    fn held<'a>(held: &'a Held, question: &Self::Question) -> Option<&'a Arc<Self>>;
}

/// Rows that several connections may hold.
#[derive(Default)]
pub(super) struct Known {
    pub(super) statuses: Twins<StatusRow>,
    pub(super) users: Twins<User>,
}

/// What stands under a name.
#[derive(Clone)]
pub(super) enum Held {
    /// It is being read, by whoever has this number.
    Promised(u64),
    Status(Arc<StatusRow>),
    User(Arc<User>),
    Top(Arc<Top>),
    Present(Arc<Present>),
    Ballot(Arc<OwnBallot>),
    Interests(Arc<Interests>),
    Trends(Arc<Trends>),
    Home(Arc<VisitedHome>),
}

/// What was found, in the order of the questions, and the number of the promises for what was not.
pub(super) struct Look<R> {
    pub(super) rows: Vec<Option<Arc<R>>>,
    pub(super) promise: u64,
}

pub(super) struct Cache(Mutex<Shelf>);

struct Shelf {
    entries: unsync::Cache<Name, (Held, u64), Bytes, RandomState>,
    promises: u64,
}

impl Shelf {
    /// Puts what was read in the place of its promise, if that stands.
    fn fulfil(&mut self, name: Name, promise: u64, held: Option<(Held, u64)>) {
        let stands = matches!(
            self.entries.peek(&name),
            Some((Held::Promised(number), _)) if *number == promise
        );
        match held {
            _ if !stands => {}
            Some(held) => self.entries.insert(name, held),
            None => drop(self.entries.remove(&name)),
        }
    }
}

#[derive(Clone)]
struct Bytes;

impl Weighter<Name, (Held, u64)> for Bytes {
    fn weight(&self, _: &Name, (_, bytes): &(Held, u64)) -> u64 {
        ENTRY_BYTES + bytes
    }
}

impl Cache {
    pub(super) fn of(bytes: usize) -> Self {
        let bytes = bytes as u64;
        let usual = usize::try_from(bytes / USUAL_BYTES).unwrap_or(usize::MAX);
        Self(Mutex::new(Shelf {
            entries: unsync::Cache::with(
                usual,
                bytes,
                Bytes,
                RandomState::default(),
                Default::default(),
            ),
            promises: 0,
        }))
    }

    /// What is kept of these. For what is not, a promise is placed.
    pub(super) fn look<R: Row>(&self, questions: &[R::Question]) -> Look<R> {
        let mut shelf = self.shelf();
        shelf.promises += 1;
        let promise = shelf.promises;
        let find = |question: &R::Question| {
            let name = R::name(question);
            let held = shelf.entries.get(&name);
            let row = held.and_then(|(held, _)| R::held(held, question)).cloned();
            if row.is_none() {
                shelf.entries.insert(name, (Held::Promised(promise), 0));
            }
            row
        };
        Look {
            rows: questions.iter().map(find).collect(),
            promise,
        }
    }

    /// What is kept of who stands in a ZSET, whoever was asked for.
    pub(super) fn present(&self, place: Name) -> Option<Arc<Present>> {
        match self.shelf().entries.get(&place)? {
            (Held::Present(present), _) => Some(Arc::clone(present)),
            _ => None,
        }
    }

    /// The first page of a home, if it was kept.
    pub(super) fn home(&self, of: UserId) -> Option<Arc<VisitedHome>> {
        match self.shelf().entries.get(&Name::Home(of))? {
            (Held::Home(home), _) => Some(Arc::clone(home)),
            _ => None,
        }
    }

    /// Places a promise, and gives its number.
    pub(super) fn promise(&self, name: Name) -> u64 {
        let mut shelf = self.shelf();
        shelf.promises += 1;
        let promise = shelf.promises;
        shelf.entries.insert(name, (Held::Promised(promise), 0));
        promise
    }

    /// What was read of a home: kept where the promise stands.
    pub(super) fn keep_home(&self, of: UserId, promise: u64, home: Arc<VisitedHome>) {
        let bytes = home.bytes() as u64;
        self.shelf()
            .fulfil(Name::Home(of), promise, Some((Held::Home(home), bytes)));
    }

    /// What was read of a key, or that nothing is there: kept where the promise stands.
    pub(super) fn keep<R: Row>(&self, name: Name, promise: u64, row: Option<&Arc<R>>) {
        let held = row.map(|row| (R::into_held(Arc::clone(row)), row.bytes() as u64));
        self.shelf().fulfil(name, promise, held);
    }

    /// What Redis says of its own accord. Of what is not understood, everything may have changed.
    pub(super) fn hear(&self, push: &PushInfo) {
        if push.kind != PushKind::Invalidate {
            return;
        }
        let mut shelf = self.shelf();
        let keys = match &push.data[..] {
            [Value::Array(keys)] => keys.iter().map(name_of).collect(),
            _ => None,
        };
        let names: Option<Vec<Name>> = keys;
        match names {
            Some(names) => {
                for name in names {
                    shelf.entries.remove(&name);
                }
            }
            None => shelf.entries.clear(),
        }
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn name_of(key: &Value) -> Option<Name> {
    match key {
        Value::BulkString(key) => Name::of(key),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        domain::StatusId,
        store::{Shown, UnixMs, shown::ShownHalves},
    };

    fn id(number: u64) -> StatusId {
        StatusId::new(number).expect("in range")
    }

    fn row(message: &str) -> Arc<StatusRow> {
        Arc::new(StatusRow {
            author: UserId::new(1).expect("in range"),
            message: message.to_owned(),
            posted: UnixMs(0),
            reposts: None,
            quotes: None,
            favourites: 0,
            reposted: 0,
            quoted: 0,
            answers: None,
            replies: 0,
            gaps: 0,
            delivered: None,
            warning: None,
            poll: None,
            edited: None,
            revision: 0,
            shown_time: Shown::default(),
            shown_message: Shown::default(),
            shown_card: ShownHalves::default(),
        })
    }

    fn news_of(name: Name) -> PushInfo {
        let keys = vec![Value::BulkString(name.key().into_bytes())];
        PushInfo {
            kind: PushKind::Invalidate,
            data: vec![Value::Array(keys)],
        }
    }

    fn held(cache: &Cache, number: u64) -> Option<String> {
        let rows = cache.look::<StatusRow>(&[id(number)]).rows;
        rows[0].as_ref().map(|row| row.message.clone())
    }

    fn put(cache: &Cache, number: u64, message: &str) {
        let promise = cache.look::<StatusRow>(&[id(number)]).promise;
        cache.keep(Name::Status(id(number)), promise, Some(&row(message)));
    }

    #[test]
    fn what_was_read_is_found_until_it_changes() {
        let cache = Cache::of(1 << 20);
        put(&cache, 7, "one");
        put(&cache, 8, "two");
        assert_eq!(held(&cache, 7).as_deref(), Some("one"));
        cache.hear(&news_of(Name::Status(id(7))));
        assert_eq!(held(&cache, 7), None);
        assert_eq!(held(&cache, 8).as_deref(), Some("two"));
    }

    #[test]
    fn an_answer_that_crossed_the_news_of_a_change_is_not_kept() {
        let cache = Cache::of(1 << 20);
        let promise = cache.look::<StatusRow>(&[id(7)]).promise;
        cache.hear(&news_of(Name::Status(id(7))));
        cache.keep(Name::Status(id(7)), promise, Some(&row("old")));
        assert_eq!(held(&cache, 7), None);
    }

    #[test]
    fn of_two_who_read_the_same_the_one_who_was_told_of_no_change_keeps_it() {
        let cache = Cache::of(1 << 20);
        let first = cache.look::<StatusRow>(&[id(7)]).promise;
        cache.hear(&news_of(Name::Status(id(7))));
        let second = cache.look::<StatusRow>(&[id(7)]).promise;
        cache.keep(Name::Status(id(7)), first, Some(&row("old")));
        assert_eq!(
            cache.look::<StatusRow>(&[id(8)]).rows.len(),
            1,
            "another look changes nothing"
        );
        cache.keep(Name::Status(id(7)), second, Some(&row("new")));
        assert_eq!(held(&cache, 7).as_deref(), Some("new"));
    }

    #[test]
    fn when_everything_was_flushed_nothing_is_left() {
        for data in [
            vec![Value::Nil],
            vec![Value::Array(vec![Value::Int(1)])],
            vec![],
        ] {
            let cache = Cache::of(1 << 20);
            put(&cache, 7, "one");
            let kind = PushKind::Invalidate;
            cache.hear(&PushInfo { kind, data });
            assert_eq!(held(&cache, 7), None);
        }
    }

    #[test]
    fn it_stays_within_its_bytes() {
        let cache = Cache::of(64 << 10);
        for number in 1..=1000 {
            put(&cache, number, &"x".repeat(1000));
        }
        let kept = (1..=1000).filter(|number| held(&cache, *number).is_some());
        assert!((1..=64).contains(&kept.count()));
    }
}
