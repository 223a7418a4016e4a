//! The people of a group: members, requests, invitations, banned people. Also the log.

use std::sync::Arc;

use super::{
    handlers::{done, group_of, refused},
    people_view::{BansPage, InvitationsPage, InviteForm, LogPage, MembersPage, RequestsPage},
    words::{self, GroupDone},
};
use crate::{
    actions::groups::manage,
    domain::{Answer, GroupAct, GroupId, GroupPower, GroupSlug},
    store::{ManageOutcome, PeopleOf, SeenGroup},
    web::{
        addresses::{GroupAddress, ModeratedGroup, OfGroup},
        prelude::*,
    },
};

const UNKNOWN_LOGIN: &str = "No account has this login.";

/// The answer to the request of a person.
#[derive(Deserialize)]
pub struct RequestAnswer {
    /// The id of the person. Their login can change meanwhile.
    from: UserId,
    answer: Answer,
}

/// The person of a button.
#[derive(Deserialize)]
pub struct Chosen {
    person: UserId,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Invited {
    login: String,
}

/// Shows the members, and first those with a role.
pub async fn members(
    app: Data<AppState>,
    me: CurrentUser,
    OfGroup(seen): OfGroup,
    Before(before): Before,
) -> Result<HttpResponse> {
    if !seen.may_see_members() {
        return Err(Error::NotFound);
    }
    let (viewer, id) = (Viewer::Member(me.id), seen.group.id);
    let (roles, people) = try_join!(
        app.store.group_roles(id),
        app.store.people_page(viewer, PeopleOf::Group(id), before)
    )?;
    let visit = me.visitor.visit();
    page(&MembersPage::new(&visit, &seen, &roles, (before, &people)))
}

pub async fn requests(
    app: Data<AppState>,
    me: CurrentUser,
    ModeratedGroup(seen): ModeratedGroup,
    Before(before): Before,
) -> Result<HttpResponse> {
    let viewer = Viewer::Member(me.id);
    let of = PeopleOf::GroupRequests(seen.group.id);
    let people = app.store.people_page(viewer, of, before).await?;
    page(&RequestsPage::new(
        &me.visitor.visit(),
        &seen.group,
        (before, &people),
    ))
}

pub async fn answer(
    app: Data<AppState>,
    me: CurrentUser,
    ModeratedGroup(seen): ModeratedGroup,
    SignedForm(answered): SignedForm<RequestAnswer>,
) -> Result<HttpResponse> {
    let (act, then) = match answered.answer {
        Answer::Accept => (GroupAct::Accept(answered.from), GroupDone::Accepted),
        Answer::Refuse => (GroupAct::Refuse(answered.from), GroupDone::Refused),
    };
    let page = routes::group_requests(&seen.group.slug);
    act_and_return(&app, &me, &seen, (act, then), &page).await
}

pub async fn invitations(
    app: Data<AppState>,
    me: CurrentUser,
    ModeratedGroup(seen): ModeratedGroup,
    Before(before): Before,
) -> Result<HttpResponse> {
    let restored = me.visitor.restore(|form| match form {
        PendingForm::GroupPerson { group, login, note }
            if group == seen.group.slug && note.trim().is_empty() =>
        {
            Some(Typed::text(login))
        }
        _ => None,
    });
    let typed = restored.unwrap_or_default();
    let shown = invitations_page(&app, &me, &seen, (before, typed)).await?;
    page(&shown)
}

async fn invitations_page(
    app: &AppState,
    me: &CurrentUser,
    seen: &SeenGroup,
    (before, typed): (Option<crate::domain::Cursor>, Typed),
) -> Result<InvitationsPage> {
    let viewer = Viewer::Member(me.id);
    let of = PeopleOf::GroupInvited(seen.group.id);
    let people = app.store.people_page(viewer, of, before).await?;
    let visit = me.visitor.visit();
    let form = InviteForm::new(&visit, &seen.group.slug, typed);
    Ok(InvitationsPage::new(
        &visit,
        &seen.group,
        (before, &people),
        form,
    ))
}

pub async fn invite(
    app: Data<AppState>,
    GroupAddress(slug): GroupAddress,
    form: MemberForm<Invited>,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Invited| {
        let seen = group_of(&app, me, &slug, GroupPower::Moderate).await?;
        invite_one(&app, me, &seen, fields).await
    };
    let give_back =
        |fields: &Invited, visit: &Visit, error: &Error| retained(&slug, fields, visit, error);
    form.answer(act, give_back).await
}

async fn invite_one(
    app: &AppState,
    me: &CurrentUser,
    seen: &SeenGroup,
    fields: &Invited,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    let Some(reason) = invite_by_login(app, me, seen.group.id, &fields.login).await? else {
        let is_this = |form: &PendingForm| match form {
            PendingForm::GroupPerson { group, note, .. } => {
                *group == seen.group.slug && note.is_empty()
            }
            _ => false,
        };
        me.visitor.forget_pending_form(is_this);
        let back = routes::group_invitations(&seen.group.slug);
        return done(me, GroupDone::Invited, &back);
    };
    let typed = Typed::wrong(&fields.login, reason);
    let shown = invitations_page(app, me, seen, (None, typed)).await?;
    page_with(StatusCode::UNPROCESSABLE_ENTITY, &shown)
}

/// Invites the person with this login, or returns why it is refused.
async fn invite_by_login(
    app: &AppState,
    me: &CurrentUser,
    group: GroupId,
    login: &str,
) -> Result<Option<&'static str>> {
    let Some(person) = find(app, me, login).await? else {
        return Ok(Some(UNKNOWN_LOGIN));
    };
    let invite = RateLimit::Invite {
        by: me.id,
        person: person.id,
    };
    rate::charge(&app.store, invite).await?;
    match manage(&app.store, me.actor(), group, GroupAct::Invite(person.id)).await? {
        ManageOutcome::NotFound => Err(Error::NotFound),
        ManageOutcome::Unchanged => Ok(Some("This person is a member, or is invited already.")),
        outcome => Ok(words::refusal(outcome)),
    }
}

