//! The page of the settings about who sees a member's posts, and the summary of it on the page of all settings.

use crate::{
    domain::Visibility,
    web::{parts::prelude::*, statuses::visibility_select::words},
};

#[derive(Debug, Template)]
#[template(path = "settings/privacy.html")]
pub struct PrivacyPage {
    layout: Layout,
    choices: Vec<Choice>,
    is_private: bool,
    shows_favourites: bool,
    /// The tab of favourites.
    favourites: String,
    /// Number of waiting requests.
    waiting: u64,
}

/// A visibility that the composer can offer first.
#[derive(Debug)]
struct Choice {
    value: &'static str,
    label: &'static str,
    is_chosen: bool,
}

impl PrivacyPage {
    pub fn new(visit: &Visit, user: &User) -> Self {
        let choice = |one: Visibility| Choice {
            value: one.as_str(),
            label: words(one),
            is_chosen: user.default_visibility == Some(one),
        };
        let last = Choice {
            value: "last",
            label: "My choice for the last post",
            is_chosen: user.default_visibility.is_none(),
        };
        Self {
            layout: Layout::new(visit, Section::Settings, "Who sees your posts"),
            is_private: user.is_private,
            shows_favourites: user.shows_favourites,
            favourites: routes::favourites_of(&user.login),
            waiting: user.requests,
            choices: [last]
                .into_iter()
                .chain(Visibility::ALL.map(choice))
                .collect(),
        }
    }
}

/// Returns what others see of a member, a sentence each.
pub fn seen_by_others(user: &User) -> [&'static str; 5] {
    let [first, second] = match user.is_private {
        true => [
            "Your account is private. Everyone sees your name, your login, the text about you and your numbers.",
            "Your followers see your posts, your followers and the people you follow.",
        ],
        false => [
            "Everyone sees your name, your login, the text about you, your followers and the people you follow.",
            "You choose for each post who sees it: everyone, members or your followers.",
        ],
    };
    let favourites = match user.shows_favourites {
        true => "Your profile shows the list of your favourites to others.",
        false => "Only you see the list of your favourites.",
    };
    [
        first,
        second,
        "Everyone who sees a post can see who favourited and reposted it.",
        favourites,
        "No one else sees your bookmarks, your lists, the tags you follow, your votes, and the people you mute or block.",
    ]
}
