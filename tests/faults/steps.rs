//! Every operation, with each of its trips to Redis failing in each way: it succeeds all the same,
//! or says that it is unknown; sent again it is done, and once.

use futures_util::{StreamExt, join, stream};
use reqwest::StatusCode;

use super::{DEADLINE, RESPONSE, assert_unavailable, on_one_node, until_as_meant};
use crate::support::{
    Form, PASSWORD, Page, Person, Site, crowd,
    detour::Detour,
    proxy::{Fault, When},
};

/// The trips that a fault strikes, from one on.
type Reach = fn(usize) -> When;
/// The ways in which a trip can fail: once, so that sending it again may help, or until mended.
const WAYS: [(Fault, Reach); 5] = [
    (Fault::Cut, When::Only),
    (Fault::LoseAnswer, When::Only),
    (Fault::Cut, When::From),
    (Fault::LoseAnswer, When::From),
    (Fault::Mute, When::Only),
];
/// Scenes played at a time.
const AT_A_TIME: usize = 16;

/// Somebody with a form that went through a connection that failed.
struct Scene {
    /// Names the scene, and is part of each login in it.
    name: String,
    /// At the site itself, where nothing fails.
    person: Person,
    form: Form,
    /// Trips that were made, and those of them that the fault met.
    trips: usize,
    struck: usize,
    /// The form was accepted at once.
    accepted: bool,
}

