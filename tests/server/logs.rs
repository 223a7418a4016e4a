//! The log: an error can be found by the id on its page, and the log contains no secret.

use std::{
    io,
    sync::{Mutex, OnceLock},
};

use tracing_subscriber::{
    filter::Targets, fmt::MakeWriter, layer::SubscriberExt, util::SubscriberInitExt,
};

use crate::{
    administration::{document, output_of},
    device_log_ins::{claim, make_link},
    recovery::make_codes_with,
    support::{Person, Site},
};

/// Everything that this process has logged since the first call of [`captured`].
static LOG: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Sink;

impl io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LOG.lock()
            .expect("no lock holder panics")
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Capture;

impl MakeWriter<'_> for Capture {
    type Writer = Sink;

    fn make_writer(&self) -> Sink {
        Sink
    }
}

/// Logs the default level of every library and all levels of this project. It is set up once for
/// all tests of this process.
pub fn capture() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        let filter: Targets = "info,redwing=trace,actix=debug"
            .parse()
            .expect("valid directives");
        let lines = tracing_subscriber::fmt::layer()
            .with_writer(Capture)
            .with_ansi(false);
        tracing_subscriber::registry()
            .with(filter)
            .with(lines)
            .init();
    });
}

pub fn captured() -> String {
    String::from_utf8_lossy(&LOG.lock().expect("no lock holder panics")).into_owned()
}

#[tokio::test]
async fn a_request_is_logged_with_the_id_that_its_page_shows() {
    capture();
    let site = Site::start().await;
    let page = Person::visitor(&site).get("/nowhere-to-be-logged").await;
    let id = page
        .header("x-request-id")
        .expect("every answer has one")
        .to_owned();
    assert!(page.visible_text().contains(&id));
    assert!(captured().lines().any(|line| line.contains(&id)), "{id}");
}

#[tokio::test]
async fn no_password_cookie_token_or_message_is_ever_logged() {
    capture();
    let site = Site::with(&["--posts-per-hour", "1"]).await;
    let person = Person::visitor(&site);
    let form = person.open("/signup").await.form("/signup");
    let form = form
        .set("login", "logged_person")
        .set("name", "A")
        .set("password", "a passphrase never logged");
    person.submit_accepted(&form).await;
    let home = person
        .open("/")
        .await
        .form("/statuses")
        .set("message", "a message never logged");
    person.submit_accepted(&home).await;
    person
        .submit(&home.clone().set("message", "another message never logged"))
        .await;
    person
        .submit(&home.clone().set("csrf_token", "a token never logged"))
        .await;
    let visitor = Person::visitor(&site);
    visitor
        .send_log_in("logged_person", "a wrong passphrase never logged")
        .await;
    visitor.send_log_in("a login never logged", "x").await;
    let codes = make_codes_with(&person, "a passphrase never logged").await;
    let form_of_code = visitor.open("/login/recover").await.form("/login/recover");
    let form_of_code = form_of_code.set("login", "logged_person");
    let form_of_code = form_of_code.set("new_password", "a new passphrase never logged");
    for code in ["a code never logged", &codes[0]] {
        visitor
            .submit(&form_of_code.clone().set("code", code))
            .await;
    }
    let links = open_secret_links(&site).await;
    let cookie = person.cookies.session().expect("there is a session");
    let log = captured();
    assert!(
        log.contains("/statuses"),
        "the requests themselves are logged:\n{log}"
    );
    for link in &links {
        assert!(!log.contains(link), "{link}");
    }
    for secret in [
        "never logged",
        "never+logged",
        &cookie,
        &codes[0],
        &codes[0].replace('-', ""),
        home.value("csrf_token"),
        form.value("csrf_token"),
    ] {
        assert!(!log.contains(secret), "{secret}");
    }
}

/// Opens a link of each kind that gives access, and sends its form. Returns the secrets.
async fn open_secret_links(site: &Site) -> Vec<String> {
    let visitor = Person::visitor(site);
    let person = Person::sign_up(site, "linked_person").await;
    let device = make_link(&person).await;
    claim(&visitor, &device).await;

    let reset = output_of(site, &["reset", "linked_person"]);
    let reset = reset
        .lines()
        .next()
        .and_then(|line| line.rsplit('/').next());
    let reset = reset.expect("a link").to_owned();
    let path = format!("/login/reset/{reset}");
    let form = visitor.open(&path).await.form(&path);
    visitor.submit(&form.set("new_password", "short")).await;

    let invitation = document(site, &["invitations", "linked_person", "--make", "--json"]);
    let invitation = invitation["rows"][0]["link"].as_str().expect("a link");
    let invitation = invitation.rsplit('/').next().expect("a secret").to_owned();
    visitor.open(&format!("/invite/{invitation}")).await;
    let device = device.rsplit('/').next().expect("a secret").to_owned();
    vec![device, reset, invitation]
}
