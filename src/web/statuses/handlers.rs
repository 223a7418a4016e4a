//! Posting, replying and deleting.

use actix_web::web::Query;

use super::{
    compose::{ComposeForm, DraftTyped},
    extras::Extras,
    help::PostingHelpPage,
    new_post, thread,
    view::DeletePage,
};
use crate::{
    actions::statuses::{
        Delete, Post, delete as delete_status, mentions::unreached_mentions, post,
    },
    domain::{Draft, GroupPostRefusal},
    web::{
        conversations,
        edits::deleted::limit_to_sent_readers,
        homes,
        http::{errors::group_words, return_to::local, session::pending_form::PostFields},
        prelude::*,
    },
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Fields {
    #[serde(flatten)]
    pub post: PostFields,
    pub idempotency_key: String,
    /// The id of the status it replies to; empty for other posts.
    reply_to: String,
    /// The mentioned people of whom the form has said that they will not see the post.
    unreached: String,
    /// The page to go to after a post: that of the group, or the one on which "Compose" was pressed.
    #[serde(deserialize_with = "local")]
    pub next: Option<LocalPath>,
    /// The pressed button, if it shows more of the form instead of posting.
    pub extras: String,
}

impl Fields {
    fn reply_to(&self) -> Result<Option<StatusId>> {
        match self.reply_to.as_str() {
            "" => Ok(None),
            id => id.parse().map(Some).map_err(|_| Error::BadForm),
        }
    }
}

/// Shows who can see posts, to everyone.
pub async fn help(app: Data<AppState>, visitor: Visitor) -> Result<HttpResponse> {
    let newcomer_days = app.store.config().limits.new_account_days;
    page(&PostingHelpPage::new(&visitor.visit(), newcomer_days))
}

pub async fn create(app: Data<AppState>, form: MemberForm<Fields>) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| publish(&app, me, fields).await;
    form.answer(act, give_back).await
}

async fn publish(app: &AppState, me: &CurrentUser, fields: &Fields) -> Result<HttpResponse> {
    if let Some(extras) = Extras::pressed(&fields.extras) {
        return show_extras(app, me, fields, extras).await;
    }
    let reply_to = fields.reply_to()?;
    let drafts = match thread::parse(&fields.post) {
        Ok(drafts) => drafts.into_iter().map(|draft| Draft { reply_to, ..draft }),
        Err(typed) => return refuse(app, me, fields, *typed).await,
    };
    let drafts: Vec<Draft> = drafts.collect();
    if let Some(typed) = name_unreached(app, me, fields, &drafts).await? {
        return refuse(app, me, fields, typed).await;
    }
    let id = thread::publish(app, me, fields, drafts).await?;
    me.visitor.forget_pending_form(|form| match form {
        PendingForm::Post(_) => reply_to.is_none(),
        PendingForm::Reply { reply_to: to, .. } => reply_to == Some(*to),
        _ => false,
    });
    me.visitor.set_notice(Notice::Posted);
    Ok(posted(reply_to, id, fields.next.as_ref()))
}

/// Shows the form with the typed text, and with a preview or errors.
async fn show_extras(
    app: &AppState,
    me: &CurrentUser,
    fields: &Fields,
    extras: Extras,
) -> Result<HttpResponse> {
    match fields.with_extras(&me.visitor.visit(), extras) {
        Ok(form) => show_form(app, me, fields, form, StatusCode::OK).await,
        Err(typed) => refuse(app, me, fields, *typed).await,
    }
}

/// Returns the drafts to be sent again if they mention people who would not see them, and the form has not said so yet.
pub async fn name_unreached(
    app: &AppState,
    me: &CurrentUser,
    fields: &Fields,
    drafts: &[Draft],
) -> Result<Option<DraftTyped>> {
    let mut unreached = Vec::new();
    for draft in drafts {
        for login in unreached_mentions(&app.store, me.id, draft).await? {
            if !unreached.contains(&login) {
                unreached.push(login);
            }
        }
    }
    let said: Vec<&str> = fields.unreached.split(' ').collect();
    let is_said = unreached.iter().all(|login| said.contains(&login.as_str()));
    Ok((!is_said).then(|| DraftTyped::text(&fields.post).naming_unreached(&unreached)))
}

