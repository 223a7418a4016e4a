//! What must hold on every page at every moment, whatever is down: no status twice, none whose
//! deletion was acknowledged before, none missing of which one was told that it is posted.

use std::{collections::BTreeSet, time::Instant};

use reqwest::StatusCode;

use super::{crowd::Crowd, history::Deed};
use crate::support::Page;

/// What may be asked of copies of the truth while the site runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Copies {
    /// They are there as soon as somebody was told so.
    Kept,
    /// A failover may take them away until the scrub has come by: a status may be missing on a
    /// profile, and one of somebody who is not followed any more still stand on a home.
    MayBeLost,
}

/// Notes which statuses the page shows; the same text under two ids was posted twice.
pub fn learn(crowd: &Crowd, page: &Page) -> Vec<(u64, String)> {
    let shown: Vec<(u64, String)> = page.status_ids().into_iter().zip(page.messages()).collect();
    for (id, text) in &shown {
        crowd.history.borrow_mut().seen(text, *id);
    }
    shown
}

/// The author whose words these are.
pub fn author_of(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

/// Whom somebody answers with these words.
pub fn answered_by(text: &str) -> Option<&str> {
    text.rsplit_once(" to ").map(|(_, whom)| whom)
}

/// The first page of a home.
pub fn look_at_home(crowd: &Crowd, me: &str, page: &Page, asked: Instant) {
    if page.status != StatusCode::OK || !page.has("form[action=\"/logout\"]") {
        let claim = format!(
            "{me} was logged in, and is not: {}\n{}",
            page.status, page.html
        );
        crowd.fault(&claim, &[me, "Log"]);
        return;
    }
    let shown = look_at_timeline(crowd, page, asked);
    let authors: BTreeSet<&str> = shown.iter().map(|(_, text)| author_of(text)).collect();
    for author in authors.into_iter().filter(|author| *author != me) {
        if crowd.copies == Copies::Kept && !crowd.history.borrow().edge(me, author).may_stand {
            let claim = format!("the home of {me} shows {author}, whom they do not follow");
            crowd.fault(&claim, &[me, author]);
        }
        if crowd.copies == Copies::Kept && crowd.history.borrow().is_kept_out(me, author) {
            let claim = format!("the home of {me} shows {author}, whom an exclusive list holds");
            crowd.fault(&claim, &[me, author]);
        }
    }
}

/// The first page of a profile.
pub fn look_at_profile(crowd: &Crowd, author: &str, page: &Page, asked: Instant) {
    if page.status != StatusCode::OK {
        crowd.fault(
            &format!("the profile of {author}: {}", page.status),
            &[author, "SignUp"],
        );
        return;
    }
    let shown = look_at_timeline(crowd, page, asked);
    let newest = crowd.history.borrow().newest_standing(author, asked);
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

/// Newest first, each once, none that was deleted before the page was asked for.
pub fn look_at_timeline(crowd: &Crowd, page: &Page, asked: Instant) -> Vec<(u64, String)> {
    let shown = learn(crowd, page);
    if !shown.is_sorted_by(|(newer, _), (older, _)| newer > older) {
        crowd.fault(&format!("{} is out of order: {shown:?}", page.path), &[]);
    }
    for (_, text) in &shown {
        let deleted = Deed::Delete(text.clone());
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
    shown
}
