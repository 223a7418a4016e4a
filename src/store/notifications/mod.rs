//! Notifications: single steps on each user's log, and its pages. Two rules decide who is notified:
//! one in the actions that write, one here where pages read.

pub(super) mod calls;

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use futures_util::try_join;

use self::calls::{
    DropNotificationsBy, DropNotificationsOf, NotificationKeys, NotifiedKeys, Notify,
    ReadNotifications, Unnotify,
};
use super::{FoldingBudget, Group, ReadMode, access::is_hidden, prelude::*};
use crate::domain::{
    Bundle, NOTIFICATIONS_KEPT, Notification, NotificationFilter, NotificationKind, TokenKind,
    tokens,
};

/// Number of notifications that are examined in one read.
const EXAMINED_AT_ONCE: usize = 250;
/// Number of notifications that one call removes. A full log of 2,000 took up to 10 ms of Redis.
const DROPPED_AT_ONCE: usize = 500;
/// Number of bytes of texts in a log, before and after folding, that a new muted text is compared with. More than a usual
/// log has.
const COMPARED_BYTES: usize = 1024 * 1024;
/// Up to this many people are all named on a line. With more, one fewer is named.
const NAMED: usize = 3;
/// Number of people that are read for a line, so that it names others in the place of hidden ones.
const EXAMINED: usize = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Withdrawal {
    /// It was undone and may be done again. A person who has read it is not notified again.
    Retracted,
    /// It can never be true again.
    Gone,
}

/// A notification of a user, before it is decided whether the mutes of the user keep it away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undecided {
    pub to: UserId,
    pub what: Notification,
    /// The digest of the mutes by which it was decided that the user is notified. Empty without mutes.
    pub mutes: String,
}

impl Undecided {
    /// Creates a notification before the mutes of its user are known.
    #[must_use]
    pub fn new((to, what): (UserId, Notification)) -> Self {
        let mutes = String::new();
        Self { to, what, mutes }
    }
}

/// One line of a notification page, as its reader may see it.
#[derive(Debug, Clone)]
pub struct NotificationPage {
    pub kind: NotificationKind,
    /// The status concerned. `None` for a follow.
    pub status: Option<VisibleStatus>,
    /// The group concerned.
    pub group: Option<Arc<Group>>,
    /// The named people, latest first; at least one.
    pub people: Vec<Arc<User>>,
    /// Number of other people.
    pub others: usize,
    pub at: UnixMs,
    /// Whether a part of it was unread, or was first shown less than a minute ago, on later pages than the first 15 minutes.
    pub is_new: bool,
}

/// A user's whole log, newest first, each entry with its score (µs), and the score up to which nothing is new.
struct Log {
    notifications: Vec<(Notification, u64)>,
    read_before: u64,
}

impl Store {
    /// Notifies each of these users once of an event at this time (µs). Users who do not exist are skipped. If a user
    /// has other mutes than the decision took into account, returns the notification with the digest of these. One
    /// round trip.
    pub async fn notify(
        &self,
        call: &Call,
        notifications: &[Undecided],
        at_us: u64,
    ) -> Result<Vec<Undecided>> {
        let notify = |one: &Undecided| {
            let notify = Notify {
                user: keys::user(one.to),
                muted_texts: keys::muted_texts(one.to),
                muted_conversations: keys::muted_conversations(one.to),
                keys: NotifiedKeys::of(one.to),
                deadline_ms: call.deadline(),
                max_notifications: NOTIFICATIONS_KEPT,
                notification: one.what.to_string(),
                at_us,
                decided_by: one.mutes.clone(),
            };
            notify.command()
        };
        let commands = notifications.iter().map(notify).collect();
        let answers = self.connection.batch(commands).await?;
        let mut undecided = Vec::new();
        for (one, answer) in notifications.iter().zip(answers) {
            let mutes: String = read(answer)?;
            if !["notified", "unchanged"].contains(&mutes.as_str()) {
                undecided.push(Undecided { mutes, ..*one });
            }
        }
        Ok(undecided)
    }

