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
    /// It waits for a moderator.
    pub is_waiting: bool,
}

impl PostMarks {
    /// Returns whether a post with these marks is in line with the case of its author. A post can be shown although its
    /// report is open: its author deleted the text that had to wait, for example.
    pub fn follows(&self, case: &Self) -> bool {
        (self.is_hidden, &self.warning) == (case.is_hidden, &case.warning)
            && (!self.is_waiting || case.is_waiting)
    }
}

impl Store {
    /// Returns the marks of each of these posts. `None` for one that does not exist. One round trip.
    pub async fn post_marks(&self, posts: &[StatusId]) -> Result<Vec<Option<PostMarks>>> {
        const FIELDS: &[&str] = &[
            "uid",
            "deleted",
            "hidden_by_moderators",
            "moderators_warning",
            "waiting",
        ];
        type Fields = [Option<String>; 5];
        let reads = posts
            .iter()
            .map(|id| redis::cmd("HMGET").with((keys::status(*id), FIELDS)));
        let states: Vec<Fields> = self.connection.query_each(reads).await?;
        let marks = |[uid, deleted, hidden, warning, waiting]: Fields| {
            let is_living = uid.is_some() && deleted.is_none();
            is_living.then_some(PostMarks {
                is_hidden: hidden.is_some(),
                warning,
                is_waiting: waiting.is_some(),
            })
        };
        Ok(states.into_iter().map(marks).collect())
    }

    /// Gives a post of this author exactly these marks. A post that waits is shown if it waits since no later revision
    /// than the approved one.
    pub async fn set_post_marks(
        &self,
        call: &Call,
        (author, id): (UserId, StatusId),
        marks: &PostMarks,
        approved_revision: Option<u64>,
    ) -> Result<ControlOutcome> {
        let mark = MarkPost {
            status: keys::status(id),
            deadline_ms: call.deadline(),
            user_id: author.get(),
            hidden: if marks.is_hidden { "1" } else { "" },
            warning: marks.warning.clone().unwrap_or_default(),
            approved_revision: approved_revision
                .map_or_else(String::new, |revision| revision.to_string()),
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
