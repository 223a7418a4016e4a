//! Claims about every page at every moment, whatever is down: no status appears twice or after its
//! acknowledged deletion, and no acknowledged status is missing.

use std::{collections::BTreeSet, time::Instant};

use reqwest::StatusCode;

use super::{
    crowd::Crowd,
    groups::{check_groups_of_home, group_of},
    history::Action,
};
use crate::support::Page;

/// Claims about derived copies while the site runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Copies {
    /// They are present as soon as the write is acknowledged.
    Kept,
    /// A failover may lose them until the scrub repairs them. A status may be missing on a profile,
    /// and one by an unfollowed person may still be on a home.
    MayBeLost,
}

/// Returns the statuses on the page.
pub fn shown_on(page: &Page) -> Vec<(u64, String)> {
    page.status_ids().into_iter().zip(page.messages()).collect()
}

/// Records the statuses on the page. The same text under two ids is a duplicate post. Returns those outside of groups.
pub fn learn(crowd: &Crowd, page: &Page) -> Vec<(u64, String)> {
    let mut shown = shown_on(page);
    for (id, text) in &shown {
        crowd.history.borrow_mut().seen(text, *id);
    }
    shown.retain(|(_, text)| group_of(text).is_none());
    shown
}

/// Returns the author of a text.
pub fn author_of(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

/// Returns the person addressed by the text of a reply.
pub fn addressee_of(text: &str) -> Option<&str> {
    text.rsplit_once(" to ").map(|(_, addressee)| addressee)
}

/// Checks the first page of a home.
pub fn check_home(crowd: &Crowd, me: &str, page: &Page, asked: Instant) {
    if page.status != StatusCode::OK || !page.has("form[action=\"/logout\"]") {
        let claim = format!(
            "{me} was logged in, and is not: {}\n{}",
            page.status, page.html
        );
        crowd.fault(&claim, &[me, "Log"]);
        return;
    }
    check_groups_of_home(crowd, me, page);
    let shown = check_timeline(crowd, page, asked);
    let authors: BTreeSet<&str> = shown.iter().map(|(_, text)| author_of(text)).collect();
    for author in authors.into_iter().filter(|author| *author != me) {
        if crowd.copies == Copies::Kept && !crowd.history.borrow().may_be_on_home(me, author) {
            let claim =
                format!("the home of {me} shows {author}, but they do not follow this person");
            crowd.fault(&claim, &[me, author]);
        }
        if crowd.copies == Copies::Kept && crowd.history.borrow().is_off_home(me, author) {
            let claim = format!("the home of {me} shows {author}, a member of an exclusive list");
            crowd.fault(&claim, &[me, author]);
        }
    }
}

/// Checks the first page of a profile.
pub fn check_profile(crowd: &Crowd, author: &str, page: &Page, asked: Instant) {
    if page.status != StatusCode::OK {
        crowd.fault(
            &format!("the profile of {author}: {}", page.status),
            &[author, "SignUp"],
        );
        return;
    }
    let shown = check_timeline(crowd, page, asked);
    let newest = crowd.history.borrow().newest_living_text(author, asked);
    if crowd.copies == Copies::Kept
        && let Some(text) = newest
        && shown.iter().all(|(_, other)| *other != text)
    {
        crowd.fault(&format!("\"{text}\" is not on the profile"), &[&text]);
    }
    if let Some((_, text)) = shown.iter().find(|(_, text)| author_of(text) != author) {
        crowd.fault(
            &format!("\"{text}\" is on the profile of {author}"),
            &[text],
        );
    }
}

/// Checks that statuses are newest first, each once, and none deleted before the page was
/// requested. Returns those outside of groups.
pub fn check_timeline(crowd: &Crowd, page: &Page, asked: Instant) -> Vec<(u64, String)> {
    let shown = shown_on(page);
    if !shown.is_sorted_by(|(newer, _), (older, _)| newer > older) {
        crowd.fault(&format!("{} is out of order: {shown:?}", page.path), &[]);
    }
    for (_, text) in &shown {
        let deleted = Action::Delete(text.clone());
        let gone = crowd
            .history
            .borrow()
            .was_done(author_of(text), &deleted, asked);
        if gone {
            crowd.fault(
                &format!("\"{text}\" is deleted, and on {}", page.path),
                &[text],
            );
        }
    }
    learn(crowd, page)
}