    /// Returns whether a user mutes the status of an event or its conversation. The page of notifications asks again
    /// about the text.
    pub async fn is_notification_muted(&self, to: UserId, what: Notification) -> Result<bool> {
        let Some(id) = what.kind.status() else {
            return Ok(false);
        };
        let visible = self.visible_with_all_muted_texts(to, &[id]).await?;
        let is_muted = |status: &VisibleStatus| {
            status.is_conversation_muted() || status.muted_text().is_some()
        };
        Ok(visible.first().is_some_and(is_muted))
    }

    /// Removes the notifications of a user about statuses with muted texts, so that they are not counted either. Compares
    /// up to [`COMPARED_BYTES`], the newest first.
    pub async fn drop_muted_notifications(&self, call: &Call, of: UserId) -> Result<()> {
        let log = self.notifications(of, ReadMode::Prefetch, None).await?;
        let log: Vec<Notification> = log.notifications.into_iter().map(|(one, _)| one).collect();
        let (viewer, mut budget) = (Viewer::Member(of), FoldingBudget::of(COMPARED_BYTES));
        for some in log.chunks(EXAMINED_AT_ONCE) {
            if budget.is_used_up() {
                break;
            }
            let mut ids: Vec<StatusId> = some.iter().filter_map(|one| one.kind.status()).collect();
            ids.sort_unstable_by(|one, other| other.cmp(one));
            ids.dedup();
            let examined = self.visible_with_muted_texts(viewer, &ids, &mut budget);
            let mut statuses = examined.await?.visible;
            statuses.retain(|status| status.muted_text().is_some());
            let muted: HashSet<StatusId> = statuses.iter().map(VisibleStatus::id).collect();
            let is_muted = |one: &&Notification| {
                let status = one.kind.status();
                status.is_some_and(|id| muted.contains(&id))
            };
            let muted: Vec<_> = some.iter().filter(is_muted).map(|one| (of, *one)).collect();
            let retracted = Withdrawal::Retracted;
            self.unnotify(Some(call), &muted, retracted).await?;
        }
        Ok(())
    }

    /// Returns the visible statuses among these, with all muted texts in them. A page of notifications has a limit.
    async fn visible_with_all_muted_texts(
        &self,
        reader: UserId,
        ids: &[StatusId],
    ) -> Result<Vec<VisibleStatus>> {
        let (viewer, mut budget) = (Viewer::Member(reader), FoldingBudget::unlimited());
        let examined = self.visible_with_muted_texts(viewer, ids, &mut budget);
        Ok(examined.await?.visible)
    }

    /// Takes back the notification of each of these users, within a call or whenever it arrives. One round
    /// trip.
    pub async fn unnotify(
        &self,
        call: Option<&Call>,
        notifications: &[(UserId, Notification)],
        reason: Withdrawal,
    ) -> Result<()> {
        let unnotify = |(user, notification): &(UserId, Notification)| {
            let unnotify = Unnotify {
                keys: NotificationKeys::of(*user),
                deadline_ms: call.map_or_else(String::new, |call| call.deadline().to_string()),
                max_notifications: NOTIFICATIONS_KEPT,
                notification: notification.to_string(),
                reason: match reason {
                    Withdrawal::Retracted => "retracted",
                    Withdrawal::Gone => "gone",
                },
            };
            unnotify.command()
        };
        let commands = notifications.iter().map(unnotify).collect();
        self.connection.batch(commands).await.map(drop)
    }

    /// Removes all notifications of a user that these people caused, and makes the user's open streams read
    /// again. A late call does no harm: blocks between both decide what is added.
    pub async fn drop_notifications_by(&self, of: UserId, people: &[UserId]) -> Result<()> {
        let drop_some = DropNotificationsBy {
            notifications: keys::notifications(of),
            arrivals: keys::arrivals(of),
            channel: keys::live(of),
            limit: DROPPED_AT_ONCE,
            people: people.iter().map(|person| person.get()).collect(),
        };
        loop {
            let dropped: usize = self.connection.query(drop_some.command()).await?;
            if dropped < DROPPED_AT_ONCE {
                return Ok(());
            }
        }
    }

