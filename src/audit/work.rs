//! Work under way: the data that waiting tasks and outbox entries will still change. A difference that
//! such work will remove is no fault.

use std::{collections::HashSet, fmt::Display};

use crate::{
    domain::{Relation, Task, Thing},
    store::{BacklogReader, Key, Queue, Result, Store, changed_keys},
};

/// A key that work changes with its copies, or one member of that key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Work {
    key: String,
    member: Option<String>,
}

impl From<Key> for Work {
    fn from(key: Key) -> Self {
        let (key, member) = (key.name(), None);
        Self { key, member }
    }
}

impl<Member: Display> From<(Key, Member)> for Work {
    fn from((key, member): (Key, Member)) -> Self {
        let (key, member) = (key.name(), Some(member.to_string()));
        Self { key, member }
    }
}

impl Work {
    /// Returns what a task or outbox entry will change.
    fn of(task: Task) -> Vec<Self> {
        let thing = match task {
            Task::Reconcile(thing) => thing,
            Task::Deliver { status, .. }
            | Task::Withdraw { status, .. }
            | Task::LastWithdraw { status, .. } => Thing::Status(status),
            Task::DeleteReposts { original, .. } => Thing::Status(original),
            Task::Index(id) | Task::NotifyGroup { status: id, .. } => Thing::Status(id),
            Task::Separate { by, blocked, .. } => Relation::Block(by, blocked).into(),
            Task::AnswerRequests { person, .. } => return vec![Key::Requests(person).into()],
            Task::DeleteAccount(person) | Task::SweepAccount { person, .. } => {
                Thing::Leaving(person)
            }
            Task::DeleteGroup(group, slug) => Thing::Group(group, slug),
            Task::Sweep { people, .. } => {
                let people = people.into_iter().map(|person| Key::User(person).into());
                return people.chain([Key::PeopleSweeping.into()]).collect();
            }
            Task::Export { .. } => return Vec::new(),
            Task::Rebuild(timeline) => return vec![Key::from(timeline).into()],
        };
        match thing {
            Thing::Status(id) => vec![Key::Status(id).into()],
            Thing::Relation(relation) => {
                let (truth, copy) = changed_keys(&relation);
                let copy = copy.map(Self::from).into_iter();
                copy.chain([truth.into()]).collect()
            }
            Thing::Account(id, login) | Thing::Rename(id, login) => {
                vec![Key::User(id).into(), Key::Login(login).into()]
            }
            Thing::ListMembership(list, member) => vec![(Key::ListMembers(list), member).into()],
            Thing::List(list) => vec![Key::ListMembers(list).into()],
            Thing::Repost(by, id) => vec![(Key::OwnReposts(by), id).into()],
            Thing::Case(id) => vec![Key::Case(id).into()],
            Thing::Names(id) | Thing::Leaving(id) | Thing::Role(id) => vec![Key::User(id).into()],
            Thing::Chat(chat) => vec![Key::Chat(chat).into()],
            Thing::GroupMember(group, person) => {
                vec![
                    (Key::GroupMembers(group), person).into(),
                    Key::Home(person).into(),
                ]
            }
            Thing::Group(group, slug) => {
                vec![Key::Group(group).into(), Key::GroupName(slug).into()]
            }
            Thing::MutedTexts(of) => vec![Key::Notifications(of).into()],
        }
    }
}

/// Returns the asked work that punctual tasks will do. The delayed queue is read before and after the
/// stream, so tasks that move between them are not missed.
pub(super) async fn under_way(store: &Store, asked: &HashSet<Work>) -> Result<HashSet<Work>> {
    let mut under_way = HashSet::new();
    if asked.is_empty() {
        return Ok(under_way);
    }
    for queue in [Queue::Later, Queue::Now, Queue::Later] {
        let mut reading = BacklogReader::of(queue);
        while let Some(entries) = store.waiting(&mut reading).await? {
            let punctual = entries.into_iter().filter(|entry| !entry.late);
            let tasks = punctual.filter_map(|entry| entry.task.ok());
            let work = tasks.flat_map(Work::of);
            under_way.extend(work.filter(|work| asked.contains(work)));
        }
    }
    Ok(under_way)
}
