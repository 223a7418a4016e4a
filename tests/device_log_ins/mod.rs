//! The log-in on another device: a link, a code, and a confirmation on the first device. No password is typed.

use futures_util::future::join_all;
use redwing::{
    actions::device_log_ins::{self, Entrance},
    domain::SecretLink,
    store::Key,
};
use reqwest::StatusCode;

use crate::support::{Form, Page, Person, Site, crowd, environment};

/// Makes a link on the first device. Returns its path.
pub async fn make_link(person: &Person) -> String {
    let form = person
        .open("/settings/device")
        .await
        .form("/settings/device");
    let page = person.submit(&form).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.html);
    let address = page.text(".device-link code");
    let path = address.strip_prefix("http://127.0.0.1:8080");
    path.unwrap_or_else(|| panic!("{address}")).to_owned()
}

/// Opens a link on another device. Returns the page that shows the code.
pub async fn claim(visitor: &Person, path: &str) -> Page {
    let form = visitor.open(path).await.form(path);
    visitor.submit(&form).await
}

pub fn code(page: &Page) -> String {
    page.text(".device-code")
}

/// Types a code on the first device.
pub async fn confirm(person: &Person, code: &str) -> Page {
    let page = person.open("/settings/device/confirm").await;
    let form = page.form("/settings/device/confirm").set("code", code);
    person.submit(&form).await
}

pub fn continue_form(page: &Page) -> Form {
    page.form("/login/device")
}

#[tokio::test]
async fn a_device_logs_in_after_its_code_was_typed_on_the_first_one() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let path = make_link(&alice).await;
    let early = alice.open("/settings/device/confirm").await.visible_text();
    assert!(
        early.contains("No device has opened your link yet."),
        "{early}"
    );

    let phone = Person::visitor(&site);
    let opened = phone.open(&path).await;
    assert!(opened.visible_text().contains("As @alice"));
    let waiting = claim(&phone, &path).await;
    let shown = code(&waiting);
    assert_eq!(shown.len(), 7, "{shown}");
    let not_yet = phone.submit(&continue_form(&waiting)).await;
    assert!(not_yet.visible_text().contains("not confirmed yet"));
    assert_eq!(code(&not_yet), shown);
    assert!(!phone.is_logged_in().await);

    let wrong = confirm(&alice, "000 000x").await;
    if shown != "000 000" {
        assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(wrong.visible_text().contains("This is not the code"));
    }
    let confirmed = confirm(&alice, &shown).await;
    assert_eq!(confirmed.location(), "/settings/sessions");
    let entered = phone.submit(&continue_form(&not_yet)).await;
    assert_eq!(
        (entered.status, entered.location()),
        (StatusCode::SEE_OTHER, "/")
    );
    assert!(phone.is_logged_in().await);
    assert!(
        alice.is_logged_in().await,
        "the first device stays logged in"
    );

    // The link is used up, and after a log-out the secret of the device too.
    let stranger = Person::visitor(&site);
    assert_eq!(stranger.get(&path).await.status, StatusCode::NOT_FOUND);
    let gone = alice.open("/settings/device/confirm").await.visible_text();
    assert!(
        gone.contains("no longer works. Create a new one."),
        "{gone}"
    );
    phone.log_out().await;
    let again = phone.submit(&continue_form(&not_yet)).await;
    assert_ne!(again.status, StatusCode::SEE_OTHER);
    assert!(!phone.is_logged_in().await);
    site.assert_sound().await;
}

#[tokio::test]
async fn a_device_whose_answer_was_lost_logs_in_when_its_form_is_sent_again() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let path = make_link(&alice).await;
    let phone = Person::visitor(&site);
    let waiting = claim(&phone, &path).await;
    confirm(&alice, &code(&waiting)).await;
    // The answer never arrives: the device has no cookie of it.
    let uid = crowd::uid(&site.store, "alice").await;
    let form = continue_form(&waiting);
    let secret = SecretLink::parse(form.value("device")).expect("a secret");
    for _ in 0..2 {
        let entered = device_log_ins::enter(&site.store, &secret).await;
        let entered = entered.expect("an answer");
        assert!(matches!(entered, Entrance::Entered(who) if who.uid == uid));
    }
    let entered = phone.submit(&form).await;
    assert_eq!(entered.status, StatusCode::SEE_OTHER);
    assert!(phone.is_logged_in().await);
}

#[tokio::test]
async fn the_page_of_a_link_has_its_qr_code_and_is_stored_nowhere() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let form = alice
        .open("/settings/device")
        .await
        .form("/settings/device");
    let page = alice.submit(&form).await;
    assert!(page.has("svg.qr-code[role=img][aria-label] path"));
    let stored_nowhere = page.header("cache-control");
    assert!(stored_nowhere.is_some_and(|text| text.contains("no-store")));
    assert!(!page.has("main script"), "it works without scripts");
    let link = page.text(".device-link code");
    let secret = link.rsplit('/').next().expect("a link").to_owned();
    let uid = crowd::uid(&site.store, "alice").await;
    let bare = secret.split_once('-').expect("a code").1.replace('-', "");
    let key = format!("device_log_in:{{{uid}}}");
    let stored = match environment::variable("REDWING_TEST_CLUSTER") {
        None => site.redis.one_node().ask(&["HGETALL", &key]),
        Some(_) => "link".to_owned(),
    };
    assert!(stored.contains("link"), "{stored}");
    assert!(
        !stored.contains(&secret) && !stored.contains(&bare),
        "{stored}"
    );
}

