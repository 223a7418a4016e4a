//! Notifications: each states a fact, and there are no more than the limit. A missing one is no fault:
//! it was trimmed or lost and is not repeated. One about a deleted status is no fault either; it is
//! removed when the page is read.

use crate::{audit::invariants::prelude::*, domain::SiteNotice};

pub(in crate::audit) const NOTIFICATIONS_ARE_TRUE: Invariant = Invariant::new(
    "notifications_are_true",
    "notifications are true, at most 1000 of them are stored, and read markers are valid",
);

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    let Target::User(user, latest) = exam.target else {
        return Ok(());
    };
    check_read_marker(exam, user, *latest);
    let id = user.id;
    let key = Key::Notifications(id);
    let mut members = Members::of(NOTIFICATIONS_ARE_TRUE, &key, "notification");
    let mut counts = [0, 0];
    while let Some(rows) = members.rows(exam).await? {
        // A notification that was read and then retracted is invisible, with a negative score.
        let (retracted, rows): (Vec<Row>, Vec<Row>) =
            rows.into_iter().partition(|(_, score)| *score < 0.0);
        counts = [counts[0] + retracted.len(), counts[1] + rows.len()];
        check_retracted(exam, &members, user, &retracted);
        members.check_unique(exam, &rows);
        let notifications = by_others(exam, &members, id, &rows);
        check_follows(exam, &members, id, &notifications).await?;
        check_groups(exam, &members, id, &notifications).await?;
        check_statuses(exam, &members, id, &notifications).await?;
    }
    if counts.iter().any(|count| *count > NOTIFICATIONS_KEPT) {
        let name = members.key_name();
        let words = format!("trimmed {name}");
        let text = format!("{name} contain more than {NOTIFICATIONS_KEPT} entries");
        let count: usize = counts.iter().sum();
        let fault = members.fault(text).detail(count.to_string());
        exam.found(fault.repair(words, move |store| async move {
            store.trim_notifications(id).await
        }));
    }
    Ok(())
}

/// Checks the read marker: two scores in order, and a past time.
fn check_read_marker(exam: &mut Examination<'_>, user: &UserSnapshot, latest: UnixMs) {
    let id = user.id;
    if user.read_marker.iter().all(Option::is_none) {
        return;
    }
    exam.examined(NOTIFICATIONS_ARE_TRUE, 1);
    let number = |text: &Option<String>| text.as_ref()?.parse::<u64>().ok();
    let is_valid = match user.read_marker.each_ref().map(number) {
        [Some(read), Some(before), Some(at)] => before <= read && at <= latest.0,
        _ => false,
    };
    if !is_valid {
        let key = Key::ReadMarker(id);
        let name = names::key(&key);
        let fault = Fault::new(NOTIFICATIONS_ARE_TRUE, &key, format!("{name} is invalid"));
        let fault = fault.detail(format!("{:?}", user.read_marker));
        let words = format!("deleted {name}");
        let steps = move |store: Store| async move { store.forget_read_marker(id).await };
        let repair = RepairStep::new(words, steps).with_effect(Effect::Source);
        exam.found(fault.repair_by(repair));
    }
}

/// Checks that retracted notifications are valid and had been read.
fn check_retracted(
    exam: &mut Examination<'_>,
    members: &Members,
    user: &UserSnapshot,
    rows: &[Row],
) {
    by_others(exam, members, user.id, rows);
    let read = user.read_marker[0]
        .as_ref()
        .and_then(|read| read.parse().ok());
    let read: f64 = read.unwrap_or_default();
    for (member, _) in rows.iter().filter(|(_, score)| -score > read) {
        exam.found(wrong(members, member, "which was retracted and never read"));
    }
}

/// Returns the valid notifications, which are about other users or about posts.
fn by_others(
    exam: &mut Examination<'_>,
    members: &Members,
    id: UserId,
    rows: &[Row],
) -> Vec<Notification> {
    let notifications: Vec<Notification> = members.valid(exam, rows);
    let (own, mut by_others): (Vec<_>, Vec<_>) =
        notifications.into_iter().partition(|each| each.by == id);
    for notification in own.iter().filter(|each| !each.kind.is_from_site()) {
        exam.found(wrong(members, notification, "which is about themselves"));
    }
    let from_site = by_others.iter().filter(|each| each.kind.is_from_site());
    for notification in from_site {
        exam.found(wrong(
            members,
            notification,
            "which is news for another person",
        ));
    }
    let about_posts = own.into_iter().filter(|each| each.kind.is_from_site());
    by_others.extend(about_posts.filter(|each| each.kind.status().is_some()));
    by_others
}

