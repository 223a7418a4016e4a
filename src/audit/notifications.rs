//! Notifications: each states a fact, and there are no more than the limit. A missing one is no fault:
//! it was trimmed or lost and is not repeated. One about a deleted status is no fault either; it is
//! removed when the page is read.

use super::{
    Invariant,
    edges::check_scores,
    fault::{Concern, Fault, Findings, Remedy, Subject},
};
use crate::{
    domain::{Deed, NOTIFICATIONS_KEPT, Notification, StatusHeader, StatusId, UserId},
    store::{Estate, Key, Pages, Relation, Result, Row, Store, UnixMs},
};

/// Checks a person's notifications and read marker. No time may be later than `latest`.
pub(super) async fn check(
    store: &Store,
    estate: &Estate,
    latest: UnixMs,
    findings: &mut Findings,
) -> Result<()> {
    let id = estate.id;
    check_read_marker(estate, latest, findings);
    let place = Key::Notifications(id);
    let (mut pages, mut last, mut kept) = (Pages::of(&place), None, [0, 0]);
    loop {
        let rows = store.rows(&mut pages).await?;
        if rows.is_empty() {
            break;
        }
        let (retracted, rows): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(is_undone);
        kept = [kept[0] + retracted.len(), kept[1] + rows.len()];
        check_undone(estate, &retracted, findings);
        check_scores(&place, &Subject::Person(id), &rows, &mut last, findings);
        let told = members(id, &rows, findings);
        check_follows(store, id, &told, findings).await?;
        check_statuses(store, id, &told, findings).await?;
    }
    if kept.iter().any(|count| *count > NOTIFICATIONS_KEPT) {
        let what = format!("user {id} was told more than is kept");
        let fault = fault(id, what).detail(kept.iter().sum::<usize>().to_string());
        findings.found(fault.repair_by(Remedy::TrimNotifications(id)));
    }
    Ok(())
}

/// Checks the read marker: two scores in order, and a past time.
fn check_read_marker(estate: &Estate, latest: UnixMs, findings: &mut Findings) {
    let id = estate.id;
    if estate.read_marker.iter().all(Option::is_none) {
        return;
    }
    findings.examined(Invariant::NotificationsAreTrue, 1);
    let number = |text: &Option<String>| text.as_ref()?.parse::<u64>().ok();
    let are_in_order = match estate.read_marker.each_ref().map(number) {
        [Some(read), Some(before), Some(at)] => before <= read && at <= latest.0,
        _ => false,
    };
    if !are_in_order {
        let what = format!("how far user {id} read what they were told is not in order");
        let fault = fault(id, what).detail(format!("{:?}", estate.read_marker));
        findings.found(fault.repair_by(Remedy::ForgetNoticed(id)));
    }
}

/// Returns whether a notification was read and then retracted. It is invisible.
fn is_undone((_, score): &Row) -> bool {
    *score < 0.0
}

/// Checks that retracted notifications are valid and had been read.
fn check_undone(estate: &Estate, rows: &[Row], findings: &mut Findings) {
    let id = estate.id;
    members(id, rows, findings);
    let read = estate.read_marker[0]
        .as_ref()
        .and_then(|read| read.parse().ok());
    let read: f64 = read.unwrap_or_default();
    for (member, _) in rows.iter().filter(|(_, score)| -score > read) {
        wrong(id, member, "undone and was not read", [], findings);
    }
}

/// Returns the notifications among the members.
fn members(id: UserId, rows: &[Row], findings: &mut Findings) -> Vec<Notification> {
    findings.examined(Invariant::NotificationsAreTrue, rows.len());
    let mut told = Vec::with_capacity(rows.len());
    for (member, _) in rows {
        match member.parse::<Notification>() {
            Ok(what) if what.by != id => told.push(what),
            Ok(_) => wrong(id, member, "what they did themself", [], findings),
            Err(_) => wrong(id, member, "no notification", [], findings),
        }
    }
    told
}

async fn check_follows(
    store: &Store,
    id: UserId,
    told: &[Notification],
    findings: &mut Findings,
) -> Result<()> {
    let follows = told.iter().filter(|what| what.deed == Deed::Follow);
    let people: Vec<UserId> = follows.map(|what| what.by).collect();
    let follows = people.iter().map(|by| Relation::follow(*by, id));
    let follow = store.have_relations(follows.collect()).await?;
    for (by, _) in people.iter().zip(follow).filter(|(_, follows)| !follows) {
        let member = Notification::follow(*by).to_string();
        let edge = Concern::Edge(*by, id);
        wrong(id, &member, "not so", [edge], findings);
    }
    Ok(())
}

/// Checks each notification about a living status: the status has the right author, and the favourite,
/// repost, reply or mention exists.
async fn check_statuses(
    store: &Store,
    id: UserId,
    told: &[Notification],
    findings: &mut Findings,
) -> Result<()> {
    let about = told
        .iter()
        .filter_map(|what| Some((*what, what.deed.status()?)));
    let about: Vec<(Notification, StatusId)> = about.collect();
    let ids: Vec<StatusId> = about.iter().map(|(_, status)| *status).collect();
    let pairs: Vec<(UserId, StatusId)> = about.iter().map(|(what, id)| (what.by, *id)).collect();
    let lives = store.lives(&ids).await?;
    let favourites = pairs
        .iter()
        .map(|(by, status)| Relation::favourite(*by, *status));
    let favourited = store.have_relations(favourites.collect()).await?;
    let reposted = store.are_reposted(&pairs).await?;
    let done = favourited.into_iter().zip(reposted);
    for (((what, status), life), done) in about.into_iter().zip(lives).zip(done) {
        let Some(header) = life.living() else {
            continue;
        };
        if !is_so(id, what, &header, done) {
            let concerns = [
                Concern::Status(status),
                Concern::Favourite(what.by, status),
                Concern::Repost(what.by, status),
            ];
            wrong(id, &what.to_string(), "not so", concerns, findings);
        }
    }
    Ok(())
}

/// Returns whether a notification about a living status is true.
fn is_so(
    told: UserId,
    what: Notification,
    status: &StatusHeader,
    (favourited, reposted): (bool, bool),
) -> bool {
    let quotes = |of| status.quote_of.is_some_and(|post| post.author == of);
    let answers = |to| status.reply_to.is_some_and(|post| post.author == to);
    match what.deed {
        Deed::Follow => true,
        Deed::Favourite(_) => status.author == told && favourited,
        Deed::Repost(_) => status.author == told && reposted,
        Deed::Reply(_) => status.author == what.by && answers(told),
        Deed::Quote(_) => status.author == what.by && quotes(told),
        Deed::Mention(_) => status.author == what.by && status.mentioned.contains(&told),
    }
}

fn wrong(
    id: UserId,
    member: &str,
    what: &str,
    concerns: impl IntoIterator<Item = Concern>,
    findings: &mut Findings,
) {
    let fault = fault(id, format!("user {id} was told {member}, which is {what}"));
    let drop = Remedy::DropMember(Key::Notifications(id), member.to_owned());
    findings.found(fault.unless(concerns).repair_by(drop));
}

fn fault(id: UserId, what: String) -> Fault {
    Fault::new(Invariant::NotificationsAreTrue, Subject::Person(id), what)
}
