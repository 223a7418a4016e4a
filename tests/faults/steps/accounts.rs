//! Signing up, logging in and out, and changes to an account, with each round trip failing.

use reqwest::StatusCode;

use super::{at_every_step, send_again};
use crate::support::{PASSWORD, Person};

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
                scene.person.submit_accepted(&again).await;
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
async fn a_log_in_succeeds_or_asks_to_try_again() {
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
                scene.person.submit_accepted(&again).await;
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
                scene.person.submit_accepted(&scene.form).await;
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

/// After a 503 it is unknown which password is valid. The user finds out by trying both.
#[tokio::test]
async fn after_a_change_of_password_one_of_the_two_is_valid() {
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
                let answer = visitor.send_log_in(&scene.person.login, password).await;
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
                    scene.person.submit_accepted(&scene.form).await;
                    return;
                }
            }
            assert_eq!(old, StatusCode::UNPROCESSABLE_ENTITY, "{}", scene.name);
        },
        async |site, scene| {
            let visitor = Person::visitor(site);
            let answer = visitor.send_log_in(&scene.person.login, NEW).await;
            assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", scene.name);
        },
    )
    .await;
}

/// After a 503 it is unknown which login the person has. Both lead to them, and the form can be sent again once the
/// outbox entry has ended the first try.
#[tokio::test]
async fn a_change_of_the_login_is_made_or_can_be_sent_again() {
    at_every_step(
        async |site, name| {
            let alice = Person::sign_up(site, &format!("a_{name}")).await;
            let form = alice.open("/settings/login").await.form("/settings/login");
            let form = form.set("login", &format!("b_{name}"));
            (alice, form.set("current_password", PASSWORD))
        },
        async |_, _, _| {},
        async |site, scene| {
            if !scene.accepted {
                let again = scene.person.submit(&scene.form).await;
                let is_made = again.status == StatusCode::SEE_OTHER
                    || again.visible_text().contains("This is your login already.");
                assert!(is_made, "{}: {}", scene.name, again.visible_text());
            }
            let visitor = Person::visitor(site);
            let old = visitor.get(&scene.person.profile()).await;
            assert_eq!(old.location(), format!("/@b_{}", scene.name));
            assert!(scene.person.is_logged_in().await, "{}", scene.name);
        },
    )
    .await;
}

/// After a 503 it is unknown whether the account is deactivated. The user finds out by sending the form again.
#[tokio::test]
async fn a_deactivation_hides_the_account_completely() {
    at_every_step(
        async |site, name| {
            let alice = Person::sign_up(site, &format!("a_{name}")).await;
            let form = alice.open("/settings/leave").await.form("/settings/leave");
            (alice, form.set("current_password", PASSWORD))
        },
        async |_, scene, answer| {
            if answer.status == StatusCode::SERVICE_UNAVAILABLE {
                let again = scene.person.submit(&scene.form).await.status;
                let known = [StatusCode::SEE_OTHER, StatusCode::FORBIDDEN];
                assert!(known.contains(&again), "{again}");
            }
            assert!(!scene.person.is_logged_in().await, "{}", scene.name);
        },
        async |site, scene| {
            let visitor = Person::visitor(site);
            let profile = visitor.get(&scene.person.profile()).await;
            assert_eq!(profile.status, StatusCode::NOT_FOUND, "{}", scene.name);
            let back = Person::log_in(site, &scene.person.login).await;
            let form = back.open("/").await.form("/account/reactivate");
            back.submit_accepted(&form).await;
            assert_eq!(
                visitor.get(&scene.person.profile()).await.status,
                StatusCode::OK
            );
        },
    )
    .await;
}
