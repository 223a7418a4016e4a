//! Repairs by the same actions that an operation or its outbox entry takes. A source of truth is never
//! invented; without it a fault is only reported.

use std::collections::HashSet;

use super::{
    edges::named,
    fault::{Fault, Remedy},
};
use crate::{
    actions::{
        accounts, answers, fan_out::enqueue, follows, homes, lists, reconcile::reconcile, reposts,
        search, statuses,
    },
    domain::{ListId, Login, Task, Thing, Timeline, UserId},
    store::{Begin, Error, Key, Result, Store},
};

/// Results of the repairs, in words.
#[derive(Debug, Default)]
pub(super) struct Repairs {
    pub(super) done: Vec<String>,
    /// With the reason.
    pub(super) failed: Vec<String>,
    /// Number of faults that were gone already.
    pub(super) needless: u64,
}

impl Repairs {
    /// Returns whether something may have changed.
    pub(super) fn changed(&self) -> bool {
        !self.done.is_empty() || self.needless > 0
    }
}

/// Repairs these faults, once for faults with the same repair. A failed repair does not stop the others.
pub(super) async fn all(store: &Store, faults: &[Fault]) -> Result<Repairs> {
    let mut repairs = Repairs::default();
    let mut tried = HashSet::new();
    for fault in faults.iter().filter(|fault| fault.is_repairable()) {
        let words = words(&fault.remedy);
        if !tried.insert(words.clone()) {
            continue;
        }
        match repair(store, &fault.remedy).await {
            Ok(true) => repairs.done.push(words),
            Ok(false) => repairs.needless += 1,
            Err(error @ Error::Unavailable(_)) => return Err(error),
            Err(error) => repairs.failed.push(format!("{words}: {error}")),
        }
    }
    Ok(repairs)
}

/// Counts the different repairs.
pub(super) fn count(faults: &[Fault]) -> usize {
    let mendable = faults.iter().filter(|fault| fault.is_repairable());
    let each: HashSet<String> = mendable.map(|fault| words(&fault.remedy)).collect();
    each.len()
}

/// Runs a repair. Returns `false` if nothing was left to do.
async fn repair(store: &Store, remedy: &Remedy) -> Result<bool> {
    match remedy {
        Remedy::SettleLast {
            of,
            newest,
            largest,
        } => store.settle_last(*of, *newest, *largest).await,
        Remedy::Respace(place, member) => store.respace_edge(place, member).await,
        Remedy::ReleaseLogin(login, held) => store.release_login(login, held).await,
        Remedy::RaiseCounter(to) => store.raise_user_counter(*to).await,
        Remedy::Revive(entry) => store.revive(entry).await,
        other => bring_to_truth(store, other).await.map(|()| true),
    }
}

