//! The page of a member's invitations: make, copy, revoke, and see the people who joined.

use super::view::InvitationsPage;
use crate::{
    actions::invitations::{invite, revoke as revoke_invitation},
    domain::SecretCode,
    store::{MakeOutcome, PeopleOf, RevokeOutcome},
    web::{http::forms::Nothing, prelude::*},
};

#[derive(Deserialize)]
pub struct Chosen {
    code: String,
}

pub async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    Before(before): Before,
) -> Result<HttpResponse> {
    let store = &app.store;
    let viewer = Viewer::Member(me.id);
    let (invitations, people, entrance) = try_join!(
        store.invitations(me.id),
        store.people_page(viewer, PeopleOf::Invited(me.id), before),
        store.entrance()
    )?;
    let (visit, url) = (me.visitor.visit(), &app.site.config.public_url);
    let unused = (invitations.as_slice(), entrance);
    page(&InvitationsPage::new(
        &visit,
        url,
        unused,
        (before, &people),
    ))
}

pub async fn create(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(Nothing {}): SignedForm<Nothing>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    let limits = &app.store.config().limits;
    let refusal = match invite(&app.store, me.actor()).await? {
        MakeOutcome::Made => {
            me.visitor.set_notice(Notice::InvitationMade);
            return Ok(see_other(routes::SETTINGS_INVITATIONS));
        }
        MakeOutcome::TooYoung => format!(
            "You can invite people {} days after your sign-up.",
            limits.invitation_age_days
        ),
        MakeOutcome::TooMany => format!(
            "You have {} unused invitations, which is the limit. Revoke one first.",
            limits.max_invitations
        ),
    };
    Err(Error::Refused(refusal))
}

pub async fn revoke(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(Chosen { code }): SignedForm<Chosen>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    let code = SecretCode::parse(&code).ok_or(Error::BadForm)?;
    let notice = match revoke_invitation(&app.store, me.actor(), &code).await? {
        RevokeOutcome::Revoked => Notice::InvitationRevoked,
        RevokeOutcome::Gone => Notice::InvitationGone,
    };
    me.visitor.set_notice(notice);
    Ok(see_other(routes::SETTINGS_INVITATIONS))
}
