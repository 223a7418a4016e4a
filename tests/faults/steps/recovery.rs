//! Recovery codes over a failing connection.

use reqwest::StatusCode;

use super::at_every_step;
use crate::{
    recovery::{NEW_PASSWORD, make_codes, recover_form},
    support::{PASSWORD, Person},
};

/// After a 503 it is unknown whether the code was used. The person finds out by logging in.
#[tokio::test]
async fn a_recovery_succeeds_or_one_of_the_two_passwords_is_valid() {
    at_every_step(
        async |site, name| {
            let login = format!("a_{name}");
            let alice = Person::sign_up(site, &login).await;
            let codes = make_codes(&alice).await;
            let visitor = Person::visitor(site);
            let form = recover_form(&visitor, &login, &codes[0]).await;
            (visitor, form)
        },
        async |site, scene, answer| {
            let login = format!("a_{}", scene.name);
            let try_it = async |password| {
                let visitor = Person::visitor(site);
                visitor.send_log_in(&login, password).await.status
            };
            let (new, old) = (try_it(NEW_PASSWORD).await, try_it(PASSWORD).await);
            if answer.status == StatusCode::SEE_OTHER {
                assert!(scene.person.is_logged_in().await, "{}", scene.name);
                assert_eq!(new, StatusCode::SEE_OTHER);
            } else {
                assert_eq!(answer.form("/login/recover").value("login"), login);
            }
            assert_ne!(new, old, "{}", scene.name);
            if new != StatusCode::SEE_OTHER {
                scene.person.submit_accepted(&scene.form).await;
            }
        },
        async |site, scene| {
            let visitor = Person::visitor(site);
            let login = format!("a_{}", scene.name);
            let answer = visitor.send_log_in(&login, NEW_PASSWORD).await;
            assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", scene.name);
        },
    )
    .await;
}
