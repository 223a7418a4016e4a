//! Relations between an owner and a member, for example between a user and a followed user. The source of
//! truth is a ZSET in the slot of the owner. A mirror lies in the slot of the member, with a count where
//! there is one. [`table`] declares each relation and mirror; everything else exists once for all of them.

pub(super) mod block_entries;
pub(super) mod calls;
pub(super) mod mirror;
mod table;

use std::fmt::Display;

use super::{RedisType, prelude::*};
use crate::config::Limits;
use table::declaration;

/// The source of truth of a relation, and the rules of writing it.
#[derive(Debug, Clone)]
pub(super) struct Declaration {
    pub(super) truth: Place,
    /// Field of the owner with the number of members, or empty.
    count_field: &'static str,
    limit: fn(&Limits) -> usize,
    /// The person that the relation is with. It cannot be set if one of both blocks the other.
    person: Option<UserId>,
    /// Another relation of the owner that matters for the same member.
    other: Option<(RelationRole, Key)>,
    /// Keys of the owner that lose the member with the relation.
    dependents: Vec<Key>,
    /// A key with derived copies that the relation changes.
    copy: Option<Key>,
    /// Whether the owner keeps away from others by it. It is set with full memory too. It has no count, person or other
    /// relation.
    is_protective: bool,
}

/// What another relation of the owner means for setting this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RelationRole {
    /// It must have the member.
    Required,
    /// If it has the member, nothing is set.
    Prevents,
    /// It loses the member.
    Replaced,
}

impl RelationRole {
    fn word(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Prevents => "prevents",
            Self::Replaced => "replaced",
        }
    }
}

/// A member of a ZSET.
#[derive(Debug, Clone)]
pub(super) struct Place {
    key: Key,
    member: String,
}

outcomes! {
    pub enum SetOutcome {
        /// Set by this call or an earlier one, or prevented by another relation.
        Done = "set",
        TooMany = "too_many",
        /// The owner, the member or a required relation does not exist, or one of both people blocks the
        /// other.
        Unknown = "not_found",
    }
}

outcomes! {
    pub enum ClearOutcome {
        Cleared = "cleared",
        Unchanged = "unchanged",
        /// The block for which the actor acts has ended, so the relation stays as it is.
        Kept = "kept",
    }
}

impl Declaration {
    fn new(key: Key, member: impl Display) -> Self {
        Self {
            truth: Place::new(key, member),
            count_field: "",
            limit: |_| usize::MAX,
            person: None,
            other: None,
            dependents: Vec::new(),
            copy: None,
            is_protective: false,
        }
    }

    pub(super) fn with_person(mut self, person: UserId) -> Self {
        self.person = Some(person);
        self
    }
}

/// Returns the source of truth of a relation with its member, and the key with derived copies that a
/// reconciliation of it changes, if any.
pub fn changed_keys(relation: &Relation) -> ((Key, String), Option<Key>) {
    let Declaration { truth, copy, .. } = declaration(relation);
    ((truth.key, truth.member), copy)
}

impl Place {
    pub(super) fn new(key: Key, member: impl Display) -> Self {
        let member = member.to_string();
        Self { key, member }
    }

    pub(super) fn of(relation: &Relation) -> Self {
        declaration(relation).truth
    }

    pub(super) fn score(&self) -> Cmd {
        redis::cmd("ZSCORE").with((self.key.name(), &self.member))
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
        let relation = declaration(relation);
        match relation.is_protective {
            true => self.set_protective(call, actor, relation).await,
            false => self.set_declared(call, actor, relation).await,
        }
    }

    /// Writes a relation of the actor again, in one step with the check that it is set. Returns
    /// [`SetOutcome::Unknown`] if it was removed meanwhile.
    pub async fn confirm_relation(
        &self,
        call: &Call,
        actor: &Actor,
        relation: &Relation,
    ) -> Result<SetOutcome> {
        let declared = declaration(relation);
        let confirmed = Declaration {
            other: Some((RelationRole::Required, declared.truth.key.clone())),
            ..declared
        };
        self.set_declared(call, actor, confirmed).await
    }

    async fn set_protective(
        &self,
        call: &Call,
        actor: &Actor,
        relation: Declaration,
    ) -> Result<SetOutcome> {
        let owner = actor.id();
        let set = calls::SetProtectiveRelation {
            relation: relation.truth.key.name(),
            user: keys::user(owner),
            auth: keys::auth(owner),
            deadline_ms: call.deadline(),
            member: relation.truth.member,
            limit: (relation.limit)(&self.config.limits),
            session_epoch: actor.epoch().to_owned(),
        };
        self.connection.run_durably(&set).await
    }

    /// Sets a relation of the actor with the status of another person.
    pub async fn set_status_relation(
        &self,
        call: &Call,
        actor: &Actor,
        relation: &Relation,
        author: UserId,
    ) -> Result<SetOutcome> {
        let relation = declaration(relation).with_person(author);
        self.set_declared(call, actor, relation).await
    }

    async fn set_declared(
        &self,
        call: &Call,
        actor: &Actor,
        relation: Declaration,
    ) -> Result<SetOutcome> {
        let owner = actor.id();
        let person = relation
            .person
            .map_or_else(String::new, |id| id.to_string());
        let set = calls::SetRelation {
            relation: relation.truth.key.name(),
            user: keys::user(owner),
            auth: keys::auth(owner),
            arrivals: keys::arrivals(owner),
            channel: keys::live(owner),
            blocked: keys::blocked(owner),
            blocked_by: keys::blocked_by(owner),
            other: relation.other.as_ref().map(|(_, key)| key.name()),
            deadline_ms: call.deadline(),
            member: relation.truth.member,
            limit: (relation.limit)(&self.config.limits),
            session_epoch: actor.epoch().to_owned(),
            count_field: relation.count_field,
            person,
            role: relation.other.map_or("", |(role, _)| role.word()),
            age_ms: actor.age_ms(),
        };
        self.connection.run_durably(&set).await
    }

    /// Removes a relation of the actor from its source of truth, with what depends on it.
    pub async fn clear_relation(
        &self,
        call: &Call,
        actor: &Actor,
        relation: &Relation,
    ) -> Result<ClearOutcome> {
        let owner = actor.id();
        let relation = declaration(relation);
        let is_hash = |key: &&Key| key.redis_type() == RedisType::Hash;
        let (hashes, others): (Vec<&Key>, Vec<&Key>) =
            relation.dependents.iter().partition(is_hash);
        let [block, block_member, block_score] = actor.block_words();
        let clear = calls::ClearRelation {
            relation: relation.truth.key.name(),
            user: keys::user(owner),
            auth: keys::auth(owner),
            arrivals: keys::arrivals(owner),
            channel: keys::live(owner),
            block,
            dependents: hashes.iter().chain(&others).map(|key| key.name()).collect(),
            deadline_ms: call.deadline(),
            member: relation.truth.member,
            session_epoch: actor.epoch().to_owned(),
            count_field: relation.count_field,
            hash_count: hashes.len(),
            block_member,
            block_score,
        };
        self.connection.run_durably(&clear).await
    }

    /// Returns whether a relation is set. One round trip.
    pub async fn has_relation(&self, relation: &Relation) -> Result<bool> {
        Ok(self.query_score(&Place::of(relation)).await?.is_some())
    }

    /// Returns whether each relation is set. One round trip.
    pub async fn have_relations(&self, relations: &[Relation]) -> Result<Vec<bool>> {
        self.exist(relations.iter().map(Place::of).collect()).await
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
        self.connection
            .query_each(places.iter().map(Place::score))
            .await
    }
}
