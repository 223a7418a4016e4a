//! The people that a text mentions. A person who may not see the status is not mentioned by it. Otherwise strangers could
//! fill the mention index of a person with posts that stay hidden.

use super::posting::Decided;
use crate::{
    actions::prelude::*,
    domain::{Draft, Login, Readers, Visibility, joined},
    store::GroupPosting,
};

/// Returns the people that a draft for followers or members of a group mentions and who would not see it. People whom the
/// author does not find are like logins that no one has.
pub async fn unreached_mentions(
    store: &Store,
    author: UserId,
    draft: &Draft,
) -> Result<Vec<Login>> {
    let is_for_few = draft.visibility == Visibility::Followers || draft.group.is_some();
    if !is_for_few && draft.reply_to.is_none() || draft.logins().is_empty() {
        return Ok(Vec::new());
    }
    let mentioned = store.mentioned_by(draft, author).await?;
    let target = match draft.reply_to {
        Some(parent) if !mentioned.is_empty() => {
            store.reply_target(Viewer::Member(author), parent).await?
        }
        _ => None,
    };
    let group = Decided::group_text(draft, target.as_ref());
    let followed = target.as_ref().and_then(|target| target.followed);
    let readers = match (target.as_ref(), group) {
        (Some(target), Some(_)) => target.readers(author, draft.visibility),
        (None, Some((group, text))) => match store.group_posting(author, group, text).await? {
            GroupPosting::Permitted(readers) => readers,
            GroupPosting::Refused(_) => return Ok(Vec::new()),
        },
        (_, None) if draft.visibility == Visibility::Followers => {
            Readers::FollowersOf(followed.unwrap_or(author))
        }
        (_, None) => return Ok(Vec::new()),
    };
    let header = StatusHeader {
        reply_to: target.map(|target| target.to),
        readers,
        ..StatusHeader::of(author)
    };
    let are_readers = store.are_readers(&header, &mentioned).await?;
    let unreached = mentioned.into_iter().zip(are_readers);
    let unreached = unreached.filter(|(_, is_reader)| !is_reader);
    let unreached: Vec<UserId> = unreached.map(|(person, _)| person).collect();
    let people = store.people(Viewer::Member(author), &unreached).await?;
    Ok(people
        .into_iter()
        .map(|person| person.user.login.clone())
        .collect())
}

/// Returns the field with the mentioned people who may see a status, if there are any.
pub(super) async fn field(
    store: &Store,
    status: &StatusHeader,
    mentioned: &[UserId],
) -> Result<Option<(&'static str, String)>> {
    let mentioned = store.people_who_may_see(status, mentioned.to_vec()).await?;
    Ok((!mentioned.is_empty()).then(|| ("mentioned", joined(&mentioned))))
}
