//! Examination of many subjects: questions share round trips, and people are examined concurrently. An
//! unreadable subject is a fault and does not stop the others.

use futures_util::{StreamExt, TryStreamExt, stream};

use super::{
    Invariant, answers, backlog,
    fault::{Fault, Findings, Subject},
    favourites, keys, people, polls, records, reposts, search, statuses, tags,
};
use crate::{
    domain::{StatusId, UserId},
    store::{Chunk, Error, FoundKey, Key, Result, Store},
};

/// Number of people examined concurrently.
const PEOPLE_AT_A_TIME: usize = 32;
/// Number of statuses, logins or keys per round trip.
const PER_ROUND_TRIP: usize = 500;
/// Number of index chunks examined together. Most are small and share texts.
const CHUNKS_AT_A_TIME: usize = 100;

/// Examines keys met by a walk, and their values.
pub(super) async fn at_keys(store: &Store, met: Vec<FoundKey>) -> Result<Findings> {
    let mut findings = Findings::default();
    let mut subjects = Vec::with_capacity(met.len());
    for found in &met {
        let known = found.key.as_ref();
        let whole = known.filter(|key| key.redis_type().as_str() == found.redis_type);
        subjects.extend(whole.and_then(subject));
    }
    for some in met.chunks(PER_ROUND_TRIP) {
        findings.add(match keys::check(store, some).await {
            Err(Error::Unexpected { .. }) => {
                let each = some.iter().map(|key| Subject::Key(key.name.clone()));
                one_by_one(store, each).await?
            }
            found => found?,
        });
    }
    findings.add(at(store, subjects).await?);
    Ok(findings)
}

/// Returns the subject that a key belongs to.
fn subject(key: &Key) -> Option<Subject> {
    match key {
        Key::User(id) => Some(Subject::Person(*id)),
        Key::Status(id) => Some(Subject::Status(*id)),
        Key::FavouritedBy(id) => Some(Subject::FavouritedBy(*id)),
        Key::Ballots(id) => Some(Subject::Ballots(*id)),
        Key::RepostedBy(id) | Key::Quotes(id) => Some(Subject::Reposts(*id)),
        Key::TagIndex(tag) => Some(Subject::Tagged(tag.clone())),
        Key::TagFollowers(tag) => Some(Subject::TagFollowers(tag.clone())),
        Key::Replies(id) => Some(Subject::Answers(*id)),
        Key::Gaps(id) => Some(Subject::Gaps(*id)),
        Key::Login(login) => Some(Subject::Login(login.folded())),
        Key::Chunks(term) => Some(Subject::Chunks(term.clone())),
        Key::Postings(chunk) => Some(Subject::Postings(chunk.clone())),
        Key::Names(letter) => Some(Subject::Names(*letter)),
        Key::PeopleNewest => Some(Subject::Newest),
        Key::PeopleFollowed => Some(Subject::MostFollowed),
        _ => None,
    }
}

/// Examines these subjects.
pub(super) async fn at(store: &Store, subjects: Vec<Subject>) -> Result<Findings> {
    let mut findings = Findings::default();
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
        findings.add(match statuses::check(store, some).await {
            Err(Error::Unexpected { .. }) => {
                one_by_one(store, some.iter().copied().map(Subject::Status)).await?
            }
            found => found?,
        });
    }
    for some in logins.chunks(PER_ROUND_TRIP) {
        findings.add(match keys::check_logins(store, some).await {
            Err(Error::Unexpected { .. }) => {
                one_by_one(store, some.iter().cloned().map(Subject::Login)).await?
            }
            found => found?,
        });
    }
    for some in names.chunks(PER_ROUND_TRIP) {
        let found = store.look_up(some).await?;
        findings.add(match keys::check(store, &found).await {
            Err(Error::Unexpected { .. }) => {
                one_by_one(store, some.iter().cloned().map(Subject::Key)).await?
            }
            found => found?,
        });
    }
    for some in postings.chunks(CHUNKS_AT_A_TIME) {
        findings.add(match search::check_postings(store, some).await {
            Err(Error::Unexpected { .. }) => {
                one_by_one(store, some.iter().cloned().map(Subject::Postings)).await?
            }
            found => found?,
        });
    }
    let people = people.into_iter().map(Subject::Person);
    findings.add(one_by_one(store, people.chain(others)).await?);
    Ok(findings)
}

/// Examines each subject by itself, several at a time.
async fn one_by_one(store: &Store, subjects: impl Iterator<Item = Subject>) -> Result<Findings> {
    let subjects: Vec<Subject> = subjects.collect();
    let looks = stream::iter(subjects)
        .map(|subject| one(store, subject))
        .buffer_unordered(PEOPLE_AT_A_TIME);
    looks
        .try_fold(Findings::default(), async |mut all, findings| {
            all.add(findings);
            Ok(all)
        })
        .await
}

async fn one(store: &Store, subject: Subject) -> Result<Findings> {
    let found = match &subject {
        Subject::Person(id) => people::check(store, *id).await,
        Subject::Status(id) => statuses::check(store, &[*id]).await,
        Subject::FavouritedBy(id) => favourites::check_favourited_by(store, *id).await,
        Subject::Ballots(id) => polls::check_ballots(store, *id).await,
        Subject::Reposts(id) => reposts::check_reposts(store, *id).await,
        Subject::Tagged(tag) => records::check_tagged(store, tag).await,
        Subject::TagFollowers(tag) => tags::check_tag_followers(store, tag).await,
        Subject::Answers(id) | Subject::Gaps(id) => {
            answers::check_replies(store, &subject, *id).await
        }
        Subject::Login(folded) => keys::check_logins(store, std::slice::from_ref(folded)).await,
        Subject::Key(name) => match store.look_up(std::slice::from_ref(name)).await {
            Ok(key) => keys::check(store, &key).await,
            Err(error) => Err(error),
        },
        Subject::Chunks(term) => search::check_chunks(store, term).await,
        Subject::Postings(chunk) => {
            search::check_postings(store, std::slice::from_ref(chunk)).await
        }
        Subject::Names(letter) => search::check_names(store, *letter).await,
        Subject::Newest => {
            people::check_suggested(store, subject.clone(), &Key::PeopleNewest).await
        }
        Subject::MostFollowed => {
            people::check_suggested(store, subject.clone(), &Key::PeopleFollowed).await
        }
        Subject::Counter(ids) => keys::check_counter(store, *ids).await,
        Subject::Tasks => backlog::check(store).await,
    };
    match found {
        Err(Error::Unexpected { answer, .. }) => {
            let mut findings = Findings::default();
            let what = format!("{subject} cannot be read");
            let fault = Fault::new(Invariant::TruthIsWhole, subject, what);
            findings.found(fault.detail(answer));
            Ok(findings)
        }
        found => found,
    }
}
