//! The deletion of an account, in passes. Each pass undoes connections with others by the operation that a member
//! would use, so all copies, counts and timelines follow. It needs no position: a removed connection is gone from the
//! person's keys, and a repeated pass continues. Then a sweep over all keys removes the traces that no index leads to. One
//! sweep serves all people who wait at its begin, so many deletions cost as few sweeps as possible. The last step removes
//! the own keys of each person, if nothing connects them with others any more.

use futures_util::{StreamExt, TryStreamExt, stream};

use crate::actions::{
    blocks, favourites, follow_requests, follows, groups, lists, messages, moderation, polls,
    statuses, tag_follows,
};
use crate::{
    actions::prelude::*,
    domain::{Leaving, ReportName, Reporter, SweepPosition, SweepToken, beginnings_of},
    store::{FinishDeletion, Key, LoginHistory, MemberChange, Names, connections, parse_own_name},
};

/// Number of connections that one pass removes, and of keys that one step of the walk examines.
const PER_PASS: usize = 200;
/// Number of connections that are removed at a time.
const AT_A_TIME: usize = 8;
/// Number of people that one sweep serves.
const PEOPLE_PER_SWEEP: usize = 50;

/// Runs one pass of a deletion. Returns the task that continues.
pub async fn delete_pass(store: &Store, person: UserId) -> Result<Option<Task>> {
    if store.leaving(person).await? != Leaving::Now {
        return Ok(None);
    }
    store.drop_home(person).await?;
    let mut left = PER_PASS;
    for key in connections(person) {
        left -= remove_connections(store, person, &key, left).await?;
        if left == 0 {
            return Ok(Some(Task::DeleteAccount(person)));
        }
    }
    let history = store.login_history(person).await?;
    let is_applicant = store.is_applicant(person).await?;
    for login in history.iter().flat_map(LoginHistory::all) {
        // An applicant was never a member, so others can have the login.
        if is_applicant {
            store.release_login(login, &person.to_string()).await?;
        } else {
            store.reserve_login(login, person).await?;
        }
    }
    join_sweep(store, person).await
}

/// Removes up to `count` connections of a kind. Returns their number.
async fn remove_connections(
    store: &Store,
    person: UserId,
    key: &Key,
    count: usize,
) -> Result<usize> {
    if let Key::Lists(_) = key {
        return delete_lists(store, person, count).await;
    }
    let members = store.some_members(key, count).await?;
    stream::iter(members.clone())
        .map(|member| async move { remove_connection(store, person, key, &member).await })
        .buffer_unordered(AT_A_TIME)
        .try_collect::<()>()
        .await?;
    // A member without its other side would stay behind.
    store.remove_members(key, &members).await?;
    Ok(members.len())
}

async fn remove_connection(store: &Store, person: UserId, key: &Key, member: &str) -> Result<()> {
    // On the heap, because a future contains those of all its steps. Text that names nothing is left to the caller.
    Box::pin(async {
        match key {
            Key::ListMemberships(_) => {
                let Ok(list) = member.parse::<ListId>() else {
                    return Ok(());
                };
                let removed = lists::remove(store, list.owner, list.number, person);
                removed.await.map(drop)
            }
            Key::Chats(_) | Key::ChatRequests(_) => match member.parse() {
                Ok(chat) => {
                    let gone = messages::change_member(store, person, chat, MemberChange::Go);
                    gone.await.map(drop)
                }
                Err(_) => Ok(()),
            },
            Key::Memberships(_) | Key::AskedGroups(_) | Key::GroupInvitations(_) => {
                match member.parse() {
                    Ok(group) => groups::go(store, person, group).await,
                    Err(_) => Ok(()),
                }
            }
            Key::FollowedTags(_) => match FoldedTag::stored(member) {
                Some(tag) => tag_follows::unfollow(store, person, &tag).await,
                None => Ok(()),
            },
            Key::OwnReports(_) => match parse_own_name(member) {
                Some((about, subject)) => {
                    let reporter = person;
                    let reporter = Reporter::Person(reporter);
                    let name = ReportName { reporter, subject };
                    moderation::withdraw_report(store, about, name).await
                }
                None => Ok(()),
            },
            Key::Favourites(_) | Key::Votes(_) | Key::Profile(_) => match member.parse() {
                Ok(id) => remove_status(store, person, key, id).await,
                Err(_) => Ok(()),
            },
            _ => match member.parse() {
                Ok(other) => disconnect(store, person, key, other).await,
                Err(_) => Ok(()),
            },
        }
    })
    .await
}

async fn remove_status(store: &Store, person: UserId, key: &Key, id: StatusId) -> Result<()> {
    match key {
        Key::Favourites(_) => favourites::unfavourite(store, person, id).await,
        Key::Votes(_) => polls::remove(store, person, &[id]).await,
        _ => statuses::delete(store, person, id).await.map(drop),
    }
}