/// Runs a repair that gives the same result whether or not there was a fault.
async fn bring_to_truth(store: &Store, remedy: &Remedy) -> Result<()> {
    match remedy {
        // Waiting work is done for all faults at once; the others report their own result.
        Remedy::None
        | Remedy::Work
        | Remedy::SettleLast { .. }
        | Remedy::Respace(..)
        | Remedy::ReleaseLogin(..)
        | Remedy::RaiseCounter(_)
        | Remedy::Revive(_) => Ok(()),
        Remedy::Status(id) => statuses::reconcile(store, *id).await,
        Remedy::DeliverAnew(id) => {
            store.forget_progress(*id).await?;
            statuses::reconcile(store, *id).await
        }
        Remedy::Edge(from, to) => reconcile_copies(store, &Thing::Edge(*from, *to)).await,
        Remedy::ClearEdge(from, to) => clear_edge(store, *from, *to).await,
        Remedy::Recount(id) => store.recount(*id).await,
        Remedy::Rebuild(of) => homes::rebuild(store, *of, Begin::Wrong).await,
        Remedy::ListMembership(list, member) => {
            reconcile_copies(store, &Thing::ListMembership(*list, *member)).await
        }
        Remedy::RemoveMember(list, member) => {
            lists::remove(store, list.owner, list.number, *member)
                .await
                .map(drop)
        }
        Remedy::ClearList(list) => lists::reconcile(store, *list).await,
        Remedy::RecountExcluded(of) => recount_excluded(store, *of).await,
        Remedy::Favourite(by, id) => reconcile_copies(store, &Thing::Favourite(*by, *id)).await,
        Remedy::Repost(by, original) => reposts::reconcile(store, *by, *original).await,
        Remedy::ForgetRepost(original, id, by) => store.forget_repost(*original, *id, *by).await,
        Remedy::TakeAlong(original) => {
            let (original, before) = (*original, None);
            store.enqueue(&Task::TakeAlong { original, before }).await
        }
        Remedy::TagFollow(who, tag) => {
            reconcile_copies(store, &Thing::TagFollow(*who, tag.clone())).await
        }
        Remedy::RecountStatus(id) => store.recount_status(*id).await,
        Remedy::RecountBallots(id) => store.recount_ballots(*id).await,
        Remedy::Answer(to, id) => answers::reconcile(store, *to, *id).await,
        Remedy::Index(id) => search::index_and_forget(store, *id).await,
        Remedy::DropPosting(chunk, member) => {
            let members = std::slice::from_ref(member);
            store.drop_postings(chunk, members).await?;
            match member.parse() {
                Ok(id) => search::index_and_forget(store, id).await,
                Err(_) => Ok(()),
            }
        }
        Remedy::DropChunk(chunk) => store.drop_postings(chunk, &[]).await,
        Remedy::OrderChunks(term) => store.order_chunks(term).await,
        Remedy::Names(id) => enqueue(store, search::index_names(store, *id).await?).await,
        Remedy::DropName(letter, entry) => match store.drop_name(*letter, entry).await? {
            Some(id) => enqueue(store, search::index_names(store, id).await?).await,
            None => Ok(()),
        },
        Remedy::Reading(of) => store.repair_reading(*of).await,
        Remedy::DropWeight(by, of) => store.drop_preference(*by, of).await,
        Remedy::ForgetNoticed(of) => store.forget_read_marker(*of).await,
        Remedy::TrimNotifications(of) => store.trim_notifications(*of).await,
        Remedy::DropMember(place, member) => {
            store.drop_member(place, member).await?;
            match place {
                Key::Followers(of) => rank(store, *of).await,
                _ => Ok(()),
            }
        }
        Remedy::TrimSuggested(place) => store.trim_suggested(place).await,
        Remedy::Welcome(id) => {
            store
                .drop_member(&Key::PeopleNewest, &id.to_string())
                .await?;
            store.add_to_newest_people(*id).await
        }
        Remedy::Rank(id, followers) => store.rank_followed(*id, *followers).await,
        Remedy::GiveLoginBack(id, login) => give_login_back(store, *id, login).await,
        Remedy::TakeBack(id, login) => accounts::reconcile(store, *id, login).await,
        Remedy::Unlink(name) => store.unlink(name).await,
        Remedy::Persist(name) => store.persist(name).await,
        Remedy::Expire(name, ttl_s) => store.let_expire(name, *ttl_s).await,
        Remedy::AgeStatus(id) => store.age_status(*id).await,
    }
}

/// Reconciles a relation, now and by a task if its source of truth keeps changing.
async fn reconcile_copies(store: &Store, thing: &Thing) -> Result<()> {
    enqueue(store, reconcile(store, thing).await?).await
}

async fn recount_excluded(store: &Store, of: UserId) -> Result<()> {
    let lists = store.lists(of).await?;
    let exclusive = lists.iter().filter(|list| list.exclusive);
    let exclusive: Vec<ListId> = exclusive.map(|list| list.id).collect();
    store.recount_excluded(of, &exclusive).await?;
    homes::rebuild(store, Timeline::Home(of), Begin::Visit).await
}

/// No action follows oneself, and the own posts must not leave the home with the follow.
async fn clear_edge(store: &Store, from: UserId, to: UserId) -> Result<()> {
    if from == to {
        let member = from.to_string();
        store.drop_member(&Key::Following(from), &member).await?;
        store.drop_member(&Key::Followers(from), &member).await?;
        return rank(store, from).await;
    }
    follows::unfollow(store, from, to).await
}

async fn rank(store: &Store, of: UserId) -> Result<()> {
    let followers = store.cardinality(&Key::Followers(of)).await?;
    store.rank_followed(of, followers).await
}

async fn give_login_back(store: &Store, id: UserId, login: &Login) -> Result<()> {
    let call = store.begin().await?;
    let given = store.commit_login(&call, login, id).await;
    call.finish(given).await.map(drop)
}

