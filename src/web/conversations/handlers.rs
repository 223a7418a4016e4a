//! One status on its page, with the posts above it, its replies, and the reply form.

use crate::{
    domain::Visibility,
    store::REPLIES_PER_PAGE,
    web::{
        addresses::{After, NewReply},
        edits::deleted::{limit_readers, limit_to_sent_readers},
        http::{
            errors::{Gone, error_page::retain},
            session::pending_form::PostFields,
        },
        prelude::*,
        statuses::{
            compose::{ComposeForm, DraftTyped, ReplyContext},
            handlers::reply_refused,
            view::{GapPage, Permalink, PermalinkPage},
        },
    },
};

/// Shows the permalink; its author also sees the progress of a long delivery. A repost without a
/// comment redirects to its original. Under another person's login a status is not found.
pub async fn show(
    app: Data<AppState>,
    visitor: Visitor,
    author: Named,
    id: Numbered,
    After(after): After,
) -> Result<HttpResponse> {
    let viewer = visitor.viewer()?;
    let status = app.store.status(viewer, id.0).await?;
    let status = status
        .filter(|status| status.author().id == author.0.id)
        .ok_or(Error::NotFound)?;
    if status.is_repost() {
        let original = status.shown();
        let path = routes::status(&original.author().login, original.id());
        return Ok(see_other(&path));
    }
    let typed = pending_reply(&visitor, id.0)
        .as_ref()
        .map(DraftTyped::text)
        .unwrap_or_default();
    let visit = visitor.visit();
    let compose = ComposeForm::with_draft(&visit, IdempotencyKey::draw(), typed);
    page(&permalink(&app, &visit, viewer, (&status, after), compose).await?)
}

/// Shows the permalink again, with a reply that was rejected or is not sent yet.
pub async fn with_compose(
    app: &AppState,
    visit: &Visit,
    viewer: Viewer,
    (to, compose): (StatusId, ComposeForm),
    code: StatusCode,
) -> Result<HttpResponse> {
    let status = app.store.status(viewer, to).await?.ok_or_else(gone)?;
    if !status.may_reply() {
        return Err(reply_refused());
    }
    let page = permalink(app, visit, viewer, (&status, None), compose).await?;
    page_with(code, &page)
}

/// The error for a status that was deleted before the reply or quote.
pub fn gone() -> Error {
    Error::Gone(Gone::Target)
}

async fn permalink(
    app: &AppState,
    visit: &Visit,
    viewer: Viewer,
    (status, after): (&VisibleStatus, Option<StatusId>),
    compose: ComposeForm,
) -> Result<PermalinkPage> {
    let author = async {
        match viewer {
            Viewer::Member(member) => app.store.known_user(member).await,
            Viewer::Anonymous => Ok(None),
        }
    };
    let (conversation, author) = try_join!(app.store.conversation(viewer, status, after), author)?;
    let progress = app.store.progress(status).await?;
    let reply = ReplyContext {
        to: status.id(),
        name: Some(status.author().name.clone()),
        widest: match status.group_id() {
            Some(_) => Visibility::Group,
            None => status.visibility(),
        },
    };
    let compose = compose.by(author.as_deref()).replying(Some(reply));
    let parts = Permalink {
        compose: limit_readers(&app.store, viewer, compose).await?,
        conversation,
        after,
        progress,
    };
    Ok(PermalinkPage::new(visit, status, parts))
}

/// Finds a status by its id alone. A status redirects to its permalink, to the part with the new reply if there is
/// one; a deleted status with replies is shown as a gap without a name. A reply that was typed before the log-in is
/// given back.
pub async fn find(
    app: Data<AppState>,
    visitor: Visitor,
    Numbered(id): Numbered,
    After(after): After,
    NewReply(new_reply): NewReply,
) -> Result<HttpResponse> {
    let viewer = visitor.viewer()?;
    let pending = pending_reply(&visitor, id);
    if let Some(status) = app.store.status(viewer, id).await? {
        let login = &status.author().login;
        if let Some(post) = pending.as_ref().filter(|_| !status.may_reply()) {
            return Ok(give_back(&visitor, post, &reply_refused()));
        }
        return Ok(see_other(&match (pending, new_reply) {
            (Some(_), _) => routes::reply(login, id),
            (None, Some(reply)) => routes::status_on(&page_with_reply(&status, reply), reply),
            (None, None) => routes::status(login, id),
        }));
    }
    if let Some(post) = pending {
        return Ok(give_back(&visitor, &post, &gone()));
    }
    let conversation = app.store.conversation_at_gap(viewer, id, after).await?;
    let conversation = conversation.ok_or(Error::NotFound)?;
    page(&GapPage::new(&visitor.visit(), id, &conversation, after))
}

/// Returns the page of the conversation with a new reply, which is the last one.
fn page_with_reply(status: &VisibleStatus, reply: StatusId) -> String {
    let path = routes::status(&status.author().login, status.id());
    let is_on_first_page = status.reply_and_gap_count() <= REPLIES_PER_PAGE as u64;
    match StatusId::new(reply.get() - 1) {
        Ok(after) if !is_on_first_page => routes::replies_after(&path, after),
        _ => path,
    }
}

/// Returns the reply to this status that was typed before the log-in.
fn pending_reply(visitor: &Visitor, to: StatusId) -> Option<PostFields> {
    match visitor.pending_form() {
        Some(PendingForm::Reply { reply_to, post }) if reply_to == to => Some(post),
        _ => None,
    }
}

/// Gives back a reply that is not possible, in a form to post it separately.
fn give_back(visitor: &Visitor, post: &PostFields, error: &Error) -> HttpResponse {
    let visit = visitor.visit();
    let typed = DraftTyped::text(post).without_reply();
    let compose = ComposeForm::with_draft(&visit, IdempotencyKey::draw(), typed);
    let compose = limit_to_sent_readers(post, compose);
    retain(visitor, error, &visit, Retained::form(&compose))
}
