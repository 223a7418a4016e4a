//! Relations between an owner and a member, for example between a user and a followed user. The source of
//! truth is a ZSET in the slot of the owner. A mirror lies in the slot of the member, with a count where
//! there is one. [`table`] declares each relation; everything else exists once for all of them.

pub(super) mod calls;
mod table;

use std::fmt::Display;

use redis::Value;

use super::{
    Actor, Call, Key, KeyOwner, RedisType, Result, Store, keys,
    redis::{connection::read, reply::outcomes, scripts::With},
    timelines::profiles::status_ids,
};
use crate::{
    config::Limits,
    domain::{NOTIFICATIONS_KEPT, Notification, StatusId},
};

/// A relation of one owner and one member.
#[derive(Debug, Clone)]
pub struct Relation {
    pub(super) truth: Place,
    mirror: Option<Mirror>,
    /// Field of the owner with the number of members, or empty.
    count_field: &'static str,
    limit: fn(&Limits) -> usize,
    /// A relation of the owner that must have the same member.
    required: Option<Key>,
    /// Keys of the owner that lose the member with the relation.
    dependents: Vec<Key>,
}

/// The side of a relation in the slot of the member: of a user, a tag or a status.
#[derive(Debug, Clone)]
pub struct Mirror {
    pub(super) place: Place,
    /// Field of the user or status with the size of the mirror, or empty.
    count_field: &'static str,
    /// The user learns of the relation by this.
    notification: Option<Notification>,
    /// The status whose negated id is the score. Otherwise the score is a time.
    scored_by: Option<StatusId>,
}

/// A member of a ZSET.
#[derive(Debug, Clone)]
pub(super) struct Place {
    key: Key,
    member: String,
}

outcomes! {
    /// Outcome of setting a relation.
    pub enum SetOutcome {
        /// Set by this call or an earlier one.
        Done = "set",
        TooMany = "too_many",
        /// The owner, the member or a required relation does not exist.
        Unknown = "not_found",
    }
}

outcomes! {
    /// Outcome of removing a relation.
    pub enum ClearOutcome {
        Cleared = "cleared",
        /// There was no such relation.
        Unchanged = "unchanged",
    }
}

