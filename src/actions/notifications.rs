//! Notifications: adding them and taking them back. These steps are part of reconciling other operations
//! and run as often as those.

use futures_util::future::try_join_all;

use crate::{
    actions::prelude::*,
    domain::{Notification, NotificationKind},
    store::{Undecided, Withdrawal},
};

/// Maximum number of decisions about one notification.
const DECISIONS: usize = 5;
/// Number of people who are notified at once. Each can have muted texts of
/// [`crate::domain::MutedText::MAX_BYTES_OF_ALL`], which one round trip reads.
const NOTIFIED_AT_ONCE: usize = 50;

/// Returns whether a person is notified at all. `Store::notifications_page` checks again whether they
/// may read it.
fn is_notified(to: UserId, what: Notification) -> bool {
    what.by != to || what.kind.is_from_site()
}

/// Notifies a person once of an event at this time (µs).
pub(super) async fn notify(
    store: &Store,
    call: &Call,
    to: UserId,
    what: Notification,
    at_us: u64,
) -> Result<()> {
    if !is_notified(to, what) {
        return Ok(());
    }
    // On the heap, because a future contains those of all its steps.
    Box::pin(notify_all(store, call, &[(to, what)], at_us)).await
}

/// Notifies each of these users once of an event at this time (µs), except of statuses that they mute.
pub(super) async fn notify_all(
    store: &Store,
    call: &Call,
    recipients: &[(UserId, Notification)],
    at_us: u64,
) -> Result<()> {
    for some in recipients.chunks(NOTIFIED_AT_ONCE) {
        notify_some(store, call, some, at_us).await?;
    }
    Ok(())
}

/// Notifies a few people. `notify.lua` refuses a decision that was made with outdated mutes. The decision is then
/// repeated.
async fn notify_some(
    store: &Store,
    call: &Call,
    recipients: &[(UserId, Notification)],
    at_us: u64,
) -> Result<()> {
    let recipients = recipients.iter().copied();
    let mut decided: Vec<Undecided> = recipients.map(Undecided::new).collect();
    for _ in 0..DECISIONS {
        let undecided = store.notify(call, &decided, at_us).await?;
        if undecided.is_empty() {
            return Ok(());
        }
        decided = Box::pin(without_muted(store, call, undecided)).await?;
    }
    // The mutes keep changing. The outbox entry tries again.
    Err(Error::Late)
}

/// Returns the notifications that their users do not mute. The others are taken back, if they are there.
async fn without_muted(
    store: &Store,
    call: &Call,
    undecided: Vec<Undecided>,
) -> Result<Vec<Undecided>> {
    let is_muted = |one: &Undecided| store.is_notification_muted(one.to, one.what);
    let are_muted = try_join_all(undecided.iter().map(is_muted)).await?;
    let (mut muted, mut others) = (Vec::new(), Vec::new());
    for (one, is_muted) in undecided.into_iter().zip(are_muted) {
        match is_muted {
            true => muted.push((one.to, one.what)),
            false => others.push(one),
        }
    }
    let retracted = Withdrawal::Retracted;
    store.unnotify(Some(call), &muted, retracted).await?;
    Ok(others)
}