#[tokio::test]
async fn a_link_is_claimed_by_one_device_and_begins_one_session() {
    let site = Site::start().await;
    for round in 0..3 {
        let alice = Person::sign_up(&site, &format!("alice_{round}")).await;
        let path = make_link(&alice).await;
        let visitors: Vec<Person> = (0..5).map(|_| Person::visitor(&site)).collect();
        let mut forms = Vec::new();
        for visitor in &visitors {
            forms.push(visitor.open(&path).await.form(&path));
        }
        let sent = visitors.iter().zip(&forms);
        let pages = join_all(sent.map(|(visitor, form)| visitor.submit(form))).await;
        let claimed: Vec<usize> = (0..pages.len())
            .filter(|at| pages[*at].has(".device-code"))
            .collect();
        assert_eq!(claimed.len(), 1);
        let (phone, page) = (&visitors[claimed[0]], &pages[claimed[0]]);
        confirm(&alice, &code(page)).await;
        let form = continue_form(page);
        let presses = join_all((0..5).map(|_| phone.submit(&form))).await;
        let entered = presses
            .iter()
            .filter(|page| page.status == StatusCode::SEE_OTHER);
        assert!(entered.count() > 1, "each press has the same answer");
        assert!(phone.is_logged_in().await);
        let uid = crowd::uid(&site.store, &format!("alice_{round}")).await;
        let sessions = site.store.cardinality(&Key::Sessions(uid)).await;
        assert_eq!(sessions.expect("an answer"), 2, "of both devices");
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn wrong_codes_a_cancel_and_the_end_of_all_sessions_end_a_link() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let phone = Person::visitor(&site);

    let path = make_link(&alice).await;
    let page = claim(&phone, &path).await;
    for _ in 0..4 {
        confirm(&alice, "not a code").await;
    }
    let last = confirm(&alice, "not a code").await;
    assert!(
        last.visible_text().contains("Create a new one"),
        "{}",
        last.visible_text()
    );
    assert_eq!(
        phone.submit(&continue_form(&page)).await.status,
        StatusCode::NOT_FOUND
    );

    let path = make_link(&alice).await;
    let page = claim(&phone, &path).await;
    let asked = alice.open("/settings/device/confirm").await;
    let mut cancel = asked.form("/settings/device/confirm");
    cancel.action = "/settings/device/cancel".to_owned();
    alice.submit_accepted(&cancel).await;
    assert_eq!(
        phone.submit(&continue_form(&page)).await.status,
        StatusCode::NOT_FOUND
    );

    let path = make_link(&alice).await;
    let page = claim(&phone, &path).await;
    confirm(&alice, &code(&page)).await;
    let everywhere = alice.open("/settings/sessions").await;
    let form = everywhere.form("/settings/sessions/revoke-all");
    alice.submit_accepted(&form).await;
    assert_eq!(
        phone.submit(&continue_form(&page)).await.status,
        StatusCode::NOT_FOUND
    );
    assert!(!phone.is_logged_in().await);
    site.assert_sound().await;
}

#[tokio::test]
async fn the_secrets_of_a_log_in_are_limited_and_belong_to_their_person() {
    let site = Site::with(&["--log-ins-per-quarter", "4"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let path = make_link(&alice).await;
    // A page of another link of the same person is not found, however often it is tried.
    let visitor = Person::visitor(&site);
    let guess = path.replace(|c: char| c.is_ascii_digit(), "2");
    assert_eq!(visitor.get(&guess).await.status, StatusCode::NOT_FOUND);
    let mut form = visitor.open(&path).await.form(&path);
    form.action = guess;
    let mut refused = 0;
    for _ in 0..40 {
        let answer = visitor.submit(&form).await;
        refused += usize::from(answer.status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refused > 0, "guesses are limited");
}

#[tokio::test]
async fn continuing_and_cancelling_have_limits() {
    let site = Site::with(&["--log-ins-per-quarter", "3"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let path = make_link(&alice).await;
    let phone = Person::visitor(&site);
    let waiting = continue_form(&claim(&phone, &path).await);
    for status in [200, 200, 429] {
        assert_eq!(phone.submit(&waiting).await.status.as_u16(), status);
    }
    let page = alice.open("/settings/device/confirm").await;
    let cancel = page.form("/settings/device/confirm");
    let cancel = cancel.to("/settings/device/cancel");
    for status in [303, 303, 429] {
        assert_eq!(alice.submit(&cancel).await.status.as_u16(), status);
    }
}
