//! The text of an edit whose post was deleted meanwhile. It comes back in a form to post it as a new one.

use std::sync::Arc;

use super::view::TextTyped;
use crate::{
    domain::Visibility,
    store::{Group, Life},
    web::{
        http::session::{pending_form::PostFields, sent_as_new},
        prelude::*,
        statuses::compose::{ComposeForm, DraftTyped},
    },
};

/// The audience that a deleted post had. A new post of its text has no wider one.
pub(super) struct DeletedPost {
    widest: Visibility,
    /// The group that it was posted in.
    group: Option<Arc<Group>>,
}

impl DeletedPost {
    /// Finds the audience of a deleted post of the member. If it is not known any more, it counts as the narrowest.
    pub(super) async fn find(app: &AppState, me: UserId, id: StatusId) -> Result<Self> {
        let mut found = Self {
            widest: Visibility::Followers,
            group: None,
        };
        let Life::Dead(header) = app.store.life(id).await? else {
            return Ok(found);
        };
        if header.author != me {
            return Ok(found);
        }
        found.widest = header.visibility().max(Visibility::Followers);
        if let Some(group) = header.group {
            let group = app.store.group(group).await?;
            found.group = group.filter(|group| !group.is_gone).map(Arc::new);
        }
        Ok(found)
    }

    /// Returns the form of a new post with the text of the edit. All forms for one post have the same key, so sending
    /// two of them posts once.
    pub(super) fn form(&self, visit: &Visit, id: StatusId, typed: &TextTyped) -> ComposeForm {
        let chosen = typed.visibility.unwrap_or(self.widest).min(self.widest);
        let post = PostFields {
            message: typed.message.text.clone(),
            warning: typed.warning.text.clone(),
            visibility: chosen.as_str().to_owned(),
            ..PostFields::default()
        };
        let key = sent_as_new::post_key(id);
        let compose = ComposeForm::with_draft(visit, key, DraftTyped::text(&post));
        match &self.group {
            Some(group) => compose.posting_in(Arc::clone(group)),
            None => compose.up_to(self.widest),
        }
    }
}
