//! The scrub: it repairs by itself, runs in only one of several processes, and stops when asked to.

use redwing::{
    audit::{self, scrub},
    domain::{Login, Timeline},
    store::Key,
};
use tokio::sync::watch;

use super::scene::Scene;
use crate::support::waiting::eventually;

#[tokio::test]
async fn differences_are_repaired_while_the_site_runs() {
    // On a cluster the task that restores the profile names the count as well. The check and the scrub then wait
    // for it, as long as an outbox entry.
    let scene = Scene::set(&["--scrub", "10000", "--outbox-delay-ms", "10000"]).await;
    let before = scene.user_views().await;
    scene.damage("DEL profile:{BOB}\nHSET user:{ALICE} followers 99");
    let (stop, stopped) = watch::channel(false);
    let scrubbing = tokio::spawn(scrub::run(scene.core.store.fork(), stopped));
    eventually("the scrub has repaired everything", async || {
        let report = audit::run(&scene.core.store).await;
        report.expect("an answer").is_clean()
    })
    .await;
    stop.send_replace(true);
    scrubbing.await.expect("it ends");
    scene.core.drain().await;
    assert_eq!(scene.user_views().await, before);
}

/// Waits until the scrub has walked over all keys: it repairs one fault twice, so it has gone from
/// one walk to the next.
async fn wait_for_full_walk(scene: &Scene) {
    for _ in 0..2 {
        scene.damage("HSET user:{ALICE} followers 99");
        eventually("the scrub has repaired it", async || {
            let alice = scene.core.store.user(scene.alice).await;
            alice.expect("an answer").expect("a person").followers != 99
        })
        .await;
    }
}

#[tokio::test]
async fn references_to_a_lost_person_stay_until_the_person_is_restored() {
    let scene = Scene::set(&["--scrub", "10000"]).await;
    scene.damage(
        "DEL user:{BOB} auth:{BOB} following:{BOB} followers:{BOB} profile:{BOB} home:{BOB} active:{BOB}
         ZADD following:{CAROL} 5 nonsense 5 CAROL",
    );
    let (stop, stopped) = watch::channel(false);
    let scrubbing = tokio::spawn(scrub::run(scene.core.store.fork(), stopped));
    wait_for_full_walk(&scene).await;
    stop.send_replace(true);
    scrubbing.await.expect("it ends");
    let store = &scene.core.store;
    let home = Timeline::Home(scene.alice);
    let sources = store.sources(home).await.expect("an answer");
    assert_eq!(sources.people, [scene.bob].into());
    let login = Login::stored("bob").expect("a login");
    let holder = store.holder(&login).await.expect("an answer");
    assert_eq!(holder, Some(scene.bob));
    let carols = Key::Following(scene.carol);
    assert_eq!(store.cardinality(&carols).await.expect("an answer"), 3);
}

#[tokio::test]
async fn abandoned_tasks_are_left_to_the_operator() {
    let scene = Scene::set(&["--scrub", "10000"]).await;
    scene.damage("XADD tasks:{0}:dead 1-1 task '{\"rebuild\":\"BOB\"}' attempts 8 error x");
    let (stop, stopped) = watch::channel(false);
    let scrubbing = tokio::spawn(scrub::run(scene.core.store.fork(), stopped));
    wait_for_full_walk(&scene).await;
    stop.send_replace(true);
    scrubbing.await.expect("it ends");
    let [_, _, dead] = crate::support::state::task_counts(&scene.core.store)
        .await
        .expect("an answer");
    assert_eq!(dead, 1);
}

#[tokio::test]
async fn one_process_scrubs_at_a_time_and_its_lease_ends_with_it() {
    let scene = Scene::set(&[]).await;
    let store = &scene.core.store;
    let lease = async |token: &str| store.lease_scrub(token, 60).await.expect("an answer");
    assert!(
        lease("one").await && lease("one").await,
        "taken and renewed"
    );
    assert!(!lease("two").await);
    scene.core.assert_sound().await;
    store.end_scrub("two").await.expect("an answer");
    assert!(!lease("two").await, "only the owner ends a lease");
    store.end_scrub("one").await.expect("an answer");
    assert!(lease("two").await);
}

#[tokio::test]
async fn a_single_node_is_scrubbed_only_if_the_settings_say_so() {
    let scene = Scene::set(&[]).await;
    assert_eq!(
        scrub::is_wanted(&scene.core.store),
        scene.core.store.is_cluster()
    );
    let scene = Scene::set(&["--scrub", "5"]).await;
    assert!(scrub::is_wanted(&scene.core.store));
    let scene = Scene::set(&["--scrub", "off"]).await;
    assert!(!scrub::is_wanted(&scene.core.store));
}
