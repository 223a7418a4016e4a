//! Reconciles what an outbox entry names: after a crash, or because the audit found a fault.

use super::{
    accounts, favourites::FavouriteEffects, follows::FollowEffects, lists,
    operations::reconcile as reconcile_relation, reposts, search, statuses,
    tag_follows::TagFollowEffects,
};
use crate::{
    domain::{Task, Thing},
    store::{Result, Store},
};

/// Brings every copy in line with its source of truth. Returns the task that continues, if any.
pub async fn reconcile(store: &Store, thing: &Thing) -> Result<Option<Task>> {
    match *thing {
        Thing::Edge(follower, followed) => {
            reconcile_relation(store, &FollowEffects { follower, followed }).await
        }
        Thing::TagFollow(follower, ref tag) => {
            reconcile_relation(store, &TagFollowEffects { follower, tag }).await
        }
        Thing::Favourite(by, id) => reconcile_relation(store, &FavouriteEffects { by, id }).await,
        Thing::ListMembership(list, member) => {
            reconcile_relation(store, &lists::MembershipEffects { list, member }).await
        }
        Thing::Names(who) => search::index_names(store, who).await,
        Thing::Status(id) => statuses::reconcile(store, id).await.map(|()| None),
        Thing::Repost(by, original) => {
            let reconciled = reposts::reconcile(store, by, original);
            reconciled.await.map(|()| None)
        }
        Thing::List(list) => lists::reconcile(store, list).await.map(|()| None),
        Thing::Account(id, ref login) => accounts::reconcile(store, id, login).await.map(|()| None),
    }
}
