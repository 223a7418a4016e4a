//! The text of an edit of a deleted post. It comes back in a form to post it as a new one.

use std::sync::Arc;

use super::view::TextTyped;
use crate::{
    domain::{ChoosableReaders, GroupId, Visibility},
    store::{Group, Life},
    web::{
        http::session::{pending_form::PostFields, sent_as_new},
        prelude::*,
        statuses::compose::{ComposeForm, DraftTyped},
    },
};

/// The audience that a deleted post had. The form of a new post of its text selects no other and no wider one.
pub(super) enum DeletedPost {
    UpTo(Visibility),
    /// The members of a group. `None` if the group does not exist any more. Then a post to it is refused.
    InGroup(GroupId, Option<Arc<Group>>),
    /// The followers of another person, or unknown readers. A new post cannot have these, so its author chooses.
    Other,
}

impl DeletedPost {
    /// Finds the audience of a deleted post of the member.
    pub(super) async fn find(app: &AppState, me: UserId, id: StatusId) -> Result<Self> {
        let header = match app.store.life(id).await? {
            Life::Dead(header) if header.author == me => header,
            _ => return Ok(Self::Other),
        };
        match header.choosable_readers() {
            None => Ok(Self::Other),
            Some(ChoosableReaders::UpTo(widest)) => Ok(Self::UpTo(widest)),
            Some(ChoosableReaders::InGroup(id)) => {
                let group = app.store.group(id).await?;
                let group = group.filter(|group| !group.is_gone).map(Arc::new);
                Ok(Self::InGroup(id, group))
            }
        }
    }

    /// Returns the form of a new post with the text of the edit. All forms for one post have the same key, so sending
    /// two of them posts once.
    pub(super) fn form(&self, visit: &Visit, id: StatusId, typed: &TextTyped) -> ComposeForm {
        let visibility = match self {
            Self::UpTo(widest) => {
                let chosen = typed.visibility.unwrap_or(*widest).min(*widest);
                chosen.as_str().to_owned()
            }
            Self::InGroup(group, _) => format!("{}{group}", PostFields::IN_GROUP),
            Self::Other => PostFields::NOT_CHOSEN.to_owned(),
        };
        let post = PostFields {
            message: typed.message.text.clone(),
            warning: typed.warning.text.clone(),
            visibility,
            ..PostFields::default()
        };
        let key = sent_as_new::post_key(id);
        let compose = ComposeForm::with_draft(visit, key, DraftTyped::text(&post));
        let compose = compose.with_edit_of(Some(id));
        match self {
            Self::UpTo(widest) => compose.up_to(*widest),
            Self::InGroup(_, Some(group)) => compose.posting_in(Arc::clone(group)),
            Self::InGroup(_, None) | Self::Other => compose.up_to(Visibility::Followers),
        }
    }
}
