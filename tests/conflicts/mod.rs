//! Forms that two devices save at the same moment: of two values of one field, one is saved and the other comes back.

mod during_save;

use reqwest::StatusCode;
use tokio::join;

use crate::{
    groups,
    support::{Form, Person, Site},
};

/// Repetitions of each race, because one run shows one order of events.
const ROUNDS: usize = 20;
const PROFILE: [&str; 2] = ["/settings", "/settings/profile"];

/// Two devices of one person.
struct Devices {
    site: Site,
    alice: Person,
    phone: Person,
}

impl Devices {
    async fn start() -> Self {
        let site = Site::start().await;
        let alice = Person::sign_up(&site, "alice").await;
        let phone = Person::log_in(&site, "alice").await;
        Self { site, alice, phone }
    }

    /// Opens a form on both devices.
    async fn open(&self, [page, action]: [&str; 2]) -> [Form; 2] {
        let form = async |device: &Person| device.open(page).await.form(action);
        [form(&self.alice).await, form(&self.phone).await]
    }

    /// Sends two values of one field at once: one is saved, and the other comes back.
    async fn assert_one_is_saved(&self, form: [&str; 2], field: &str, values: [&str; 2]) {
        let [first, second] = self.open(form).await;
        let (first, second) = (first.set(field, values[0]), second.set(field, values[1]));
        let (first, second) = join!(self.alice.submit(&first), self.phone.submit(&second));
        let (saved, refused, returned) = match [first.status, second.status] {
            [StatusCode::SEE_OTHER, StatusCode::CONFLICT] => (values[0], values[1], second),
            [StatusCode::CONFLICT, StatusCode::SEE_OTHER] => (values[1], values[0], first),
            codes => panic!("{field} of {form:?}: {codes:?}"),
        };
        assert_eq!(returned.form(form[1]).value(field), refused);
        assert!(returned.has(&format!("#{field}-error")), "{field}");
        let [stored, _] = self.open(form).await;
        assert_eq!(stored.value(field), saved, "{field} of {form:?}");
    }

    /// Sends two texts of one of these fields at once, many times.
    async fn race(&self, form: [&str; 2], fields: &[&str]) {
        for round in 0..ROUNDS {
            let field = fields[round % fields.len()];
            let (one, other) = (format!("One {round}"), format!("Other {round}"));
            self.assert_one_is_saved(form, field, [&one, &other]).await;
        }
        self.assert_sound().await;
    }

    async fn assert_sound(&self) {
        self.site.drain().await;
        self.site.assert_sound().await;
    }
}

async fn edited_list(person: &Person) -> String {
    let form = person.open("/lists").await.form("/lists");
    let form = form.set("name", "Neighbours");
    person.submit_accepted(&form).await;
    "/lists/1/edit".to_owned()
}

async fn edited_group(person: &Person) -> String {
    let group = groups::make(person, "birds", &[]).await;
    format!("{group}/settings")
}

async fn controlled_post(person: &Person) -> String {
    let id = person.post("a post").await;
    format!("/statuses/{id}/reply-control")
}

#[tokio::test]
async fn of_two_profiles_saved_at_once_one_is_saved() {
    let devices = Devices::start().await;
    devices.race(PROFILE, &["name", "bio"]).await;
}

#[tokio::test]
async fn of_two_names_of_a_list_saved_at_once_one_is_saved() {
    let devices = Devices::start().await;
    let path = edited_list(&devices.alice).await;
    devices.race([&path, &path], &["name"]).await;
}

#[tokio::test]
async fn of_two_texts_of_a_group_saved_at_once_one_is_saved() {
    let devices = Devices::start().await;
    let path = edited_group(&devices.alice).await;
    let fields = ["name", "description", "rules"];
    devices.race([&path, &path], &fields).await;
}

#[tokio::test]
async fn of_two_choices_of_repliers_saved_at_once_one_is_saved() {
    let devices = Devices::start().await;
    let path = controlled_post(&devices.alice).await;
    let form = [&*path, &*path];
    let choices = ["everyone", "followers", "followed", "mentioned", "nobody"];
    for round in 0..ROUNDS {
        let [open, _] = devices.open(form).await;
        let mut others = choices.into_iter().cycle().skip(round);
        let mut other = || others.find(|choice| *choice != open.value("repliers"));
        let values = [other(), other()].map(|choice| choice.expect("there are five"));
        devices.assert_one_is_saved(form, "repliers", values).await;
    }
    devices.assert_sound().await;
}