/// Sends the form of a scene: without a fault, to count its trips, and then with a fault at each of
/// them. `again` does what a person does after the answer, with the connection mended; `after`
/// looks at what has become of it, when the worker has done its part.
async fn at_every_step(
    prepare: impl AsyncFn(&Site, &str) -> (Person, Form),
    again: impl AsyncFn(&Site, &Scene, Page),
    after: impl AsyncFn(&Site, &Scene),
) {
    let site = on_one_node(&[]).await;
    let play = async |name: &str, longer: u32, fault: Option<(Fault, When)>| {
        let name = format!("{name}_{longer}");
        let (person, form) = prepare(&site, &name).await;
        let detour = Detour::around(&site, RESPONSE * longer, DEADLINE * longer).await;
        let there = detour.take(&person);
        if let Some((fault, when)) = fault {
            detour.proxy.strike(fault, when, "");
        }
        let answer = there.submit(&form).await;
        if answer.status != StatusCode::SEE_OTHER {
            assert_unavailable(&answer);
        }
        // With connections of their own: an idle one may be closed just when it is used.
        let mut back = Person::visitor(&site);
        back.login = person.login;
        back.cookies.replace(there.cookies.all());
        let scene = Scene {
            name,
            person: back,
            form,
            trips: detour.proxy.seen(),
            struck: detour.proxy.struck(),
            accepted: answer.status == StatusCode::SEE_OTHER,
        };
        again(&site, &scene, answer).await;
        scene
    };
    let smooth = async |name: &str| {
        let scenes = until_as_meant(
            async |longer| play(name, longer, None).await,
            |scene| scene.accepted,
        );
        scenes.await
    };
    // The first of all makes scripts known, which takes trips of its own.
    let mut scenes = smooth("first").await;
    scenes.extend(smooth("second").await);
    let trips = scenes.last().expect("it was played").trips;
    assert!(trips > 1, "an operation has several trips");
    let faults = WAYS.iter().enumerate().flat_map(|(way, (fault, when))| {
        (1..=trips).map(move |step| (format!("f{way}_{step}"), (*fault, when(step))))
    });
    let faulty: Vec<Vec<Scene>> = stream::iter(faults)
        .map(async |(name, fault)| {
            let scenes = until_as_meant(
                async |longer| play(&name, longer, Some(fault)).await,
                |scene| scene.struck > 0,
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

/// Sends the form that a 503 gave back, or the same one, once more.
async fn send_again(_: &Site, scene: &Scene, answer: Page) {
    let form = answer.find_form(&scene.form.action);
    let again = form.unwrap_or_else(|| scene.form.clone());
    scene.person.do_submit(&again).await;
}

/// Somebody follows an author of a scene.
async fn follower(site: &Site, name: &str, author: &Person) {
    let follower = crowd::member(&site.store, &format!("b_{name}")).await;
    let author = crowd::uid(&site.store, &author.login).await;
    crowd::follow(&site.store, follower, author).await;
}

/// The messages of the author, at home and on their profile, and at home at their follower's.
async fn everywhere(site: &Site, scene: &Scene) -> [Vec<String>; 3] {
    let author = &scene.person;
    let follower = crowd::uid(&site.store, &format!("b_{}", scene.name)).await;
    [
        author.open("/").await.messages(),
        author.open(&author.profile()).await.messages(),
        crowd::home(&site.store, follower).await,
    ]
}

#[tokio::test]
async fn a_post_is_made_once() {
    at_every_step(
        async |site, name| {
            let alice = Person::sign_up(site, &format!("a_{name}")).await;
            follower(site, name, &alice).await;
            let form = alice.open("/").await.form("/statuses");
            (alice, form.set("message", "an hour's <work>"))
        },
        async |site, scene, answer| {
            if answer.status == StatusCode::SERVICE_UNAVAILABLE {
                let form = answer.form("/statuses");
                assert_eq!(form.value("message"), "an hour's <work>");
            }
            send_again(site, scene, answer).await;
        },
        async |site, scene| {
            for messages in everywhere(site, scene).await {
                assert_eq!(messages, ["an hour's <work>"], "{}", scene.name);
            }
        },
    )
    .await;
}

#[tokio::test]
async fn a_deleted_status_is_gone_from_everywhere() {
    at_every_step(
        async |site, name| {
            let alice = Person::sign_up(site, &format!("a_{name}")).await;
            follower(site, name, &alice).await;
            let id = alice.post("not for long").await;
            let form = alice.delete_form(id).await;
            (alice, form)
        },
        send_again,
        async |site, scene| {
            for messages in everywhere(site, scene).await {
                assert!(messages.is_empty(), "{}", scene.name);
            }
        },
    )
    .await;
}

/// Somebody with a status, and a reader on their profile.
async fn reader(site: &Site, name: &str) -> Person {
    let author = crowd::member(&site.store, &format!("a_{name}")).await;
    crowd::post(&site.store, author, "to be read").await;
    Person::sign_up(site, &format!("r_{name}")).await
}

/// How many follow the author of a scene, by the count and by the list.
async fn followers(scene: &Scene) -> (String, usize) {
    let profile = format!("/@a_{}", scene.name);
    let list = format!("{profile}/followers");
    let page = scene.person.open(&profile).await;
    let count = page.text(&format!("a[href=\"{list}\"]"));
    let people = scene.person.open(&list).await;
    (count, people.count(".person"))
}

#[tokio::test]
async fn a_follow_counts_once_and_fills_the_home() {
    at_every_step(
        async |site, name| {
            let reader = reader(site, name).await;
            let author = format!("/@a_{name}");
            let form = reader.open(&author).await.form(&format!("{author}/follow"));
            (reader, form)
        },
        send_again,
        async |_, scene| {
            assert_eq!(scene.person.open("/").await.messages(), ["to be read"]);
            assert_eq!(followers(scene).await, ("1 follower".to_owned(), 1));
        },
    )
    .await;
}

#[tokio::test]
async fn an_unfollow_counts_once_and_empties_the_home() {
    at_every_step(
        async |site, name| {
            let reader = reader(site, name).await;
            let author = format!("a_{name}");
            reader.follow(&author).await;
            let page = reader.open(&format!("/@{author}")).await;
            (reader, page.form(&format!("/@{author}/unfollow")))
        },
        send_again,
        async |_, scene| {
            assert!(scene.person.open("/").await.messages().is_empty());
            assert_eq!(followers(scene).await, ("0 followers".to_owned(), 0));
        },
    )
    .await;
}

#[tokio::test]
async fn a_sign_up_makes_one_account() {
    at_every_step(
        async |site, name| {
            let mut visitor = Person::visitor(site);
            let form = visitor.open("/signup").await.form("/signup");
            visitor.login = format!("a_{name}");
            let form = form.set("login", &visitor.login).set("name", "Alice L.");
            (visitor, form.set("password", PASSWORD))
        },
        async |_, scene, answer| {
            if answer.status == StatusCode::SERVICE_UNAVAILABLE {
                let form = answer.form("/signup");
                let typed = ["login", "name", "password"].map(|field| form.value(field));
                assert_eq!(typed, [&*scene.person.login, "Alice L.", ""]);
                let again = form.set("password", PASSWORD);
                scene.person.do_submit(&again).await;
            }
            assert!(scene.person.is_logged_in().await, "{}", scene.name);
        },
        async |site, scene| {
            let again = Person::log_in(site, &scene.person.login).await;
            assert!(again.is_logged_in().await);
        },
    )
    .await;
}

#[tokio::test]
async fn a_log_in_succeeds_or_is_asked_for_again() {
    at_every_step(
        async |site, name| {
            let login = format!("a_{name}");
            Person::sign_up(site, &login).await;
            let visitor = Person::visitor(site);
            let form = visitor.open("/login").await.form("/login");
            let form = form.set("login", &login).set("password", PASSWORD);
            (visitor, form)
        },
        async |_, scene, answer| {
            if answer.status == StatusCode::SERVICE_UNAVAILABLE {
                let form = answer.form("/login");
                let typed = ["login", "password"].map(|field| form.value(field));
                assert_eq!(typed, [&*format!("a_{}", scene.name), ""]);
                let again = form.set("password", PASSWORD);
                scene.person.do_submit(&again).await;
            }
        },
        async |_, scene| assert!(scene.person.is_logged_in().await, "{}", scene.name),
    )
    .await;
}

#[tokio::test]
async fn a_log_out_ends_the_session() {
    at_every_step(
        async |site, name| {
            let alice = Person::sign_up(site, &format!("a_{name}")).await;
            let form = alice.open("/").await.form("/logout");
            (alice, form)
        },
        async |_, scene, answer| {
            let cookies = scene.person.cookies.all();
            if answer.status == StatusCode::SERVICE_UNAVAILABLE {
                scene.person.do_submit(&scene.form).await;
            }
            assert!(!scene.person.is_logged_in().await, "{}", scene.name);
            scene.person.cookies.replace(cookies);
        },
        async |_, scene| assert!(!scene.person.is_logged_in().await, "{}", scene.name),
    )
    .await;
}

#[tokio::test]
async fn a_profile_is_changed_or_comes_back_as_it_was_typed() {
    at_every_step(
        async |site, name| {
            let alice = Person::sign_up(site, &format!("a_{name}")).await;
            let form = alice.open("/settings").await.form("/settings/profile");
            (alice, form.set("name", "Alice L.").set("bio", "Boats."))
        },
        async |site, scene, answer| {
            if answer.status == StatusCode::SERVICE_UNAVAILABLE {
                let form = answer.form("/settings/profile");
                let typed = ["name", "bio"].map(|field| form.value(field));
                assert_eq!(typed, ["Alice L.", "Boats."]);
            }
            send_again(site, scene, answer).await;
        },
        async |_, scene| {
            let page = scene.person.open(&scene.person.profile()).await;
            assert_eq!(page.text("h1"), "Alice L.", "{}", scene.name);
            assert!(page.visible_text().contains("Boats."));
        },
    )
    .await;
}

/// After a 503 it is unknown which password holds, and trying both tells.
#[tokio::test]
async fn after_a_change_of_password_one_of_the_two_holds() {
    const NEW: &str = "another mountain lake";
    at_every_step(
        async |site, name| {
            let alice = Person::sign_up(site, &format!("a_{name}")).await;
            let form = alice.open("/settings").await.form("/settings/password");
            let form = form.set("current_password", PASSWORD);
            (alice, form.set("new_password", NEW))
        },
        async |site, scene, answer| {
            let try_it = async |password| {
                let visitor = Person::visitor(site);
                let answer = visitor.ask_to_log_in(&scene.person.login, password).await;
                answer.status
            };
            let (new, old) = (try_it(NEW).await, try_it(PASSWORD).await);
            match (answer.status, new) {
                (StatusCode::SEE_OTHER, new) => {
                    assert_eq!(new, StatusCode::SEE_OTHER);
                    assert!(scene.person.is_logged_in().await, "{}", scene.name);
                }
                (_, StatusCode::SEE_OTHER) => {
                    assert!(!scene.person.is_logged_in().await, "{}", scene.name);
                }
                (_, _) => {
                    assert_eq!(old, StatusCode::SEE_OTHER);
                    scene.person.do_submit(&scene.form).await;
                    return;
                }
            }
            assert_eq!(old, StatusCode::UNPROCESSABLE_ENTITY, "{}", scene.name);
        },
        async |site, scene| {
            let visitor = Person::visitor(site);
            let answer = visitor.ask_to_log_in(&scene.person.login, NEW).await;
            assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", scene.name);
        },
    )
    .await;
}

#[tokio::test]
async fn scripts_forgotten_before_any_trip_are_sent_in_full() {
    let site = on_one_node(&[]).await;
    let detour = Detour::around(&site, RESPONSE * 10, DEADLINE * 10).await;
    let alice = detour.take(&Person::sign_up(&site, "alice").await);
    alice.post("the first").await;
    let form = alice.open("/").await.form("/statuses");
    detour.proxy.pass();
    alice.do_submit(&form.set("message", "the second")).await;
    let trips = detour.proxy.seen();
    for step in 1..=trips {
        let form = alice.open("/").await.form("/statuses");
        let form = form.set("message", &format!("before trip {step}"));
        detour.proxy.strike(Fault::Hold, When::Only(step), "");
        let forget = async {
            detour.proxy.holds().await;
            site.redis.command(&["SCRIPT", "FLUSH"]);
            detour.proxy.pass();
        };
        let (answer, ()) = join!(alice.submit(&form), forget);
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "before trip {step}");
    }
    assert_eq!(alice.home_ids().await.len(), 2 + trips);
}
