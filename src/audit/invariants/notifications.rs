//! Notifications: each states a fact, and there are no more than the limit. A missing one is no fault:
//! it was trimmed or lost and is not repeated. One about a deleted status is no fault either; it is
//! removed when the page is read.

use super::prelude::*;

pub(super) const NOTIFICATIONS_ARE_TRUE: Invariant = Invariant::new(
    "notifications_are_true",
    "notifications state facts, at most 1000 of them are kept, and read markers are valid",
);

pub(super) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
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
        check_statuses(exam, &members, id, &notifications).await?;
    }
    if counts.iter().any(|count| *count > NOTIFICATIONS_KEPT) {
        let name = members.key_name();
        let words = format!("trimmed {name}");
        let fault = members.fault(format!(
            "{name} contain more than {NOTIFICATIONS_KEPT} entries"
        ));
        let repair = RepairStep::of_copies(words, move |store| async move {
            store.trim_notifications(id).await
        });
        let count: usize = counts.iter().sum();
        exam.found(fault.detail(count.to_string()).repair_by(repair));
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
        let repair = RepairStep::new(Effect::Source, words, move |store| async move {
            store.forget_read_marker(id).await
        });
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
        exam.found(wrong(
            members,
            user.id,
            member,
            "which was retracted and never read",
        ));
    }
}

/// Returns the valid notifications, which are about other users.
fn by_others(
    exam: &mut Examination<'_>,
    members: &Members,
    id: UserId,
    rows: &[Row],
) -> Vec<Notification> {
    let notifications: Vec<Notification> = members.valid(exam, rows, |text| text.parse().ok());
    let (own, by_others) = notifications.into_iter().partition(|each| each.by == id);
    let own: Vec<Notification> = own;
    for notification in own {
        let member = notification.to_string();
        exam.found(wrong(members, id, &member, "which is about themselves"));
    }
    by_others
}

async fn check_follows(
    exam: &mut Examination<'_>,
    members: &Members,
    id: UserId,
    notifications: &[Notification],
) -> Result<()> {
    let follows = notifications
        .iter()
        .filter(|each| each.kind == NotificationKind::Follow);
    let users: Vec<UserId> = follows.map(|follow| follow.by).collect();
    let follows = users.iter().map(|by| (Key::Following(*by), id));
    let follows = exam.store.contain_each(follows).await?;
    for (by, _) in users
        .into_iter()
        .zip(follows)
        .filter(|(_, follows)| !follows)
    {
        let member = Notification::follow(by).to_string();
        let fault = wrong(members, id, &member, "which is not true");
        exam.found(fault.unless((Key::Following(by), id)));
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
            let fault = wrong(members, id, &each.to_string(), "which is not true");
            let fault = fault
                .unless(Key::Status(status))
                .unless((Key::Favourites(each.by), status))
                .unless((Key::OwnReposts(each.by), status));
            exam.found(fault);
        }
    }
    Ok(())
}

/// Returns whether a notification about a living status is true.
fn is_true(
    notified: UserId,
    notification: Notification,
    status: &StatusHeader,
    (favourited, reposted): (bool, bool),
) -> bool {
    let quotes = |of| status.quote_of.is_some_and(|post| post.author == of);
    let replies = |to| status.reply_to.is_some_and(|post| post.author == to);
    let is_by_actor = status.author == notification.by;
    match notification.kind {
        NotificationKind::Follow => true,
        NotificationKind::Favourite(_) => status.author == notified && favourited,
        NotificationKind::Repost(_) => status.author == notified && reposted,
        NotificationKind::Reply(_) => is_by_actor && replies(notified),
        NotificationKind::Quote(_) => is_by_actor && quotes(notified),
        NotificationKind::Mention(_) => is_by_actor && status.mentioned.contains(&notified),
    }
}

fn wrong(members: &Members, id: UserId, member: &str, why: &str) -> Fault {
    let fault = members.fault(format!("{} contain {member:?}, {why}", members.key_name()));
    fault.repair_by(repair::remove_member(&Key::Notifications(id), member))
}
