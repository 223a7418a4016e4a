//! Posts that the moderators hide or put behind a warning: the copies of their decisions, in the slots of the posts.

use super::calls::MarkPost;
use crate::{
    domain::PostName,
    store::{ControlOutcome, prelude::*},
};

/// What the decisions of the moderators say about a post.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PostMarks {
    /// Only its author sees it.
    pub is_hidden: bool,
    /// The warning that hides its text, instead of the author's.
    pub warning: Option<String>,
}

impl Store {
    /// Returns the marks of each of these posts. `None` for one that does not exist. One round trip.
    pub async fn post_marks(&self, posts: &[StatusId]) -> Result<Vec<Option<PostMarks>>> {
        const FIELDS: &[&str] = &[
            "uid",
            "deleted",
            "hidden_by_moderators",
            "moderators_warning",
        ];
        type Fields = [Option<String>; 4];
        let reads = posts
            .iter()
            .map(|id| redis::cmd("HMGET").with((keys::status(*id), FIELDS)));
        let states: Vec<Fields> = self.connection.query_each(reads).await?;
        let marks = |[uid, deleted, hidden, warning]: Fields| {
            let is_living = uid.is_some() && deleted.is_none();
            is_living.then_some(PostMarks {
                is_hidden: hidden.is_some(),
                warning,
            })
        };
        Ok(states.into_iter().map(marks).collect())
    }

    /// Gives a post of this author exactly these marks.
    pub async fn set_post_marks(
        &self,
        call: &Call,
        (author, id): (UserId, StatusId),
        marks: &PostMarks,
    ) -> Result<ControlOutcome> {
        let mark = MarkPost {
            status: keys::status(id),
            deadline_ms: call.deadline(),
            user_id: author.get(),
            hidden: if marks.is_hidden { "1" } else { "" },
            warning: marks.warning.clone().unwrap_or_default(),
        };
        self.connection.run(&mark).await
    }

    /// Returns whether there is a report about a post of a person.
    pub async fn is_reported_post(&self, subject: UserId, id: StatusId) -> Result<bool> {
        let names = redis::cmd("HKEYS").with(keys::reported_posts(subject));
        let names: Vec<String> = self.connection.query(names).await?;
        let mut names = names.iter().filter_map(|name| name.parse().ok());
        Ok(names.any(|name: PostName| name.status == id))
    }
}
