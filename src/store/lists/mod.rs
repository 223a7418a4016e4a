//! Single steps on lists, all in their owner's slot, and reads of lists.

pub(super) mod calls;
pub(super) mod list_memberships;

use sha2::{Digest, Sha256};

use super::{List, ListMembership, prelude::*};
use crate::domain::{IdempotencyKey, ListName, hex};

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
        Full = "full",
        NoList = "no_list",
        /// One of owner and member blocks the other.
        Blocked = "blocked",
    }
}

outcomes! {
    pub enum EditListOutcome {
        Done = "done",
        /// Done, and the owner's home was dropped, because the people on it changed.
        HomeDropped = "home_dropped",
        NoList = "no_list",
        /// Another device changed the name meanwhile. Nothing is changed.
        Conflict = "conflict",
    }
}

/// A change of a list. `None` keeps the stored value.
#[derive(Debug, Clone, Copy)]
pub struct ListChange<'a> {
    pub name: Option<&'a ListName>,
    pub exclusive: Option<bool>,
    /// The stored list that the change is based on. Without it, the change also overwrites a name that another
    /// device stored meanwhile.
    pub based_on: Option<&'a List>,
}

/// A list with its name and whether it is exclusive.
type Named = (ListId, String, bool);

impl Store {
    /// Removes the record of the lists of a person. The deletion of an account does this.
    pub async fn forget_lists(&self, of: UserId) -> Result<()> {
        let forget = redis::cmd("UNLINK").with(keys::lists(of));
        self.connection.query::<i64>(forget).await.map(drop)
    }

