//! One person of a group, and the acts of those who run it.

use std::sync::Arc;

use super::{
    handlers::{done, group_of, refused},
    person_view::{ActForm, PersonPage, may_note},
    words::GroupDone,
};
use crate::{
    actions::groups::manage,
    domain::{GroupAct, GroupActNote, GroupEvent, GroupPower, GroupRole, GroupSlug, GroupTie},
    store::{ManageOutcome, SeenGroup, UnixMs},
    web::{
        addresses::{GroupAddress, ModeratedGroup, WithLogin},
        http::errors::{Gone, error_page::retain},
        prelude::*,
    },
};

/// Milliseconds of a day.
const DAY_MS: u64 = 86_400_000;

/// An act on the person, with a note for them.
#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Fields {
    act: String,
    note: String,
}

/// A button without a note.
#[derive(Deserialize)]
pub struct Button {
    act: String,
}

pub async fn show(
    app: Data<AppState>,
    me: CurrentUser,
    GroupAddress(slug): GroupAddress,
    WithLogin(login): WithLogin,
) -> Result<HttpResponse> {
    let found = find(&app, &me, (&slug, &login)).await;
    let (seen, user, tie) = match found {
        Err(Error::NotFound) => {
            let note = note_before(&me, &slug, |about| about.is_same(&login));
            let note = note.ok_or(Error::NotFound)?;
            let (visit, error) = (me.visitor.visit(), Error::Gone(Gone::GroupPerson));
            return Ok(retain(&me.visitor, &error, &visit, to_copy(&note)));
        }
        found => found?,
    };
    let slug = &seen.group.slug;
    let note = may_note(&seen, tie).then(|| note_before(&me, slug, |about| user.has_had(about)));
    let note = note.flatten().unwrap_or_default();
    let visit = me.visitor.visit();
    let form = ActForm::new(
        &visit,
        (&seen.group.slug, &user.login),
        "",
        Typed::text(note),
    );
    page(&PersonPage::new(&visit, &seen, (&user, tie), form))
}

/// Returns the note that the member typed before the log-in, if it is about a person with such a login.
fn note_before(
    me: &CurrentUser,
    slug: &GroupSlug,
    is_about: impl Fn(&Login) -> bool,
) -> Option<String> {
    me.visitor.restore(|form| match form {
        PendingForm::GroupPerson { group, login, note }
            if group == *slug
                && !note.trim().is_empty()
                && Login::stored(&login).is_some_and(|login| is_about(&login)) =>
        {
            Some(note)
        }
        _ => None,
    })
}

/// Returns a group that the member moderates, and a person with their tie.
async fn find(
    app: &AppState,
    me: &CurrentUser,
    (slug, login): (&GroupSlug, &Login),
) -> Result<(SeenGroup, Arc<User>, GroupTie)> {
    let seen = group_of(app, me, slug, GroupPower::Moderate).await?;
    let (user, tie) = person(app, me.id, &seen, login).await?;
    Ok((seen, user, tie))
}

/// Returns a person with their tie. Blocks and suspensions hide no one who is connected with the group from the people who
/// run it.
async fn person(
    app: &AppState,
    me: UserId,
    seen: &SeenGroup,
    login: &Login,
) -> Result<(Arc<User>, GroupTie)> {
    let user = app.store.user_by_login(login).await?;
    let user = user.ok_or(Error::NotFound)?;
    let tie = app.store.group_tie(seen.group.id, user.id).await?;
    let is_found = match tie {
        GroupTie::None => app
            .store
            .find_user(Viewer::Member(me), login)
            .await?
            .is_some(),
        _ => true,
    };
    match is_found {
        true => Ok((user, tie)),
        false => Err(Error::NotFound),
    }
}

pub async fn update(
    app: Data<AppState>,
    GroupAddress(slug): GroupAddress,
    WithLogin(login): WithLogin,
    form: MemberForm<Fields>,
) -> Result<HttpResponse> {
    let of = (slug.clone(), login.clone());
    let act = async |me: &CurrentUser, fields: &Fields| {
        let done = find_and_act(&app, me, (&slug, &login), fields).await;
        done.map_err(|error| error.of_form_about(Gone::GroupPerson))
    };
    let give_back =
        |fields: &Fields, visit: &Visit, error: &Error| retained(&of, fields, visit, error);
    form.answer(act, give_back).await
}

async fn find_and_act(
    app: &AppState,
    me: &CurrentUser,
    (slug, login): (&GroupSlug, &Login),
    fields: &Fields,
) -> Result<HttpResponse> {
    let (seen, user, tie) = find(app, me, (slug, login)).await?;
    act_with_note(app, me, (&seen, &user, tie), fields).await
}

