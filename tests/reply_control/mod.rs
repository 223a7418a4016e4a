//! Who can reply to a post and quote it, hidden replies, and posts that are removed from quotes.

mod deleted;
mod hidden;
mod matrix;
mod quotes;
mod races;

use redwing::{
    actions::{
        reply_control,
        statuses::{self, Post},
    },
    domain::{
        Draft, IdempotencyKey, Message, Repliers, ReplyControl, StatusId, UserId, Visibility,
    },
    store::{ReplyControlOutcome, Store, Viewer},
};
use reqwest::StatusCode;

use crate::support::{Form, Page, Person, Site, core::Core, crowd};

/// The rule that these people can reply and everyone can quote.
pub fn only(repliers: Repliers) -> ReplyControl {
    ReplyControl {
        repliers,
        ..ReplyControl::default()
    }
}

/// Changes the rule of a status.
pub async fn set_control(store: &Store, author: UserId, id: StatusId, control: ReplyControl) {
    let set = reply_control::set_reply_control(store, author, id, control).await;
    assert_eq!(set.expect("the store answers"), ReplyControlOutcome::Done);
}

/// Posts a status with a rule.
async fn post_with(store: &Store, author: UserId, repliers: Repliers, text: &str) -> StatusId {
    let draft = Draft {
        reply_control: only(repliers),
        ..Draft::from(&Message::parse(text).expect("valid"))
    };
    crowd::post_draft(store, author, draft).await
}

fn control_path(id: u64) -> String {
    format!("/statuses/{id}/reply-control")
}

async fn control_form(person: &Person, id: u64) -> Form {
    person.open(&control_path(id)).await.form(&control_path(id))
}

/// Returns whether a page has the form to reply.
fn has_reply_form(page: &Page) -> bool {
    page.has("#reply textarea")
}

/// Each choice, in the order of [`Repliers::ALL`], with the people who can reply: the author, a follower, a person whom
/// the author follows, a mentioned person, a stranger.
const WHO_REPLIES: [(Repliers, [bool; 5]); 5] = [
    (Repliers::Everyone, [true, true, true, true, true]),
    (Repliers::Followers, [true, true, false, false, false]),
    (Repliers::Followed, [true, false, true, false, false]),
    (Repliers::Mentioned, [true, false, false, true, false]),
    (Repliers::NoOne, [true, false, false, false, false]),
];

/// Creates the author and the people of [`WHO_REPLIES`].
async fn create_people(store: &Store, name: &str) -> [UserId; 5] {
    let mut all = Vec::new();
    for role in ["author", "follower", "followed", "mentioned", "stranger"] {
        all.push(crowd::member(store, &format!("{role}{name}")).await);
    }
    let people: [UserId; 5] = all.try_into().expect("five");
    crowd::follow(store, people[1], people[0]).await;
    crowd::follow(store, people[0], people[2]).await;
    people
}

#[tokio::test]
async fn each_choice_lets_its_people_reply_and_no_others() {
    let core = Core::start();
    let store = &core.store;
    let people = create_people(store, "").await;
    for (repliers, allowed) in WHO_REPLIES {
        let id = post_with(store, people[0], repliers, "for @mentioned").await;
        for (person, may_reply) in people.into_iter().zip(allowed) {
            let status = store.status(Viewer::Member(person), id).await;
            let status = status.expect("an answer").expect("everyone sees it");
            assert_eq!(status.may_reply(), may_reply, "{repliers:?}: {person}");
            let answer = crowd::try_reply(store, person, id, "an answer").await;
            let is_posted = matches!(answer, Post::Posted(_));
            assert_eq!(is_posted, may_reply, "{repliers:?}: {person}");
            assert!(is_posted || answer == Post::ReplyRefused, "{answer:?}");
        }
        let visitor = store.status(Viewer::Anonymous, id).await;
        assert!(
            !visitor
                .expect("an answer")
                .expect("it is public")
                .may_reply()
        );
    }
    core.drain().await;
    core.assert_sound().await;
}