async fn disconnect(store: &Store, person: UserId, key: &Key, other: UserId) -> Result<()> {
    match key {
        Key::Followers(_) => follows::unfollow(store, other, person).await,
        Key::Following(_) => follows::unfollow(store, person, other).await,
        Key::Requests(_) => follow_requests::withdraw(store, other, person)
            .await
            .map(drop),
        Key::Requested(_) => follow_requests::withdraw(store, person, other)
            .await
            .map(drop),
        Key::BlockedBy(_) => blocks::unblock(store, other, person).await,
        Key::Blocked(_) => blocks::unblock(store, person, other).await,
        _ => Ok(()),
    }
}

async fn delete_lists(store: &Store, person: UserId, count: usize) -> Result<usize> {
    let mut lists = store.lists(person).await?;
    lists.truncate(count);
    for list in &lists {
        lists::delete(store, person, list.id.number).await?;
    }
    if lists.len() < count {
        store.forget_lists(person).await?;
    }
    Ok(lists.len())
}

/// Adds a person to those who wait for a sweep. Returns the task that begins one, which ends at once while another sweep
/// runs.
pub async fn join_sweep(store: &Store, person: UserId) -> Result<Option<Task>> {
    if store.leaving(person).await? != Leaving::Now {
        return Ok(None);
    }
    store.wait_for_sweep(person).await?;
    Ok(Some(begin_sweep(SweepToken::draw())))
}

fn begin_sweep(token: SweepToken) -> Task {
    Task::Sweep {
        token,
        people: Vec::new(),
        from: SweepPosition::START,
    }
}

/// Begins a sweep if people wait for one and none runs: the last one was lost.
pub async fn resume_sweep(store: &Store) -> Result<()> {
    if store.needs_sweep().await? {
        store.enqueue(&begin_sweep(SweepToken::draw())).await?;
    }
    Ok(())
}

/// Runs one step of a sweep. Its first step chooses the people who have waited longest. Those who come later wait for the
/// next sweep, because this one does not examine all keys for them. Returns the task that continues. Ends while another
/// sweep runs. After a restart of Redis, a failover or a move of slots, the sweep examines all keys again. It is postponed
/// while slots move.
pub async fn sweep_pass(
    store: &Store,
    token: &SweepToken,
    people: &[UserId],
    from: SweepPosition,
) -> Result<Option<Task>> {
    if !store.hold_sweep(token).await? {
        return Ok(None);
    }
    if people.is_empty() {
        let waiting = store.waiting_for_sweep(PEOPLE_PER_SWEEP).await?;
        let from = SweepPosition::START;
        return match waiting.is_empty() {
            true => end_sweep(store, token).await,
            false => Ok(Some(next_step(token, &waiting, from))),
        };
    }
    let (mut walk, servers) = store.walk_from(from).await?;
    let Some(found) = store.walk(&mut walk, PER_PASS).await? else {
        for person in people {
            finish(store, *person).await?;
        }
        return end_sweep(store, token).await;
    };
    store.remove_traces(&found, people).await?;
    for (chat, person) in store.chats_among(&found, people).await? {
        messages::change_member(store, person, chat, MemberChange::Go).await?;
    }
    let (node, cursor) = walk.position();
    let nodes = walk.node_count();
    let from = SweepPosition {
        node,
        cursor,
        nodes,
        servers,
    };
    Ok(Some(next_step(token, people, from)))
}

fn next_step(token: &SweepToken, people: &[UserId], from: SweepPosition) -> Task {
    Task::Sweep {
        token: token.clone(),
        people: people.to_vec(),
        from,
    }
}

/// Ends a sweep. Returns the task of the next one, if people wait for it.
async fn end_sweep(store: &Store, token: &SweepToken) -> Result<Option<Task>> {
    // In this order: a person who came before is found here. One who comes later begins a sweep.
    store.release_sweep(token).await?;
    let is_needed = store.needs_sweep().await?;
    Ok(is_needed.then(|| begin_sweep(SweepToken::draw())))
}

/// Removes the names and the keys of a person. Starts over if something connects them with others again: an
/// operation that was under way when the deletion began.
async fn finish(store: &Store, person: UserId) -> Result<()> {
    let call = &store.begin().await?;
    let steps = async {
        if let Some(names) = store.last_names(person).await? {
            let Names {
                login,
                name,
                former,
            } = &names;
            let former = former.iter().flat_map(|former| former.lines());
            let all = former.chain([name.as_str()]);
            let words = all.flat_map(|name| beginnings_of(login, name)).collect();
            store.remove_names(call, person, &words).await?;
        }
        store.remove_from_people(person).await?;
        store.finish_deletion(call, person).await
    };
    let finished = call.finish(steps.await).await?;
    // In this order: a step that is cut off in between adds the task when it runs again.
    store.leave_sweep(person).await?;
    match finished {
        FinishDeletion::Finished | FinishDeletion::Refused => Ok(()),
        FinishDeletion::Connected => store.enqueue(&Task::DeleteAccount(person)).await,
    }
}