async fn act_with_note(
    app: &AppState,
    me: &CurrentUser,
    (seen, user, tie): (&SeenGroup, &User, GroupTie),
    fields: &Fields,
) -> Result<HttpResponse> {
    let note = GroupActNote::parse(&fields.note);
    let visit = me.visitor.visit();
    let event = note.as_ref().ok().map(|note| GroupEvent {
        person: user.id,
        note: note.as_str().to_owned(),
    });
    let chosen = event.and_then(|event| act_named(&fields.act, event, visit.now));
    let Some((act, then)) = chosen else {
        let typed = Typed::checked(&fields.note, &note);
        let form = ActForm::again(&visit, (&seen.group.slug, &user.login), &fields.act, typed);
        let page = PersonPage::new(&visit, seen, (user, tie), form);
        return page_with(StatusCode::UNPROCESSABLE_ENTITY, &page);
    };
    rate::check_room_for_note(&app.store, act.note()).await?;
    let is_this = |form: &PendingForm| match form {
        PendingForm::GroupPerson { group, login, .. } => {
            let login = Login::stored(login);
            *group == seen.group.slug && login.is_some_and(|login| user.has_had(&login))
        }
        _ => false,
    };
    me.visitor.forget_pending_form(is_this);
    finish(app, me, (seen, user), (act, then)).await
}

/// Returns the act of a button with a note, and its notice.
fn act_named(name: &str, event: GroupEvent, now: UnixMs) -> Option<(GroupAct, GroupDone)> {
    let mute = |event, days: u64| {
        let until = UnixMs(now.0 + days * DAY_MS);
        Some((GroupAct::Mute(event, until), GroupDone::Muted))
    };
    match name {
        "mute_1" => mute(event, 1),
        "mute_7" => mute(event, 7),
        "mute_30" => mute(event, 30),
        "remove" => Some((GroupAct::Remove(event), GroupDone::Removed)),
        "ban" => Some((GroupAct::Ban(event), GroupDone::Banned)),
        _ => None,
    }
}

/// Does an act without a note: ends a mute or ban, changes the role, or offers the group.
pub async fn press(
    app: Data<AppState>,
    me: CurrentUser,
    ModeratedGroup(seen): ModeratedGroup,
    WithLogin(login): WithLogin,
    SignedForm(button): SignedForm<Button>,
) -> Result<HttpResponse> {
    let (user, _) = person(&app, me.id, &seen, &login).await?;
    let person = user.id;
    let chosen = match button.act.as_str() {
        "unmute" => (GroupAct::Unmute(person), GroupDone::Unmuted),
        "unban" => (GroupAct::Unban(person), GroupDone::Unbanned),
        "promote" => {
            let act = GroupAct::SetRole(person, GroupRole::Moderator);
            (act, GroupDone::Promoted)
        }
        "demote" => (
            GroupAct::SetRole(person, GroupRole::Member),
            GroupDone::Demoted,
        ),
        "offer" => (GroupAct::OfferOwnership(person), GroupDone::Offered),
        "withdraw_offer" => (GroupAct::WithdrawOffer(person), GroupDone::OfferWithdrawn),
        _ => return Err(Error::BadForm),
    };
    finish(&app, &me, (&seen, &user), chosen).await
}

async fn finish(
    app: &AppState,
    me: &CurrentUser,
    (seen, user): (&SeenGroup, &User),
    (act, then): (GroupAct, GroupDone),
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    let slug = &seen.group.slug;
    let page = match then {
        GroupDone::Removed => routes::group_members(slug),
        GroupDone::Unbanned => routes::group_bans(slug),
        _ => routes::group_person(slug, &user.login),
    };
    match manage(&app.store, me.actor(), seen.group.id, act).await? {
        ManageOutcome::Done => done(me, then, &page),
        outcome => Err(refused(outcome)),
    }
}

/// Returns the note in its form, or, if the session has ended, in the log-in form. If the group or the person is not
/// found any more, it is there to copy.
fn retained(
    (slug, login): &(GroupSlug, Login),
    fields: &Fields,
    visit: &Visit,
    error: &Error,
) -> Retained {
    if matches!(error, Error::Gone(_)) {
        return to_copy(&fields.note);
    }
    if !matches!(error, Error::LoggedOut) {
        let typed = Typed::text(&fields.note);
        return Retained::form(&ActForm::new(visit, (slug, login), &fields.act, typed));
    }
    let next = LocalPath::parse(&routes::group_person(slug, login));
    let pending = PendingForm::GroupPerson {
        group: slug.clone(),
        login: login.to_string(),
        note: fields.note.clone(),
    };
    Retained::log_in(visit, next, pending)
}

/// Returns a note that cannot be sent any more.
pub(super) fn to_copy(note: &str) -> Retained {
    Retained::texts(&[note], (routes::OWN_GROUPS, "Your groups"))
}

/// Returns the words about the tie of a person.
pub(super) fn tie_words(tie: GroupTie) -> &'static str {
    match tie {
        GroupTie::None => "Not a member",
        GroupTie::Asked { .. } => "Asks to join",
        GroupTie::Invited { .. } => "Invited",
        GroupTie::Banned => "Banned",
        GroupTie::Member(membership) => match membership.role {
            GroupRole::Owner => "Owner",
            GroupRole::Moderator => "Moderator",
            GroupRole::Member => "Member",
        },
    }
}
