//! Many users at once, created by the site's own actions but without HTTP and without a password
//! hash for each.

use futures_util::{StreamExt, TryStreamExt, stream};
use redwing::{
    actions::{
        account_states,
        accounts::{self, NewAccount, SignUp},
        bookmarks, edits, favourites, follow_requests,
        follows::{self, Follow},
        homes,
        importance::{ImportantRead, important_page},
        invitations::Entry,
        lists, muted_conversations, muted_texts,
        reposts::{self, Repost},
        statuses::{self, Delete, Post},
        tag_follows,
    },
    domain::{
        ApplicationAnswer, Choice, Cursor, DisplayName, Draft, EditState, FoldedTag,
        IdempotencyKey, ListId, ListName, Login, Message, MuteTerm, MutedText, PAGE_SIZE, Page,
        Password, Poll, PollOption, PollTerm, StatusId, SuspensionReason, Timeline, UserId,
        Visibility,
    },
    store::{
        ChangeOutcome, Create, Edit, ReadMode, SessionState, SetOutcome, Store, UnixMs, Viewer,
        VisibleStatus,
    },
};

use super::{PASSWORD, site::cheap_hasher};

/// Number of concurrent operations.
const AT_A_TIME: usize = 32;

/// Returns the content of a session that was not seen for long.
pub fn session_state(uid: UserId, login: &str, epoch: String) -> SessionState {
    SessionState {
        uid,
        login: Login::parse(login).expect("a valid login"),
        name: login.to_owned(),
        epoch,
        agent: String::new(),
        created: UnixMs(0),
        seen: UnixMs(0),
        csrf: "0".repeat(32),
        pending_form: None,
    }
}

/// Creates a user who cannot log in.
pub async fn member(store: &Store, login: &str) -> UserId {
    let hash = "$argon2id$v=19$m=19456,t=2,p=1$bm90aGluZw$bm90aGluZw";
    sign_up(store, login, Entry::Open, hash).await
}

/// Creates a user who asked to join, waits for the answer, and can log in.
pub async fn applicant(store: &Store, login: &str) -> UserId {
    let password = Password::candidate(PASSWORD).expect("short enough");
    let hash = cheap_hasher(1).hash(&password).await.expect("hashed");
    let answer = ApplicationAnswer::parse("I sail.").expect("a valid answer");
    sign_up(store, login, Entry::Approval(answer), &hash).await
}

async fn sign_up(store: &Store, login: &str, entry: Entry, password_hash: &str) -> UserId {
    let account = NewAccount {
        login: Login::parse(login).expect("a valid login"),
        name: DisplayName::parse(login).expect("a valid name"),
        password_hash: password_hash.into(),
        idempotency_key: IdempotencyKey::draw(),
        entry,
    };
    match accounts::sign_up(store, account)
        .await
        .expect("the store answers")
    {
        SignUp::Created(credentials) => credentials.uid,
        SignUp::LoginTaken | SignUp::Again | SignUp::NotAdmitted => panic!("{login} is new"),
    }
}

/// Returns the id of an existing user.
pub async fn uid(store: &Store, login: &str) -> UserId {
    let login = Login::parse(login).expect("a valid login");
    store
        .user_by_login(&login)
        .await
        .expect("the store answers")
        .expect("they signed up")
        .id
}

/// Creates this many users with numbered logins.
pub async fn people(store: &Store, login: &str, count: usize) -> Vec<UserId> {
    stream::iter(0..count)
        .map(async |number| member(store, &format!("{login}_{number}")).await)
        .buffered(AT_A_TIME)
        .collect()
        .await
}

/// Creates this many users who all follow one user.
pub async fn followers(store: &Store, of: UserId, count: usize) -> Vec<UserId> {
    stream::iter(0..count)
        .map(async |number| {
            let follower = member(store, &format!("follower_{number}")).await;
            follow(store, follower, of).await;
            follower
        })
        .buffer_unordered(AT_A_TIME)
        .collect()
        .await
}

