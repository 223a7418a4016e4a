//! A group, and the forms about the own part in it.

use super::{posts_view::GroupPosts, view::GroupPage, words::GroupDone};
use crate::{
    actions::groups::{self, Join, Leave},
    domain::{Cursor, Delivery, GroupAct, GroupPower, GroupSlug, GroupTie, Page},
    store::{ManageOutcome, OwnChange, SeenGroup},
    web::{
        addresses::OfGroup,
        groups::{view::LeavePage, words},
        http::forms::Nothing,
        prelude::*,
    },
};

#[derive(Deserialize)]
pub struct Chosen {
    delivery: String,
}

pub async fn show(
    app: Data<AppState>,
    visitor: Visitor,
    OfGroup(seen): OfGroup,
    Before(before): Before,
) -> Result<HttpResponse> {
    let viewer = visitor.viewer()?;
    let posts = posts_of(&app, viewer, &seen, before);
    let (roles, posts) = try_join!(app.store.group_roles(seen.group.id), posts)?;
    let leaders: Vec<UserId> = roles.keys().copied().collect();
    let people = app.store.people(viewer, &leaders).await?;
    let visit = visitor.visit();
    let posts = posts.map(|posts| GroupPosts::new(&visit, &seen, before, &posts));
    page(&GroupPage::new(&visit, &seen, (&people, &roles), posts))
}

/// Returns one page of the posts, for a viewer who reads them.
async fn posts_of(
    app: &AppState,
    viewer: Viewer,
    seen: &SeenGroup,
    before: Option<Cursor>,
) -> crate::store::Result<Option<Page<VisibleStatus>>> {
    match seen.may_read() {
        true => app
            .store
            .group_page(viewer, seen.group.id, before)
            .await
            .map(Some),
        false => Ok(None),
    }
}

pub async fn join(
    app: Data<AppState>,
    me: CurrentUser,
    OfGroup(seen): OfGroup,
    SignedForm(to): SignedForm<ReturnTo>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    let reason = match groups::join(&app.store, me.actor(), seen.group.id).await? {
        Join::Joined => return done(&me, GroupDone::Joined, &routes::group(&seen.group.slug)),
        Join::Asked => return done(&me, GroupDone::Asked, to.page_or(&path(&seen))),
        Join::NotFound => return Err(Error::NotFound),
        Join::Banned => "You cannot join this group, because its moderators banned you.".to_owned(),
        Join::Closed => "People join this group by invitation.".to_owned(),
        Join::Full { limit } => {
            format!("This group has reached the limit of {limit} members.")
        }
        Join::TooManyRequests => {
            "Many people ask to join this group at the moment. Try again later.".to_owned()
        }
        Join::TooMany { limit } => {
            format!(
                "You have reached the limit of {limit} groups. Leave one, or withdraw a request, first."
            )
        }
    };
    Err(Error::Refused(reason))
}

pub async fn withdraw(
    app: Data<AppState>,
    me: CurrentUser,
    OfGroup(seen): OfGroup,
    SignedForm(to): SignedForm<ReturnTo>,
) -> Result<HttpResponse> {
    change(&app, &me, &seen, OwnChange::Withdraw).await?;
    let withdrawn = match seen.tie {
        GroupTie::Asked { .. } => GroupDone::Withdrawn,
        _ => GroupDone::NoRequest,
    };
    let then = unless_member(&app, &me, &seen, withdrawn).await?;
    done(&me, then, to.page_or(routes::OWN_GROUPS))
}

/// Declines an invitation. An unlisted group does not exist for the person any more.
pub async fn decline(
    app: Data<AppState>,
    me: CurrentUser,
    OfGroup(seen): OfGroup,
    SignedForm(Nothing {}): SignedForm<Nothing>,
) -> Result<HttpResponse> {
    change(&app, &me, &seen, OwnChange::Decline).await?;
    let declined = match seen.tie {
        GroupTie::Invited { .. } => GroupDone::Declined,
        _ => GroupDone::NoInvitation,
    };
    let then = unless_member(&app, &me, &seen, declined).await?;
    done(&me, then, routes::OWN_GROUPS)
}

