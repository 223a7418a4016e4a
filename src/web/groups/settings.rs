//! The settings of a group, and its deletion, by its owner.

use super::{
    found_view::{DeleteGroupPage, SettingsForm, SettingsPage},
    handlers::{done, group_of},
    words::GroupDone,
};
use crate::{
    actions::groups,
    domain::{GroupPower, GroupSlug, ShownValues},
    store::SeenGroup,
    web::{
        addresses::{GroupAddress, OwnedGroup},
        http::{forms::Nothing, session::pending_form::GroupFields},
        prelude::*,
    },
};

pub async fn edit(me: CurrentUser, OwnedGroup(seen): OwnedGroup) -> Result<HttpResponse> {
    let group = &seen.group;
    let fields = match me.visitor.pending_form() {
        Some(PendingForm::GroupSettings { group: of, fields }) if of == group.slug => fields,
        _ => GroupFields::of(group),
    };
    let visit = me.visitor.visit();
    let form = SettingsForm::new(&visit, &group.slug, (&fields, false));
    page(&SettingsPage::new(&visit, group, form))
}

pub async fn update(
    app: Data<AppState>,
    GroupAddress(slug): GroupAddress,
    form: MemberForm<GroupFields>,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &GroupFields| {
        let seen = group_of(&app, me, &slug, GroupPower::Own).await?;
        save(&app, me, &seen, fields).await
    };
    let give_back =
        |fields: &GroupFields, visit: &Visit, error: &Error| retained(&slug, fields, visit, error);
    form.answer(act, give_back).await
}

async fn save(
    app: &AppState,
    me: &CurrentUser,
    seen: &SeenGroup,
    fields: &GroupFields,
) -> Result<HttpResponse> {
    let group = &seen.group;
    let Some(settings) = fields.settings() else {
        let visit = me.visitor.visit();
        let form = SettingsForm::new(&visit, &group.slug, (fields, true));
        let page = SettingsPage::new(&visit, group, form);
        return page_with(StatusCode::UNPROCESSABLE_ENTITY, &page);
    };
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    let changes = (settings, &ShownValues::parse(&fields.shown));
    if !groups::edit(&app.store, me.actor(), group.id, changes).await? {
        return Err(Error::NotFound);
    }
    me.visitor.confirm();
    let is_this = |form: &PendingForm| match form {
        PendingForm::GroupSettings { group: of, .. } => *of == group.slug,
        _ => false,
    };
    me.visitor.forget_pending_form(is_this);
    done(me, GroupDone::Saved, &routes::group(&group.slug))
}

/// Returns the settings in their form, or, if the session has ended, in the log-in form.
fn retained(slug: &GroupSlug, fields: &GroupFields, visit: &Visit, error: &Error) -> Retained {
    if matches!(error, Error::LoggedOut) {
        let next = LocalPath::parse(&routes::group_settings(slug));
        let (group, fields) = (slug.clone(), fields.clone());
        return Retained::log_in(visit, next, PendingForm::GroupSettings { group, fields });
    }
    Retained::form(&SettingsForm::new(visit, slug, (fields, true)))
}

pub async fn ask(me: CurrentUser, OwnedGroup(seen): OwnedGroup) -> Result<HttpResponse> {
    page(&DeleteGroupPage::new(&me.visitor.visit(), &seen.group))
}

pub async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    OwnedGroup(seen): OwnedGroup,
    SignedForm(Nothing {}): SignedForm<Nothing>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    let group = (seen.group.id, &seen.group.slug);
    match groups::delete(&app.store, me.actor(), group).await? {
        true => done(&me, GroupDone::Deleted, routes::OWN_GROUPS),
        false => Err(Error::NotFound),
    }
}