/// Runs one pass of notifications about a post in a group: of the members who want them and wanted them when it was
/// posted. If the post is dead, takes their notifications back for good.
pub async fn notify_group_pass(store: &Store, id: StatusId, after: u64) -> Result<Option<Task>> {
    let (header, is_living) = match store.life(id).await? {
        Life::Living(header) if header.waiting_since.is_some() => return Ok(None),
        Life::Living(header) => (header, true),
        Life::Dead(header) => (header, false),
        Life::Absent => return Ok(None),
    };
    let Some(group) = header.group.filter(|_| header.is_group_post()) else {
        return Ok(None);
    };
    let count = store.config().limits.pass_size;
    let members = store.notified_members(group, after, count).await?;
    let last = members.last().map(|(_, since)| *since);
    let is_to_notify = |(person, since): &(UserId, u64)| {
        let is_known = *person == header.author || header.mentioned.contains(person);
        !is_known && *since < id.drawn_us()
    };
    let what = Notification {
        kind: NotificationKind::GroupPost(id),
        by: header.author,
    };
    let next = last.filter(|_| members.len() == count);
    let recipients = members.into_iter().filter(is_to_notify);
    let recipients: Vec<(UserId, Notification)> =
        recipients.map(|(person, _)| (person, what)).collect();
    if is_living {
        let call = store.begin().await?;
        let notified = notify_readers(store, &call, (id, &header), recipients);
        call.finish(notified.await).await?;
    } else {
        store.unnotify(None, &recipients, Withdrawal::Gone).await?;
    }
    Ok(next.map(|after| Task::NotifyGroup { status: id, after }))
}

/// Notifies those of these people who may see a status. If it died meanwhile, takes that back.
async fn notify_readers(
    store: &Store,
    call: &Call,
    (id, status): (StatusId, &StatusHeader),
    recipients: Vec<(UserId, Notification)>,
) -> Result<()> {
    let (recipients, _) = store.split_by_readers(status, recipients).await?;
    Box::pin(notify_all(store, call, &recipients, id.drawn_us())).await?;
    if store.life(id).await?.is_living() {
        return Ok(());
    }
    store.unnotify(None, &recipients, Withdrawal::Gone).await
}

/// Takes back a notification of an undone event. A person who has read it is not notified again.
pub(super) async fn retract(
    store: &Store,
    call: &Call,
    to: UserId,
    what: Notification,
) -> Result<()> {
    if !is_notified(to, what) {
        return Ok(());
    }
    let retracted = Withdrawal::Retracted;
    store.unnotify(Some(call), &[(to, what)], retracted).await
}

/// Notifies the people that a living status concerns: authors of replied-to, reposted and quoted
/// statuses, and mentioned people. Mentions that an edit removed are taken back, and not repeated if
/// they return, and so are notifications of people who may not see the status. If the status died meanwhile, all
/// are taken back.
pub(super) async fn add_copies(
    store: &Store,
    call: &Call,
    id: StatusId,
    status: &StatusHeader,
) -> Result<()> {
    let former = former_mentions(id, status);
    store
        .unnotify(Some(call), &former, Withdrawal::Retracted)
        .await?;
    let recipients = notifications_of(id, status);
    if recipients.is_empty() {
        return Ok(());
    }
    let (recipients, others) = store.split_by_readers(status, recipients).await?;
    store
        .unnotify(Some(call), &others, Withdrawal::Retracted)
        .await?;
    Box::pin(notify_all(store, call, &recipients, id.drawn_us())).await?;
    if store.life(id).await?.is_living() {
        return Ok(());
    }
    remove_copies(store, id, status).await
}

/// Takes back the notifications about a dead status for good. A repost notification stays if a later
/// repost by the same author states it; a second check covers a repost that appears meanwhile.
pub(super) async fn remove_copies(
    store: &Store,
    id: StatusId,
    status: &StatusHeader,
) -> Result<()> {
    let mut recipients = notifications_of(id, status);
    recipients.extend(former_mentions(id, status));
    let Some(original) = status.repost_of else {
        return store.unnotify(None, &recipients, Withdrawal::Gone).await;
    };
    let call = store.begin().await?;
    if find_later_repost(store, id, status.author, original)
        .await?
        .is_some()
    {
        return Ok(());
    }
    let retracted = store.unnotify(Some(&call), &recipients, Withdrawal::Retracted);
    call.finish(retracted.await).await?;
    match find_later_repost(store, id, status.author, original).await? {
        Some(again) => Box::pin(notify_all(store, &call, &recipients, again.drawn_us())).await,
        None => Ok(()),
    }
}