/// Posts the draft of a form, within the limit. The same draft is posted once if the answer was lost.
pub async fn post_draft(
    app: &AppState,
    me: &CurrentUser,
    sent: IdempotencyKey,
    draft: Draft,
) -> Result<Post> {
    let digest = draft.digest();
    // In this order: a refused post writes nothing.
    rate::charge(&app.store, RateLimit::Post(me.id)).await?;
    let key = me.visitor.form_key(me.id, sent, &digest).await?;
    Ok(post(&app.store, me.actor(), draft, &key).await?)
}

/// Returns the id of a new post. A refused one becomes the error of its page.
pub fn posted_id(outcome: Post) -> Result<StatusId> {
    match outcome {
        Post::Posted(id) => Ok(id),
        Post::TargetDeleted => Err(conversations::handlers::gone()),
        Post::ReplyRefused => Err(reply_refused()),
        Post::QuoteRefused => Err(quote_refused()),
        Post::GroupRefused(GroupPostRefusal::NotMember) => Err(Error::NotInGroup),
        Post::GroupRefused(refusal) => Err(Error::Refused(group_words(refusal))),
        Post::KeyReused | Post::ChangedSince(_) => Err(Error::Conflict),
    }
}

pub fn reply_refused() -> Error {
    const REASON: &str = "You cannot reply to this post. Its author or the author of the conversation limits who can reply.";
    Error::Refused(REASON.to_owned())
}

pub fn quote_refused() -> Error {
    Error::Refused("You cannot quote this post. Its author does not allow it.".to_owned())
}

/// Shows the form again on its page.
async fn refuse(
    app: &AppState,
    me: &CurrentUser,
    fields: &Fields,
    typed: DraftTyped,
) -> Result<HttpResponse> {
    let key = IdempotencyKey::after_refusal_of(&fields.idempotency_key);
    let compose = ComposeForm::with_draft(&me.visitor.visit(), key, typed);
    let compose = compose.returning_to(fields.next.clone());
    show_form(app, me, fields, compose, StatusCode::UNPROCESSABLE_ENTITY).await
}

async fn show_form(
    app: &AppState,
    me: &CurrentUser,
    fields: &Fields,
    compose: ComposeForm,
    status: StatusCode,
) -> Result<HttpResponse> {
    let visit = me.visitor.visit();
    if let Some(to) = fields.reply_to()? {
        let viewer = Viewer::Member(me.id);
        return conversations::handlers::with_compose(app, &visit, viewer, (to, compose), status)
            .await;
    }
    match fields.next {
        Some(_) => new_post::with_compose(app, me.id, &visit, compose, status).await,
        None => homes::handlers::with_compose(app, me.id, &visit, compose, status).await,
    }
}

/// Redirects to home or the page of the form after a post, and to the conversation after a reply.
fn posted(reply_to: Option<StatusId>, id: StatusId, next: Option<&LocalPath>) -> HttpResponse {
    match reply_to {
        None => see_other(next.map_or(routes::HOME, LocalPath::as_str)),
        Some(to) => see_other(&routes::reply_in_conversation(to, id)),
    }
}

/// Returns the draft in a form to send it again, or, if the session has ended, in the log-in form. After the log-in it
/// is on home, on the page of the form with its way back, or below the status it replies to. The form keeps its
/// idempotency key, so that a draft whose response was lost is not posted twice. After a conflict it gets another one.
fn give_back(fields: &Fields, visit: &Visit, error: &Error) -> Retained {
    let to = fields.reply_to().ok().flatten();
    if matches!(error, Error::LoggedOut) {
        let post = fields.post.clone();
        let next = match to {
            Some(to) => LocalPath::parse(&routes::status_by_id(to)),
            None => fields.next.as_ref().and_then(new_post::page_then),
        };
        let typed = match to {
            None => PendingForm::Post(post),
            Some(reply_to) => PendingForm::Reply { reply_to, post },
        };
        return Retained::log_in(visit, next, typed);
    }
    let compose = form_again(fields, visit, error, to);
    Retained::form(&limit_to_sent_readers(&fields.post, compose))
}