    /// Removes the notifications of these people that begin with one of these texts. One round trip.
    pub async fn drop_notifications_of(
        &self,
        call: &Call,
        people: &[UserId],
        beginnings: &[String],
    ) -> Result<()> {
        if beginnings.is_empty() {
            return Ok(());
        }
        let drop_some = |of: &UserId| {
            let drop_some = DropNotificationsOf {
                notifications: keys::notifications(of),
                arrivals: keys::arrivals(of),
                channel: keys::live(*of),
                deadline_ms: call.deadline(),
                beginnings: beginnings.to_vec(),
            };
            drop_some.command()
        };
        let commands = people.iter().map(drop_some).collect();
        self.connection.batch(commands).await.map(drop)
    }

    /// Returns one page of notifications, newest first. Notifications of one kind share a line at the
    /// position of the newest one. A page is full unless the log ends, with each filter.
    ///
    /// The log is bounded, so all of it is read, and lines do not depend on the start of a page.
    /// Notifications that the reader may not see are removed here. Each round examines twice as many
    /// lines as the one before, which keeps rounds few.
    pub async fn notifications_page(
        &self,
        of: UserId,
        (filter, before): (NotificationFilter, Option<Cursor>),
        read_mode: ReadMode,
    ) -> Result<Page<NotificationPage>> {
        let log = self.notifications(of, read_mode, before).await?;
        let from = before.map_or(u64::MAX, Cursor::get);
        let bundles = Bundle::all(&log.notifications).into_iter();
        let mut rest = bundles.filter(|bundle| bundle.at() < from && filter.shows(bundle.kind));
        let (mut page, mut wanted) = (Vec::with_capacity(2 * PAGE_SIZE), PAGE_SIZE + 1);
        while page.len() <= PAGE_SIZE {
            let some: Vec<Bundle> = rest.by_ref().take(wanted).collect();
            if some.is_empty() {
                break;
            }
            page.extend(self.lines(of, &some, log.read_before).await?);
            wanted *= 2;
        }
        let more = page.len() > PAGE_SIZE;
        page.truncate(PAGE_SIZE);
        let last = page.last().filter(|_| more);
        let next = last.map(|(at, _)| Cursor::before(*at));
        Ok(Page {
            items: page.into_iter().map(|(_, line)| line).collect(),
            next,
        })
    }

    async fn notifications(
        &self,
        of: UserId,
        read_mode: ReadMode,
        before: Option<Cursor>,
    ) -> Result<Log> {
        let read = ReadNotifications {
            keys: NotificationKeys::of(of),
            mode: read_mode.word(),
            part: before.map_or("first", |_| "later"),
        };
        let (read_before, rows): (u64, Vec<(String, u64)>) =
            self.connection.query(read.command()).await?;
        let notifications = rows.into_iter();
        let notifications = notifications.filter_map(|(text, at)| Some((text.parse().ok()?, at)));
        Ok(Log {
            notifications: notifications.collect(),
            read_before,
        })
    }