pub async fn follow(store: &Store, follower: UserId, followed: UserId) {
    let answer = follows::follow(store, follower, followed)
        .await
        .expect("the store answers");
    assert!(matches!(answer, Follow::Done));
}

/// Makes a user ask to follow a private account.
pub async fn ask_to_follow(store: &Store, from: UserId, person: UserId) {
    let answer = follows::follow(store, from, person).await;
    assert_eq!(answer.expect("the store answers"), Follow::Requested);
}

/// Makes an account private or public.
pub async fn set_private(store: &Store, who: UserId, is_private: bool) {
    let set = follow_requests::set_private(store, who, is_private).await;
    set.expect("the store answers");
}

/// Suspends or restores a person.
pub async fn show_favourites(store: &Store, who: UserId, are_shown: bool) {
    let set = accounts::set_favourites_shown(store, who, are_shown).await;
    set.expect("the store answers");
}

pub async fn set_suspended(store: &Store, who: UserId, is_suspended: bool) {
    let reason = SuspensionReason::parse("Spam.").expect("it is valid");
    let changed = match is_suspended {
        true => account_states::suspend(store, who, &reason.expect("it is a reason")).await,
        false => account_states::restore(store, who).await,
    };
    assert_eq!(changed.expect("an answer"), ChangeOutcome::Changed);
}

/// Makes a user follow a tag.
pub async fn follow_tag(store: &Store, who: UserId, tag: &str) {
    let followed = tag_follows::follow(store, who, &tag_named(tag)).await;
    assert_eq!(followed.expect("the store answers"), SetOutcome::Done);
}

pub fn tag_named(tag: &str) -> FoldedTag {
    FoldedTag::stored(tag).expect("a folded tag")
}

pub async fn favourite(store: &Store, by: UserId, id: StatusId) {
    let answer = favourites::favourite(store, by, id).await;
    assert_eq!(answer.expect("the store answers"), SetOutcome::Done);
}

/// Makes a user bookmark a status.
pub async fn bookmark(store: &Store, by: UserId, id: StatusId) {
    let answer = bookmarks::bookmark(store, by, id).await;
    assert_eq!(answer.expect("the store answers"), SetOutcome::Done);
}

/// Reposts a status without a comment. Returns the repost.
pub async fn repost(store: &Store, by: UserId, id: StatusId) -> StatusId {
    match reposts::repost(store, by, id)
        .await
        .expect("the store answers")
    {
        Repost::Done(repost) => repost,
        Repost::Unknown => panic!("{id} is there"),
    }
}

/// Quotes a status. Returns the quote.
pub async fn quote(store: &Store, by: UserId, id: StatusId, text: &str) -> StatusId {
    let original = reposts::original_of(store, by, id).await;
    let draft = Draft {
        quote_of: original.expect("the store answers"),
        ..Draft::from(&Message::parse(text).expect("a valid message"))
    };
    post_draft(store, by, draft).await
}

pub async fn post(store: &Store, author: UserId, text: &str) -> StatusId {
    let message = Message::parse(text).expect("a valid message");
    match statuses::post(store, author, &message, &IdempotencyKey::draw())
        .await
        .expect("the store answers")
    {
        Post::Posted(id) => id,
        other => panic!("{other:?}"),
    }
}

/// Posts a status with this visibility.
pub async fn post_to(
    store: &Store,
    author: UserId,
    visibility: Visibility,
    text: &str,
) -> StatusId {
    let draft = Draft {
        visibility,
        ..Draft::from(&Message::parse(text).expect("a valid message"))
    };
    post_draft(store, author, draft).await
}

/// Returns an id of a day of 2026, counted from 0: the given number after the first id of its first
/// millisecond.
pub fn id_on(day: u64, nth: u64) -> StatusId {
    let first = (day * 86_400_000) << StatusId::RANDOM_BITS;
    StatusId::new(first + nth).expect("in range")
}