/// Returns the notice of a change that changes nothing for a member.
async fn unless_member(
    app: &AppState,
    me: &CurrentUser,
    seen: &SeenGroup,
    done: GroupDone,
) -> Result<GroupDone> {
    let tie = app.store.group_tie(seen.group.id, me.id).await?;
    Ok(match tie.membership() {
        Some(_) => GroupDone::MemberBefore,
        None => done,
    })
}

pub async fn ask_to_leave(me: CurrentUser, OfGroup(seen): OfGroup) -> Result<HttpResponse> {
    if seen.tie.membership().is_none() {
        return Err(Error::NotFound);
    }
    page(&LeavePage::new(&me.visitor.visit(), &seen))
}

/// Responds to a repeated form like to the first, as long as the person finds the group.
pub async fn leave(
    app: Data<AppState>,
    me: CurrentUser,
    OfGroup(seen): OfGroup,
    SignedForm(Nothing {}): SignedForm<Nothing>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    match groups::leave(&app.store, me.actor(), seen.group.id).await? {
        Leave::Done => done(&me, GroupDone::Left, routes::OWN_GROUPS),
        Leave::NotFound => Err(Error::NotFound),
        Leave::Owner => {
            let reason = "You own this group. Offer it to another member, or delete it.";
            Err(Error::Refused(reason.to_owned()))
        }
    }
}

/// Changes where the posts of the group come to.
pub async fn deliver(
    app: Data<AppState>,
    me: CurrentUser,
    OfGroup(seen): OfGroup,
    SignedForm(chosen): SignedForm<Chosen>,
) -> Result<HttpResponse> {
    let delivery: Delivery = chosen.delivery.parse().map_err(|_| Error::BadForm)?;
    change(&app, &me, &seen, OwnChange::Deliver(delivery)).await?;
    done(&me, GroupDone::Delivery, &path(&seen))
}

/// Makes the member the owner, to whom the owner offered the group.
pub async fn take_over(
    app: Data<AppState>,
    me: CurrentUser,
    OfGroup(seen): OfGroup,
    SignedForm(Nothing {}): SignedForm<Nothing>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    let act = GroupAct::TakeOver(me.id);
    match groups::manage(&app.store, me.actor(), seen.group.id, act).await? {
        ManageOutcome::Done => done(&me, GroupDone::TakenOver, &path(&seen)),
        ManageOutcome::Unchanged if seen.may(GroupPower::Own) => Ok(see_other(&path(&seen))),
        outcome => Err(refused(outcome)),
    }
}

/// Returns the group with this name, if the member finds it and may use a power there. For forms that give their text back
/// when the session has ended.
pub(super) async fn group_of(
    app: &AppState,
    me: &CurrentUser,
    slug: &GroupSlug,
    power: GroupPower,
) -> Result<SeenGroup> {
    let seen = app.store.find_group(Viewer::Member(me.id), Some(slug));
    let seen = seen.await?.filter(|seen| seen.may(power));
    seen.ok_or(Error::NotFound)
}

async fn change(
    app: &AppState,
    me: &CurrentUser,
    seen: &SeenGroup,
    change: OwnChange,
) -> Result<()> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    use crate::store::OwnOutcome::{Done, NotFound};
    match groups::change(&app.store, me.actor(), seen.group.id, change).await? {
        Done => Ok(()),
        NotFound => Err(Error::NotFound),
        _ => Err(Error::BadForm),
    }
}

/// Returns the error of an act that was not done.
pub(super) fn refused(outcome: ManageOutcome) -> Error {
    match words::refusal(outcome) {
        Some(_) if outcome == ManageOutcome::NotFound => Error::NotFound,
        Some(reason) => Error::Refused(reason.to_owned()),
        None => Error::Internal("a done act was refused".to_owned()),
    }
}

pub(super) fn done(me: &CurrentUser, done: GroupDone, page: &str) -> Result<HttpResponse> {
    me.visitor.set_notice(Notice::Group { done });
    Ok(see_other(page))
}

fn path(seen: &SeenGroup) -> String {
    routes::group(&seen.group.slug)
}
