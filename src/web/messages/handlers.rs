//! Reading and writing messages.

use super::{
    compose::{MessageForm, NewMessagePage},
    conversation::{ConversationPage, Shown, may_write},
    list::MessagesPage,
    settings::HelpPage,
    words::refusal,
};
use crate::{
    actions::messages::{self, NewMessage, Send, SendRefusal},
    domain::{ChatId, ChatList, ChatText, MAX_CHAT_MEMBERS, MemberState, MessageId},
    store::{ChatPart, ChatView, MemberChange, ReadMark, ReadMode},
    web::{
        addresses::{Chatted, To, Upwards},
        http::errors::Gone,
        prelude::*,
    },
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Fields {
    /// Logins, separated by blanks or commas.
    people: String,
    message: String,
    idempotency_key: String,
}

pub async fn help(visitor: Visitor) -> Result<HttpResponse> {
    page(&HelpPage::new(
        &visitor.visit(),
        visitor.app().store.config(),
    ))
}

pub async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    OfRoute(list): OfRoute<ChatList>,
    Before(before): Before,
) -> Result<HttpResponse> {
    let (chats, requests) = try_join!(
        app.store.chats_page(me.id, list, before),
        app.store.chat_request_count(me.id)
    )?;
    let visit = me.visitor.visit();
    page(&MessagesPage::new(&visit, list, requests, (before, &chats)))
}

/// Shows the form of a new message. To one person with a conversation, it leads there.
pub async fn new(app: Data<AppState>, me: CurrentUser, To(to): To) -> Result<HttpResponse> {
    if let Some(login) = &to
        && let Some(person) = app.store.find_user(Viewer::Member(me.id), login).await?
    {
        let chat = ChatId::of(&[me.id, person.id]);
        if app
            .store
            .chat(me.id, chat, ChatPart::newest(0))
            .await?
            .is_some()
        {
            return Ok(see_other(&routes::chat_newest(chat)));
        }
    }
    let (people, text) = people_and_text(&me, to.as_ref());
    let visit = me.visitor.visit();
    let key = IdempotencyKey::draw();
    let form = MessageForm::to_people(&visit, key, Typed::text(people), Typed::text(text));
    page(&NewMessagePage::new(&visit, form))
}

/// Returns the people and the text of a new message: those of the pending form, unless it is to other people.
fn people_and_text(me: &CurrentUser, to: Option<&Login>) -> (String, String) {
    let is_to = |people: &str| to.is_none_or(|to| are_same_people(people, to.as_str()));
    let restored = me.visitor.restore(|form| match form {
        PendingForm::NewMessage { people, message } if is_to(&people) => Some((people, message)),
        _ => None,
    });
    restored.unwrap_or_else(|| (to.map_or_else(String::new, Login::to_string), String::new()))
}

pub async fn create(app: Data<AppState>, form: MemberForm<Fields>) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| begin(&app, me, fields).await;
    form.answer(act, give_back_new).await
}

/// Writes to the people of a form.
async fn begin(app: &AppState, me: &CurrentUser, fields: &Fields) -> Result<HttpResponse> {
    let key = charged_key(app, me, fields).await?;
    let parsed = ChatText::parse(&fields.message);
    let people = match people_of(app, me, &fields.people).await? {
        Ok(people) => people,
        Err(error) => {
            let people = Typed::wrong(&fields.people, error);
            return show_new_again(me, fields, people, Typed::checked(&fields.message, &parsed));
        }
    };
    let Ok(text) = &parsed else {
        let people = Typed::text(&fields.people);
        return show_new_again(me, fields, people, Typed::checked(&fields.message, &parsed));
    };
    let content = format!("message to {people:?}: {}", text.as_str());
    let key = me.visitor.form_key(me.id, key, &content).await?;
    let message = NewMessage { text, key: &key };
    let sent = messages::write_to(&app.store, me.actor(), &people, message).await?;
    me.visitor.confirm();
    match sent {
        Send::Sent(chat, _) => {
            me.visitor.set_notice(Notice::MessageSent);
            Ok(sent_to(me, chat, fields))
        }
        Send::Refused(SendRefusal::Conflict) => Err(Error::Conflict),
        Send::Refused(refused) => {
            let people = Typed::wrong(&fields.people, reason(app, &refused));
            show_new_again(me, fields, people, Typed::text(&fields.message))
        }
    }
}

