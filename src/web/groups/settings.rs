//! The settings of a group, and its deletion, by its owner.

use super::{
    found_view::{DeleteGroupPage, FoundForm, SettingsForm, SettingsPage},
    handlers::{done, group_of},
    words::GroupDone,
};
use crate::{
    actions::groups,
    domain::{FieldConflicts, GroupPower, GroupReaders, GroupSlug, SaveOutcome, ShownValues},
    store::Group,
    web::{
        addresses::{GroupAddress, OwnedGroup},
        http::{
            errors::{Gone, error_page::retain},
            forms::Nothing,
            session::{pending_form::GroupFields, sent_as_new},
        },
        prelude::*,
    },
};

pub async fn edit(
    me: CurrentUser,
    GroupAddress(slug): GroupAddress,
    seen: Result<OwnedGroup>,
) -> Result<HttpResponse> {
    let pending = pending_settings(&me.visitor, &slug);
    let OwnedGroup(seen) = match (seen, &pending) {
        (Err(Error::NotFound), Some(fields)) => return Ok(give_back(&me, &slug, fields)),
        (seen, _) => seen?,
    };
    let group = &seen.group;
    if let Some(fields) = pending.as_ref().filter(|fields| !fields.are_of(group)) {
        return Ok(give_back(&me, &slug, fields));
    }
    let fields = pending.unwrap_or_else(|| GroupFields::of(group));
    let visit = me.visitor.visit();
    let form = SettingsForm::new(&visit, &group.slug, (&fields, false));
    page(&SettingsPage::new(&visit, group, form))
}

/// Returns the settings that were typed before the log-in for the group with this address. A later group can have it.
fn pending_settings(visitor: &Visitor, slug: &GroupSlug) -> Option<GroupFields> {
    visitor.restore(|form| match form {
        PendingForm::GroupSettings { group, fields } if group == *slug => Some(fields),
        _ => None,
    })
}

/// Removes the settings of this group that were typed before the log-in.
fn forget_pending_settings(visitor: &Visitor, group: &Group) {
    visitor.forget_pending_form(|form| match form {
        PendingForm::GroupSettings {
            group: slug,
            fields,
        } => *slug == group.slug && fields.are_of(group),
        _ => false,
    });
}

/// Gives back settings that were typed before the log-in, of a group that the member does not own any more.
fn give_back(me: &CurrentUser, slug: &GroupSlug, fields: &GroupFields) -> HttpResponse {
    let visit = me.visitor.visit();
    let retained = as_new_group(&visit, slug, fields);
    retain(&me.visitor, &Error::Gone(Gone::Group), &visit, retained)
}

/// Returns the texts of a deleted group in a form to found a new one. All answers to one form with the same texts have
/// the same key. The readers of announcements are not in the form of the settings, so they are the fewest.
fn as_new_group(visit: &Visit, slug: &GroupSlug, fields: &GroupFields) -> Retained {
    let fields = GroupFields {
        slug: slug.to_string(),
        readable_by: GroupReaders::Members.to_string(),
        ..fields.clone()
    };
    let key = sent_as_new::group_key(slug, &fields);
    Retained::form(&FoundForm::again(visit, key, &fields, None))
}

pub async fn update(
    app: Data<AppState>,
    GroupAddress(slug): GroupAddress,
    form: MemberForm<GroupFields>,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &GroupFields| {
        let saved = find_and_save(&app, me, &slug, fields).await;
        saved.map_err(|error| error.of_form_about(Gone::Group))
    };
    let give_back =
        |fields: &GroupFields, visit: &Visit, error: &Error| retained(&slug, fields, visit, error);
    form.answer(act, give_back).await
}

async fn find_and_save(
    app: &AppState,
    me: &CurrentUser,
    slug: &GroupSlug,
    fields: &GroupFields,
) -> Result<HttpResponse> {
    let seen = group_of(app, me, slug, GroupPower::Own).await?;
    let group = &seen.group;
    if !fields.are_of(group) {
        return Err(Error::NotFound);
    }
    let Some(settings) = fields.settings() else {
        return show_again(me, group, fields, None);
    };
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    let shown = ShownValues::parse(&fields.shown);
    match groups::save(&app.store, me.actor(), group.id, (settings, &shown)).await? {
        SaveOutcome::Saved => {
            me.visitor.confirm();
            forget_pending_settings(&me.visitor, group);
            done(me, GroupDone::Saved, &routes::group(&group.slug))
        }
        SaveOutcome::NotFound => Err(Error::NotFound),
        SaveOutcome::Conflicts(conflicts) => show_again(me, group, fields, Some(&conflicts)),
    }
}

/// Shows the form again with its errors.
fn show_again(
    me: &CurrentUser,
    group: &Group,
    fields: &GroupFields,
    conflicts: Option<&FieldConflicts>,
) -> Result<HttpResponse> {
    let visit = me.visitor.visit();
    let form = SettingsForm::new(&visit, &group.slug, (fields, true));
    let (code, form) = match conflicts {
        Some(conflicts) => (StatusCode::CONFLICT, form.in_conflict(conflicts)),
        None => (StatusCode::UNPROCESSABLE_ENTITY, form),
    };
    page_with(code, &SettingsPage::new(&visit, group, form))
}

/// Returns the settings in their form, or, if the session has ended, in the log-in form. Those of a deleted group are
/// in the form that founds one.
fn retained(slug: &GroupSlug, fields: &GroupFields, visit: &Visit, error: &Error) -> Retained {
    if matches!(error, Error::Gone(_)) {
        return as_new_group(visit, slug, fields);
    }
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
