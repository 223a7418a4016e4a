//! One code is used once, however many requests use it at the same time.

use futures_util::future::join_all;
use reqwest::StatusCode;

use super::{make_codes, recover_form};
use crate::support::{Person, Site};

#[tokio::test]
async fn of_many_requests_with_one_code_one_succeeds() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    for code in make_codes(&alice).await.iter().take(4) {
        let visitors: Vec<Person> = (0..8).map(|_| Person::visitor(&site)).collect();
        let forms = visitors
            .iter()
            .map(|visitor| recover_form(visitor, "alice", code));
        let forms = join_all(forms).await;
        let sent = visitors.iter().zip(&forms);
        let answers = join_all(sent.map(|(visitor, form)| visitor.submit(form))).await;
        let entered = answers
            .iter()
            .filter(|answer| answer.status == StatusCode::SEE_OTHER);
        assert_eq!(entered.count(), 1, "{code}");
        let mut logged_in = 0;
        for visitor in &visitors {
            logged_in += usize::from(visitor.is_logged_in().await);
        }
        assert_eq!(logged_in, 1);
    }
    site.assert_sound().await;
}
