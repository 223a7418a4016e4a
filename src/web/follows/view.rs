//! The buttons of the home filters of a followed person, and the notices after them.

use crate::{
    actions::follows::FilterChange,
    domain::{HomeFilter, Login},
    store::Edge,
    web::parts::{button_form::ButtonForm, prelude::*},
};

/// Returns a button for each home filter, if the viewer follows the person.
pub fn filter_buttons(visit: &Visit, here: &str, user: &User, edge: Edge) -> Vec<ButtonForm> {
    let Edge::Follows(filters) = edge else {
        return Vec::new();
    };
    let button = |filter| {
        let (change, label) = match (filter, filters.contains(filter)) {
            (HomeFilter::HiddenReposts, false) => (FilterChange::Set(filter), "Hide reposts"),
            (HomeFilter::HiddenReposts, true) => (FilterChange::Clear(filter), "Show reposts"),
        };
        let label = (label, format!("by {} on your home", user.name));
        let path = filter_path(&user.login, change);
        ButtonForm::new(visit, (path, here), "home-filter", label).secondary()
    };
    HomeFilter::ALL.map(button).into()
}

pub fn filter_path(login: &Login, change: FilterChange) -> String {
    match change {
        FilterChange::Set(HomeFilter::HiddenReposts) => routes::hide_reposts(login),
        FilterChange::Clear(HomeFilter::HiddenReposts) => routes::show_reposts(login),
    }
}

pub fn filter_sentence(login: &Login, change: FilterChange) -> String {
    match change {
        FilterChange::Set(HomeFilter::HiddenReposts) => {
            format!("Reposts by @{login} are now hidden.")
        }
        FilterChange::Clear(HomeFilter::HiddenReposts) => {
            format!("Reposts by @{login} are now shown.")
        }
    }
}
