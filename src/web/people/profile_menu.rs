//! The menu of a profile: what the viewer can do about the person besides following.

use super::profile::ViewerChoices;
use crate::{
    store::ListMembership,
    web::{
        author_preferences::view::PreferenceForm,
        blocks::view::BlockForm,
        follows::view::filter_buttons,
        lists::members::view::AddToList,
        mutes::view::{MuteForm, unmute_button},
        parts::{button_form::ButtonForm, prelude::*},
    },
};

#[derive(Debug, Template)]
#[template(path = "people/_profile_menu.html")]
pub struct ProfileMenu {
    name: String,
    /// The form of a message to the person.
    message: Option<String>,
    /// The form to see more or less of a followed person.
    preference: Option<PreferenceForm>,
    /// The lists of the viewer.
    add_to_list: AddToList,
    /// The home filters of a followed person, and the end of a mute.
    buttons: Vec<ButtonForm>,
    /// The form to mute the person, unless they are muted.
    mute_form: Option<MuteForm>,
    block_form: Option<BlockForm>,
    /// The form that reports the person.
    report: Option<String>,
}

impl askama::filters::HtmlSafe for ProfileMenu {}

impl ProfileMenu {
    /// Creates the menu for the page at the path `here`. `None` for a visitor. The viewer's own menu has only lists.
    pub fn new(
        visit: &Visit,
        here: &str,
        user: &User,
        choices: &ViewerChoices,
        lists: &[ListMembership],
    ) -> Option<Self> {
        visit.me()?;
        let ViewerChoices {
            relation,
            mute,
            edge,
            preference,
        } = choices;
        let is_other = !relation.is_self;
        Some(Self {
            name: user.name.clone(),
            message: is_other.then(|| routes::message_to(&user.login)),
            preference: relation
                .following
                .then(|| PreferenceForm::new(visit, here, user, *preference)),
            add_to_list: AddToList::new(visit, here, &user.login, lists),
            buttons: filter_buttons(visit, here, user, *edge)
                .into_iter()
                .chain(mute.map(|_| unmute_button(visit, here, user)))
                .collect(),
            mute_form: (mute.is_none() && is_other).then(|| MuteForm::new(visit, here, user)),
            block_form: is_other.then(|| BlockForm::new(visit, user)),
            report: is_other.then(|| routes::report_person(&user.login)),
        })
    }
}
