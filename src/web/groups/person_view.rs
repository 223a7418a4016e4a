//! The page of one person of a group, for those who run it.

use super::person::tie_words;
use crate::{
    domain::{GroupActNote, GroupPower, GroupRole, GroupSlug, GroupTie, Login},
    store::SeenGroup,
    web::parts::{button_form::ButtonForm, moment::Moment, prelude::*},
};

/// The acts that a form with a note offers, with their labels.
const ACTS: [(&str, &str); 5] = [
    ("mute_1", "Mute for 1 day: they can read, not post"),
    ("mute_7", "Mute for 7 days"),
    ("mute_30", "Mute for 30 days"),
    ("remove", "Remove from the group: they can join again"),
    ("ban", "Ban: they cannot join again"),
];

/// The form of an act with a note.
#[derive(Debug, Template)]
#[template(path = "groups/_act_form.html")]
pub struct ActForm {
    csrf_token: String,
    action: String,
    chosen: String,
    act_error: Option<&'static str>,
    note: Field,
}

impl askama::filters::HtmlSafe for ActForm {}

impl ActForm {
    pub fn new(
        visit: &Visit,
        (slug, login): (&GroupSlug, &Login),
        chosen: &str,
        note: Typed,
    ) -> Self {
        const { assert!(GroupActNote::MAX_CHARACTERS == 500, "the hint says so") }
        Self {
            csrf_token: visit.csrf_token.clone(),
            action: routes::group_person(slug, login),
            chosen: chosen.to_owned(),
            act_error: None,
            note: Field::new(Kind::Paragraph, "note", "Note to the person", note)
                .with_hint("Optional, up to 500 characters and 1,000 bytes. They read it with the notice. So do the other moderators, in the log."),
        }
    }

    /// Creates the form again after it was sent with a mistake.
    pub fn again(visit: &Visit, of: (&GroupSlug, &Login), chosen: &str, note: Typed) -> Self {
        let is_known = ACTS.iter().any(|(act, _)| *act == chosen);
        Self {
            act_error: (!is_known).then_some("Choose what to do."),
            ..Self::new(visit, of, chosen, note)
        }
    }

    fn acts() -> &'static [(&'static str, &'static str)] {
        &ACTS
    }

    fn has_errors(&self) -> bool {
        self.act_error.is_some() || self.note.typed.error.is_some()
    }
}

#[derive(Debug, Template)]
#[template(path = "groups/person.html")]
pub struct PersonPage {
    layout: Layout,
    group: String,
    members_path: String,
    name: String,
    login: String,
    profile: String,
    state: &'static str,
    joined: Option<Moment>,
    muted_until: Option<Moment>,
    buttons: Vec<ButtonForm>,
    /// The group is offered to the person.
    is_offered: bool,
    /// The form, if the viewer may act on the person.
    form: Option<ActForm>,
}

impl PersonPage {
    pub fn new(
        visit: &Visit,
        seen: &SeenGroup,
        (user, tie): (&User, GroupTie),
        form: ActForm,
    ) -> Self {
        let group = &seen.group;
        let membership = tie.membership();
        let joined = membership.map(|own| crate::store::UnixMs(own.joined_us / 1000));
        let muted_until = membership.map(|own| own.muted_until);
        let muted_until = muted_until.filter(|until| *until > visit.now);
        let title = format!("{} in {}", user.name, group.name);
        Self {
            layout: Layout {
                unlisted: true,
                ..Layout::new(visit, Section::Groups, title)
            }
            .wrong_if(form.has_errors()),
            group: group.name.clone(),
            members_path: routes::group_members(&group.slug),
            name: user.name.clone(),
            login: user.login.to_string(),
            profile: routes::profile(&user.login),
            state: tie_words(tie),
            joined: joined.map(|at| visit.moment(at)),
            buttons: buttons(visit, seen, user, (tie, muted_until.is_some())),
            muted_until: muted_until.map(|until| visit.moment(until)),
            is_offered: group.offered_to == Some(user.id),
            form: may_note(seen, tie).then_some(form),
        }
    }
}

/// Returns whether the page has the form of acts with a note.
pub fn may_note(seen: &SeenGroup, tie: GroupTie) -> bool {
    seen.may_act_on(tie) && !matches!(tie, GroupTie::Banned)
}

/// Returns the buttons of acts without a note.
fn buttons(
    visit: &Visit,
    seen: &SeenGroup,
    user: &User,
    (tie, is_muted): (GroupTie, bool),
) -> Vec<ButtonForm> {
    let slug = &seen.group.slug;
    let here = routes::group_person(slug, &user.login);
    let path = routes::press_group_person(slug, &user.login);
    let button = |act: &str, label| {
        let label = (label, user.name.clone());
        let form = ButtonForm::new(visit, (path.clone(), &here), "group-person", label);
        form.with_field("act", act.to_owned()).secondary()
    };
    let mut buttons = Vec::new();
    if is_muted && seen.may_act_on(tie) {
        buttons.push(button("unmute", "End the mute"));
    }
    if tie == GroupTie::Banned {
        buttons.push(button("unban", "End the ban"));
    }
    if !seen.may(GroupPower::Own) {
        return buttons;
    }
    match tie.role() {
        Some(GroupRole::Member) => buttons.push(button("promote", "Make moderator")),
        Some(GroupRole::Moderator) => buttons.push(button("demote", "Take the role away")),
        Some(GroupRole::Owner) | None => return buttons,
    }
    buttons.push(match seen.group.offered_to == Some(user.id) {
        true => button("withdraw_offer", "Withdraw the offer of the group"),
        false => button("offer", "Offer the group"),
    });
    buttons
}