/// Returns the people with these logins, or the error of the field.
async fn people_of(
    app: &AppState,
    me: &CurrentUser,
    typed: &str,
) -> Result<std::result::Result<Vec<UserId>, String>> {
    let words = login_words(typed);
    if words.is_empty() || words.len() >= MAX_CHAT_MEMBERS {
        return Ok(Err(reason(app, &SendRefusal::WrongNumber)));
    }
    let logins: Option<Vec<Login>> = words.iter().map(|word| Login::stored(word)).collect();
    let unknown = || "No one has one of these logins. Check the spelling.".to_owned();
    let Some(logins) = logins else {
        return Ok(Err(unknown()));
    };
    let people = app.store.find_users(Viewer::Member(me.id), &logins).await?;
    let people: Option<Vec<UserId>> = people.into_iter().collect();
    Ok(people.ok_or_else(unknown))
}

/// Splits the typed people of a new message.
fn login_words(typed: &str) -> Vec<&str> {
    let separators = |c: char| c.is_whitespace() || c == ',';
    let words = typed.split(separators).filter(|word| !word.is_empty());
    words.map(|word| word.trim_start_matches('@')).collect()
}

/// Returns whether two texts have the same logins. None are no people.
fn are_same_people(typed: &str, other: &str) -> bool {
    let (typed, other) = (login_words(typed), login_words(other));
    let mut pairs = typed.iter().zip(&other);
    !typed.is_empty()
        && typed.len() == other.len()
        && pairs.all(|(typed, other)| typed.eq_ignore_ascii_case(other))
}

fn show_new_again(
    me: &CurrentUser,
    fields: &Fields,
    people: Typed,
    text: Typed,
) -> Result<HttpResponse> {
    let visit = me.visitor.visit();
    let key = IdempotencyKey::after_refusal_of(&fields.idempotency_key);
    let form = MessageForm::to_people(&visit, key, people, text);
    page_with(
        StatusCode::UNPROCESSABLE_ENTITY,
        &NewMessagePage::new(&visit, form),
    )
}

/// Shows a part of a conversation. The newest part counts as read.
pub async fn show(
    app: Data<AppState>,
    me: CurrentUser,
    Chatted(id): Chatted,
    Upwards(before): Upwards,
) -> Result<HttpResponse> {
    let part = ChatPart {
        before,
        count: ChatPart::PAGE,
    };
    let (chat, own) = try_join!(app.store.chat(me.id, id, part), app.store.known_user(me.id))?;
    let chat = chat.ok_or(Error::NotFound)?;
    let shows_read_marks = own.is_some_and(|own| own.shows_read_marks);
    let typed = pending_message(&me.visitor, &chat, before).unwrap_or_default();
    let mut visit = me.visitor.visit();
    if before.is_none() && me.visitor.read_mode() == ReadMode::Visit {
        let was_counted = mark_read(&app, &me, &chat, shows_read_marks).await;
        visit.unread_chats = visit.unread_chats.saturating_sub(u64::from(was_counted));
    }
    let form = MessageForm::in_chat(&visit, id, IdempotencyKey::draw(), typed);
    let shown = Shown {
        chat: &chat,
        before,
        shows_read_marks,
    };
    page(&ConversationPage::new(&visit, &shown, form))
}

/// Returns the message to this conversation that was typed before the log-in, if the page has a form for it.
fn pending_message(
    visitor: &Visitor,
    shown: &ChatView,
    before: Option<MessageId>,
) -> Option<Typed> {
    let has_form = before.is_none() && may_write(shown);
    visitor.restore(|form| match form {
        PendingForm::Message { chat, message } if has_form && chat == shown.id => {
            Some(Typed::text(message))
        }
        _ => None,
    })
}

/// Marks a conversation as read. Returns whether it was counted as unread before. A failure is only logged, because
/// the page can be shown without it.
async fn mark_read(app: &AppState, me: &CurrentUser, chat: &ChatView, is_shown: bool) -> bool {
    let own = &chat.own;
    if own.state != MemberState::Open || own.seen >= chat.last {
        return false;
    }
    let mark = match is_shown {
        true => ReadMark::Shown,
        false => ReadMark::Hidden,
    };
    let change = MemberChange::Read(chat.last, mark);
    match messages::change_member(&app.store, me.actor(), chat.id, change).await {
        Ok(_) => own.unread > 0 && !own.is_muted,
        Err(error) => {
            tracing::warn!(%error, "a conversation was not marked as read");
            false
        }
    }
}

pub async fn send(
    app: Data<AppState>,
    Chatted(id): Chatted,
    form: MemberForm<Fields>,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Fields| write(&app, me, id, fields).await;
    form.answer(act, |fields, visit, error| {
        give_back(id, fields, visit, error)
    })
    .await
}