/// Returns the form to send the draft or the rest of its thread again.
fn form_again(
    fields: &Fields,
    visit: &Visit,
    error: &Error,
    reply_to: Option<StatusId>,
) -> ComposeForm {
    if let Error::ThreadStopped {
        published,
        last,
        cause,
    } = error
    {
        return thread::rest_of_form(fields, visit, (*published, *last), cause);
    }
    let Some(to) = reply_to else {
        return fields.compose_form(visit, error);
    };
    if matches!(
        error,
        Error::Gone(_) | Error::NotInGroup | Error::Refused(_)
    ) {
        let typed = DraftTyped::text(&fields.post).without_reply();
        return fields.form_with(visit, error, typed);
    }
    fields.compose_form(visit, error).replying_again(to)
}

impl Fields {
    /// Returns the form with the typed text and these extras. Returns the errors of a draft that cannot be previewed.
    pub fn with_extras(
        &self,
        visit: &Visit,
        extras: Extras,
    ) -> std::result::Result<ComposeForm, Box<DraftTyped>> {
        let drafts = match extras {
            Extras::Preview => thread::parse(&self.post)?,
            Extras::Warning | Extras::Poll | Extras::Replies | Extras::Thread => Vec::new(),
        };
        let mut typed = DraftTyped::text(&self.post);
        if extras == Extras::Thread {
            typed.add_post();
        }
        let sent = IdempotencyKey::parse(&self.idempotency_key);
        let key = sent.unwrap_or_else(IdempotencyKey::draw);
        let form = ComposeForm::with_draft(visit, key, typed).returning_to(self.next.clone());
        Ok(form.opening(extras).previewing(&drafts))
    }

    /// Returns the idempotency key of the form.
    pub fn sent_key(&self) -> Result<IdempotencyKey> {
        IdempotencyKey::parse(&self.idempotency_key).ok_or(Error::BadForm)
    }

    /// Returns the key with which the same text can be sent again after an error.
    pub fn key_to_send_again(&self, error: &Error) -> IdempotencyKey {
        let sent = match error {
            Error::Conflict | Error::Gone(_) | Error::NotInGroup | Error::Refused(_) => None,
            _ => IdempotencyKey::parse(&self.idempotency_key),
        };
        sent.unwrap_or_else(|| IdempotencyKey::after_refusal_of(&self.idempotency_key))
    }

    /// Returns the form to send the message again after an error.
    pub fn compose_form(&self, visit: &Visit, error: &Error) -> ComposeForm {
        self.form_with(visit, error, DraftTyped::text(&self.post))
    }

    fn form_with(&self, visit: &Visit, error: &Error, typed: DraftTyped) -> ComposeForm {
        let key = self.key_to_send_again(error);
        match error {
            // The form came from the page of the group, or offered it.
            Error::NotInGroup => ComposeForm::with_draft(visit, key, typed.without_group()),
            _ => ComposeForm::with_draft(visit, key, typed).returning_to(self.next.clone()),
        }
    }
}

pub async fn ask(
    app: Data<AppState>,
    me: CurrentUser,
    id: Numbered,
    Query(asked): Query<ReturnTo>,
) -> Result<HttpResponse> {
    let status = app.store.status(Viewer::Member(me.id), id.0).await?;
    let status = status
        .filter(VisibleStatus::is_own)
        .ok_or(Error::NotFound)?;
    let from = ReturnTo {
        next: asked.next.or_else(|| me.visitor.came_from()),
    };
    page(&DeletePage::new(&me.visitor.visit(), &status, &from))
}

pub async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    id: Numbered,
    SignedForm(return_to): SignedForm<ReturnTo>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Delete(me.id)).await?;
    match delete_status(&app.store, me.actor(), id.0).await? {
        Delete::Deleted => {
            me.visitor.confirm();
            me.visitor
                .set_notice_at(Notice::Deleted, return_to.status());
            Ok(see_other(return_to.page_without(id.0)))
        }
        Delete::NotFound => Err(Error::NotFound),
    }
}