    /// Creates a list and binds the idempotency key to it.
    pub async fn create_list(
        &self,
        call: &Call,
        actor: &Actor,
        name: &ListName,
        idempotency_key: &IdempotencyKey,
    ) -> Result<CreateList> {
        let owner = actor.id();
        let create = calls::CreateList {
            lists: keys::lists(owner),
            idempotency_key: keys::idempotency_key(owner, idempotency_key),
            user: keys::user(owner),
            auth: keys::auth(owner),
            deadline_ms: call.deadline(),
            name: name.as_str().to_owned(),
            digest: digest(name.as_str()),
            key_ttl_s: keys::IDEMPOTENCY_KEY_TTL_S,
            limit: self.config.limits.max_lists,
            session_epoch: actor.epoch().to_owned(),
        };
        let reply: Vec<String> = self.connection.write_durably(create.command()).await?;
        match reply.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["conflict"] => Ok(CreateList::Conflict),
            ["too_many"] => Ok(CreateList::TooMany),
            ["unknown_user"] => Ok(CreateList::UnknownOwner),
            ["session_ended"] => Err(Error::Ended),
            ["created", number] => match number.parse() {
                Ok(number) => Ok(CreateList::Created(ListId { owner, number })),
                Err(_) => Err(calls::CreateList::SCRIPT.undocumented(number)),
            },
            _ => Err(calls::CreateList::SCRIPT.undocumented(format!("{reply:?}"))),
        }
    }

    /// Returns whether the list that an idempotency key is bound to was renamed or deleted since. The binding is
    /// the number of the list and the digest of its name.
    pub(in crate::store) async fn list_changed_since(
        &self,
        owner: UserId,
        binding: &str,
    ) -> Result<bool> {
        let Some((number, bound_digest)) = binding.split_once(':') else {
            return Ok(false);
        };
        let read = redis::cmd("HGET").with((keys::lists(owner), number));
        let stored: Option<String> = self.connection.query(read).await?;
        let name = stored.as_deref().and_then(parse_stored);
        Ok(name.is_none_or(|(name, _)| digest(&name) != bound_digest))
    }

    /// Changes the name of a list and whether it is exclusive. Other slots are unaffected, so it needs no outbox entry.
    pub async fn edit_list(
        &self,
        call: &Call,
        actor: &Actor,
        list: ListId,
        change: ListChange<'_>,
    ) -> Result<EditListOutcome> {
        let edit = calls::EditList {
            lists: keys::lists(list.owner),
            members: keys::list_members(list),
            excluded: keys::excluded(list.owner),
            home: keys::home(list.owner),
            active_mark: keys::active(list.owner),
            auth: keys::auth(list.owner),
            deadline_ms: call.deadline(),
            owner_id: list.owner.get(),
            list_number: list.number.get(),
            name: change.name.map_or("", ListName::as_str).to_owned(),
            expected_name: expected(change.based_on.map(|list| list.name.as_str())),
            exclusive: match change.exclusive {
                Some(true) => "1",
                Some(false) => "0",
                None => "",
            },
            session_epoch: actor.epoch().to_owned(),
        };
        self.connection.run_durably(&edit).await
    }

    /// Deletes a list. Its members stay until [`Store::clear_list`].
    pub async fn delete_list(
        &self,
        call: &Call,
        actor: &Actor,
        list: ListId,
    ) -> Result<ListOutcome> {
        let delete = calls::DeleteList {
            lists: keys::lists(list.owner),
            members: keys::list_members(list),
            excluded: keys::excluded(list.owner),
            home: keys::home(list.owner),
            active_mark: keys::active(list.owner),
            list_timeline: keys::list_timeline(list),
            list_active_mark: keys::list_active(list),
            auth: keys::auth(list.owner),
            deadline_ms: call.deadline(),
            owner_id: list.owner.get(),
            list_number: list.number.get(),
            session_epoch: actor.epoch().to_owned(),
        };
        self.connection.run_durably(&delete).await
    }

    /// Removes the members of a deleted list, after their memberships are removed.
    pub async fn clear_list(&self, list: ListId) -> Result<()> {
        let clear = calls::ClearList {
            lists: keys::lists(list.owner),
            members: keys::list_members(list),
            list_number: list.number.get(),
        };
        self.connection.run(&clear).await
    }

    /// Returns a person's lists by name. Two round trips: the lists, then their numbers of members.
    pub async fn lists(&self, owner: UserId) -> Result<Vec<List>> {
        let named = self.named(owner).await?;
        let count = |(id, _, _): &Named| redis::cmd("ZCARD").with(keys::list_members(*id));
        let counts = self.connection.query_each(named.iter().map(count)).await?;
        let list = |((id, name, exclusive), members): (Named, u64)| List {
            id,
            name,
            exclusive,
            members,
        };
        Ok(named.into_iter().zip(counts).map(list).collect())
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
            .map(|(id, _, _)| Place::new(Key::ListMembers(*id), who));
        let are_members = self.exist(memberships.collect()).await?;
        let list_membership = |((list, name, _), is_member): (Named, bool)| ListMembership {
            list,
            name,
            is_member,
        };
        let named = named.into_iter().zip(are_members);
        Ok(named.map(list_membership).collect())
    }

    async fn named(&self, owner: UserId) -> Result<Vec<Named>> {
        let all = redis::cmd("HGETALL").with(keys::lists(owner));
        let rows: Vec<(String, String)> = self.connection.query(all).await?;
        let parsed = rows.iter().filter_map(|(number, stored)| {
            let number = number.parse().ok()?;
            let (name, exclusive) = parse_stored(stored)?;
            Some((ListId { owner, number }, name, exclusive))
        });
        let mut named: Vec<Named> = parsed.collect();
        named.sort_by_cached_key(|(id, name, _)| (name.to_lowercase(), *id));
        Ok(named)
    }

    pub async fn list(&self, id: ListId) -> Result<Option<List>> {
        let reads = [
            redis::cmd("HGET").with((keys::lists(id.owner), id.number.get())),
            redis::cmd("ZCARD").with(keys::list_members(id)),
        ];
        let (stored, members): (Option<String>, u64) = self.connection.query_tuple(reads).await?;
        let parsed = stored.as_deref().and_then(parse_stored);
        Ok(parsed.map(|(name, exclusive)| List {
            id,
            name,
            exclusive,
            members,
        }))
    }

    /// Returns all members of a list, also of a deleted one that is not cleared yet.
    pub async fn members(&self, list: ListId) -> Result<Vec<UserId>> {
        let all = all_members(keys::list_members(list));
        Ok(user_ids(self.connection.query::<Vec<u64>>(all).await?))
    }
}

/// Parses name and exclusiveness of a stored list.
/// Returns the digest of a list's name, to which an idempotency key is bound.
fn digest(name: &str) -> String {
    hex(&Sha256::digest(name)[..16])
}

fn parse_stored(stored: &str) -> Option<(String, bool)> {
    let (flag, name) = stored.split_once(':')?;
    Some((name.to_owned(), flag == "1"))
}
