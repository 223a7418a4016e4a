//! Writes the habits of a plan: tag follows, lists and author preferences.

use futures_util::FutureExt;

use super::{
    crew::{Crew, patiently},
    members::Member,
    plan::{Habit, PlannedHabit, idempotency_key},
};
use crate::{
    actions::{
        author_preferences,
        lists::{self, Create},
        tag_follows,
    },
    domain::{ListName, ListNumber, UserId},
    store::{self, Store},
};

/// Writes the habits and returns their number. Existing ones stay.
pub(super) async fn keep_all<'a>(
    planned: &[PlannedHabit],
    store: &Store,
    crew: &Crew,
    known: impl Fn(usize) -> Option<&'a Member>,
) -> store::Result<usize> {
    let id = |place: usize| known(place).map(|member| member.id);
    let of_members = planned
        .iter()
        .filter_map(|kept| Some((id(kept.person)?, &kept.habit)));
    let kept = crew.each(of_members, async |(who, habit)| {
        match habit {
            Habit::Tag(tag) => {
                patiently(|| tag_follows::follow(store, who, tag).boxed_local()).await?;
            }
            Habit::List(name, members) => {
                let members = members.iter().copied().filter_map(id);
                keep_list(store, who, name, members).await?;
            }
            Habit::AuthorPreference(of, weight) => {
                if let Some(of) = id(*of) {
                    patiently(|| author_preferences::weigh(store, who, of, *weight).boxed_local())
                        .await?;
                }
            }
        }
        Ok(())
    });
    Ok(kept.await?.len())
}

/// Finds the list by its name, because idempotency keys expire after some hours.
async fn keep_list(
    store: &Store,
    owner: UserId,
    name: &ListName,
    members: impl Iterator<Item = UserId>,
) -> store::Result<()> {
    let held = patiently(|| store.lists(owner).boxed_local()).await?;
    let held = held.iter().find(|list| list.name == name.as_str());
    let number = match held {
        Some(list) => Some(list.id.number),
        None => create_list(store, owner, name).await?,
    };
    let Some(number) = number else {
        return Ok(());
    };
    for member in members {
        patiently(|| lists::add(store, owner, number, member).boxed_local()).await?;
    }
    Ok(())
}

/// Returns `None` if the limit of lists is reached.
async fn create_list(
    store: &Store,
    owner: UserId,
    name: &ListName,
) -> store::Result<Option<ListNumber>> {
    let idempotency_key = idempotency_key(&["list", &owner.to_string(), name.as_str()]);
    let created =
        patiently(|| lists::create(store, owner, name, &idempotency_key).boxed_local()).await?;
    Ok(match created {
        Create::Created(list) => Some(list.number),
        Create::KeyReused | Create::TooMany { .. } => None,
    })
}
