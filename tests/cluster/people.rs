//! People by the primaries that have their keys, and the command counts of the primaries.

use std::collections::BTreeSet;

use crate::support::{
    Form, Person, Site,
    cluster::{Cluster, moved_to},
    crowd::uid,
    person::action_path,
};

/// A person with one post, and the button that bookmarks it. A bookmark needs the person, the status
/// and a rate limit.
pub struct Resident {
    pub person: Person,
    pub bookmark: Form,
}

/// Returns the primary that serves a key.
pub fn serving(cluster: &Cluster, key: &str) -> usize {
    let answer = cluster.ask(0, &["TYPE", key]).expect("the node answers");
    moved_to(&answer).map_or(0, |address| cluster.node_at(&address))
}

/// Signs people up until one has their own keys on this primary and all others elsewhere, and one has
/// no key there. Returns both.
pub async fn on_and_off(site: &mut Site, primary: usize) -> [Resident; 2] {
    let (mut on, mut off) = (None, None);
    for number in 0.. {
        let login = format!("person_{number}");
        let person = Person::sign_up(site, &login).await;
        let id = person.post("where I live").await;
        let uid = uid(&site.store, &login).await;
        let cluster = site.redis.cluster();
        let own = serving(cluster, &format!("user:{{{uid}}}"));
        let others = [format!("rate:{{save:{uid}}}"), format!("status:{{{id}}}")];
        let others: BTreeSet<usize> = others.iter().map(|key| serving(cluster, key)).collect();
        if others.contains(&primary) {
            continue;
        }
        let place = if own == primary { &mut on } else { &mut off };
        let home = person.open("/").await;
        let bookmark = home.button(&action_path("bookmark", id));
        place.get_or_insert(Resident { person, bookmark });
        if on.is_some() && off.is_some() {
            break;
        }
    }
    [on, off].map(|resident| resident.expect("both were found"))
}

/// Returns how often the primaries have run a command.
pub fn calls(cluster: &Cluster, command: &str) -> u64 {
    let start = format!("cmdstat_{command}:calls=");
    let of_node = |node: usize| {
        let stats = cluster.ask(node, &["INFO", "commandstats"]);
        let stats = stats.expect("the node answers");
        let calls = stats.lines().find_map(|line| line.strip_prefix(&start));
        let calls = calls.and_then(|calls| calls.split(',').next()?.parse::<u64>().ok());
        calls.unwrap_or_default()
    };
    cluster.primaries().into_iter().map(of_node).sum()
}
