//! People: identity, login, counts, place among the suggestions, and both sides of their follows.

use super::{
    Invariant, answers, author_preferences, edges,
    fault::{Concern, Fault, Findings, Remedy, Subject},
    favourites, lists, notifications, reading, records, reposts, search, tags, timelines,
};
use crate::{
    domain::{Login, UserId},
    store::{Estate, Key, PEOPLE_KEPT, Pages, Result, Standing, Store, Suggested, UnixMs},
};

/// Number that may be missing among a full set of the most followed: a person who was pushed out returns
/// only with the next follower.
const PUSHED_OUT: usize = 100;

/// Tolerance of an id ahead of Redis' clock, in ms: clocks are adjusted, and those of primaries differ.
const FUTURE_MS: u64 = 86_400_000;

/// Checks everything of a person. A removed sign-up has nothing to check.
pub(super) async fn check(store: &Store, id: UserId) -> Result<Findings> {
    let mut findings = Findings::default();
    let estate = store.estate(id).await?;
    if estate.login.is_some() || estate.gone {
        findings.ids.add(id.get());
    }
    if estate.login.is_none() {
        if !estate.gone {
            let fault = Fault::new(
                Invariant::TruthIsWhole,
                Subject::Person(id),
                format!("user {id} has neither a login nor a note that they are gone"),
            );
            findings.found(fault.unless([Concern::Account(id)]));
        }
        return Ok(findings);
    }
    check_truth(&estate, &mut findings);
    check_login(store, &estate, &mut findings).await?;
    check_counts(&estate, &mut findings);
    check_suggestions(&store.suggested(id).await?, &estate, &mut findings);
    edges::check(store, id, &mut findings).await?;
    let latest = UnixMs(store.now().await?.0 + FUTURE_MS);
    let largest = latest.largest_id();
    reading::check(&estate, latest, &mut findings);
    let newest = timelines::check_profile(store, id, largest, &mut findings).await?;
    timelines::check_posts(store, id, &mut findings).await?;
    answers::check_answered(store, id, &mut findings).await?;
    // Read after the profile: an author who posts meanwhile has drawn the id before it appears there.
    check_last(&store.estate(id).await?, newest, largest, &mut findings);
    timelines::check_home(store, &estate, &mut findings).await?;
    lists::check(store, id, &mut findings).await?;
    favourites::check(store, id, &mut findings).await?;
    reposts::check(store, id, &mut findings).await?;
    tags::check(store, id, &mut findings).await?;
    records::check_mentions(store, id, &mut findings).await?;
    notifications::check(store, &estate, latest, &mut findings).await?;
    search::check_person(store, id, &mut findings).await?;
    author_preferences::check(store, id, &mut findings).await?;
    Ok(findings)
}

/// Name, password and sign-up time cannot be invented. The id follows from the key.
fn check_truth(estate: &Estate, findings: &mut Findings) {
    let id = estate.id;
    findings.examined(Invariant::TruthIsWhole, 1);
    let login = estate.login.as_deref().and_then(Login::stored);
    let parts = [
        ("login that is one", login.is_some()),
        ("name", estate.name.is_some()),
        ("time of sign-up", signup(estate).is_some()),
        ("password and epoch", estate.can_log_in),
    ];
    for (part, _) in parts.into_iter().filter(|(_, there)| !there) {
        findings.found(Fault::new(
            Invariant::TruthIsWhole,
            Subject::Person(id),
            format!("user {id} has no {part}"),
        ));
    }
    if estate.stated_id.as_deref() != Some(&id.to_string()) {
        let fault = Fault::new(
            Invariant::TruthIsWhole,
            Subject::Person(id),
            format!("user {id} states another id"),
        );
        findings.found(fault.repair_by(Remedy::Recount(id)));
    }
}

/// Checks that the last drawn id is not below the newest living status, nor above the largest possible
/// id.
fn check_last(estate: &Estate, newest: u64, largest: u64, findings: &mut Findings) {
    let id = estate.id;
    let last: Option<u64> = estate.last.as_deref().and_then(|last| last.parse().ok());
    let what = match last {
        Some(last) if last > largest => "has drawn an id of the future",
        Some(last) if last >= newest => return,
        _ => "could draw an id below their newest status",
    };
    let fault = Fault::new(
        Invariant::TruthIsWhole,
        Subject::Person(id),
        format!("user {id} {what}"),
    );
    findings.found(fault.repair_by(Remedy::SettleLast {
        of: id,
        newest,
        largest,
    }));
}

fn signup(estate: &Estate) -> Option<f64> {
    estate.signup.as_ref()?.parse().ok()
}