/// Returns the living status by which the author of a dead repost reposts the same original again.
async fn find_later_repost(
    store: &Store,
    id: StatusId,
    author: UserId,
    original: StatusRef,
) -> Result<Option<StatusId>> {
    let other = store.reposted_as(author, original.status).await?;
    let Some(other) = other.filter(|other| *other != id) else {
        return Ok(None);
    };
    Ok(store.life(other).await?.is_living().then_some(other))
}

/// Returns the people that a status notifies, each once with the first reason that applies.
fn notifications_of(id: StatusId, status: &StatusHeader) -> Vec<(UserId, Notification)> {
    let by = status.author;
    let answered = status
        .reply_to
        .map(|post| (post.author, NotificationKind::Reply(id)));
    let reposted = status.repost_of;
    let reposted = reposted.map(|post| (post.author, NotificationKind::Repost(post.status)));
    let quoted = status
        .quoted()
        .map(|post| (post.author, NotificationKind::Quote(id)));
    let mut recipients: Vec<(UserId, Notification)> = Vec::new();
    let mentioned = status.mentioned.iter();
    let mentioned = mentioned.map(|person| (*person, NotificationKind::Mention(id)));
    let about = [answered, reposted, quoted].into_iter().flatten();
    for (to, kind) in about.chain(mentioned) {
        let what = Notification { kind, by };
        if is_notified(to, what) && !recipients.iter().any(|(person, _)| *person == to) {
            recipients.push((to, what));
        }
    }
    recipients
}

/// Returns mentions that an edit removed.
fn former_mentions(id: StatusId, status: &StatusHeader) -> Vec<(UserId, Notification)> {
    let by = status.author;
    let kind = NotificationKind::Mention(id);
    let former = status.unmentioned.iter();
    former
        .map(|person| (*person, Notification { kind, by }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::notifications::*;

    fn person(id: u64) -> UserId {
        UserId::new(id).expect("in range")
    }

    fn of(author: u64) -> Option<StatusRef> {
        let status = StatusId::new(5).expect("in range");
        let author = person(author);
        Some(StatusRef { status, author })
    }

    fn recipients(status: &StatusHeader) -> Vec<(u64, String)> {
        let id = StatusId::new(9).expect("in range");
        let recipients = notifications_of(id, status).into_iter();
        recipients
            .map(|(to, what)| (to.get(), what.to_string()))
            .collect()
    }

    #[test]
    fn a_reply_mentioning_the_parent_author_notifies_them_only_of_the_reply() {
        let status = StatusHeader {
            reply_to: of(2),
            mentioned: vec![person(2), person(3)],
            unmentioned: vec![person(4)],
            ..StatusHeader::of(person(1))
        };
        let expected = [(2, "reply:9:1".to_owned()), (3, "mention:9:1".to_owned())];
        assert_eq!(recipients(&status), expected);
        let id = StatusId::new(9).expect("in range");
        let former = former_mentions(id, &status);
        assert_eq!(former.len(), 1);
        assert_eq!(former[0].0, person(4));
    }

    #[test]
    fn replies_reposts_and_quotes_notify_the_original_author_unless_the_author_is_the_same() {
        let status = StatusHeader::of(person(1));
        assert!(recipients(&status).is_empty());
        for (author, is_notified) in [(2, true), (1, false)] {
            let answer = StatusHeader {
                reply_to: of(author),
                ..status.clone()
            };
            let repost = StatusHeader {
                repost_of: of(author),
                ..status.clone()
            };
            let quote = StatusHeader {
                quote_of: of(author),
                ..status.clone()
            };
            let expected = |what: &str| match is_notified {
                true => vec![(2, what.to_owned())],
                false => Vec::new(),
            };
            assert_eq!(recipients(&answer), expected("reply:9:1"));
            assert_eq!(recipients(&repost), expected("repost:5:1"));
            assert_eq!(recipients(&quote), expected("quote:9:1"));
        }
    }
}
