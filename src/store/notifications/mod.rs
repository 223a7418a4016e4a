//! What people are told of that others did: single steps on the log of each person, and its pages.
//! What may be told is decided twice: by the actions that tell it, and here where it is read.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use futures_util::try_join;
use redis::Cmd;

use super::{
    Call, ReadMode, Result, Store, UnixMs, User, Viewer, VisibleStatus, keys,
    redis::scripts::{self, With},
};
use crate::domain::{
    Bundle, Cursor, Deed, Login, NOTIFICATIONS_KEPT, Notification, PAGE_SIZE, Page, StatusId,
    TokenKind, UserId, tokens,
};

/// Up to how many who did the same are all named. Of more the last are, one fewer.
const NAMED: usize = 3;

/// Why somebody is told something no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Withdrawal {
    /// It was undone and may be done again: who has read of it is not told once more.
    Retracted,
    /// It cannot be so again.
    Gone,
}

/// One line of what somebody is told, as they may see it.
#[derive(Debug, Clone)]
pub struct NotificationPage {
    pub deed: Deed,
    /// What it is about; `None` of a follow.
    pub status: Option<VisibleStatus>,
    /// The last who did it, the last one first; at least one.
    pub people: Vec<Arc<User>>,
    /// How many others did.
    pub others: usize,
    /// When the last of it was told.
    pub at: UnixMs,
    /// Whether some of it was not read before this visit.
    pub is_new: bool,
}

/// All that a person was told, newest first, each with its score (µs), and up to which score they
/// had read it before this visit.
struct Log {
    told: Vec<(Notification, u64)>,
    read_before: u64,
}

impl Store {
    /// Tells each of these people once of what another did at that time (µs). Who is not there is told
    /// nothing. One trip.
    pub async fn notify(
        &self,
        call: &Call,
        told: &[(UserId, Notification)],
        at_us: u64,
    ) -> Result<()> {
        let notify = |(to, what): &(UserId, Notification)| {
            scripts::NOTIFY
                .on([
                    keys::notifications(*to),
                    keys::read_marker(*to),
                    keys::user(*to),
                    keys::arrivals(*to),
                    keys::live(*to),
                ])
                .with(call.deadline())
                .with(NOTIFICATIONS_KEPT)
                .with(what.to_string())
                .with(at_us)
        };
        self.notified(told.iter().map(notify).collect()).await
    }

    /// Takes back what each of these people was told, within a call or whenever it comes. One trip.
    pub async fn unnotify(
        &self,
        call: Option<&Call>,
        told: &[(UserId, Notification)],
        why: Withdrawal,
    ) -> Result<()> {
        let deadline = call.map_or_else(String::new, |call| call.deadline().to_string());
        let unnotify = |(to, what): &(UserId, Notification)| {
            scripts::UNNOTIFY
                .on([
                    keys::notifications(*to),
                    keys::read_marker(*to),
                    keys::arrivals(*to),
                    keys::live(*to),
                ])
                .with(&deadline)
                .with(NOTIFICATIONS_KEPT)
                .with(what.to_string())
                .with(match why {
                    Withdrawal::Retracted => "undone",
                    Withdrawal::Gone => "gone",
                })
        };
        self.notified(told.iter().map(unnotify).collect()).await
    }

    async fn notified(&self, steps: Vec<Cmd>) -> Result<()> {
        if steps.is_empty() {
            return Ok(());
        }
        self.connection.batch(steps).await.map(drop)
    }