async fn check_follows(
    exam: &mut Examination<'_>,
    members: &Members,
    id: UserId,
    notifications: &[Notification],
) -> Result<()> {
    for kind in [
        NotificationKind::Follow,
        NotificationKind::Request,
        NotificationKind::Accepted,
    ] {
        let of_kind = notifications.iter().filter(|each| each.kind == kind);
        let users: Vec<UserId> = of_kind.map(|each| each.by).collect();
        let entry = |by: &UserId| match kind {
            NotificationKind::Request => (Key::Requested(*by), id),
            NotificationKind::Accepted => (Key::Following(id), *by),
            _ => (Key::Following(*by), id),
        };
        for by in exam.without_entry(users, entry).await? {
            let fault = wrong(members, Notification { kind, by }, "which is not true");
            exam.found(fault.unless(entry(&by)));
        }
    }
    Ok(())
}

/// Checks that each request to join a group and each invitation still waits.
async fn check_groups(
    exam: &mut Examination<'_>,
    members: &Members,
    id: UserId,
    notifications: &[Notification],
) -> Result<()> {
    let about = notifications.iter().copied();
    let about: Vec<Notification> = about.filter(|each| each.kind.group().is_some()).collect();
    let entry = |each: &Notification| match each.kind {
        NotificationKind::GroupInvitation(group) => (Key::GroupInvited(group), id),
        kind => {
            let group = kind.group().expect("they were filtered by it");
            (Key::GroupRequests(group), each.by)
        }
    };
    for wrong_one in exam.without_entry(about, entry).await? {
        let (_, person) = entry(&wrong_one);
        let group = wrong_one.kind.group().expect("they were filtered by it");
        let fault = wrong(members, wrong_one, "which is not true");
        exam.found(fault.unless((Key::GroupMembers(group), person)));
    }
    Ok(())
}

/// Checks each notification about a living status: the status has the right author, and the favourite,
/// repost, reply or mention exists.
async fn check_statuses(
    exam: &mut Examination<'_>,
    members: &Members,
    id: UserId,
    notifications: &[Notification],
) -> Result<()> {
    let about = notifications.iter();
    let about = about.filter_map(|each| Some((*each, each.kind.status()?)));
    let about: Vec<(Notification, StatusId)> = about.collect();
    let ids: Vec<StatusId> = about.iter().map(|(_, status)| *status).collect();
    let lives = exam.store.lives(&ids).await?;
    let favourites = about
        .iter()
        .map(|(each, status)| (Key::Favourites(each.by), *status));
    let favourited = exam.store.contain_each(favourites).await?;
    // A repost is true by its claim or by the side of the original.
    let sides = about.iter().flat_map(|(each, status)| {
        let claim = (Key::OwnReposts(each.by), status.get());
        [claim, (Key::RepostedBy(*status), each.by.get())]
    });
    let sides = exam.store.contain_each(sides).await?;
    let reposted = sides.chunks(2).map(|pair| pair.contains(&true));
    let done = favourited.into_iter().zip(reposted);
    for (((each, status), life), done) in about.into_iter().zip(lives).zip(done) {
        let is_false = life
            .living()
            .is_some_and(|header| !is_true(id, each, &header, done));
        if is_false {
            let fault = wrong(members, each, "which is not true")
                .unless(Key::Status(status))
                .unless((Key::Favourites(each.by), status))
                .unless((Key::OwnReposts(each.by), status));
            exam.found(fault);
        }
    }
    Ok(())
}

fn is_true(
    notified: UserId,
    notification: Notification,
    status: &StatusHeader,
    (favourited, reposted): (bool, bool),
) -> bool {
    let quotes = |of| status.quoted().is_some_and(|post| post.author == of);
    let replies = |to| status.reply_to.is_some_and(|post| post.author == to);
    let is_by_actor = status.author == notification.by;
    match notification.kind {
        NotificationKind::FromSite(SiteNotice::PostApproved, _) => status.author == notified,
        NotificationKind::Follow
        | NotificationKind::Request
        | NotificationKind::Accepted
        | NotificationKind::GroupRequest(_)
        | NotificationKind::GroupInvitation(_)
        | NotificationKind::FromSite(..) => true,
        NotificationKind::Favourite(_) => status.author == notified && favourited,
        NotificationKind::Repost(_) => status.author == notified && reposted,
        NotificationKind::Reply(_) => is_by_actor && replies(notified),
        NotificationKind::Quote(_) => is_by_actor && quotes(notified),
        NotificationKind::Mention(_) => is_by_actor && status.mentioned.contains(&notified),
        NotificationKind::GroupPost(_) => is_by_actor && status.is_group_post(),
    }
}

fn wrong(members: &Members, member: impl ToString, why: &str) -> Fault {
    let member = member.to_string();
    let fault = members.wrong_member(&format!("{member:?}"), why);
    fault.repair_by(members.remove(member))
}