#[tokio::test]
async fn the_rule_of_the_first_post_applies_to_the_whole_conversation() {
    let core = Core::start();
    let store = &core.store;
    let [author, follower, _, mentioned, stranger] = create_people(store, "").await;
    let first = crowd::post(store, author, "first, @mentioned").await;
    let of_stranger = crowd::reply(store, stranger, first, "an answer").await;
    let deep = crowd::reply(store, follower, of_stranger, "another").await;
    let may_reply = async |person, to| {
        let status = store.status(Viewer::Member(person), to).await;
        status.expect("an answer").expect("it lives").may_reply()
    };
    for (repliers, allowed) in [
        (Repliers::Followers, [true, false, false]),
        (Repliers::Mentioned, [false, true, false]),
        (Repliers::NoOne, [false, false, false]),
        (Repliers::Everyone, [true, true, true]),
    ] {
        set_control(store, author, first, only(repliers)).await;
        for to in [first, of_stranger, deep] {
            let people = [follower, mentioned, stranger];
            for (person, expected) in people.into_iter().zip(allowed) {
                assert_eq!(may_reply(person, to).await, expected, "{repliers:?} {to}");
            }
            assert!(may_reply(author, to).await, "{repliers:?}");
        }
    }
    // A reply has a rule of its own too, which binds the author of the conversation.
    set_control(store, follower, deep, only(Repliers::NoOne)).await;
    assert!(!may_reply(author, deep).await && !may_reply(stranger, deep).await);
    assert!(may_reply(follower, deep).await && may_reply(author, of_stranger).await);
    // A deletion widens nothing.
    set_control(store, author, first, only(Repliers::Mentioned)).await;
    crowd::delete(store, author, first).await;
    core.drain().await;
    assert!(may_reply(mentioned, of_stranger).await && may_reply(author, of_stranger).await);
    assert!(!may_reply(follower, of_stranger).await);
    let answer = crowd::try_reply(store, follower, of_stranger, "too late").await;
    assert_eq!(answer, Post::ReplyRefused);
    core.assert_sound().await;
}

