//! Posts that the moderators hide: the copies of their decisions, in the slots of the posts.

use super::calls::HidePost;
use crate::{
    domain::PostName,
    store::{ControlOutcome, prelude::*},
};

impl Store {
    /// Returns whether each of these posts is hidden by the moderators. `None` for one that does not exist. One round
    /// trip.
    pub async fn are_hidden_by_moderators(&self, posts: &[StatusId]) -> Result<Vec<Option<bool>>> {
        const FIELDS: &[&str] = &["uid", "deleted", "hidden_by_moderators"];
        type Fields = (Option<String>, Option<String>, Option<String>);
        let reads = posts
            .iter()
            .map(|id| redis::cmd("HMGET").with((keys::status(*id), FIELDS)));
        let states: Vec<Fields> = self.connection.query_each(reads).await?;
        let state = |(uid, deleted, hidden): Fields| {
            let is_living = uid.is_some() && deleted.is_none();
            is_living.then_some(hidden.is_some())
        };
        Ok(states.into_iter().map(state).collect())
    }

    /// Hides a post of this author from everybody else, or shows it again.
    pub async fn set_hidden_by_moderators(
        &self,
        call: &Call,
        (author, id): (UserId, StatusId),
        is_hidden: bool,
    ) -> Result<ControlOutcome> {
        let hide = HidePost {
            status: keys::status(id),
            deadline_ms: call.deadline(),
            user_id: author.get(),
            hidden: if is_hidden { "1" } else { "" },
        };
        self.connection.run(&hide).await
    }

    /// Returns whether there is a report about a post of a person.
    pub async fn is_reported_post(&self, subject: UserId, id: StatusId) -> Result<bool> {
        let names = redis::cmd("HKEYS").with(keys::reported_posts(subject));
        let names: Vec<String> = self.connection.query(names).await?;
        let mut names = names.iter().filter_map(|name| name.parse().ok());
        Ok(names.any(|name: PostName| name.status == id))
    }
}