async fn find(app: &AppState, me: &CurrentUser, typed: &str) -> Result<Option<Arc<User>>> {
    match Login::stored(Login::typed(typed)) {
        Some(login) => Ok(app.store.find_user(Viewer::Member(me.id), &login).await?),
        None => Ok(None),
    }
}

/// Returns the login in its form, or, if the session has ended, in the log-in form.
fn retained(slug: &GroupSlug, fields: &Invited, visit: &Visit, error: &Error) -> Retained {
    if !matches!(error, Error::LoggedOut) {
        return Retained::form(&InviteForm::new(visit, slug, Typed::text(&fields.login)));
    }
    let next = LocalPath::parse(&routes::group_invitations(slug));
    let pending = PendingForm::GroupPerson {
        group: slug.clone(),
        login: fields.login.clone(),
        note: String::new(),
    };
    Retained::log_in(visit, next, pending)
}

pub async fn withdraw_invitation(
    app: Data<AppState>,
    me: CurrentUser,
    ModeratedGroup(seen): ModeratedGroup,
    SignedForm(chosen): SignedForm<Chosen>,
) -> Result<HttpResponse> {
    let act = GroupAct::WithdrawInvitation(chosen.person);
    let page = routes::group_invitations(&seen.group.slug);
    act_and_return(&app, &me, &seen, (act, GroupDone::Uninvited), &page).await
}

pub async fn bans(
    app: Data<AppState>,
    me: CurrentUser,
    ModeratedGroup(seen): ModeratedGroup,
    Before(before): Before,
) -> Result<HttpResponse> {
    let viewer = Viewer::Member(me.id);
    let of = PeopleOf::GroupBanned(seen.group.id);
    let people = app.store.people_page(viewer, of, before).await?;
    page(&BansPage::new(
        &me.visitor.visit(),
        &seen.group,
        (before, &people),
    ))
}

pub async fn unban(
    app: Data<AppState>,
    me: CurrentUser,
    ModeratedGroup(seen): ModeratedGroup,
    SignedForm(chosen): SignedForm<Chosen>,
) -> Result<HttpResponse> {
    let act = GroupAct::Unban(chosen.person);
    let page = routes::group_bans(&seen.group.slug);
    act_and_return(&app, &me, &seen, (act, GroupDone::Unbanned), &page).await
}

pub async fn log(
    app: Data<AppState>,
    me: CurrentUser,
    ModeratedGroup(seen): ModeratedGroup,
    Before(before): Before,
) -> Result<HttpResponse> {
    let acts = app.store.group_acts(seen.group.id, before).await?;
    page(&LogPage::new(
        &me.visitor.visit(),
        &seen.group,
        (before, &acts),
    ))
}

/// Does an act and returns to a page of the group.
async fn act_and_return(
    app: &AppState,
    me: &CurrentUser,
    seen: &SeenGroup,
    (act, then): (GroupAct, GroupDone),
    page: &str,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    match manage(&app.store, me.actor(), seen.group.id, act).await? {
        ManageOutcome::Done => done(me, then, page),
        outcome => Err(refused(outcome)),
    }
}
