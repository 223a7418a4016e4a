//! The text of an edit of a deleted post. It comes back in a form to post it as a new one.

use std::sync::Arc;

use super::view::TextTyped;
use crate::{
    domain::{ChoosableReaders, GroupId, ReplyControl, Visibility},
    store::{Group, Life},
    web::{
        http::{
            errors::Gone,
            session::{pending_form::PostFields, sent_as_new},
        },
        prelude::*,
        statuses::compose::{ComposeForm, DraftTyped},
    },
};

/// The readers and the reply control that a deleted post had. The form of a new post of its text selects no others and
/// no wider ones.
pub(super) struct DeletedPost {
    readers: FormerReaders,
    /// `None` if it is not known any more, or if a new post cannot have it. Then the form selects the narrowest choices.
    reply_control: Option<ReplyControl>,
}

enum FormerReaders {
    UpTo(Visibility),
    /// The members of a group. `None` if the group does not exist any more. Then a post to it is refused.
    InGroup(GroupId, Option<Arc<Group>>),
    /// The followers of another person, or unknown readers. A new post cannot have these, so its author chooses.
    Other,
}

impl FormerReaders {
    async fn find(app: &AppState, readers: Option<ChoosableReaders>) -> Result<Self> {
        match readers {
            None => Ok(Self::Other),
            Some(ChoosableReaders::UpTo(widest)) => Ok(Self::UpTo(widest)),
            Some(ChoosableReaders::InGroup(id)) => {
                let group = app.store.group(id).await?;
                let group = group.filter(|group| !group.is_gone).map(Arc::new);
                Ok(Self::InGroup(id, group))
            }
        }
    }

    /// Returns the choice that the form selects, for an edit with this choice.
    fn selected(&self, typed: Option<Visibility>) -> String {
        match self {
            Self::UpTo(widest) => {
                let chosen = typed.unwrap_or(*widest).min(*widest);
                chosen.as_str().to_owned()
            }
            Self::InGroup(group, _) => format!("{}{group}", PostFields::IN_GROUP),
            Self::Other => PostFields::NOT_CHOSEN.to_owned(),
        }
    }
}

impl DeletedPost {
    /// Finds the readers and the reply control of a deleted post of the member.
    pub(super) async fn find(app: &AppState, me: UserId, id: StatusId) -> Result<Self> {
        let header = match app.store.life(id).await? {
            Life::Dead(header) if header.author == me => header,
            _ => {
                return Ok(Self {
                    readers: FormerReaders::Other,
                    reply_control: None,
                });
            }
        };
        Ok(Self {
            readers: FormerReaders::find(app, header.choosable_readers()).await?,
            reply_control: app.store.own_reply_control(id).await?,
        })
    }

    /// Returns the error of the page with the form.
    pub(super) fn error(&self) -> Error {
        Error::Gone(match self.reply_control {
            Some(_) => Gone::Post,
            None => Gone::PostWithOtherRules,
        })
    }

    /// Returns the form of a new post with the text of the edit. All forms for one post have the same key, so sending
    /// two of them posts once.
    pub(super) fn form(&self, visit: &Visit, id: StatusId, typed: &TextTyped) -> ComposeForm {
        let control = self.reply_control.unwrap_or(ReplyControl::CLOSED);
        let post = PostFields {
            message: typed.message.text.clone(),
            warning: typed.warning.text.clone(),
            visibility: self.readers.selected(typed.visibility),
            repliers: control.repliers.as_str().to_owned(),
            quoting_closed: control.is_quoting_closed.then(|| "1".to_owned()),
            edit_of: id.to_string(),
            ..PostFields::default()
        };
        let key = sent_as_new::post_key(id);
        let compose = ComposeForm::with_draft(visit, key, DraftTyped::text(&post));
        match &self.readers {
            FormerReaders::UpTo(widest) => compose.up_to(*widest),
            FormerReaders::InGroup(_, Some(group)) => compose.posting_in(Arc::clone(group)),
            FormerReaders::InGroup(_, None) | FormerReaders::Other => {
                compose.up_to(Visibility::Followers)
            }
        }
    }
}