#[tokio::test]
async fn the_composer_and_a_page_of_its_own_offer_the_choice() {
    let site = Site::start().await;
    let author = Person::sign_up(&site, "author").await;
    let reader = Person::sign_up(&site, "reader").await;
    let form = author.open("/").await.form("/statuses");
    let form = form
        .set("message", "for followers")
        .set("repliers", "followers");
    author.submit_accepted(&form).await;
    let id = author.ids("/@author").await[0];
    let path = format!("/@author/{id}");
    // The author can always reply, and every card says who else can.
    let own = author.open(&path).await;
    assert!(has_reply_form(&own));
    let words = "Only followers can reply";
    for page in [
        &own,
        &author.open("/").await,
        &reader.open("/@author").await,
    ] {
        assert_eq!(page.texts(".status .reply-limit"), [words]);
    }
    let page = reader.open(&path).await;
    assert!(!has_reply_form(&page) && !page.has(".status footer > .reply"));
    let refusal = "Only followers can reply. Follow @author to reply.";
    assert_eq!(page.text("#reply .reply-refusal"), refusal);
    reader.follow("author").await;
    let page = reader.open(&path).await;
    assert!(has_reply_form(&page) && page.has(".status footer > .reply"));
    reader.reply(id, "as a follower").await;
    // The menu leads to the page that changes it.
    let menu = author.open_menu(&path, id).await;
    assert!(menu.has(&format!(".post-menu a[href=\"{}\"]", control_path(id))));
    let form = control_form(&author, id).await;
    assert_eq!(form.value("repliers"), "followers");
    let saved = author
        .submit_accepted(&form.set("repliers", "nobody"))
        .await;
    assert_eq!(saved.location(), path);
    let page = reader.open(&path).await;
    assert_eq!(page.text("#reply .reply-refusal"), "Replies are closed.");
    assert_eq!(
        page.messages(),
        ["for followers", "as a follower"],
        "replies stay"
    );
    assert_eq!(page.texts(".status footer > .replies b"), ["1"]);
    let visitor = Person::visitor(&site);
    let page = visitor.open(&path).await;
    assert_eq!(page.text("#reply .reply-refusal"), "Replies are closed.");
    let form = control_form(&author, id).await.set("repliers", "everyone");
    author.submit_accepted(&form).await;
    let page = visitor.open(&path).await;
    assert!(page.has("#reply a") && !page.has(".reply-limit"));
    // Only the author has the page, and only valid choices are stored.
    assert_eq!(
        reader.get(&control_path(id)).await.status,
        StatusCode::NOT_FOUND
    );
    let mut forged = control_form(&author, id).await.set("repliers", "friends");
    assert_eq!(author.submit(&forged).await.status, StatusCode::BAD_REQUEST);
    let token = reader.open(&path).await;
    let token = token.form("/statuses");
    forged = forged
        .set("csrf_token", token.value("csrf_token"))
        .set("repliers", "nobody");
    assert_eq!(reader.submit(&forged).await.status, StatusCode::NOT_FOUND);
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn an_open_form_leaves_what_another_device_saved_meanwhile() {
    let site = Site::start().await;
    let author = Person::sign_up(&site, "author").await;
    let phone = Person::log_in(&site, "author").await;
    let id = author.post("a post").await;
    let former = control_form(&phone, id).await;
    let form = control_form(&author, id).await;
    author
        .submit_accepted(&form.set("repliers", "nobody"))
        .await;
    phone
        .submit_accepted(&former.set_new("quoting_closed", "1"))
        .await;
    let saved = control_form(&author, id).await;
    assert_eq!(saved.value("repliers"), "nobody");
    assert_eq!(saved.value("quoting_closed"), "1");
    author
        .submit_accepted(&saved.without("quoting_closed"))
        .await;
    let saved = control_form(&author, id).await;
    assert!(
        saved
            .fields
            .iter()
            .all(|(field, _)| field != "quoting_closed")
    );
    site.assert_sound().await;
}

#[tokio::test]
async fn a_choice_that_two_devices_changed_is_overwritten_by_a_second_save() {
    let site = Site::start().await;
    let author = Person::sign_up(&site, "author").await;
    let phone = Person::log_in(&site, "author").await;
    let id = author.post("a post").await;
    let former = control_form(&phone, id).await;
    let form = control_form(&author, id).await.set("repliers", "nobody");
    author
        .submit_accepted(&form.set_new("quoting_closed", "1"))
        .await;
    let conflict = phone.submit(&former.set("repliers", "followers")).await;
    assert_eq!(conflict.status, StatusCode::CONFLICT);
    let error = conflict.text("#repliers-error");
    assert!(error.contains("It is now “No one”."), "{error}");
    let again = conflict.form(&control_path(id));
    assert_eq!(again.value("repliers"), "followers");
    phone.submit_accepted(&again).await;
    let saved = control_form(&author, id).await;
    assert_eq!(saved.value("repliers"), "followers");
    assert_eq!(saved.value("quoting_closed"), "1");
}

#[tokio::test]
async fn a_refused_reply_says_why_and_gives_the_text_back() {
    let site = Site::start().await;
    let author = Person::sign_up(&site, "author").await;
    let reader = Person::sign_up(&site, "reader").await;
    let id = author.post("open at first").await;
    let form = reader
        .open(&format!("/@author/{id}"))
        .await
        .form("/statuses");
    let control = control_form(&author, id).await.set("repliers", "mentioned");
    author.submit_accepted(&control).await;
    for (message, code) in [
        ("typed for long", StatusCode::UNPROCESSABLE_ENTITY),
        (" ", StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let refused = reader.submit(&form.clone().set("message", message)).await;
        assert_eq!(refused.status, code);
        assert!(
            refused
                .visible_text()
                .contains("You cannot reply to this post")
        );
        let again = refused.form("/statuses");
        assert_eq!(again.value("message").trim(), message.trim());
        assert!(!refused.has("[name=reply_to]"), "it is a post of its own");
    }
    let refused = reader.submit(&form.set("message", "typed for long")).await;
    reader.submit_accepted(&refused.form("/statuses")).await;
    assert_eq!(reader.open("/@reader").await.messages(), ["typed for long"]);
    assert_eq!(
        author.open(&format!("/@author/{id}")).await.messages(),
        ["open at first"]
    );
    site.drain().await;
    site.assert_sound().await;
}

#[tokio::test]
async fn a_reply_whose_answer_was_lost_is_not_refused_when_it_is_sent_again() {
    let site = Site::start().await;
    let author = Person::sign_up(&site, "author").await;
    let reader = Person::sign_up(&site, "reader").await;
    let id = author.post("open at first").await;
    let form = reader
        .open(&format!("/@author/{id}"))
        .await
        .form("/statuses");
    let form = form.set("message", "an answer");
    reader.submit_accepted(&form).await;
    let control = control_form(&author, id).await.set("repliers", "nobody");
    author.submit_accepted(&control).await;
    reader.submit_accepted(&form).await;
    assert_eq!(
        reader.open("/@reader/replies").await.messages(),
        ["an answer"]
    );
}

#[tokio::test]
async fn a_hidden_first_post_is_not_named_by_its_rule() {
    let core = Core::start();
    let store = &core.store;
    let [author, guest, reader] = crowd::people(store, "person", 3).await[..] else {
        panic!("there are three")
    };
    let first = post_with(store, author, Repliers::Followers, "first").await;
    crowd::follow(store, guest, author).await;
    let reply = crowd::reply(store, guest, first, "an answer").await;
    let limit = async || {
        let status = store.status(Viewer::Member(reader), reply).await;
        let status = status.expect("an answer").expect("it is public");
        assert!(!status.may_reply());
        let limit = status.reply_limit().expect("it is limited").clone();
        assert!(limit.is_of_conversation);
        limit.author.map(|author| author.id)
    };
    assert_eq!(limit().await, Some(author));
    crate::blocks::set_block(store, author, reader).await;
    assert_eq!(limit().await, None);
    crowd::delete(store, author, first).await;
    assert_eq!(limit().await, None);
    core.assert_sound().await;
}

#[tokio::test]
async fn the_rule_of_a_conversation_holds_for_replies_that_do_not_name_its_author() {
    let core = Core::start();
    let store = &core.store;
    let [author, follower, followed, ..] = create_people(store, "").await;
    let first = crowd::post(store, author, "first").await;
    let reply = crowd::reply(store, follower, first, "an answer").await;
    let key = format!("status:{{{reply}}}");
    // As replies from before private accounts are.
    core.redis.command(&["HDEL", &key, "root_author"]);
    set_control(store, author, first, only(Repliers::Followed)).await;
    crowd::reply(store, followed, reply, "another").await;
    let answer = crowd::try_reply(store, follower, reply, "refused").await;
    assert_eq!(answer, Post::ReplyRefused);
    core.assert_sound().await;
}

#[tokio::test]
async fn a_private_account_lets_followers_reply_by_its_rule() {
    let core = Core::start();
    let store = &core.store;
    let [author, follower, followed, ..] = create_people(store, "").await;
    crowd::follow(store, followed, author).await;
    let draft = Draft {
        visibility: Visibility::Followers,
        reply_control: only(Repliers::Followed),
        ..Draft::from(&Message::parse("for some").expect("valid"))
    };
    let id = crowd::post_draft(store, author, draft).await;
    crowd::set_private(store, author, true).await;
    let answer = crowd::try_reply(store, follower, id, "an answer").await;
    assert_eq!(answer, Post::ReplyRefused);
    crowd::reply(store, followed, id, "an answer").await;
    core.assert_sound().await;
}

#[tokio::test]
async fn a_reply_that_was_edited_is_known_after_replies_were_closed() {
    let core = Core::start();
    let store = &core.store;
    let [author, guest, ..] = create_people(store, "").await;
    let first = crowd::post(store, author, "first").await;
    let key = IdempotencyKey::draw();
    let send = async || {
        let draft = Draft {
            reply_to: Some(first),
            ..Draft::from(&Message::parse("an answer").expect("valid"))
        };
        let answer = statuses::post(store, guest, draft, &key).await;
        answer.expect("an answer")
    };
    let Post::Posted(reply) = send().await else {
        panic!("it is posted")
    };
    set_control(store, author, first, only(Repliers::NoOne)).await;
    assert_eq!(send().await, Post::Posted(reply));
    crowd::edit(store, guest, reply, "another").await;
    assert_eq!(send().await, Post::ChangedSince(reply));
    crowd::delete(store, guest, reply).await;
    assert_eq!(send().await, Post::ChangedSince(reply));
    core.drain().await;
    core.assert_sound().await;
}
