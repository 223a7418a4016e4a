//! A thread: several posts of one form, each a reply to the one before. A post alone is a thread of one.

use super::{
    compose::{ComposeForm, DraftTyped},
    handlers::{Fields, post_draft, posted_id},
};
use crate::{
    actions::statuses::Post,
    domain::{Draft, Message},
    web::{http::session::pending_form::PostFields, prelude::*},
};

/// Parses the posts of a form, or returns the form with its errors. Empty boxes are left out. Warning, readers and who
/// can reply are those of the whole thread, and the poll is that of its first post.
pub(super) fn parse(post: &PostFields) -> std::result::Result<Vec<Draft>, Box<DraftTyped>> {
    let first = DraftTyped::parse(post);
    let texts: Vec<&str> = post.thread.texts().collect();
    let is_filled = |text: &&&str| !text.trim().is_empty();
    let messages = texts
        .iter()
        .filter(is_filled)
        .map(|text| Message::parse(text));
    match (first, messages.collect::<std::result::Result<Vec<_>, _>>()) {
        (Ok(first), Ok(messages)) => {
            let further = messages.iter().map(|message| Draft {
                warning: first.warning.clone(),
                visibility: first.visibility,
                reply_control: first.reply_control,
                group: first.group,
                ..Draft::from(message)
            });
            let further: Vec<Draft> = further.collect();
            Ok([vec![first], further].concat())
        }
        (first, _) => {
            let mut typed = first.map_or_else(|typed| *typed, |_| DraftTyped::text(post));
            let boxes = typed.thread.iter_mut().zip(&texts);
            for (typed, text) in boxes.filter(|(_, text)| is_filled(text)) {
                *typed = Typed::checked(*text, &Message::parse(text));
            }
            Err(Box::new(typed))
        }
    }
}

/// Publishes the posts in their order and returns the first. Each has a key that follows from that of the form, so the
/// same form posts each once. An error after the first post names the published ones. It is a conflict if each post was
/// published before and edited or deleted since.
pub(super) async fn publish(
    app: &AppState,
    me: &CurrentUser,
    fields: &Fields,
    drafts: Vec<Draft>,
) -> Result<StatusId> {
    let mut key = fields.sent_key()?;
    let (mut first, mut last) = (None, None);
    let mut is_each_changed = true;
    for (published, draft) in drafts.into_iter().enumerate() {
        let draft = Draft {
            reply_to: last.or(draft.reply_to),
            ..draft
        };
        let reply_to = draft.reply_to;
        match publish_one(app, me, &key, draft).await {
            Ok((id, is_changed)) => {
                is_each_changed &= is_changed;
                if let Some(to) = reply_to {
                    app.streams.note_reply(to);
                }
                (first, last) = (first.or(Some(id)), Some(id));
            }
            Err(cause) => {
                return Err(match last {
                    None => cause,
                    Some(last) => Error::ThreadStopped {
                        published,
                        last,
                        cause: Box::new(cause),
                    },
                });
            }
        }
        key = key.following();
    }
    me.visitor.confirm();
    let first = first.ok_or(Error::BadForm)?;
    match is_each_changed {
        true => Err(Error::Conflict),
        false => Ok(first),
    }
}

/// Publishes one post. Returns its id, and whether it was published before and edited or deleted since. Such a post
/// counts as published, so the posts after it keep their keys. A refusal is final, so the same text is then another
/// form. After an unknown outcome it is not.
async fn publish_one(
    app: &AppState,
    me: &CurrentUser,
    key: &IdempotencyKey,
    draft: Draft,
) -> Result<(StatusId, bool)> {
    let id = match post_draft(app, me, key.clone(), draft).await? {
        Post::ChangedSince(id) => Ok((id, true)),
        outcome => posted_id(outcome).map(|id| (id, false)),
    };
    if id.is_err() {
        me.visitor.confirm();
    }
    id
}

/// Returns the form with the posts that are not published, as replies to the last published one. Their keys are those
/// with which they were sent, unless another text has them. If the last one was deleted, they are a thread of their
/// own, with the key that replies to the deleted post get when they are refused.
pub(super) fn rest_of_form(
    fields: &Fields,
    visit: &Visit,
    (published, last): (usize, StatusId),
    cause: &Error,
) -> ComposeForm {
    let is_last_deleted = matches!(cause, Error::Gone(_));
    let sent = match is_last_deleted {
        true => IdempotencyKey::parse(&fields.idempotency_key),
        false => None,
    };
    let sent = sent.unwrap_or_else(|| fields.key_to_send_again(cause));
    let key = (0..published).fold(sent, |key, _| key.following());
    let texts = fields.post.thread.texts();
    let mut left = texts
        .filter(|text| !text.trim().is_empty())
        .skip(published - 1);
    let post = PostFields {
        message: left.next().unwrap_or_default().to_owned(),
        warning: fields.post.warning.clone(),
        visibility: fields.post.visibility.clone(),
        repliers: fields.post.repliers.clone(),
        quoting_closed: fields.post.quoting_closed.clone(),
        edit_of: fields.post.edit_of.clone(),
        ..PostFields::default()
    };
    let mut typed = DraftTyped::text(&post);
    typed.thread = left.map(Typed::text).collect();
    if !is_last_deleted {
        return ComposeForm::with_draft(visit, key, typed).continuing(Some(last));
    }
    let key = IdempotencyKey::after_refusal_of(key.as_str());
    ComposeForm::with_draft(visit, key, typed.without_reply())
        .continuing(None)
        .returning_to(fields.next.clone())
}
