//! Search: each word of a living post leads to it, each word of a user's names leads to them, and the
//! index contains nothing else.

use std::collections::{BTreeMap, BTreeSet};

use crate::actions::{fan_out::enqueue, search};
use crate::audit::invariants::prelude::*;

pub(in crate::audit) const SEARCH_INDEX_IS_COMPLETE: Invariant = Invariant::new(
    "search_index_is_complete",
    "search finds living posts and people by their words, and nothing else",
);

const PER_ROUND_TRIP: usize = 500;

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::Statuses(statuses) => check_texts(exam, statuses).await,
        Target::Postings(chunks) => check_postings(exam, chunks).await,
        Target::Key(Key::Chunks(term)) => check_chunks(exam, term).await,
        Target::Key(Key::Words(beginning)) => check_words(exam, beginning).await,
        Target::User(user, _) => check_user(exam, user.id).await,
        Target::Key(Key::Names(letter)) => check_names(exam, *letter).await,
        _ => Ok(()),
    }
}

fn fault(key: &Key, text: String) -> Fault {
    Fault::new(SEARCH_INDEX_IS_COMPLETE, key, text)
}

/// Checks that statuses are indexed by their words, and by no others.
async fn check_texts(exam: &mut Examination<'_>, statuses: &[ExaminedStatus]) -> Result<()> {
    let ids: Vec<StatusId> = statuses.iter().map(|status| status.id).collect();
    let mut pairs: Vec<(StatusId, Term)> = Vec::new();
    let status_fault = |id: StatusId, what: &str| {
        let fault = fault(&Key::Status(id), format!("{} {what}", names::status(id)));
        fault.unless(Key::Status(id)).repair_by(index_status(id))
    };
    for (id, text) in ids.iter().zip(exam.store.texts(&ids).await?) {
        if text.former.is_some() {
            exam.found(status_fault(
                *id,
                "may be found by words of an earlier version",
            ));
        }
        let terms = terms_of(text.living.as_deref().unwrap_or_default());
        pairs.extend(terms.into_iter().map(|term| (*id, term)));
    }
    exam.examined(SEARCH_INDEX_IS_COMPLETE, pairs.len());
    let mut found = exam.store.are_posted(&pairs).await?;
    let terms: Vec<Term> = pairs.iter().map(|(_, term)| term.clone()).collect();
    let listed = exam.store.are_words_listed(&terms).await?;
    for (is_found, is_listed) in found.iter_mut().zip(listed) {
        *is_found &= is_listed;
    }
    let missing = pairs.iter().zip(found).filter(|(_, found)| !found);
    let missing: BTreeSet<StatusId> = missing.map(|((id, _), _)| *id).collect();
    for id in missing {
        exam.found(status_fault(id, "is not found by all its words"));
    }
    Ok(())
}

pub(super) fn index_status(id: StatusId) -> RepairStep {
    let words = format!("indexed the words of {}", names::status(id));
    RepairStep::new(words, move |store| async move {
        search::index_and_forget(&store, id).await
    })
}

/// Checks the members of these chunks. Each text is read once, in however many chunks it is.
async fn check_postings(exam: &mut Examination<'_>, chunks: &[Chunk]) -> Result<()> {
    let postings = exam.store.postings(chunks).await?;
    let are_bounds = exam.store.are_bounds(chunks).await?;
    let mut places: BTreeMap<StatusId, Vec<&Chunk>> = BTreeMap::new();
    for ((chunk, members), is_bound) in chunks.iter().zip(postings).zip(are_bounds) {
        exam.examined(SEARCH_INDEX_IS_COMPLETE, members.len());
        let key = Key::Postings(chunk.clone());
        if !is_bound {
            let text = format!("{} is missing in the chunks of its word", key.name());
            exam.found(fault(&key, text).repair_by(repair::delete_key(key.name())));
            continue;
        }
        for member in members {
            if let Ok(id) = member.parse() {
                places.entry(id).or_default().push(chunk);
                continue;
            }
            let text = format!("{member:?} in {} is not a status id", key.name());
            exam.found(fault(&key, text).repair_by(remove_posting(chunk, member)));
        }
    }
    let places: Vec<(StatusId, Vec<&Chunk>)> = places.into_iter().collect();
    for some in places.chunks(PER_ROUND_TRIP) {
        check_places(exam, some).await?;
    }
    Ok(())
}

