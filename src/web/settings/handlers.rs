//! Settings: profile and password.

use super::view::{Account, PasswordTyped, ProfileForm, ProfileTyped, SettingsPage, Storage};
use crate::{
    actions::accounts::{ChangePassword, change_password, save_profile},
    domain::{Bio, DisplayName, Password, Power, SaveOutcome, ShownValues, may},
    web::{http::session::visitor::now, prelude::*, privacy::view::seen_by_others},
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Profile {
    name: String,
    bio: String,
    /// The digests of the values with which the form was made.
    shown: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Passwords {
    current_password: String,
    new_password: String,
}

pub async fn show(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    let (user, account) = account(&app, me.id).await?;
    let restored = me.visitor.restore(|form| match form {
        PendingForm::Profile { name, bio, shown } => Some(ProfileTyped {
            name: Typed::text(name),
            bio: Typed::text(bio),
            shown: ShownValues::parse(&shown),
        }),
        _ => None,
    });
    let profile = restored.unwrap_or_else(|| ProfileTyped::from(&user));
    let (visit, password) = (me.visitor.visit(), PasswordTyped::default());
    page(&SettingsPage::new(&visit, profile, password, account))
}

pub async fn update_profile(
    app: Data<AppState>,
    form: MemberForm<Profile>,
) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &Profile| save(&app, me, fields).await;
    form.answer(act, give_back).await
}

async fn save(app: &AppState, me: &CurrentUser, fields: &Profile) -> Result<HttpResponse> {
    let (name, bio) = (DisplayName::parse(&fields.name), Bio::parse(&fields.bio));
    let (Ok(name), Ok(bio)) = (&name, &bio) else {
        let typed = ProfileTyped {
            name: Typed::checked(&fields.name, &name),
            bio: Typed::checked(&fields.bio, &bio),
            shown: ShownValues::parse(&fields.shown),
        };
        return show_profile_again(app, me, typed, StatusCode::UNPROCESSABLE_ENTITY).await;
    };
    rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
    let shown = ShownValues::parse(&fields.shown);
    match save_profile(&app.store, me.actor(), (name, bio), &shown).await? {
        SaveOutcome::Saved => {
            let user = app.store.user(me.id).await?.ok_or(Error::NotFound)?;
            Ok(saved(me, &user))
        }
        SaveOutcome::NotFound => Err(Error::NotFound),
        SaveOutcome::Conflicts(conflicts) => {
            let typed = fields.typed().in_conflict(&conflicts);
            show_profile_again(app, me, typed, StatusCode::CONFLICT).await
        }
    }
}

/// Forgets the pending profile and redirects to the settings.
fn saved(me: &CurrentUser, user: &User) -> HttpResponse {
    let visitor = &me.visitor;
    visitor.rename(&user.name);
    visitor.forget_pending_form(|form| matches!(form, PendingForm::Profile { .. }));
    visitor.set_notice(Notice::ProfileSaved);
    see_other(routes::SETTINGS)
}

async fn show_profile_again(
    app: &AppState,
    me: &CurrentUser,
    typed: ProfileTyped,
    code: StatusCode,
) -> Result<HttpResponse> {
    let ((_, account), password) = (account(app, me.id).await?, PasswordTyped::default());
    let form = SettingsPage::new(&me.visitor.visit(), typed, password, account);
    page_with(code, &form)
}

impl Profile {
    /// Returns the profile as it was typed.
    fn typed(&self) -> ProfileTyped {
        ProfileTyped {
            name: Typed::text(&self.name),
            bio: Typed::text(&self.bio),
            shown: ShownValues::parse(&self.shown),
        }
    }
}

/// Returns the profile in its form, or, if the session has ended, in the log-in form.
fn give_back(fields: &Profile, visit: &Visit, error: &Error) -> Retained {
    if matches!(error, Error::LoggedOut) {
        let profile = PendingForm::Profile {
            name: fields.name.clone(),
            bio: fields.bio.clone(),
            shown: fields.shown.clone(),
        };
        return Retained::log_in(visit, LocalPath::parse(routes::SETTINGS), profile);
    }
    Retained::form(&ProfileForm::new(visit, fields.typed()))
}

/// Changes the password, which ends all sessions, and begins a new session here.
pub async fn update_password(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<Passwords>,
) -> Result<HttpResponse> {
    let SignedForm(typed) = form;
    let new = match Password::parse(&typed.new_password) {
        Ok(new) => new,
        Err(reason) => {
            let (current, new) = (Typed::default(), Typed::error(reason));
            return show_form_again(&app, &me, PasswordTyped { current, new }).await;
        }
    };
    rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
    let current = &typed.current_password;
    let asks = me.visitor.credentials(me.id);
    let credentials = match change_password(&app.store, &app.hasher, asks, current, &new).await? {
        ChangePassword::Changed(credentials) => credentials,
        ChangePassword::LoggedOut => return Err(Error::LoggedOut),
        ChangePassword::Wrong => {
            let current = Typed::error("This is not your current password.");
            let new = Typed::default();
            return show_form_again(&app, &me, PasswordTyped { current, new }).await;
        }
    };
    let pending_form = me.visitor.pending_form();
    me.visitor
        .log_in(&credentials, &me.login, &me.name, pending_form.as_ref())
        .await?;
    me.visitor.set_notice(Notice::PasswordChanged);
    Ok(see_other(routes::SETTINGS))
}

async fn show_form_again(
    app: &AppState,
    me: &CurrentUser,
    password: PasswordTyped,
) -> Result<HttpResponse> {
    let (user, account) = account(app, me.id).await?;
    let profile = ProfileTyped::from(&user);
    let form = SettingsPage::new(&me.visitor.visit(), profile, password, account);
    page_with(StatusCode::UNPROCESSABLE_ENTITY, &form)
}

/// Reads the member, and what the page says about their account. One round trip.
async fn account(app: &AppState, me: UserId) -> Result<(User, Account)> {
    let store = &app.store;
    let (user, post_bytes, post_quota, message_bytes, message_quota, role) = try_join!(
        store.user(me),
        store.post_bytes(me),
        store.post_quota(me),
        store.message_bytes(me),
        store.message_quota(me),
        store.role(me)
    )?;
    let user = user.ok_or(Error::NotFound)?;
    let limits = &app.store.config().limits;
    let posts = Storage {
        used_bytes: post_bytes,
        quota_bytes: post_quota,
    };
    let messages = Storage {
        used_bytes: message_bytes,
        quota_bytes: message_quota,
    };
    let seen = seen_by_others(&user);
    let newcomer_until = user.newcomer_until(limits.new_account_days, now());
    let runs_site = may(role, Power::ReadAdministration);
    let answers_applicants = may(role, Power::AnswerApplicants);
    let account = Account {
        posts,
        messages,
        seen,
        newcomer_until,
        runs_site,
        answers_applicants,
    };
    Ok((user, account))
}
