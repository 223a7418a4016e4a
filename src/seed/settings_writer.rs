//! Writes the habits of a plan: tag follows, lists and author preferences.

use futures_util::FutureExt;

use super::{
    job_runner::{JobRunner, retry},
    members::Member,
    plan::{PlannedSetting, Setting, idempotency_key},
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
pub(super) async fn write_settings<'a>(
    planned: &[PlannedSetting],
    store: &Store,
    runner: &JobRunner,
    known: impl Fn(usize) -> Option<&'a Member>,
) -> store::Result<usize> {
    let id = |place: usize| known(place).map(|member| member.id);
    let of_members = planned
        .iter()
        .filter_map(|written| Some((id(written.person)?, &written.setting)));
    let written = runner.run_all(of_members, async |(who, setting)| {
        match setting {
            Setting::Tag(tag) => {
                retry(|| tag_follows::follow(store, who, tag).boxed_local()).await?;
            }
            Setting::List(name, members, exclusive) => {
                let members = members.iter().copied().filter_map(id);
                write_list(store, who, name, *exclusive, members).await?;
            }
            Setting::AuthorPreference(of, preference) => {
                if let Some(of) = id(*of) {
                    retry(|| author_preferences::weigh(store, who, of, *preference).boxed_local())
                        .await?;
                }
            }
        }
        Ok(())
    });
    Ok(written.await?.len())
}

/// Finds the list by its name, because idempotency keys expire after some hours.
async fn write_list(
    store: &Store,
    owner: UserId,
    name: &ListName,
    exclusive: bool,
    members: impl Iterator<Item = UserId>,
) -> store::Result<()> {
    let existing = retry(|| store.lists(owner).boxed_local()).await?;
    let existing = existing.iter().find(|list| list.name == name.as_str());
    let number = match existing {
        Some(list) => Some(list.id.number),
        None => create_list(store, owner, name).await?,
    };
    let Some(number) = number else {
        return Ok(());
    };
    if exclusive {
        retry(|| lists::edit(store, owner, number, name, true).boxed_local()).await?;
    }
    for member in members {
        retry(|| lists::add(store, owner, number, member).boxed_local()).await?;
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
        retry(|| lists::create(store, owner, name, &idempotency_key).boxed_local()).await?;
    Ok(match created {
        Create::Created(list) => Some(list.number),
        Create::KeyReused | Create::TooMany { .. } => None,
    })
}
