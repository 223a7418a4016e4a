//! Every operation, with each round trip to Redis failing in each way. It succeeds anyway or
//! reports an unknown outcome. Sent again it succeeds, with a single effect.

mod accounts;
mod approvals;
mod blocks;
mod follows;
mod group_posts;
mod groups;
mod lists;
mod messages;
mod moderation;
mod mutes;
mod recovery;
mod replies;
mod reply_control;
mod reposts;
mod statuses;
mod tags;

use futures_util::{StreamExt, join, stream};
use reqwest::StatusCode;

use super::{DEADLINE, RESPONSE, assert_unavailable, on_one_node, play_until_as_intended};
use crate::support::{
    Form, Page, Person, Site, crowd,
    proxied_server::ProxiedServer,
    proxy::{Fault, When},
};

/// Selects the round trips that a fault strikes, starting with one of them.
type Timing = fn(usize) -> When;
/// The ways in which a round trip can fail: once, so that a retry may help, or until repaired.
const WAYS: [(Fault, Timing); 5] = [
    (Fault::Cut, When::Only),
    (Fault::LoseAnswer, When::Only),
    (Fault::Cut, When::From),
    (Fault::LoseAnswer, When::From),
    (Fault::Mute, When::Only),
];
/// Number of scenes played in parallel.
const AT_A_TIME: usize = 16;

/// A user with a form that was sent over a failing connection.
pub(super) struct Scene {
    /// Name of the scene, and part of each login in it.
    pub(super) name: String,
    /// The user at the site itself, where nothing fails.
    pub(super) person: Person,
    form: Form,
    /// Number of round trips, and number of those that met the fault.
    trips: usize,
    struck: usize,
    /// Whether the form was accepted at once.
    accepted: bool,
}

/// Sends the form of a scene: first without a fault, to count the round trips, then with a fault at
/// each of them. `again` does what a user does after the answer, with the connection repaired.
/// `after` checks the result when the worker has done its part.
pub(super) async fn at_every_step(
    prepare: impl AsyncFn(&Site, &str) -> (Person, Form),
    again: impl AsyncFn(&Site, &Scene, Page),
    after: impl AsyncFn(&Site, &Scene),
) {
    at_every_step_on(on_one_node(&[]).await, prepare, again, after).await;
}

/// Does the same as [`at_every_step`] on this site.
async fn at_every_step_on(
    site: Site,
    prepare: impl AsyncFn(&Site, &str) -> (Person, Form),
    again: impl AsyncFn(&Site, &Scene, Page),
    after: impl AsyncFn(&Site, &Scene),
) {
    let play = async |name: &str, longer: u32, fault: Option<(Fault, When)>| {
        let name = format!("{name}_{longer}");
        let (person, form) = prepare(&site, &name).await;
        let proxied = ProxiedServer::start(&site, RESPONSE * longer, DEADLINE * longer).await;
        let there = proxied.take(&person);
        if let Some((fault, when)) = fault {
            proxied.proxy.strike(fault, when, "");
        }
        let answer = there.submit(&form).await;
        if answer.status != StatusCode::SEE_OTHER {
            assert_unavailable(&answer);
        }
        // Uses its own connections, because an idle one may be closed at the moment of use.
        let mut back = Person::visitor(&site);
        back.login = person.login;
        back.cookies.replace(there.cookies.all());
        let scene = Scene {
            name,
            person: back,
            form,
            trips: proxied.proxy.seen(),
            struck: proxied.proxy.struck(),
            accepted: answer.status == StatusCode::SEE_OTHER,
        };
        again(&site, &scene, answer).await;
        scene
    };
    let smooth = async |name: &str| {
        let scenes = play_until_as_intended(
            async |longer| play(name, longer, None).await,
            |scene| scene.accepted,
        );
        scenes.await
    };
    // The first run loads the scripts, which takes extra round trips.
    let mut scenes = smooth("first").await;
    scenes.extend(smooth("second").await);
    let trips = scenes.last().expect("it was played").trips;
    assert!(trips > 1, "an operation has several round trips");
    let faults = WAYS.iter().enumerate().flat_map(|(way, (fault, when))| {
        (1..=trips).map(move |step| (format!("f{way}_{step}"), step, (*fault, when(step))))
    });
    let faulty: Vec<Vec<Scene>> = stream::iter(faults)
        .map(async |(name, step, fault)| {
            let scenes = play_until_as_intended(
                async |longer| play(&name, longer, Some(fault)).await,
                // A run with fewer round trips than the counted one has no such step.
                |scene| scene.struck > 0 || scene.accepted && scene.trips < step,
            );
            scenes.await
        })
        .buffer_unordered(AT_A_TIME)
        .collect()
        .await;
    scenes.extend(faulty.into_iter().flatten());
    site.drain().await;
    for scene in &scenes {
        after(&site, scene).await;
    }
    site.assert_sound().await;
}

/// Sends the form returned with a 503, or the same form, once more.
pub(super) async fn send_again(_: &Site, scene: &Scene, answer: Page) {
    let form = answer.find_form(&scene.form.action);
    let again = form.unwrap_or_else(|| scene.form.clone());
    scene.person.submit_accepted(&again).await;
}

/// Signs up an author with a status, and a reader at the author's profile.
pub(super) async fn reader(site: &Site, name: &str) -> Person {
    let author = crowd::member(&site.store, &format!("a_{name}")).await;
    crowd::post(&site.store, author, "to be read").await;
    Person::sign_up(site, &format!("r_{name}")).await
}

#[tokio::test]
async fn scripts_flushed_before_any_round_trip_are_sent_in_full() {
    let site = on_one_node(&[]).await;
    let proxied = ProxiedServer::start(&site, RESPONSE * 10, DEADLINE * 10).await;
    let alice = proxied.take(&Person::sign_up(&site, "alice").await);
    alice.post("the first").await;
    let form = alice.open("/").await.form("/statuses");
    proxied.proxy.pass();
    alice
        .submit_accepted(&form.set("message", "the second"))
        .await;
    let trips = proxied.proxy.seen();
    for step in 1..=trips {
        let form = alice.open("/").await.form("/statuses");
        let form = form.set("message", &format!("before trip {step}"));
        proxied.proxy.strike(Fault::Hold, When::Only(step), "");
        let forget = async {
            proxied.proxy.holds().await;
            site.redis.command(&["SCRIPT", "FLUSH"]);
            proxied.proxy.pass();
        };
        let (answer, ()) = join!(alice.submit(&form), forget);
        assert_eq!(
            answer.status,
            StatusCode::SEE_OTHER,
            "before round trip {step}"
        );
    }
    assert_eq!(alice.home_ids().await.len(), 2 + trips);
}