/// Checks the login. A sign-up without a login has an outbox entry. A person without either had the
/// login and gets it back. If another person owns it, this sign-up came second. (A failover may lose the
/// outbox entry of an unanswered sign-up; that sign-up is completed.)
async fn check_login(store: &Store, estate: &Estate, findings: &mut Findings) -> Result<()> {
    let id = estate.id;
    let Some(login) = estate.login.as_deref().and_then(Login::stored) else {
        return Ok(());
    };
    findings.examined(Invariant::LoginsNameBack, 1);
    let holder = store.holders(std::slice::from_ref(&login)).await?;
    let holder = holder.into_iter().next().flatten();
    if holder.as_deref() == Some(&id.to_string()) {
        return Ok(());
    }
    let remedy = match holder.as_deref().map(str::parse::<UserId>) {
        None => Remedy::GiveLoginBack(id, login.clone()),
        Some(Ok(holder)) if names_back(store, holder, &login).await? => {
            if estate.held == [0, 0, 0] {
                Remedy::TakeBack(id, login.clone())
            } else {
                Remedy::None
            }
        }
        Some(_) => Remedy::ReleaseLogin(login.clone(), holder.unwrap_or_default()),
    };
    let fault = Fault::new(
        Invariant::LoginsNameBack,
        Subject::Person(id),
        format!("user {id} has the login {login}, which is not theirs"),
    );
    let concerns = [Concern::Account(id), Concern::Login(login.folded())];
    findings.found(fault.unless(concerns).repair_by(remedy));
    Ok(())
}

async fn names_back(store: &Store, holder: UserId, login: &Login) -> Result<bool> {
    let theirs = store.logins_of(&[holder]).await?.pop().flatten();
    Ok(theirs.is_some_and(|theirs| theirs.to_ascii_lowercase() == login.folded()))
}

fn check_counts(estate: &Estate, findings: &mut Findings) {
    let id = estate.id;
    findings.examined(Invariant::CountsMatch, 3);
    let names = ["posts", "followers", "following"];
    for ((name, says), is) in names.into_iter().zip(&estate.counts).zip(estate.held) {
        if says.as_deref() != Some(&is.to_string()) {
            let says = says.as_deref().unwrap_or("nothing");
            let fault = Fault::new(
                Invariant::CountsMatch,
                Subject::Person(id),
                format!("user {id} has a wrong number of {name}"),
            );
            let fault = fault.detail(format!("says {says}, is {is}"));
            findings.found(fault.repair_by(Remedy::Recount(id)));
        }
    }
}

fn check_suggestions(suggested: &Suggested, estate: &Estate, findings: &mut Findings) {
    let id = estate.id;
    findings.examined(Invariant::SuggestionsAgree, 2);
    let fault = |what: &str| {
        Fault::new(
            Invariant::SuggestionsAgree,
            Subject::Person(id),
            format!("user {id} {what}"),
        )
    };
    if let Some(signup) = signup(estate) {
        let full = suggested.newest >= PEOPLE_KEPT as u64;
        let belongs = !full || suggested.first_newest.is_none_or(|first| signup > first);
        let what = match suggested.as_newest {
            None if belongs => Some("is missing among the newest"),
            Some(score) if score != signup => Some("stands in a wrong place among the newest"),
            _ => None,
        };
        findings.faults.extend(what.map(|what| {
            fault(what)
                .unless([Concern::Account(id)])
                .repair_by(Remedy::Welcome(id))
        }));
    }
    let [_, followers, _] = estate.held;
    let room = suggested.most_followed < (PEOPLE_KEPT - PUSHED_OUT) as u64;
    let what = match suggested.as_followed {
        None if followers > 0 && room => Some("is missing among the most followed"),
        Some(score) if score != followers as f64 => {
            Some("stands in a wrong place among the most followed")
        }
        _ => None,
    };
    findings.faults.extend(what.map(|what| {
        fault(what)
            .unless([Concern::FollowersOf(id)])
            .repair_by(Remedy::Rank(id, followers))
    }));
}

/// Checks the suggestions: existing people, and not more than the limit.
pub(super) async fn check_suggested(
    store: &Store,
    subject: Subject,
    place: &Key,
) -> Result<Findings> {
    let mut findings = Findings::default();
    let count = store.cardinality(place).await?;
    if count > PEOPLE_KEPT as u64 {
        let fault = Fault::new(
            Invariant::SuggestionsAgree,
            subject.clone(),
            format!("more than {PEOPLE_KEPT} people are suggested"),
        );
        let fault = fault.detail(count.to_string());
        findings.found(fault.repair_by(Remedy::TrimSuggested(place.clone())));
    }
    let mut pages = Pages::of(place);
    loop {
        let rows = store.rows(&mut pages).await?;
        if rows.is_empty() {
            return Ok(findings);
        }
        findings.examined(Invariant::SuggestionsAgree, rows.len());
        let ids: Vec<Option<UserId>> = rows.iter().map(|(id, _)| id.parse().ok()).collect();
        let known: Vec<UserId> = ids.iter().copied().flatten().collect();
        let mut standings = store.standings(&known).await?.into_iter();
        for ((member, _), id) in rows.into_iter().zip(ids) {
            let standing = id.and_then(|_| standings.next());
            if standing != Some(Standing::Person) {
                let fault = Fault::new(
                    Invariant::SuggestionsAgree,
                    subject.clone(),
                    format!("{member} is suggested and is nobody"),
                );
                findings.found(fault.repair_by(Remedy::DropMember(place.clone(), member)));
            }
        }
    }
}
