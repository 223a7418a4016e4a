//! Mirrors: the sides of relations in the slots of their members, with a count where there is one.

use super::calls;
use crate::{
    domain::{NOTIFICATIONS_KEPT, Notification},
    store::{
        notifications::calls::{NotificationKeys, NotifiedKeys},
        prelude::*,
    },
};

/// The side of a relation with a source of timelines: a user or a tag.
#[derive(Debug, Clone)]
pub struct SourceMirror {
    pub(super) place: Place,
    pub(super) kind: SourceKind,
    /// Age of the relation in ms. 0 except in the seed.
    pub(super) age_ms: u64,
}

#[derive(Debug, Clone)]
pub(super) enum SourceKind {
    Tag(FoldedTag),
    User(UserId),
    /// A user with the size of the mirror in a field, who is notified of the relation.
    CountedUser {
        user: UserId,
        count_field: &'static str,
        notification: Notification,
    },
}

/// The side of a relation with a status, which has the size of the mirror in a field.
#[derive(Debug, Clone)]
pub struct StatusMirror {
    pub(super) place: Place,
    pub(super) status: StatusId,
    pub(super) count_field: &'static str,
    /// The status whose negated id is the score. Otherwise the score is a time.
    pub(super) scored_by: Option<StatusId>,
}

outcomes! {
    pub enum MirrorOutcome {
        Done = "done",
        Deleted = "deleted",
    }
}

/// A source of a timeline, as its mirror was written.
#[derive(Debug, Clone)]
pub struct NewSource {
    /// Size of the mirror.
    pub audience: u64,
    /// The newest statuses, newest first.
    pub newest: Vec<StatusId>,
    pub posts: usize,
    /// The newest replies to the user by others, newest first.
    pub answered: Vec<StatusId>,
    /// The newest reply older than those, if any.
    pub older_answered: Option<StatusId>,
}

impl SourceMirror {
    /// Returns the user, the field with the count and the notification.
    fn counted_user(&self) -> Option<(UserId, &'static str, Notification)> {
        match self.kind {
            SourceKind::Tag(_) | SourceKind::User(_) => None,
            SourceKind::CountedUser {
                user,
                count_field,
                notification,
            } => Some((user, count_field, notification)),
        }
    }
}

impl StatusMirror {
    fn score(&self) -> String {
        self.scored_by
            .map_or_else(String::new, |id| format!("-{id}"))
    }
}

impl Store {
    /// Writes a mirror with a source, and reads its newest `count` statuses in the same step. `None` if the account
    /// of the source was deleted: it gets no mirror.
    pub async fn mirror_source(
        &self,
        call: &Call,
        mirror: &SourceMirror,
        count: usize,
    ) -> Result<Option<NewSource>> {
        let (user, statuses) = match &mirror.kind {
            SourceKind::Tag(tag) => (None, keys::tag_index(tag)),
            SourceKind::User(user) | SourceKind::CountedUser { user, .. } => {
                (Some(*user), keys::profile(user))
            }
        };
        let counted = mirror.counted_user();
        let source = calls::MirrorSource {
            mirror: mirror.place.key.name(),
            statuses,
            user: user.map(|user| calls::SourceUser {
                user: keys::user(user),
                received_replies: keys::received_replies(user),
                notified: counted.map(|(user, ..)| NotifiedKeys::of(user)),
            }),
            deadline_ms: call.deadline(),
            member: mirror.place.member.clone(),
            max_statuses: count,
            count_field: counted.map_or("", |(_, field, _)| field),
            notification: counted.map_or_else(String::new, |(.., what)| what.to_string()),
            max_notifications: NOTIFICATIONS_KEPT,
            age_ms: mirror.age_ms,
        };
        let reply: Vec<Value> = self.connection.query(source.command()).await?;
        let mut reply = reply.into_iter();
        let mut next = || reply.next().unwrap_or_default();
        let audience: i64 = read(next())?;
        let Ok(audience) = u64::try_from(audience) else {
            return Ok(None);
        };
        let posts = read(next())?;
        let (newest, answered): (Vec<u64>, Vec<u64>) = (read(next())?, read(next())?);
        let older: Option<u64> = read(next())?;
        Ok(Some(NewSource {
            audience,
            newest: status_ids(newest),
            posts,
            answered: status_ids(answered),
            older_answered: older.and_then(|id| StatusId::new(id).ok()),
        }))
    }

    /// Writes the mirror of a block, with full memory too.
    pub async fn mirror_block(
        &self,
        call: &Call,
        by: UserId,
        blocked: UserId,
    ) -> Result<MirrorOutcome> {
        let write = calls::MirrorBlock {
            blocked_by: keys::blocked_by(blocked),
            user: keys::user(blocked),
            deadline_ms: call.deadline(),
            member: by.get(),
        };
        self.connection.run(&write).await
    }

    /// Removes a mirror with a source and returns the size that is left.
    pub async fn unmirror_source(&self, call: &Call, mirror: &SourceMirror) -> Result<u64> {
        let mut removal = plain_removal(Some(call), &mirror.place);
        if let Some((user, count_field, notification)) = mirror.counted_user() {
            removal.record = Some(calls::CountedRecord {
                record: keys::user(user),
                notified: Some(NotificationKeys::of(user)),
            });
            removal.count_field = count_field;
            removal.notification = notification.to_string();
        }
        self.connection.query(removal.command()).await
    }

    /// Writes a mirror with a status, unless the status is deleted.
    pub async fn mirror_on_status(
        &self,
        call: &Call,
        mirror: &StatusMirror,
    ) -> Result<MirrorOutcome> {
        let write = calls::MirrorRelation {
            mirror: mirror.place.key.name(),
            status: keys::status(mirror.status),
            deadline_ms: call.deadline(),
            member: mirror.place.member.clone(),
            count_field: mirror.count_field,
            score: mirror.score(),
        };
        self.connection.run(&write).await
    }

    /// Removes a mirror with a status. Without a call the removal may be late: a deletion is final.
    pub async fn unmirror_on_status(
        &self,
        call: Option<&Call>,
        mirror: &StatusMirror,
    ) -> Result<()> {
        let removal = calls::UnmirrorRelation {
            record: Some(calls::CountedRecord {
                record: keys::status(mirror.status),
                notified: None,
            }),
            count_field: mirror.count_field,
            score: mirror.score(),
            ..plain_removal(call, &mirror.place)
        };
        let left = self.connection.query::<u64>(removal.command());
        left.await.map(drop)
    }
}

/// Returns the call that removes a mirror without a count.
fn plain_removal(call: Option<&Call>, mirror: &Place) -> calls::UnmirrorRelation {
    calls::UnmirrorRelation {
        mirror: mirror.key.name(),
        record: None,
        deadline_ms: call.map_or_else(String::new, |call| call.deadline().to_string()),
        member: mirror.member.clone(),
        count_field: "",
        score: String::new(),
        notification: String::new(),
        max_notifications: NOTIFICATIONS_KEPT,
    }
}
