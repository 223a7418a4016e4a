//! Commands that are delayed in transit, starting with each round trip of an operation in turn.
//! They arrive after the user got the answer "unknown". The state at that moment must persist.

use futures_util::{StreamExt, stream};
use reqwest::StatusCode;
use tokio::sync::Mutex;

use super::{DEADLINE, RESPONSE, assert_unavailable, on_one_node, play_until_as_intended};
use crate::support::{
    Form, PASSWORD, Person, Site, crowd,
    proxied_server::ProxiedServer,
    proxy::{Fault, When},
};

/// Held by one test at a time. Each starts many servers at once and compares their round trips by number. On a busy
/// machine a measurement of the clock can come between them.
static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

/// Maximum number of repetitions of a test whose round trips were shifted.
const PLAYS: usize = 3;

/// When the delayed commands arrive.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrives {
    WithTheAnswer,
    /// After the worker has done its part.
    Later,
}

struct Scene {
    name: String,
    proxied: ProxiedServer,
    /// Number of round trips, and number of delayed ones.
    trips: usize,
    stuck: usize,
    /// Whether the form was accepted at once.
    accepted: bool,
}

/// Sends a form whose round trips are delayed from each one on. `seen` returns the user-visible
/// state.
async fn assert_nothing_applied_late(
    prepare: impl AsyncFn(&Site, &str) -> (Person, Form),
    seen: impl AsyncFn(&Site, &str) -> String,
) {
    let _turn = ONE_AT_A_TIME.lock().await;
    let site = on_one_node(&[]).await;
    let play = async |name: &str, longer: u32, from: usize, arrives: Arrives| {
        let name = format!("{name}_{longer}");
        let proxied = ProxiedServer::start(&site, RESPONSE * longer, DEADLINE * longer).await;
        let (person, form) = prepare(&site, &name).await;
        proxied.proxy.strike(Fault::Hold, When::From(from), "");
        let answer = proxied.take(&person).submit(&form).await;
        let (trips, stuck) = (proxied.proxy.seen(), proxied.proxy.struck());
        if answer.status != StatusCode::SEE_OTHER {
            assert_unavailable(&answer);
        }
        if arrives == Arrives::WithTheAnswer {
            proxied.proxy.pass();
            proxied.proxy.delivered().await;
        }
        Scene {
            name,
            proxied,
            trips,
            stuck,
            accepted: answer.status == StatusCode::SEE_OTHER,
        }
    };
    let trips = async |name: &str| {
        let smooth = play_until_as_intended(
            async |longer| play(name, longer, usize::MAX, Arrives::WithTheAnswer).await,
            |scene| scene.accepted,
        );
        smooth.await.last().expect("it was played").trips
    };
    // The first run loads the scripts, which takes extra round trips. A measurement of the clock can fall into another
    // one, so the smallest number counts.
    trips("first").await;
    let trips = trips("second").await.min(trips("third").await);
    let everywhere = async |arrives: Arrives, name: &str| -> Vec<Scene> {
        let scene = async |from: usize| {
            let name = format!("{name}{from}");
            let scenes = play_until_as_intended(
                async |longer| play(&name, longer, from, arrives).await,
                |scene| scene.stuck > 0,
            );
            scenes.await.pop().expect("it was played")
        };
        let scenes = stream::iter(1..=trips).map(scene).buffered(trips);
        scenes.collect().await
    };
    let read_states = async |scenes: &[Scene]| -> Vec<String> {
        site.drain().await;
        let views = stream::iter(scenes).then(async |scene| seen(&site, &scene.name).await);
        views.collect().await
    };
    // A round trip of the server itself, such as a measurement of the clock, shifts the numbers of those after it. Then
    // both plays are repeated.
    let mut plays = Vec::new();
    for attempt in 0..PLAYS {
        let stuck = everywhere(Arrives::Later, &format!("later{attempt}x")).await;
        let never_arrived = read_states(&stuck).await;
        for scene in &stuck {
            assert!(scene.proxied.proxy.pass() > 0, "{} was delayed", scene.name);
            scene.proxied.proxy.delivered().await;
        }
        assert_eq!(read_states(&stuck).await, never_arrived);
        let arrived = everywhere(Arrives::WithTheAnswer, &format!("now{attempt}x")).await;
        plays.push((read_states(&arrived).await, never_arrived));
        if plays.iter().any(|(arrived, never)| arrived == never) {
            break;
        }
    }
    assert!(
        plays.iter().any(|(arrived, never)| arrived == never),
        "{plays:#?}"
    );
    site.assert_sound().await;
}

#[tokio::test]
async fn no_post_appears_late() {
    assert_nothing_applied_late(
        async |site, name| {
            let alice = Person::sign_up(site, &format!("a_{name}")).await;
            let form = alice.open("/").await.form("/statuses");
            (alice, form.set("message", "in time or never"))
        },
        async |site, name| {
            let profile = format!("/@a_{name}");
            let page = Person::visitor(site).open(&profile).await;
            format!("{:?}", page.messages())
        },
    )
    .await;
}

#[tokio::test]
async fn no_follow_counts_late() {
    assert_nothing_applied_late(
        async |site, name| {
            let author = format!("/@b_{name}");
            crowd::member(&site.store, &author[2..]).await;
            let alice = Person::sign_up(site, &format!("a_{name}")).await;
            let form = alice.open(&author).await.form(&format!("{author}/follow"));
            (alice, form)
        },
        async |site, name| {
            let followers = format!("/@b_{name}/followers");
            let page = Person::visitor(site).open(&followers).await;
            let follows = page.has(&format!("a[href=\"/@a_{name}\"]"));
            format!("follows: {follows}")
        },
    )
    .await;
}

#[tokio::test]
async fn no_password_changes_late() {
    const NEW: &str = "another mountain lake";
    assert_nothing_applied_late(
        async |site, name| {
            let alice = Person::sign_up(site, &format!("a_{name}")).await;
            let form = alice.open("/settings").await.form("/settings/password");
            let form = form.set("current_password", PASSWORD);
            (alice, form.set("new_password", NEW))
        },
        async |site, name| {
            let visitor = Person::visitor(site);
            let answer = visitor.send_log_in(&format!("a_{name}"), NEW).await;
            format!("the new one: {}", answer.status)
        },
    )
    .await;
}