    /// What somebody is told, newest first, several of one kind in one line that stands at its
    /// newest; full unless it ends. The log is bounded, so all of it is read and lines do not depend
    /// on where a page begins. What they may not read is met here and goes; each round looks at twice
    /// as many lines as the one before, so there are few of them however much goes.
    pub async fn notifications_page(
        &self,
        of: UserId,
        before: Option<Cursor>,
        read_mode: ReadMode,
    ) -> Result<Page<NotificationPage>> {
        let log = self.notifications(of, read_mode).await?;
        let from = before.map_or(u64::MAX, Cursor::get);
        let bundles = Bundle::all(&log.told).into_iter();
        let mut rest = bundles.filter(|bundle| bundle.at() < from);
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

    async fn notifications(&self, of: UserId, read_mode: ReadMode) -> Result<Log> {
        let read = scripts::READ_NOTIFICATIONS
            .on([
                keys::notifications(of),
                keys::read_marker(of),
                keys::arrivals(of),
                keys::live(of),
            ])
            .with(read_mode.word());
        let (read_before, rows): (u64, Vec<(String, u64)>) = self.connection.query(read).await?;
        let told = rows.into_iter();
        let told = told.filter_map(|(what, at)| Some((what.parse().ok()?, at)));
        Ok(Log {
            told: told.collect(),
            read_before,
        })
    }

    /// Those of these lines that their reader may see, each with where it stands (µs). The others go.
    async fn lines(
        &self,
        reader: UserId,
        bundles: &[Bundle],
        read_before: u64,
    ) -> Result<Vec<(u64, NotificationPage)>> {
        let mut ids: Vec<StatusId> = bundles.iter().filter_map(Bundle::status).collect();
        ids.sort_unstable();
        ids.dedup();
        let named_in_all = bundles.iter().flat_map(named).copied();
        let mut people: Vec<UserId> = named_in_all.chain([reader]).collect();
        people.sort_unstable();
        people.dedup();
        let (statuses, users) = try_join!(
            self.visible(Viewer::Member(reader), &ids),
            self.rows_of::<User>(&people)
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
            let people = named(bundle).filter_map(|id| users.get(id)?.clone());
            let people: Vec<Arc<User>> = people.collect();
            if people.is_empty() || !may_read(me, bundle, status) {
                refused.push(bundle);
                continue;
            }
            let line = NotificationPage {
                deed: bundle.deed,
                status: status.flatten().cloned(),
                others: bundle.by.len() - named(bundle).count(),
                at: UnixMs(bundle.at() / 1000),
                is_new: bundle.at() > read_before,
                people,
            };
            lines.push((bundle.at(), line));
        }
        self.forget_refused(reader, &refused).await?;
        Ok(lines)
    }

    /// Takes back what may not be read, so that it is counted no more either. What is about a status
    /// that died goes for good: death is final, so whoever meets it may.
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
        for (lines, why) in [(gone, Withdrawal::Gone), (retracted, Withdrawal::Retracted)] {
            let told = lines.into_iter().flat_map(Bundle::notifications);
            let told: Vec<(UserId, Notification)> = told.map(|what| (of, what)).collect();
            self.unnotify(None, &told, why).await?;
        }
        Ok(())
    }
}

/// Whether somebody may read of this: what it is about they may see, it is whose it should be, and
/// still names whom it is said to mention. `Some(None)` is a status that they may not see.
fn may_read(reader: &User, bundle: &Bundle, status: Option<Option<&VisibleStatus>>) -> bool {
    let Some(status) = status else {
        return true;
    };
    let (Some(status), Some((by, _))) = (status, bundle.by.first()) else {
        return false;
    };
    if bundle.deed.is_about_theirs() {
        return status.is_own();
    }
    let is_theirs = status.author().id == *by && !status.is_own();
    is_theirs && (!matches!(bundle.deed, Deed::Mention(_)) || mentions(status, &reader.login))
}

fn mentions(status: &VisibleStatus, login: &Login) -> bool {
    tokens(status.message()).any(|token| match token.kind {
        TokenKind::Mention(mentioned) => mentioned.folded() == login.folded(),
        _ => false,
    })
}

/// Those of a line who are named: all of a few, or the last two.
fn named(bundle: &Bundle) -> impl Iterator<Item = &UserId> {
    let count = if bundle.by.len() > NAMED {
        NAMED - 1
    } else {
        NAMED
    };
    bundle.by.iter().take(count).map(|(by, _)| by)
}