/// Posts a status under that id, whatever its time.
pub async fn post_as(store: &Store, author: UserId, id: StatusId, text: &str) {
    let draft = Draft::from(&Message::parse(text).expect("a valid message"));
    let user = store.user(author).await.expect("the store answers");
    let login = &user.expect("they signed up").login;
    let call = store.begin().await.expect("the store answers");
    let created = store
        .create_status(
            &call,
            id,
            (&author.into(), login),
            &draft.fields(),
            &IdempotencyKey::draw(),
        )
        .await;
    let (created, outbox_entry) = created.expect("the store answers");
    assert_eq!(created, Create::Created);
    let published = statuses::reconcile(store, id).await;
    published.expect("the store answers");
    store
        .remove_outbox_entry(outbox_entry)
        .await
        .expect("the store answers");
}

/// Posts a draft. Returns the new status's id.
pub async fn post_draft(store: &Store, author: UserId, draft: Draft) -> StatusId {
    match statuses::post(store, author, draft, &IdempotencyKey::draw()).await {
        Ok(Post::Posted(id)) => id,
        other => panic!("{other:?}"),
    }
}

/// Returns the pages of a user's important posts, from the first one.
pub async fn important(store: &Store, reader: UserId) -> Vec<ImportantRead> {
    let mut pages: Vec<ImportantRead> = Vec::new();
    loop {
        let further = pages.last().and_then(|page| page.next);
        let page = important_page(store, reader, further, ReadMode::Visit).await;
        pages.push(page.expect("the store answers"));
        if pages[pages.len() - 1].next.is_none() {
            return pages;
        }
    }
}

/// Posts a single-choice poll of these options, open for a day.
pub async fn post_poll(store: &Store, author: UserId, options: &[&str]) -> StatusId {
    let parsed = options.iter().map(|option| PollOption::parse(option));
    let options = parsed.filter_map(|option| option.expect("a valid option"));
    let poll = Poll::new(options.collect(), Choice::One, PollTerm::Day);
    let draft = Draft {
        poll: Some(poll.expect("a valid poll")),
        ..Draft::from(&Message::parse("Which line?").expect("a valid message"))
    };
    post_draft(store, author, draft).await
}

/// Edits the text of a status.
pub async fn edit(store: &Store, author: UserId, id: StatusId, text: &str) {
    let status = store.status(Viewer::Member(author), id).await;
    let status = status.expect("the store answers").expect("it lives");
    let correction = EditState {
        message: Message::parse(text).expect("a valid message"),
        warning: None,
        revision: status.revision(),
        visibility: None,
    };
    let answer = edits::edit(store, author, id, &correction).await;
    assert_eq!(answer.expect("the store answers"), Edit::Done);
}

/// Makes a status visible to fewer people.
pub async fn narrow(store: &Store, author: UserId, id: StatusId, visibility: Visibility) {
    let status = store.status(Viewer::Member(author), id).await;
    let status = status.expect("the store answers").expect("it lives");
    let narrower = EditState {
        message: Message::parse(status.message()).expect("a valid message"),
        warning: None,
        revision: status.revision(),
        visibility: Some(visibility),
    };
    let answer = edits::edit(store, author, id, &narrower).await;
    assert_eq!(answer.expect("the store answers"), Edit::Done);
}

/// Replies to a status.
pub async fn reply(store: &Store, author: UserId, to: StatusId, text: &str) -> StatusId {
    match try_reply(store, author, to, text).await {
        Post::Posted(id) => id,
        other => panic!("{other:?}"),
    }
}

/// Replies to a status that may be deleted.
pub async fn try_reply(store: &Store, author: UserId, to: StatusId, text: &str) -> Post {
    let message = Message::parse(text).expect("a valid message");
    let draft = Draft {
        reply_to: Some(to),
        ..Draft::from(&message)
    };
    let answer = statuses::post(store, author, draft, &IdempotencyKey::draw()).await;
    answer.expect("the store answers")
}

/// Creates this many posts. Returns them oldest first.
pub async fn posts(store: &Store, author: UserId, count: usize) -> Vec<StatusId> {
    let mut ids = Vec::with_capacity(count);
    for number in 0..count {
        ids.push(post(store, author, &format!("post {number}")).await);
    }
    ids
}

