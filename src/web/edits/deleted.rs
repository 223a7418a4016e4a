//! The text of an edit of a deleted post. It comes back in a form to post it as a new one. The form offers no more
//! readers than the deleted post had, also when it is shown again.

use std::sync::Arc;

use super::view::TextTyped;
use crate::{
    domain::{ChoosableReaders, GroupId, ReplyControl, Visibility},
    store::{self, Group, Life, Store},
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

/// The readers that the form of a new post of its text offers.
enum FormerReaders {
    UpTo(Visibility),
    /// The members of a group. `None` if the group does not exist any more. Then its author chooses.
    InGroup(GroupId, Option<Arc<Group>>),
    /// The followers of another person, or unknown readers. A new post cannot have these, so its author chooses.
    Other,
}

impl FormerReaders {
    /// Finds the readers of a deleted post of the member.
    async fn find(store: &Store, me: UserId, id: StatusId) -> store::Result<Self> {
        match store.life(id).await? {
            Life::Dead(header) if header.author == me => {
                Self::of(store, header.choosable_readers()).await
            }
            _ => Ok(Self::Other),
        }
    }

    async fn of(store: &Store, readers: Option<ChoosableReaders>) -> store::Result<Self> {
        match readers {
            None => Ok(Self::Other),
            Some(ChoosableReaders::UpTo(widest)) => Ok(Self::UpTo(widest)),
            Some(ChoosableReaders::InGroup(id)) => {
                let group = store.group(id).await?;
                let group = group.filter(|group| !group.is_gone).map(Arc::new);
                Ok(Self::InGroup(id, group))
            }
        }
    }

    /// Returns the sent choice as the widest one. For the page of an error, which reads nothing.
    fn of_sent(post: &PostFields) -> Self {
        match (Visibility::stored(&post.visibility), post.group()) {
            (Some(chosen), _) => Self::UpTo(chosen),
            (None, Some(group)) => Self::InGroup(group, None),
            (None, None) => Self::Other,
        }
    }

    /// Offers no other readers in this form, and no wider ones.
    fn limit(&self, compose: ComposeForm) -> ComposeForm {
        match self {
            Self::UpTo(widest) => compose.with_groups(Vec::new()).up_to(*widest),
            Self::InGroup(_, Some(group)) if !compose.is_reply() => {
                compose.posting_in(Arc::clone(group))
            }
            Self::InGroup(..) | Self::Other => {
                compose.with_groups(Vec::new()).up_to(Visibility::Followers)
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
            Self::InGroup(group, Some(_)) => format!("{}{group}", PostFields::IN_GROUP),
            Self::InGroup(_, None) | Self::Other => PostFields::NOT_CHOSEN.to_owned(),
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
            readers: FormerReaders::of(&app.store, header.choosable_readers()).await?,
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
        self.readers.limit(compose)
    }
}

/// Limits a form with the text of an edit to the readers of the deleted post. Reads nothing for other forms.
pub async fn limit_readers(
    store: &Store,
    viewer: Viewer,
    compose: ComposeForm,
) -> store::Result<ComposeForm> {
    match (viewer.id(), compose.edit_of()) {
        (Some(me), Some(id)) => Ok(FormerReaders::find(store, me, id).await?.limit(compose)),
        _ => Ok(compose),
    }
}

/// Limits a form with the text of an edit to the readers that were sent, after an error.
pub fn limit_to_sent_readers(post: &PostFields, compose: ComposeForm) -> ComposeForm {
    match compose.edit_of() {
        Some(_) => FormerReaders::of_sent(post).limit(compose),
        None => compose,
    }
}
