//! Reconciles what an outbox entry names: after a crash, or because the audit found a fault.

use super::{
    account_states, accounts, administration::RoleEffects, blocks::BlockEffects,
    favourites::FavouriteEffects, follows::FollowEffects, groups, lists, messages, moderation,
    muted_texts, operations::reconcile as reconcile_effects, rename, reposts, search, statuses,
    tag_follows::TagFollowEffects,
};
use crate::{actions::prelude::*, domain::Relation};

/// Brings every copy in line with its source of truth. Returns the task that continues, if any. Long repairs are on the
/// heap, because a future contains those of all its steps.
pub async fn reconcile(store: &Store, thing: &Thing) -> Result<Option<Task>> {
    match *thing {
        Thing::Relation(ref relation) => Box::pin(reconcile_relation(store, relation)).await,
        Thing::ListMembership(list, member) => {
            reconcile_effects(store, &lists::MembershipEffects { list, member }).await
        }
        Thing::Rename(who, ref login) => Box::pin(rename::reconcile(store, who, login)).await,
        Thing::Leaving(who) => Box::pin(account_states::reconcile(store, who)).await,
        Thing::MutedTexts(of) => Box::pin(muted_texts::reconcile(store, of)).await,
        Thing::Chat(chat) => messages::reconcile(store, chat).await,
        Thing::Case(subject) => Box::pin(moderation::reconcile_case(store, subject)).await,
        Thing::Role(who) => reconcile_effects(store, &RoleEffects(who)).await,
        Thing::GroupMember(group, person) => {
            Box::pin(groups::reconcile_member(store, group, person)).await
        }
        Thing::Group(group, ref slug) => Box::pin(groups::reconcile(store, group, slug)).await,
        Thing::Names(who) => search::index_names(store, who).await,
        Thing::Status(id) => Box::pin(statuses::reconcile(store, id))
            .await
            .map(|()| None),
        Thing::Repost(by, original) => {
            let reconciled = reposts::reconcile(store, by, original);
            reconciled.await.map(|()| None)
        }
        Thing::List(list) => lists::reconcile(store, list).await.map(|()| None),
        Thing::Account(id, ref login) => accounts::reconcile(store, id, login).await.map(|()| None),
    }
}

/// Brings every copy of a relation in line with its source of truth.
async fn reconcile_relation(store: &Store, relation: &Relation) -> Result<Option<Task>> {
    match *relation {
        Relation::Follow(follower, followed)
        | Relation::FollowRequest(follower, followed)
        | Relation::HomeFilter(follower, followed, _) => {
            // On the heap, because a future contains those of all its steps.
            Box::pin(reconcile_effects(
                store,
                &FollowEffects::new(follower, followed),
            ))
            .await
        }
        Relation::Block(by, blocked) => {
            Box::pin(reconcile_effects(store, &BlockEffects { by, blocked })).await
        }
        Relation::TagFollow(follower, ref tag) => {
            reconcile_effects(store, &TagFollowEffects { follower, tag }).await
        }
        Relation::Favourite(by, id) => reconcile_effects(store, &FavouriteEffects { by, id }).await,
        // These have no copies.
        Relation::Bookmark(..) | Relation::MutedConversation(..) => Ok(None),
    }
}