/// Checks that statuses have the words that they are indexed by. Data of version 1 had no limit of words.
async fn check_places(
    exam: &mut Examination<'_>,
    places: &[(StatusId, Vec<&Chunk>)],
) -> Result<()> {
    let ids: Vec<StatusId> = places.iter().map(|(id, _)| *id).collect();
    let pairs = places.iter().flat_map(|(id, chunks)| {
        let terms = chunks.iter().map(|chunk| chunk.term.clone());
        terms.map(|term| (*id, term))
    });
    let pairs: Vec<(StatusId, Term)> = pairs.collect();
    let mut belong = Vec::with_capacity(pairs.len());
    for some in pairs.chunks(PER_ROUND_TRIP) {
        belong.extend(exam.store.chunks_of(some).await?);
    }
    let mut belong = belong.into_iter();
    for ((id, chunks), text) in places.iter().zip(exam.store.texts(&ids).await?) {
        let terms = all_terms_of(text.living.as_deref().unwrap_or_default());
        for (chunk, right) in chunks.iter().zip(belong.by_ref().take(chunks.len())) {
            let why = if !terms.contains(&chunk.term) {
                "which does not have this word"
            } else if right != **chunk {
                "which belongs into another chunk"
            } else {
                continue;
            };
            let key = Key::Postings((*chunk).clone());
            let text = format!("{} contains {}, {why}", key.name(), names::status(*id));
            let fault = fault(&key, text).unless(Key::Status(*id));
            exam.found(fault.repair_by(remove_posting(chunk, id.to_string())));
        }
    }
    Ok(())
}

fn remove_posting(chunk: &Chunk, member: String) -> RepairStep {
    let chunk = chunk.clone();
    let key = Key::Postings(chunk.clone());
    let words = format!("removed {member} from {}", key.name());
    RepairStep::new(words, move |store| async move {
        let members = std::slice::from_ref(&member);
        store.drop_postings(&chunk, members).await?;
        search::reconcile_word(&store, &chunk.term).await?;
        match member.parse() {
            Ok(id) => search::index_and_forget(&store, id).await,
            Err(_) => Ok(()),
        }
    })
}

/// Checks the bounds of a word's chunks: each is valid and names a chunk that exists.
async fn check_chunks(exam: &mut Examination<'_>, term: &Term) -> Result<()> {
    let key = Key::Chunks(term.clone());
    let rows = exam.store.bounds(term).await?;
    exam.examined(SEARCH_INDEX_IS_COMPLETE, rows.len());
    let is_valid = |(member, score): &(String, f64)| {
        let bound: Option<u64> = member.parse().ok();
        bound.is_some_and(|bound| *score == -(bound as f64) && bound.to_string() == *member)
    };
    let has_first = rows.iter().any(|(member, _)| member == "0");
    if !has_first || !rows.iter().all(is_valid) {
        let term = term.clone();
        let words = format!("put the chunks of {} in order", term.as_str());
        let fault = fault(&key, format!("{} contains invalid bounds", key.name()));
        exam.found(fault.repair(words, move |store| async move {
            store.order_chunks(&term).await
        }));
        return Ok(());
    }
    let bounds = rows.iter().filter_map(|(member, _)| member.parse().ok());
    let chunk = |bound| Chunk {
        term: term.clone(),
        bound,
    };
    let chunks: Vec<Chunk> = bounds.filter(|bound| *bound != 0).map(chunk).collect();
    let exist = exam.store.chunks_exist(&chunks).await?;
    for (chunk, _) in chunks.into_iter().zip(exist).filter(|(_, exists)| !exists) {
        let name = Key::Postings(chunk.clone()).name();
        let words = format!("removed the bound of the empty {name}");
        let fault = fault(&key, format!("{} names {name}, which is empty", key.name()));
        exam.found(fault.repair(words, move |store| async move {
            store.drop_postings(&chunk, &[]).await
        }));
    }
    Ok(())
}

