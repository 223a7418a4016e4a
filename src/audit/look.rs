//! Examination of many subjects: questions share round trips, and people are examined concurrently. An
//! unreadable subject is a fault and does not stop the others.

use futures_util::{StreamExt, TryStreamExt, stream};

use super::{
    Invariant, answers, backlog,
    fault::{Fault, Look, Subject},
    favourites, keys, people, polls, records, reposts, search, statuses, tags,
};
use crate::{
    domain::{StatusId, UserId},
    store::{Chunk, Error, Key, KeyKind, Place, Result, Store, TagPart},
};

/// Number of people examined concurrently.
const PEOPLE_AT_A_TIME: usize = 32;
/// Number of statuses, logins or keys per round trip.
const PER_ROUND_TRIP: usize = 500;
/// Number of index chunks examined together. Most are small and share texts.
const CHUNKS_AT_A_TIME: usize = 100;

/// Examines keys met by a walk, and their values.
pub(super) async fn at_keys(store: &Store, met: Vec<Key>) -> Result<Look> {
    let mut look = Look::default();
    let mut subjects = Vec::with_capacity(met.len());
    for key in &met {
        if key.kind.should_hold() == Some(key.holds.as_str()) {
            subjects.extend(subject(&key.kind));
        }
    }
    for some in met.chunks(PER_ROUND_TRIP) {
        look.add(match keys::look(store, some).await {
            Err(Error::Unexpected { .. }) => {
                let each = some.iter().map(|key| Subject::Key(key.name.clone()));
                one_by_one(store, each).await?
            }
            found => found?,
        });
    }
    look.add(at(store, subjects).await?);
    Ok(look)
}

/// Returns the subject that a key belongs to.
fn subject(kind: &KeyKind) -> Option<Subject> {
    match kind {
        KeyKind::User(id) => Some(Subject::Person(*id)),
        KeyKind::Status(id) => Some(Subject::Status(*id)),
        KeyKind::FavouritedBy(id) => Some(Subject::FavouritedBy(*id)),
        KeyKind::Ballots(id) => Some(Subject::Ballots(*id)),
        KeyKind::Reposts(id) => Some(Subject::Reposts(*id)),
        KeyKind::OfTag(tag, TagPart::Tagged) => Some(Subject::Tagged(tag.clone())),
        KeyKind::OfTag(tag, TagPart::TagFollowers) => Some(Subject::TagFollowers(tag.clone())),
        KeyKind::Answers(id) => Some(Subject::Answers(*id)),
        KeyKind::Gaps(id) => Some(Subject::Gaps(*id)),
        KeyKind::Login(folded) => Some(Subject::Login(folded.clone())),
        KeyKind::Chunks(term) => Some(Subject::Chunks(term.clone())),
        KeyKind::Postings(chunk) => Some(Subject::Postings(chunk.clone())),
        KeyKind::Names(letter) => Some(Subject::Names(*letter)),
        KeyKind::Newest => Some(Subject::Newest),
        KeyKind::MostFollowed => Some(Subject::MostFollowed),
        _ => None,
    }
}

/// Examines these subjects.
pub(super) async fn at(store: &Store, subjects: Vec<Subject>) -> Result<Look> {
    let mut look = Look::default();
    let mut people: Vec<UserId> = Vec::new();
    let mut statuses: Vec<StatusId> = Vec::new();
    let mut logins: Vec<String> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut postings: Vec<Chunk> = Vec::new();
    let mut others: Vec<Subject> = Vec::new();
    for subject in subjects {
        match subject {
            Subject::Person(id) => people.push(id),
            Subject::Status(id) => statuses.push(id),
            Subject::Login(folded) => logins.push(folded),
            Subject::Key(name) => names.push(name),
            Subject::Postings(chunk) => postings.push(chunk),
            other => others.push(other),
        }
    }
    for some in statuses.chunks(PER_ROUND_TRIP) {
        look.add(match statuses::look(store, some).await {
            Err(Error::Unexpected { .. }) => {
                one_by_one(store, some.iter().copied().map(Subject::Status)).await?
            }
            found => found?,
        });
    }
    for some in logins.chunks(PER_ROUND_TRIP) {
        look.add(match keys::look_at_logins(store, some).await {
            Err(Error::Unexpected { .. }) => {
                one_by_one(store, some.iter().cloned().map(Subject::Login)).await?
            }
            found => found?,
        });
    }
    for some in names.chunks(PER_ROUND_TRIP) {
        let found = store.look_up(some).await?;
        look.add(match keys::look(store, &found).await {
            Err(Error::Unexpected { .. }) => {
                one_by_one(store, some.iter().cloned().map(Subject::Key)).await?
            }
            found => found?,
        });
    }
    for some in postings.chunks(CHUNKS_AT_A_TIME) {
        look.add(match search::look_at_postings(store, some).await {
            Err(Error::Unexpected { .. }) => {
                one_by_one(store, some.iter().cloned().map(Subject::Postings)).await?
            }
            found => found?,
        });
    }
    let people = people.into_iter().map(Subject::Person);
    look.add(one_by_one(store, people.chain(others)).await?);
    Ok(look)
}

/// Examines each subject by itself, several at a time.
async fn one_by_one(store: &Store, subjects: impl Iterator<Item = Subject>) -> Result<Look> {
    let subjects: Vec<Subject> = subjects.collect();
    let looks = stream::iter(subjects)
        .map(|subject| one(store, subject))
        .buffer_unordered(PEOPLE_AT_A_TIME);
    looks
        .try_fold(Look::default(), async |mut all, look| {
            all.add(look);
            Ok(all)
        })
        .await
}

async fn one(store: &Store, subject: Subject) -> Result<Look> {
    let found = match &subject {
        Subject::Person(id) => people::look(store, *id).await,
        Subject::Status(id) => statuses::look(store, &[*id]).await,
        Subject::FavouritedBy(id) => favourites::check_favourited_by(store, *id).await,
        Subject::Ballots(id) => polls::look_at_ballots(store, *id).await,
        Subject::Reposts(id) => reposts::look_at_reposts(store, *id).await,
        Subject::Tagged(tag) => records::look_at_tagged(store, tag).await,
        Subject::TagFollowers(tag) => tags::check_tag_followers(store, tag).await,
        Subject::Answers(id) | Subject::Gaps(id) => answers::look_below(store, &subject, *id).await,
        Subject::Login(folded) => keys::look_at_logins(store, std::slice::from_ref(folded)).await,
        Subject::Key(name) => match store.look_up(std::slice::from_ref(name)).await {
            Ok(key) => keys::look(store, &key).await,
            Err(error) => Err(error),
        },
        Subject::Chunks(term) => search::look_at_chunks(store, term).await,
        Subject::Postings(chunk) => {
            search::look_at_postings(store, std::slice::from_ref(chunk)).await
        }
        Subject::Names(letter) => search::look_at_names(store, *letter).await,
        Subject::Newest => people::look_at_suggested(store, subject.clone(), &Place::Newest).await,
        Subject::MostFollowed => {
            people::look_at_suggested(store, subject.clone(), &Place::MostFollowed).await
        }
        Subject::Counter(ids) => keys::look_at_counter(store, *ids).await,
        Subject::Tasks => backlog::look(store).await,
    };
    match found {
        Err(Error::Unexpected { answer, .. }) => {
            let mut look = Look::default();
            let what = format!("{subject} cannot be read");
            let fault = Fault::new(Invariant::TruthIsWhole, subject, what);
            look.found(fault.detail(answer));
            Ok(look)
        }
        found => found,
    }
}