    /// Returns those of these lines that the reader may see, with their scores (µs). The others are
    /// removed.
    async fn lines(
        &self,
        reader: UserId,
        bundles: &[Bundle],
        read_before: u64,
    ) -> Result<Vec<(u64, NotificationPage)>> {
        let mut ids: Vec<StatusId> = bundles.iter().filter_map(Bundle::status).collect();
        ids.sort_unstable();
        ids.dedup();
        let named_in_all = bundles.iter().flat_map(examined).copied();
        let mut people: Vec<UserId> = named_in_all.chain([reader]).collect();
        people.sort_unstable();
        people.dedup();
        let kinds = bundles.iter().map(|bundle| bundle.kind);
        let (statuses, users, groups) = try_join!(
            self.visible_with_all_muted_texts(reader, &ids),
            self.rows_of::<User>(&people),
            self.notified_groups(reader, kinds)
        )?;
        let statuses = statuses.into_iter().map(|status| (status.id(), status));
        let statuses: HashMap<StatusId, VisibleStatus> = statuses.collect();
        let users: HashMap<UserId, Option<Arc<User>>> = people.into_iter().zip(users).collect();
        let Some(me) = users.get(&reader).and_then(Option::as_deref) else {
            return Ok(Vec::new());
        };
        let (mut lines, mut refused) = (Vec::with_capacity(bundles.len()), Vec::new());
        for bundle in bundles {
            let status = bundle.status().map(|id| statuses.get(&id));
            let people = examined(bundle).filter_map(|id| users.get(id)?.clone());
            let mut people: Vec<Arc<User>> = people.collect();
            let examined_count = people.len();
            let hidden_count = people.extract_if(.., |person| is_hidden(person)).count();
            // The line returns with its people, so nothing is removed.
            if hidden_count > 0 && people.is_empty() {
                continue;
            }
            // A notification of a limited person returns when the limit ends.
            let is_unseen = matches!(status, Some(None));
            if is_unseen && people.iter().any(|person| person.is_limited) {
                continue;
            }
            let group = groups.get(&bundle.kind).cloned();
            let is_over = bundle.kind.group().is_some() && group.is_none();
            if examined_count == 0 || is_over || !may_read(me, bundle, status) {
                refused.push(bundle);
                continue;
            }
            let count = bundle.by.len() - hidden_count;
            people.truncate(named_count(count));
            let line = NotificationPage {
                kind: bundle.kind,
                status: status.flatten().cloned(),
                group,
                others: count - people.len(),
                at: UnixMs(bundle.at() / 1000),
                is_new: bundle.at() > read_before,
                people,
            };
            lines.push((bundle.at(), line));
        }
        self.forget_refused(reader, &refused).await?;
        Ok(lines)
    }

    /// Takes back refused notifications, so that they are not counted either. Those about a dead status are removed for
    /// good, because a deletion is final.
    async fn forget_refused(&self, of: UserId, refused: &[&Bundle]) -> Result<()> {
        if refused.is_empty() {
            return Ok(());
        }
        let ids: Vec<StatusId> = refused.iter().filter_map(|line| line.status()).collect();
        let lives = self.lives(&ids).await?;
        let dead = ids.into_iter().zip(lives);
        let dead = dead.filter(|(_, life)| !life.is_living());
        let dead: HashSet<StatusId> = dead.map(|(id, _)| id).collect();
        let is_about_dead = |line: &&Bundle| line.status().is_some_and(|id| dead.contains(&id));
        let (gone, retracted): (Vec<&Bundle>, Vec<&Bundle>) =
            refused.iter().partition(|line| is_about_dead(line));
        for (lines, reason) in [(gone, Withdrawal::Gone), (retracted, Withdrawal::Retracted)] {
            let notifications = lines.into_iter().flat_map(Bundle::notifications);
            let notifications: Vec<(UserId, Notification)> = notifications
                .map(|notification| (of, notification))
                .collect();
            self.unnotify(None, &notifications, reason).await?;
        }
        Ok(())
    }
}

/// Returns whether the reader may see a notification. The status must be visible, contain no muted text, have the right
/// author and still mention the reader if it is a mention. `Some(None)` is a status that the reader may not see.
fn may_read(reader: &User, bundle: &Bundle, status: Option<Option<&VisibleStatus>>) -> bool {
    let Some(status) = status else {
        return true;
    };
    let (Some(status), Some((by, _))) = (status, bundle.by.first()) else {
        return false;
    };
    if bundle.kind.is_about_own_status() {
        return status.is_own();
    }
    if status.muted_text().is_some() {
        return false;
    }
    let is_theirs = status.author().id == *by && !status.is_own();
    is_theirs && (!matches!(bundle.kind, NotificationKind::Mention(_)) || mentions(status, reader))
}

fn mentions(status: &VisibleStatus, reader: &User) -> bool {
    tokens(status.message()).any(|token| match token.kind {
        TokenKind::Mention(mentioned) => reader.has_had(&mentioned),
        _ => false,
    })
}

/// Returns the people of a line that are read, newest first. Some may be hidden.
fn examined(bundle: &Bundle) -> impl Iterator<Item = &UserId> {
    bundle.by.iter().take(EXAMINED).map(|(by, _)| by)
}

/// Returns how many people a line names: all if they are few, else the last two.
fn named_count(people: usize) -> usize {
    match people > NAMED {
        true => NAMED - 1,
        false => NAMED,
    }
}