fn words(remedy: &Remedy) -> String {
    match remedy {
        Remedy::None => String::new(),
        Remedy::Status(id) => format!("brought every copy of status {id} to what it is"),
        Remedy::DeliverAnew(id) => format!("delivered status {id} anew"),
        Remedy::Edge(from, to) => {
            format!("brought both sides of the edge from {from} to {to} to what {from} says")
        }
        Remedy::ClearEdge(from, to) => format!("cleared the edge from {from} to {to}"),
        Remedy::Recount(id) => format!("counted what user {id} has"),
        Remedy::SettleLast { of, newest, .. } => {
            format!("set the last id that user {of} has drawn to {newest}")
        }
        Remedy::Rebuild(of) => format!("built the {} anew", named(&(*of).into())),
        Remedy::ListMembership(list, member) => {
            format!("brought list {list} and user {member} to what the list says")
        }
        Remedy::RemoveMember(list, member) => format!("took {member} out of list {list}"),
        Remedy::ClearList(list) => format!("cleared list {list}, which was deleted"),
        Remedy::RecountExcluded(of) => format!("counted anew whom the home of {of} leaves out"),
        Remedy::Favourite(by, id) => {
            format!("brought status {id} to whether user {by} favours it")
        }
        Remedy::RecountBallots(id) => format!("counted how people voted in the poll of {id}"),
        Remedy::TagFollow(who, tag) => {
            format!("brought tag {tag} and the home of {who} to whether {who} follows it")
        }
        Remedy::Repost(by, original) => {
            format!("brought user {by} to whether they repost status {original}")
        }
        Remedy::ForgetRepost(original, id, _) => {
            format!("took {id} out of what reposts status {original}")
        }
        Remedy::TakeAlong(original) => {
            format!("took back what reposts status {original}, which is dead")
        }
        Remedy::RecountStatus(id) => {
            format!("counted who favours and reposts status {id} and what answers it")
        }
        Remedy::Answer(to, id) => format!("put {id} in its place under status {to}"),
        Remedy::Index(id) => format!("lets status {id} be found by its words"),
        Remedy::DropPosting(chunk, member) => {
            format!(
                "took {member} out of the posts with {}",
                chunk.term.as_str()
            )
        }
        Remedy::DropChunk(chunk) => {
            format!(
                "forgot an empty chunk of the posts with {}",
                chunk.term.as_str()
            )
        }
        Remedy::OrderChunks(term) => format!("put the chunks of {} in order", term.as_str()),
        Remedy::Names(id) => format!("lets user {id} be found by their names"),
        Remedy::DropName(letter, entry) => {
            format!("took {entry:?} out of the names with {letter}")
        }
        Remedy::Reading(of) => format!("put what {of} has seen of their home in order"),
        Remedy::DropWeight(by, of) => format!("forgot how much {by} asks for of {of}"),
        Remedy::ForgetNoticed(of) => format!("forgot how far {of} read what they were told"),
        Remedy::TrimNotifications(of) => format!("cut what {of} was told back to the newest"),
        Remedy::DropMember(place, member) => format!("took {member} out of {}", named(place)),
        Remedy::TrimSuggested(place) => format!("cut {} back", named(place)),
        Remedy::Respace(place, member) => {
            format!("gave {member} a score of its own in {}", named(place))
        }
        Remedy::Welcome(id) => format!("put user {id} in their place among the newest"),
        Remedy::Rank(id, _) => format!("put user {id} in their place among the most followed"),
        Remedy::ReleaseLogin(login, held) => format!("freed the login {login}, which held {held}"),
        Remedy::GiveLoginBack(id, login) => format!("gave the login {login} back to user {id}"),
        Remedy::TakeBack(id, login) => {
            format!("took back user {id}, whose sign-up as {login} came second")
        }
        Remedy::Unlink(name) => format!("removed {name}"),
        Remedy::Persist(name) => format!("lets {name} stay"),
        Remedy::Expire(name, ttl_s) => format!("lets {name} end in {ttl_s} s"),
        Remedy::AgeStatus(id) => format!("gave status {id} the lifetime it should have"),
        Remedy::RaiseCounter(to) => format!("raised the counter of user ids to {to}"),
        Remedy::Work => "did the work that nobody was at".into(),
        Remedy::Revive(entry) => match &entry.task {
            Ok(task) => format!("put the task {task} back to be done"),
            Err(text) => format!("left {text:?}, which is no task"),
        },
    }
}