/// Checks that posts have the listed words.
async fn check_words(exam: &mut Examination<'_>, beginning: &Term) -> Result<()> {
    let key = Key::Words(beginning.clone());
    let mut last: Option<String> = None;
    loop {
        let entries = exam.store.words_after(beginning, last.as_deref()).await?;
        let Some(end) = entries.last() else {
            return Ok(());
        };
        last = Some(end.clone());
        exam.examined(SEARCH_INDEX_IS_COMPLETE, entries.len());
        for entry in exam.store.wrong_words(beginning, entries).await? {
            let (name, beginning) = (key.name(), beginning.clone());
            let text = format!("{name} contains {entry:?}, which is no word of a post");
            let words = format!("removed {entry:?} from {name}");
            exam.found(fault(&key, text).repair(words, move |store| async move {
                store.drop_word(&beginning, &entry).await?;
                match Term::stored(&entry) {
                    Some(term) => search::reconcile_word(&store, &term).await,
                    None => Ok(()),
                }
            }));
        }
    }
}

/// Checks that a user is indexed by the words of login and name, and by no others.
async fn check_user(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
    let Some(names) = exam.store.names_of(&[id]).await?.pop().flatten() else {
        return Ok(());
    };
    let words = beginnings_of(&names.login, &names.name);
    exam.examined(SEARCH_INDEX_IS_COMPLETE, words.len());
    let pairs: Vec<(UserId, String)> = words.into_iter().map(|word| (id, word)).collect();
    let entered = exam.store.are_entered(&pairs).await?;
    let what = if entered.contains(&false) {
        "is not found by all their names"
    } else if names.former.is_some() {
        "may be found by an earlier name"
    } else {
        return Ok(());
    };
    let fault = fault(&Key::User(id), format!("{} {what}", names::user(id)));
    let words = format!("indexed the names of {}", names::user(id));
    let repair = repair::reconcile(words, Thing::Names(id));
    exam.found(fault.unless(Key::User(id)).repair_by(repair));
    Ok(())
}

/// Checks that the words under a letter lead to users with such names.
async fn check_names(exam: &mut Examination<'_>, letter: char) -> Result<()> {
    let key = Key::Names(letter);
    let mut last: Option<String> = None;
    loop {
        let entries = exam.store.names_after(letter, last.as_deref()).await?;
        let Some(end) = entries.last() else {
            return Ok(());
        };
        last = Some(end.clone());
        exam.examined(SEARCH_INDEX_IS_COMPLETE, entries.len());
        let parse = |entry: &String| {
            let (word, user) = entry.rsplit_once(' ')?;
            Some((word.to_owned(), user.parse::<UserId>().ok()?))
        };
        let parsed: Vec<Option<(String, UserId)>> = entries.iter().map(parse).collect();
        let users: Vec<UserId> = parsed.iter().flatten().map(|(_, user)| *user).collect();
        let mut named = exam.store.names_of(&users).await?.into_iter();
        for (entry, parsed) in entries.into_iter().zip(parsed) {
            let named = parsed.as_ref().and_then(|_| named.next().flatten());
            let is_named = parsed
                .as_ref()
                .zip(named)
                .is_some_and(|((word, _), named)| {
                    let words = beginnings_of(&named.login, &named.name);
                    word.starts_with(letter) && words.contains(word)
                });
            if is_named {
                continue;
            }
            let name = key.name();
            let text = format!("{name} contains {entry:?}, which is no name of a user");
            let mut fault = fault(&key, text);
            if let Some((_, user)) = parsed {
                fault = fault.unless(Key::User(user));
            }
            let words = format!("removed {entry:?} from {name}");
            exam.found(fault.repair(words, move |store| async move {
                match store.drop_name(letter, &entry).await? {
                    Some(id) => enqueue(&store, search::index_names(&store, id).await?).await,
                    None => Ok(()),
                }
            }));
        }
    }
}
