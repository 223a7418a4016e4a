//! Single steps on lists, all in their owner's slot, and reads of lists.

pub(super) mod list_memberships;

use redis::Value;
use sha2::{Digest, Sha256};

use super::{
    Actor, Call, Error, List, ListMembership, Relation, Result, Store, Viewer, keys,
    redis::{
        connection::read,
        reply::outcomes,
        scripts::{self, With},
    },
    timelines::profiles::user_ids,
};
use crate::domain::{Cursor, IdempotencyKey, ListId, ListName, Page, UserId, hex};

/// Outcome of creating a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CreateList {
    /// Created by this call, or an earlier one with the same idempotency key.
    Created(ListId),
    /// The key belongs to another text.
    Conflict,
    TooMany,
    UnknownOwner,
}

outcomes! {
    /// Outcome of changing a list or its members.
    pub enum ListOutcome {
        Done = "done",
        /// Done, and the owner's home was dropped, because the people on it changed.
        HomeDropped = "home_dropped",
        /// The list has reached the limit of members.
        Full = "full",
        /// The owner has no such list.
        NoList = "no_list",
    }
}

/// A list with its name and whether it is exclusive.
type Named = (ListId, String, bool);

impl Store {
    /// Creates a list and binds the idempotency key to it.
    pub async fn create_list(
        &self,
        call: &Call,
        actor: &Actor,
        name: &ListName,
        idempotency_key: &IdempotencyKey,
    ) -> Result<CreateList> {
        let owner = actor.id();
        let digest = hex(&Sha256::digest(name.as_str())[..16]);
        let create = scripts::CREATE_LIST
            .on([
                keys::lists(owner),
                keys::idempotency_key(owner, idempotency_key),
                keys::user(owner),
                keys::auth(owner),
            ])
            .with(call.deadline())
            .with(name.as_str())
            .with(digest)
            .with(keys::IDEMPOTENCY_KEY_TTL_S)
            .with(self.config.limits.max_lists)
            .with(actor.epoch());
        let reply: Vec<String> = self.connection.keep(create).await?;
        match reply.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["conflict"] => Ok(CreateList::Conflict),
            ["too_many"] => Ok(CreateList::TooMany),
            ["unknown_user"] => Ok(CreateList::UnknownOwner),
            ["session_ended"] => Err(Error::Ended),
            ["created", number] => match number.parse() {
                Ok(number) => Ok(CreateList::Created(ListId { owner, number })),
                Err(_) => Err(scripts::CREATE_LIST.undocumented(number)),
            },
            _ => Err(scripts::CREATE_LIST.undocumented(format!("{reply:?}"))),
        }
    }

    /// Changes the name of a list and whether it is exclusive. Other slots are unaffected, so it needs
    /// no outbox entry.
    pub async fn edit_list(
        &self,
        call: &Call,
        actor: &Actor,
        list: ListId,
        name: &ListName,
        exclusive: bool,
    ) -> Result<ListOutcome> {
        let edit = scripts::EDIT_LIST
            .on([
                keys::lists(list.owner),
                keys::list_members(list),
                keys::excluded(list.owner),
                keys::home(list.owner),
                keys::active(list.owner),
                keys::auth(list.owner),
            ])
            .with(call.deadline())
            .with(list.owner.get())
            .with(list.number.get())
            .with(name.as_str())
            .with(u8::from(exclusive))
            .with(actor.epoch());
        let reply: String = self.connection.keep(edit).await?;
        scripts::EDIT_LIST.outcome(&reply)
    }

    /// Deletes a list. Its members stay until [`Store::clear_list`].
    pub async fn delete_list(
        &self,
        call: &Call,
        actor: &Actor,
        list: ListId,
    ) -> Result<ListOutcome> {
        let delete = scripts::DELETE_LIST
            .on([
                keys::lists(list.owner),
                keys::list_members(list),
                keys::excluded(list.owner),
                keys::home(list.owner),
                keys::active(list.owner),
                keys::list_timeline(list),
                keys::list_active(list),
                keys::auth(list.owner),
            ])
            .with(call.deadline())
            .with(list.owner.get())
            .with(list.number.get())
            .with(actor.epoch());
        let reply: String = self.connection.keep(delete).await?;
        scripts::DELETE_LIST.outcome(&reply)
    }

    /// Removes the members of a deleted list, after their memberships are removed.
    pub async fn clear_list(&self, list: ListId) -> Result<()> {
        let clear = scripts::CLEAR_LIST
            .on([keys::lists(list.owner), keys::list_members(list)])
            .with(list.number.get());
        self.connection.query::<String>(clear).await.map(drop)
    }

    /// Returns a person's lists by name. Two round trips: the lists, then their numbers of members.
    pub async fn lists(&self, owner: UserId) -> Result<Vec<List>> {
        let named = self.named(owner).await?;
        let count = |(id, _, _): &Named| redis::cmd("ZCARD").with(keys::list_members(*id));
        let counts = self.connection.batch(named.iter().map(count).collect());
        let list = |((id, name, exclusive), count): (Named, Value)| {
            Ok(List {
                id,
                name,
                exclusive,
                members: read(count)?,
            })
        };
        let counts = counts.await?;
        named.into_iter().zip(counts).map(list).collect()
    }

    /// Returns the viewer's lists by name, each with whether the person is a member. A visitor has none.
    /// Two round trips.
    pub async fn list_memberships(
        &self,
        viewer: Viewer,
        who: UserId,
    ) -> Result<Vec<ListMembership>> {
        let Some(owner) = viewer.id() else {
            return Ok(Vec::new());
        };
        let named = self.named(owner).await?;
        let memberships = named
            .iter()
            .map(|(id, _, _)| Relation::list_membership(*id, who));
        let stands = self.have_relations(memberships.collect()).await?;
        let list_membership =
            |((list, name, _), stands): (Named, bool)| ListMembership { list, name, stands };
        Ok(named.into_iter().zip(stands).map(list_membership).collect())
    }

    /// Returns a person's lists as stored, sorted by name.
    async fn named(&self, owner: UserId) -> Result<Vec<Named>> {
        let all = redis::cmd("HGETALL").with(keys::lists(owner));
        let rows: Vec<(String, String)> = self.connection.query(all).await?;
        let parsed = rows.iter().filter_map(|(number, held)| {
            let number = number.parse().ok()?;
            let (name, exclusive) = parse_held(held)?;
            Some((ListId { owner, number }, name, exclusive))
        });
        let mut named: Vec<Named> = parsed.collect();
        named.sort_by_cached_key(|(id, name, _)| (name.to_lowercase(), *id));
        Ok(named)
    }

    /// Returns one list, if it exists.
    pub async fn list(&self, id: ListId) -> Result<Option<List>> {
        let reads = vec![
            redis::cmd("HGET")
                .with(keys::lists(id.owner))
                .with(id.number.get()),
            redis::cmd("ZCARD").with(keys::list_members(id)),
        ];
        let mut answers = self.connection.batch(reads).await?.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let held: Option<String> = read(next())?;
        let members = read(next())?;
        let parsed = held.as_deref().and_then(parse_held);
        Ok(parsed.map(|(name, exclusive)| List {
            id,
            name,
            exclusive,
            members,
        }))
    }

    /// Returns one page of a list's members, newest first.
    pub async fn members_page(
        &self,
        list: ListId,
        before: Option<Cursor>,
    ) -> Result<Page<super::Person>> {
        let viewer = Viewer::Member(list.owner);
        self.people_page(viewer, keys::list_members(list), before)
            .await
    }

    /// Returns all members of a list, also of a deleted one that is not cleared yet.
    pub async fn members(&self, list: ListId) -> Result<Vec<UserId>> {
        let all = redis::cmd("ZRANGE")
            .with(keys::list_members(list))
            .with(0)
            .with(-1);
        Ok(user_ids(self.connection.query::<Vec<u64>>(all).await?))
    }
}

/// Parses name and exclusiveness of a stored list.
fn parse_held(held: &str) -> Option<(String, bool)> {
    let (flag, name) = held.split_once(':')?;
    Some((name.to_owned(), flag == "1"))
}
