//! Search: each word of a living post leads to it, each word of a person's names leads to them, and the
//! index holds nothing else.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Invariant,
    fault::{Concern, Fault, Findings, Remedy, Subject},
};
use crate::{
    domain::{StatusId, Term, UserId, beginnings_of, terms_of},
    store::{Chunk, Result, Store},
};

/// Number of texts per round trip.
const PER_ROUND_TRIP: usize = 500;

fn fault(subject: Subject, what: String) -> Fault {
    Fault::new(Invariant::SearchFindsAll, subject, what)
}

/// Checks that statuses are indexed by their words, and by no others.
pub(super) async fn check_texts(
    store: &Store,
    ids: &[StatusId],
    findings: &mut Findings,
) -> Result<()> {
    let texts = store.texts(ids).await?;
    let mut pairs: Vec<(StatusId, Term)> = Vec::new();
    for (id, text) in ids.iter().zip(texts) {
        let subject = Subject::Status(*id);
        if text.former.is_some() {
            let what = format!("status {id} may be found by words that it has not any more");
            let fault = fault(subject, what).unless([Concern::Status(*id)]);
            findings.found(fault.repair_by(Remedy::Index(*id)));
        }
        let terms = terms_of(text.living.as_deref().unwrap_or_default());
        pairs.extend(terms.into_iter().map(|term| (*id, term)));
    }
    findings.examined(Invariant::SearchFindsAll, pairs.len());
    let posted = store.are_posted(&pairs).await?;
    let missing = pairs.iter().zip(posted).filter(|(_, posted)| !posted);
    let missing: BTreeSet<StatusId> = missing.map(|((id, _), _)| *id).collect();
    for id in missing {
        let what = format!("status {id} is not found by its words");
        let fault = fault(Subject::Status(id), what).unless([Concern::Status(id)]);
        findings.found(fault.repair_by(Remedy::Index(id)));
    }
    Ok(())
}

/// Checks the members of these chunks. Each text is read once, in however many chunks it is.
pub(super) async fn check_postings(store: &Store, chunks: &[Chunk]) -> Result<Findings> {
    let mut findings = Findings::default();
    let held = store.postings(chunks).await?;
    let are_bounds = store.are_bounds(chunks).await?;
    let mut places: BTreeMap<StatusId, Vec<&Chunk>> = BTreeMap::new();
    for ((chunk, members), is_bound) in chunks.iter().zip(held).zip(are_bounds) {
        findings.examined(Invariant::SearchFindsAll, members.len());
        let (name, subject) = (store.name_of_chunk(chunk), Subject::Postings(chunk.clone()));
        if !is_bound {
            let what = format!("{name} is no chunk of its term any more");
            findings.found(fault(subject, what).repair_by(Remedy::Unlink(name)));
            continue;
        }
        for member in members {
            if let Ok(id) = member.parse() {
                places.entry(id).or_default().push(chunk);
                continue;
            }
            let what = format!("{member} is no status and stands in {name}");
            let remedy = Remedy::DropPosting(chunk.clone(), member);
            findings.found(fault(subject.clone(), what).repair_by(remedy));
        }
    }
    let places: Vec<(StatusId, Vec<&Chunk>)> = places.into_iter().collect();
    for some in places.chunks(PER_ROUND_TRIP) {
        check_places(store, some, &mut findings).await?;
    }
    Ok(findings)
}

/// Checks that statuses have the words that they are indexed by.
async fn check_places(
    store: &Store,
    places: &[(StatusId, Vec<&Chunk>)],
    findings: &mut Findings,
) -> Result<()> {
    let ids: Vec<StatusId> = places.iter().map(|(id, _)| *id).collect();
    let pairs = places.iter().flat_map(|(id, chunks)| {
        let terms = chunks.iter().map(|chunk| chunk.term.clone());
        terms.map(|term| (*id, term))
    });
    let pairs: Vec<(StatusId, Term)> = pairs.collect();
    let mut belong = Vec::with_capacity(pairs.len());
    for some in pairs.chunks(PER_ROUND_TRIP) {
        belong.extend(store.chunks_of(some).await?);
    }
    let mut belong = belong.into_iter();
    for ((id, chunks), text) in places.iter().zip(store.texts(&ids).await?) {
        let terms = terms_of(text.living.as_deref().unwrap_or_default());
        for (chunk, at) in chunks.iter().zip(belong.by_ref().take(chunks.len())) {
            let what = if !terms.contains(&chunk.term) {
                "does not have this word"
            } else if at != **chunk {
                "belongs into another chunk"
            } else {
                continue;
            };
            let name = store.name_of_chunk(chunk);
            let what = format!("status {id} stands in {name} and {what}");
            let subject = Subject::Postings((*chunk).clone());
            let fault = fault(subject, what).unless([Concern::Status(*id)]);
            let remedy = Remedy::DropPosting((*chunk).clone(), id.to_string());
            findings.found(fault.repair_by(remedy));
        }
    }
    Ok(())
}

