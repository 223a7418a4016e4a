//! Names of users, statuses, lists and keys in the texts of faults and repairs.
//!
//! A text holds ids in angle brackets, for example `<user 5>`. [`resolve`] replaces them by logins and
//! names, with one batched read for all texts of a report.

use std::collections::{BTreeSet, HashMap};

use crate::{
    domain::{ListId, Login, StatusId, UserId},
    store::{Error, Key, KeyOwner, Label, Result, Store},
};

pub(super) fn user(id: UserId) -> String {
    format!("<user {id}>")
}

pub(super) fn status(id: StatusId) -> String {
    format!("<status {id}>")
}

pub(super) fn list(id: ListId) -> String {
    format!("<list {id}>")
}

/// Returns the name of a key's entry in the schema, and the owner.
pub(super) fn key(key: &Key) -> String {
    let pattern = key.entry().pattern;
    let (start, rest) = pattern.split_once('{').unwrap_or((pattern, ""));
    let end = rest.rsplit_once(':').map_or("", |(_, end)| end);
    let name = match key {
        Key::ListMembers(_) | Key::ListTimeline(_) | Key::ListActive(_) => end,
        _ => start.trim_end_matches(':'),
    };
    match key.owner() {
        KeyOwner::User(id) => format!("{name} of {}", user(id)),
        KeyOwner::Status(id) => format!("{name} of {}", status(id)),
        KeyOwner::List(id) => format!("{name} of {}", list(id)),
        KeyOwner::Tag(tag) => format!("{name} of #{tag}"),
        _ => key.name(),
    }
}

/// Replaces the ids in texts by logins and names. Ids remain where Redis has none.
pub(super) async fn resolve<'a>(
    store: &Store,
    texts: impl IntoIterator<Item = &'a mut String>,
) -> Result<()> {
    let texts: Vec<&mut String> = texts.into_iter().collect();
    let ids: BTreeSet<&str> = texts.iter().flat_map(|text| ids_in(text)).collect();
    let things = ids
        .iter()
        .filter_map(|id| Some(((*id).to_owned(), key_of(id)?)));
    let (ids, keys): (Vec<String>, Vec<Key>) = things.unzip();
    let labels = match store.labels(&keys).await {
        Err(Error::Unexpected { .. }) => vec![Label::default(); keys.len()],
        labels => labels?,
    };
    let names = ids.into_iter().zip(keys.iter().zip(labels));
    let names: HashMap<String, String> = names
        .map(|(id, (key, label))| (id, name_of(key, label)))
        .collect();
    for text in texts {
        *text = replaced(text, &names);
    }
    Ok(())
}

fn name_of(key: &Key, Label { login, list_name }: Label) -> String {
    let login = login.and_then(|login| Login::stored(&login));
    match (key, login) {
        (Key::User(id), Some(login)) => format!("@{login} (user {id})"),
        (Key::User(id), None) => format!("user {id}"),
        (Key::Status(id), Some(login)) => format!("status {id} by @{login}"),
        (Key::ListMembers(list), login) => {
            let name = list_name.map_or_else(String::new, |name| format!(" {name:?}"));
            let owner = login.map_or(format!("user {}", list.owner), |login| format!("@{login}"));
            format!("list {}{name} of {owner}", list.number)
        }
        (Key::Status(id), None) => format!("status {id}"),
        (key, _) => key.name(),
    }
}

fn ids_in(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split('<').skip(1);
    parts.filter_map(|part| Some(part.split_once('>')?.0))
}

fn key_of(id: &str) -> Option<Key> {
    let (kind, id) = id.split_once(' ')?;
    match kind {
        "user" => id.parse().ok().map(Key::User),
        "status" => id.parse().ok().map(Key::Status),
        "list" => id.parse().ok().map(Key::ListMembers),
        _ => None,
    }
}

fn replaced(text: &str, names: &HashMap<String, String>) -> String {
    let mut parts = text.split('<');
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('>').map(|(id, rest)| (names.get(id), rest)) {
            Some((Some(name), rest)) => {
                all.push_str(name);
                all.push_str(rest);
            }
            _ => {
                all.push('<');
                all.push_str(part);
            }
        }
    }
    all
}
