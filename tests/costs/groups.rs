//! The cost of groups: the page of one, and a post there.

use redwing::domain::GroupKind;

use super::{Cost, ROUNDS, cheaper, cheapest, cost};
use crate::support::{
    Person, Site,
    crowd::{home, member, people, uid},
    groups::{draft, found, join, post},
};

const MEMBERS: usize = 100;
const POSTS: usize = 30;

/// Measures a group of 100 members whose homes are open.
pub(super) async fn costs(site: &Site, reader: &Person) -> Vec<(&'static str, Cost)> {
    let store = &site.store;
    let owner = member(store, "group_owner").await;
    let group = found(store, owner, &draft("kettles", GroupKind::Private)).await;
    let own = uid(store, "reader").await;
    join(store, group, own).await;
    for person in people(store, "group_member", MEMBERS).await {
        join(store, group, person).await;
        home(store, person).await;
    }
    for number in 0..POSTS {
        post(store, group, owner, &format!("{number}: the kettle is on")).await;
    }
    site.drain().await;
    let path = "/groups/kettles";
    let page = cheapest(site, async || reader.open(path).await).await;
    let mut posted = None;
    for number in 0..ROUNDS {
        let form = reader.open(path).await.form("/statuses");
        let form = form.set("message", &format!("number {number}"));
        let one = cost(site, async || reader.submit_accepted(&form).await).await;
        posted = cheaper(posted, one);
    }
    vec![
        ("group with 30 posts", page),
        (
            "post to a group of 100 members",
            posted.expect("it was measured"),
        ),
    ]
}