/// Checks the bounds of a term's chunks: each is valid and names a chunk that exists.
pub(super) async fn check_chunks(store: &Store, term: &Term) -> Result<Findings> {
    let mut findings = Findings::default();
    let subject = Subject::Chunks(term.clone());
    let rows = store.bounds(term).await?;
    findings.examined(Invariant::SearchFindsAll, rows.len());
    let is_right = |(member, score): &(String, f64)| {
        let bound: Option<u64> = member.parse().ok();
        bound.is_some_and(|bound| *score == -(bound as f64) && bound.to_string() == *member)
    };
    let has_first = rows.iter().any(|(member, _)| member == "0");
    if !has_first || !rows.iter().all(is_right) {
        let what = format!("the chunks of {} are out of order", term.as_str());
        let remedy = Remedy::OrderChunks(term.clone());
        findings.found(fault(subject, what).repair_by(remedy));
        return Ok(findings);
    }
    let bounds = rows.iter().filter_map(|(member, _)| member.parse().ok());
    let chunk = |bound| Chunk {
        term: term.clone(),
        bound,
    };
    let chunks: Vec<Chunk> = bounds.filter(|bound| *bound != 0).map(chunk).collect();
    let held = store.are_held(&chunks).await?;
    for (chunk, _) in chunks.iter().zip(held).filter(|(_, held)| !held) {
        let name = store.name_of_chunk(chunk);
        let what = format!("{name} is named by its term, and nothing is in it");
        let remedy = Remedy::DropChunk(chunk.clone());
        findings.found(fault(subject.clone(), what).repair_by(remedy));
    }
    Ok(findings)
}

/// Checks that a person is indexed by the words of login and name, and by no others.
pub(super) async fn check_person(store: &Store, id: UserId, findings: &mut Findings) -> Result<()> {
    let Some(names) = store.names_of(&[id]).await?.pop().flatten() else {
        return Ok(());
    };
    let words = beginnings_of(&names.login, &names.name);
    findings.examined(Invariant::SearchFindsAll, words.len());
    let pairs: Vec<(UserId, String)> = words.into_iter().map(|word| (id, word)).collect();
    let entered = store.are_entered(&pairs).await?;
    let what = if entered.contains(&false) {
        "is not found by their names"
    } else if names.former.is_some() {
        "may be found by a name that they have not any more"
    } else {
        return Ok(());
    };
    let fault = fault(Subject::Person(id), format!("user {id} {what}"));
    let fault = fault.unless([Concern::Account(id)]);
    findings.found(fault.repair_by(Remedy::Names(id)));
    Ok(())
}

/// Checks that the words under a letter lead to people with such names.
pub(super) async fn check_names(store: &Store, letter: char) -> Result<Findings> {
    let mut findings = Findings::default();
    let mut last: Option<String> = None;
    loop {
        let entries = store.names_after(letter, last.as_deref()).await?;
        let Some(end) = entries.last() else {
            return Ok(findings);
        };
        last = Some(end.clone());
        findings.examined(Invariant::SearchFindsAll, entries.len());
        let read = |entry: &String| {
            let (word, who) = entry.rsplit_once(' ')?;
            Some((word.to_owned(), who.parse::<UserId>().ok()?))
        };
        let read: Vec<Option<(String, UserId)>> = entries.iter().map(read).collect();
        let people: Vec<UserId> = read.iter().flatten().map(|(_, who)| *who).collect();
        let mut named = store.names_of(&people).await?.into_iter();
        for (entry, read) in entries.iter().zip(&read) {
            let named = read.as_ref().and_then(|_| named.next().flatten());
            let is_called = read.as_ref().zip(named).is_some_and(|((word, _), named)| {
                let words = beginnings_of(&named.login, &named.name);
                word.starts_with(letter) && words.contains(word)
            });
            if !is_called {
                let what = format!("{entry:?} among the names is nobody's");
                let concerns = read.iter().map(|(_, who)| Concern::Account(*who));
                let fault = fault(Subject::Names(letter), what).unless(concerns);
                findings.found(fault.repair_by(Remedy::DropName(letter, entry.clone())));
            }
        }
    }
}