outcomes! {
    /// Outcome of writing the mirror of a relation to a status.
    pub enum MirrorOutcome {
        Done = "done",
        /// The status is deleted.
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
    /// Number of statuses of the source.
    pub posts: usize,
    /// The newest replies to the user by others, newest first.
    pub answered: Vec<StatusId>,
    /// The newest reply older than those, if any.
    pub older_answered: Option<StatusId>,
}

impl Relation {
    fn new(key: Key, member: impl Display) -> Self {
        Self {
            truth: Place::new(key, member),
            mirror: None,
            count_field: "",
            limit: |_| usize::MAX,
            required: None,
            dependents: Vec::new(),
        }
    }

    fn mirrored(mut self, mirror: Mirror) -> Self {
        self.mirror = Some(mirror);
        self
    }

    fn counted_in(mut self, field: &'static str) -> Self {
        self.count_field = field;
        self
    }

    fn limited(mut self, limit: fn(&Limits) -> usize) -> Self {
        self.limit = limit;
        self
    }

    fn requires(mut self, relation: Key) -> Self {
        self.required = Some(relation);
        self
    }

    fn with_dependents(mut self, keys: impl Into<Vec<Key>>) -> Self {
        self.dependents = keys.into();
        self
    }

    /// Returns the side of the member.
    ///
    /// # Panics
    ///
    /// If the relation has no mirror.
    #[must_use]
    pub fn mirror(self) -> Mirror {
        self.mirror.expect("the relation has a mirror")
    }
}

impl Mirror {
    fn new(key: Key, member: impl Display) -> Self {
        Self {
            place: Place::new(key, member),
            count_field: "",
            notification: None,
            scored_by: None,
        }
    }

    fn counted_in(mut self, field: &'static str) -> Self {
        self.count_field = field;
        self
    }

    fn notifies(mut self, notification: Notification) -> Self {
        self.notification = Some(notification);
        self
    }

    fn scored_by(mut self, id: StatusId) -> Self {
        self.scored_by = Some(id);
        self
    }

    fn notification(&self) -> String {
        self.notification
            .map_or_else(String::new, |what| what.to_string())
    }

    fn score(&self) -> String {
        self.scored_by
            .map_or_else(String::new, |id| format!("-{id}"))
    }
}

impl Place {
    pub(super) fn new(key: Key, member: impl Display) -> Self {
        let member = member.to_string();
        Self { key, member }
    }

    /// Returns the command that reads the score of the member.
    pub(super) fn score(&self) -> redis::Cmd {
        redis::cmd("ZSCORE")
            .with(self.key.name())
            .with(&self.member)
    }
}

impl Store {
    /// Sets a relation of the actor in its source of truth.
    pub async fn set_relation(
        &self,
        call: &Call,
        actor: &Actor,
        relation: &Relation,
    ) -> Result<SetOutcome> {
        let owner = actor.id();
        let set = calls::SetRelation {
            relation: relation.truth.key.name(),
            user: keys::user(owner),
            auth: keys::auth(owner),
            arrivals: keys::arrivals(owner),
            channel: keys::live(owner),
            required: relation.required.as_ref().map(Key::name),
            deadline_ms: call.deadline(),
            member: relation.truth.member.clone(),
            limit: (relation.limit)(&self.config.limits),
            session_epoch: actor.epoch().to_owned(),
            count_field: relation.count_field,
        };
        let reply: String = self.connection.keep(set.command()).await?;
        calls::SetRelation::SCRIPT.outcome(&reply)
    }

    /// Removes a relation of the actor from its source of truth, with what depends on it.
    pub async fn clear_relation(
        &self,
        call: &Call,
        actor: &Actor,
        relation: &Relation,
    ) -> Result<ClearOutcome> {
        let owner = actor.id();
        let is_hash = |key: &&Key| key.redis_type() == RedisType::Hash;
        let (hashes, others): (Vec<&Key>, Vec<&Key>) =
            relation.dependents.iter().partition(is_hash);
        let clear = calls::ClearRelation {
            relation: relation.truth.key.name(),
            user: keys::user(owner),
            auth: keys::auth(owner),
            arrivals: keys::arrivals(owner),
            channel: keys::live(owner),
            dependents: hashes.iter().chain(&others).map(|key| key.name()).collect(),
            deadline_ms: call.deadline(),
            member: relation.truth.member.clone(),
            session_epoch: actor.epoch().to_owned(),
            count_field: relation.count_field,
            hash_count: hashes.len(),
        };
        let reply: String = self.connection.keep(clear.command()).await?;
        calls::ClearRelation::SCRIPT.outcome(&reply)
    }

    /// Writes the mirror with a user or tag, and reads its newest `count` statuses in the same step.
    pub async fn mirror_source(
        &self,
        call: &Call,
        mirror: &Mirror,
        count: usize,
    ) -> Result<NewSource> {
        let (user, statuses) = match mirror.place.key.owner() {
            KeyOwner::User(user) => (Some(user), keys::profile(user)),
            KeyOwner::Tag(tag) => (None, keys::tag_index(tag)),
            owner => unreachable!("{owner:?} is no source of a timeline"),
        };
        let notified = user.filter(|_| mirror.notification.is_some());
        let source = calls::MirrorSource {
            mirror: mirror.place.key.name(),
            statuses,
            user: user.map(keys::user),
            received_replies: user.map(keys::received_replies),
            notifications: notified.map(keys::notifications),
            read_marker: notified.map(keys::read_marker),
            arrivals: notified.map(keys::arrivals),
            channel: notified.map(keys::live),
            deadline_ms: call.deadline(),
            member: mirror.place.member.clone(),
            max_statuses: count,
            count_field: mirror.count_field,
            notification: mirror.notification(),
            max_notifications: NOTIFICATIONS_KEPT,
        };
        let reply: Vec<Value> = self.connection.query(source.command()).await?;
        let mut reply = reply.into_iter();
        let mut next = || reply.next().unwrap_or_default();
        let (audience, posts) = (read(next())?, read(next())?);
        let (newest, answered): (Vec<u64>, Vec<u64>) = (read(next())?, read(next())?);
        let older: Option<u64> = read(next())?;
        Ok(NewSource {
            audience,
            newest: status_ids(newest),
            posts,
            answered: status_ids(answered),
            older_answered: older.and_then(|id| StatusId::new(id).ok()),
        })
    }

    /// Writes the mirror with a status, unless the status is deleted.
    pub async fn mirror_relation(&self, call: &Call, mirror: &Mirror) -> Result<MirrorOutcome> {
        let KeyOwner::Status(status) = mirror.place.key.owner() else {
            unreachable!("{:?} is not of a status", mirror.place.key)
        };
        let write = calls::MirrorRelation {
            mirror: mirror.place.key.name(),
            status: keys::status(status),
            deadline_ms: call.deadline(),
            member: mirror.place.member.clone(),
            count_field: mirror.count_field,
            score: mirror.score(),
        };
        let reply: String = self.connection.query(write.command()).await?;
        calls::MirrorRelation::SCRIPT.outcome(&reply)
    }

    /// Removes a mirror and returns the size that is left. Without a call the removal may be late: death
    /// is final.
    pub async fn unmirror_relation(&self, call: Option<&Call>, mirror: &Mirror) -> Result<u64> {
        let owner = mirror.place.key.owner();
        let (record, user) = match owner {
            _ if mirror.count_field.is_empty() => (None, None),
            KeyOwner::Status(status) => (Some(keys::status(status)), None),
            KeyOwner::User(user) => (Some(keys::user(user)), Some(user)),
            _ => unreachable!("{owner:?} has no count"),
        };
        let removal = calls::UnmirrorRelation {
            mirror: mirror.place.key.name(),
            record,
            notifications: user.map(keys::notifications),
            read_marker: user.map(keys::read_marker),
            arrivals: user.map(keys::arrivals),
            channel: user.map(keys::live),
            deadline_ms: call.map_or_else(String::new, |call| call.deadline().to_string()),
            member: mirror.place.member.clone(),
            count_field: mirror.count_field,
            score: mirror.score(),
            notification: mirror.notification(),
            max_notifications: NOTIFICATIONS_KEPT,
        };
        self.connection.query(removal.command()).await
    }

    /// Returns whether a relation is set. One round trip.
    pub async fn has_relation(&self, relation: &Relation) -> Result<bool> {
        Ok(self.query_score(&relation.truth).await?.is_some())
    }

    /// Returns whether each relation is set. One round trip.
    pub async fn have_relations(&self, relations: Vec<Relation>) -> Result<Vec<bool>> {
        let places = relations.into_iter().map(|relation| relation.truth);
        self.exist(places.collect()).await
    }

    /// Returns whether each member exists. One round trip.
    pub(super) async fn exist(&self, places: Vec<Place>) -> Result<Vec<bool>> {
        let scores = self.scores(places).await?;
        Ok(scores.iter().map(Option::is_some).collect())
    }

    pub(super) async fn query_score(&self, place: &Place) -> Result<Option<f64>> {
        self.connection.query(place.score()).await
    }

    /// Returns the score of each member. One round trip.
    pub(super) async fn scores(&self, places: Vec<Place>) -> Result<Vec<Option<f64>>> {
        let reads = places.iter().map(Place::score).collect();
        let answers = self.connection.batch(reads).await?;
        answers.into_iter().map(read).collect()
    }
}