async fn write(
    app: &AppState,
    me: &CurrentUser,
    id: ChatId,
    fields: &Fields,
) -> Result<HttpResponse> {
    let key = charged_key(app, me, fields).await?;
    let parsed = ChatText::parse(&fields.message);
    let Ok(text) = &parsed else {
        return show_again(
            app,
            me,
            (id, fields),
            Typed::checked(&fields.message, &parsed),
        )
        .await;
    };
    let content = format!("message in {id}: {}", text.as_str());
    let key = me.visitor.form_key(me.id, key, &content).await?;
    let message = NewMessage { text, key: &key };
    let sent = messages::write(&app.store, me.actor(), id, message).await?;
    me.visitor.confirm();
    match sent {
        Send::Sent(chat, _) => Ok(sent_to(me, chat, fields)),
        Send::Refused(SendRefusal::NotFound) => Err(Error::Gone(Gone::Conversation)),
        Send::Refused(SendRefusal::Conflict) => Err(Error::Conflict),
        Send::Refused(refused) => {
            let typed = Typed::wrong(&fields.message, reason(app, &refused));
            show_again(app, me, (id, fields), typed).await
        }
    }
}

/// Shows the conversation with the form again. If its page has no form any more, the error gives back the text.
async fn show_again(
    app: &AppState,
    me: &CurrentUser,
    (id, fields): (ChatId, &Fields),
    typed: Typed,
) -> Result<HttpResponse> {
    let part = ChatPart::newest(ChatPart::PAGE);
    let chat = app.store.chat(me.id, id, part).await?;
    let chat = chat.ok_or(Error::Gone(Gone::Conversation))?;
    if !may_write(&chat) {
        return Err(Error::Refused(typed.error.unwrap_or_default()));
    }
    let visit = me.visitor.visit();
    let key = IdempotencyKey::after_refusal_of(&fields.idempotency_key);
    let form = MessageForm::in_chat(&visit, id, key, typed);
    let shown = Shown {
        chat: &chat,
        before: None,
        shows_read_marks: false,
    };
    let page = ConversationPage::new(&visit, &shown, form);
    page_with(StatusCode::UNPROCESSABLE_ENTITY, &page)
}

/// Charges the limit before anything is read, and returns the idempotency key of the form.
async fn charged_key(app: &AppState, me: &CurrentUser, fields: &Fields) -> Result<IdempotencyKey> {
    let key = IdempotencyKey::parse(&fields.idempotency_key).ok_or(Error::BadForm)?;
    rate::charge(&app.store, RateLimit::Message(me.id)).await?;
    Ok(key)
}

/// Forgets the pending form of the sent message and redirects to the conversation.
fn sent_to(me: &CurrentUser, chat: ChatId, sent: &Fields) -> HttpResponse {
    me.visitor.forget_pending_form(|form| match form {
        PendingForm::NewMessage { people, .. } => are_same_people(people, &sent.people),
        PendingForm::Message { chat: of, .. } => *of == chat,
        _ => false,
    });
    see_other(&routes::chat_newest(chat))
}

fn reason(app: &AppState, refused: &SendRefusal) -> String {
    let limits = &app.store.config().limits;
    refusal(refused, limits.message_requests_per_day)
}

/// Returns the message in its form, or, if the session has ended, in the log-in form. If the author does not belong to
/// the conversation any more, it is in the form of a message to other people.
fn give_back(chat: ChatId, fields: &Fields, visit: &Visit, error: &Error) -> Retained {
    if matches!(error, Error::LoggedOut) {
        let message = fields.message.clone();
        let next = LocalPath::parse(&routes::chat(chat));
        return Retained::log_in(visit, next, PendingForm::Message { chat, message });
    }
    let (key, typed) = (key_again(fields, error), Typed::text(&fields.message));
    if matches!(error, Error::Gone(_)) {
        let people = Typed::default();
        return Retained::form(&MessageForm::to_people(visit, key, people, typed));
    }
    Retained::form(&MessageForm::in_chat(visit, chat, key, typed))
}

fn give_back_new(fields: &Fields, visit: &Visit, error: &Error) -> Retained {
    let (people, message) = (fields.people.clone(), fields.message.clone());
    if matches!(error, Error::LoggedOut) {
        let next = LocalPath::parse(routes::NEW_MESSAGE);
        return Retained::log_in(visit, next, PendingForm::NewMessage { people, message });
    }
    let key = key_again(fields, error);
    let form = MessageForm::to_people(visit, key, Typed::text(people), Typed::text(message));
    Retained::form(&form)
}

/// Returns the key of a form that is sent again: the same, unless it became another message.
fn key_again(fields: &Fields, error: &Error) -> IdempotencyKey {
    let sent = match error {
        Error::Conflict => None,
        _ => IdempotencyKey::parse(&fields.idempotency_key),
    };
    sent.unwrap_or_else(|| IdempotencyKey::after_refusal_of(&fields.idempotency_key))
}