/// Creates a list with these members, which its owner has opened.
pub async fn list(store: &Store, owner: UserId, members: &[UserId]) -> ListId {
    let name = ListName::parse("A list").expect("a valid name");
    let list = match lists::create(store, owner, &name, &IdempotencyKey::draw()).await {
        Ok(lists::Create::Created(list)) => list,
        other => panic!("{other:?}"),
    };
    list_ids(store, list).await;
    for member in members {
        let added = lists::add(store, owner, list.number, *member).await;
        assert_eq!(added.expect("the store answers"), lists::Add::Done);
    }
    list
}

/// Returns the ids on the first page of a list.
pub async fn list_ids(store: &Store, list: ListId) -> Vec<StatusId> {
    let page = homes::list_page(store, list, None).await;
    let items = page.expect("the store answers").items;
    items.iter().map(VisibleStatus::id).collect()
}

/// Returns the texts on the first page of a home.
pub async fn home(store: &Store, reader: UserId) -> Vec<String> {
    let page = homes::home_page(store, reader, None, ReadMode::Visit).await;
    let items = page.expect("the store answers").page.items;
    let texts = items.iter().map(|status| status.message().to_owned());
    texts.collect()
}

/// Reads a timeline page by page, newest first. Checks that each page but the last is full.
pub async fn read_all(page: impl AsyncFn(Option<Cursor>) -> Page<VisibleStatus>) -> Vec<StatusId> {
    let (mut ids, mut cursor) = (Vec::new(), None);
    loop {
        let page = page(cursor).await;
        ids.extend(page.items.iter().map(VisibleStatus::id));
        cursor = page.next;
        if cursor.is_none() {
            return ids;
        }
        assert_eq!(page.items.len(), PAGE_SIZE, "a page that is not the last");
    }
}

/// Reads all pages of a home or a list.
pub async fn timeline(store: &Store, timeline: Timeline) -> Vec<StatusId> {
    read_all(async |before| match timeline {
        Timeline::Home(of) => {
            let read = homes::home_page(store, of, before, ReadMode::Visit).await;
            read.expect("the store answers").page
        }
        Timeline::List(list) => {
            let page = homes::list_page(store, list, before).await;
            page.expect("the store answers")
        }
    })
    .await
}

pub async fn delete(store: &Store, author: UserId, id: StatusId) {
    let answer = statuses::delete(store, author, id).await;
    assert_eq!(answer.expect("the store answers"), Delete::Deleted);
}

/// Returns the readers whose first page of home has the status.
pub async fn readers_who_see(store: &Store, readers: &[UserId], id: StatusId) -> Vec<UserId> {
    let seen: Vec<Option<UserId>> = stream::iter(readers)
        .map(async |&reader| -> redwing::store::Result<_> {
            let home = homes::home_page(store, reader, None, ReadMode::Visit).await?;
            Ok(home
                .page
                .items
                .iter()
                .any(|status| status.id() == id)
                .then_some(reader))
        })
        .buffered(AT_A_TIME)
        .try_collect()
        .await
        .expect("the store answers");
    seen.into_iter().flatten().collect()
}

/// Mutes a word, phrase or tag for ever.
pub async fn mute_text(store: &Store, who: UserId, text: &str) {
    let text = MutedText::parse(text).expect("valid");
    let muted = muted_texts::mute_text(store, who, &text, MuteTerm::Forever).await;
    assert_eq!(muted.expect("the store answers"), SetOutcome::Done);
}

pub async fn unmute_text(store: &Store, who: UserId, text: &str) {
    let text = MutedText::parse(text).expect("valid");
    let lifted = muted_texts::unmute_text(store, who, &text).await;
    lifted.expect("the store answers");
}

pub async fn mute_conversation(store: &Store, who: UserId, id: StatusId) {
    let muted = muted_conversations::mute_conversation(store, who, id).await;
    assert_eq!(muted.expect("the store answers"), SetOutcome::Done);
}
