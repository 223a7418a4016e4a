//! People: identity, login, counts, place among the suggestions, and both sides of their follows.

use super::{
    Invariant, answers, author_preferences, edges,
    fault::{Concern, Fault, Look, Remedy, Subject},
    favourites, lists, notifications, reading, records, reposts, search, tags, timelines,
};
use crate::{
    domain::{Login, UserId},
    store::{Estate, PEOPLE_KEPT, Pages, Place, Result, Standing, Store, Suggested, UnixMs},
};

/// Number that may be missing among a full set of the most followed: a person who was pushed out returns
/// only with the next follower.
const PUSHED_OUT: usize = 100;

/// Tolerance of an id ahead of Redis' clock, in ms: clocks are adjusted, and those of primaries differ.
const FUTURE_MS: u64 = 86_400_000;

/// Checks everything of a person. A removed sign-up has nothing to check.
pub(super) async fn look(store: &Store, id: UserId) -> Result<Look> {
    let mut look = Look::default();
    let estate = store.estate(id).await?;
    if estate.login.is_some() || estate.gone {
        look.ids.add(id.get());
    }
    if estate.login.is_none() {
        if !estate.gone {
            let fault = Fault::new(
                Invariant::TruthIsWhole,
                Subject::Person(id),
                format!("user {id} has neither a login nor a note that they are gone"),
            );
            look.found(fault.unless([Concern::Account(id)]));
        }
        return Ok(look);
    }
    look_at_truth(&estate, &mut look);
    look_at_login(store, &estate, &mut look).await?;
    look_at_counts(&estate, &mut look);
    look_at_suggestions(&store.suggested(id).await?, &estate, &mut look);
    edges::look(store, id, &mut look).await?;
    let latest = UnixMs(store.now().await?.0 + FUTURE_MS);
    let largest = latest.largest_id();
    reading::look(&estate, latest, &mut look);
    let newest = timelines::look_at_profile(store, id, largest, &mut look).await?;
    timelines::look_at_posts(store, id, &mut look).await?;
    answers::look_at_answered(store, id, &mut look).await?;
    // Read after the profile: an author who posts meanwhile has drawn the id before it appears there.
    look_at_last(&store.estate(id).await?, newest, largest, &mut look);
    timelines::look_at_home(store, &estate, &mut look).await?;
    lists::look(store, id, &mut look).await?;
    favourites::look(store, id, &mut look).await?;
    reposts::look(store, id, &mut look).await?;
    tags::look(store, id, &mut look).await?;
    records::look_at_mentions(store, id, &mut look).await?;
    notifications::look(store, &estate, latest, &mut look).await?;
    search::look_at_person(store, id, &mut look).await?;
    author_preferences::look(store, id, &mut look).await?;
    Ok(look)
}

/// Name, password and sign-up time cannot be invented. The id follows from the key.
fn look_at_truth(estate: &Estate, look: &mut Look) {
    let id = estate.id;
    look.examined(Invariant::TruthIsWhole, 1);
    let login = estate.login.as_deref().and_then(Login::stored);
    let parts = [
        ("login that is one", login.is_some()),
        ("name", estate.name.is_some()),
        ("time of sign-up", signup(estate).is_some()),
        ("password and epoch", estate.can_log_in),
    ];
    for (part, _) in parts.into_iter().filter(|(_, there)| !there) {
        look.found(Fault::new(
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
        look.found(fault.repair_by(Remedy::Recount(id)));
    }
}

/// Checks that the last drawn id is not below the newest living status, nor above the largest possible
/// id.
fn look_at_last(estate: &Estate, newest: u64, largest: u64, look: &mut Look) {
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
    look.found(fault.repair_by(Remedy::SettleLast {
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
async fn look_at_login(store: &Store, estate: &Estate, look: &mut Look) -> Result<()> {
    let id = estate.id;
    let Some(login) = estate.login.as_deref().and_then(Login::stored) else {
        return Ok(());
    };
    look.examined(Invariant::LoginsNameBack, 1);
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
    look.found(fault.unless(concerns).repair_by(remedy));
    Ok(())
}

async fn names_back(store: &Store, holder: UserId, login: &Login) -> Result<bool> {
    let theirs = store.logins_of(&[holder]).await?.pop().flatten();
    Ok(theirs.is_some_and(|theirs| theirs.to_ascii_lowercase() == login.folded()))
}

fn look_at_counts(estate: &Estate, look: &mut Look) {
    let id = estate.id;
    look.examined(Invariant::CountsMatch, 3);
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
            look.found(fault.repair_by(Remedy::Recount(id)));
        }
    }
}

fn look_at_suggestions(suggested: &Suggested, estate: &Estate, look: &mut Look) {
    let id = estate.id;
    look.examined(Invariant::SuggestionsAgree, 2);
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
        look.faults.extend(what.map(|what| {
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
    look.faults.extend(what.map(|what| {
        fault(what)
            .unless([Concern::FollowersOf(id)])
            .repair_by(Remedy::Rank(id, followers))
    }));
}

/// Checks the suggestions: existing people, and not more than the limit.
pub(super) async fn look_at_suggested(
    store: &Store,
    subject: Subject,
    place: &Place,
) -> Result<Look> {
    let mut look = Look::default();
    let count = store.cardinality(place).await?;
    if count > PEOPLE_KEPT as u64 {
        let fault = Fault::new(
            Invariant::SuggestionsAgree,
            subject.clone(),
            format!("more than {PEOPLE_KEPT} people are suggested"),
        );
        let fault = fault.detail(count.to_string());
        look.found(fault.repair_by(Remedy::TrimSuggested(place.clone())));
    }
    let mut pages = Pages::of(place);
    loop {
        let rows = store.rows(&mut pages).await?;
        if rows.is_empty() {
            return Ok(look);
        }
        look.examined(Invariant::SuggestionsAgree, rows.len());
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
                look.found(fault.repair_by(Remedy::DropMember(place.clone(), member)));
            }
        }
    }
}
