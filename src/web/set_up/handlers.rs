//! The form that makes the owner's account and sets the site up, and the form that changes its settings.

use subtle::ConstantTimeEq;

use super::view::{SetUpForm, SetUpPage, SiteForm, SitePage, SiteTyped};
use crate::{
    actions::{
        accounts::{Credentials, NewAccount, SignUp, sign_up},
        administration::change_site_as,
        invitations::Entry,
    },
    domain::{Bio, DisplayName, Entrance, Password, Power, Question, RuleLines, ShownValues},
    store::{SettingsChange, SiteDraft, SiteOutcome},
    web::{
        accounts::{handlers::is_account_of_form, view::SignUp as AccountTyped},
        addresses::SetUpToken,
        administration::handlers::require,
        http::client,
        prelude::*,
    },
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct SiteFields {
    site_name: String,
    description: String,
    contact: String,
    rules: String,
    question: String,
    entrance: String,
    /// Present if the box is checked.
    moderators_found_groups: Option<String>,
    /// Browsers offer a slider, so any other text counts as the default.
    hue: String,
    /// Present if the box is checked.
    hides_everybody: Option<String>,
    /// Present if the box is checked.
    public_log: Option<String>,
    /// Present if the box is checked.
    inviters: Option<String>,
    /// The digests of the values with which the form was made. A set-up has none.
    shown: String,
}

impl SiteFields {
    /// Returns the settings. `None` if a field is wrong.
    fn parse(&self) -> Option<SiteDraft> {
        Some(SiteDraft {
            name: DisplayName::parse(&self.site_name).ok()?,
            description: Bio::parse(&self.description).ok()?,
            contact: Bio::parse(&self.contact).ok()?,
            rules: RuleLines::parse(&self.rules).ok()?,
            question: Question::parse(&self.question).ok()?,
            entrance: self.entrance.parse().ok()?,
            lets_members_found_groups: self.moderators_found_groups.is_none(),
            hue: self.hue.parse().unwrap_or_default(),
            shows_everybody_to_visitors: self.hides_everybody.is_none(),
            has_public_log: self.public_log.is_some(),
            shows_inviters: self.inviters.is_some(),
        })
    }

    /// Returns the typed form with its errors.
    fn typed(&self) -> SiteTyped {
        SiteTyped {
            name: Typed::checked(&self.site_name, &DisplayName::parse(&self.site_name)),
            description: Typed::checked(&self.description, &Bio::parse(&self.description)),
            contact: Typed::checked(&self.contact, &Bio::parse(&self.contact)),
            rules: Typed::checked(&self.rules, &RuleLines::parse(&self.rules)),
            question: Typed::checked(&self.question, &Question::parse(&self.question)),
            entrance: self.entrance.parse().unwrap_or(Entrance::Invitation),
            lets_members_found_groups: self.moderators_found_groups.is_none(),
            hue: self.hue.parse().unwrap_or_default(),
            shows_everybody_to_visitors: self.hides_everybody.is_none(),
            has_public_log: self.public_log.is_some(),
            shows_inviters: self.inviters.is_some(),
            shown: ShownValues::parse(&self.shown),
            ..SiteTyped::default()
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Fields {
    login: String,
    name: String,
    password: String,
    idempotency_key: String,
    #[serde(flatten)]
    site: SiteFields,
}

impl Fields {
    /// Returns the typed form with its errors, without the password.
    fn typed(&self) -> AccountTyped {
        AccountTyped {
            idempotency_key: IdempotencyKey::parse(&self.idempotency_key),
            login: Typed::checked(&self.login, &Login::parse(Login::typed(&self.login))),
            name: Typed::checked(&self.name, &DisplayName::parse(&self.name)),
            password: Typed::checked("", &Password::parse(&self.password)),
            invitation: None,
            answer: None,
        }
    }
}

/// Requires the token of the set-up link, and a site that is not set up.
async fn require_link(app: &AppState, token: &str) -> Result<()> {
    let expected = app.site.keys.set_up_token();
    let is_link: bool = expected.as_bytes().ct_eq(token.as_bytes()).into();
    if !is_link || app.store.read_site().await?.owner.is_some() {
        return Err(Error::NotFound);
    }
    Ok(())
}

pub async fn new(
    app: Data<AppState>,
    visitor: Visitor,
    SetUpToken(token): SetUpToken,
) -> Result<HttpResponse> {
    require_link(&app, &token).await?;
    let visit = visitor.visit_with_form();
    let (account, site) = (AccountTyped::default(), SiteTyped::default());
    page(&SetUpPage::new(
        &visit,
        SetUpForm::new(&visit, &token, account, site),
    ))
}

pub async fn create(
    app: Data<AppState>,
    visitor: Visitor,
    SetUpToken(token): SetUpToken,
    form: Submitted<Fields>,
) -> Result<HttpResponse> {
    let act = async |fields: &Fields| set_up(&app, &visitor, &token, fields).await;
    let give_back = |fields: &Fields, visit: &Visit, _: &Error| {
        let form = SetUpForm::new(visit, &token, fields.typed(), fields.site.typed());
        Retained::form(&form)
    };
    form.answer(&visitor, act, give_back).await
}

async fn set_up(
    app: &AppState,
    visitor: &Visitor,
    token: &str,
    fields: &Fields,
) -> Result<HttpResponse> {
    let from = client::address(visitor.request(), &app.site.config.trusted_proxies);
    rate::charge(&app.store, RateLimit::SignUp(from)).await?;
    let again = |account: AccountTyped| {
        let visit = visitor.visit_with_form();
        let form = SetUpForm::new(&visit, token, account, fields.site.typed());
        let page = SetUpPage::new(&visit, form);
        page_with(StatusCode::UNPROCESSABLE_ENTITY, &page)
    };
    let Ok(login) = Login::parse(Login::typed(&fields.login)) else {
        require_link(app, token).await?;
        return again(fields.typed());
    };
    if is_account_of_form(app, &login, &fields.idempotency_key).await? {
        return Ok(see_other(routes::LOG_IN));
    }
    require_link(app, token).await?;
    let Some(account) = new_account(app, fields, login.clone()).await? else {
        return again(fields.typed());
    };
    let name = account.name.clone();
    match sign_up(&app.store, account).await? {
        SignUp::Created(credentials) => enter(app, visitor, &credentials, (&login, &name)).await,
        SignUp::NotAdmitted => Err(Error::NotFound),
        SignUp::Again => Ok(see_other(routes::LOG_IN)),
        SignUp::LoginTaken => again(AccountTyped {
            login: Typed::wrong(&fields.login, "This login is taken. Choose another."),
            ..fields.typed()
        }),
    }
}

/// Logs the new owner in.
async fn enter(
    app: &AppState,
    visitor: &Visitor,
    credentials: &Credentials,
    (login, name): (&Login, &DisplayName),
) -> Result<HttpResponse> {
    visitor
        .log_in(credentials, login, name.as_str(), None)
        .await?;
    app.store.read_site().await?;
    visitor.set_notice(Notice::SiteSetUp);
    Ok(see_other(routes::ADMIN))
}

/// Returns the account of the owner. `None` if a field is wrong.
async fn new_account(app: &AppState, fields: &Fields, login: Login) -> Result<Option<NewAccount>> {
    let (name, password) = (
        DisplayName::parse(&fields.name),
        Password::parse(&fields.password),
    );
    let (Ok(name), Ok(password), Some(site)) = (name, password, fields.site.parse()) else {
        return Ok(None);
    };
    let key = IdempotencyKey::parse(&fields.idempotency_key);
    Ok(Some(NewAccount {
        login,
        name,
        password_hash: app.hasher.hash(&password).await?,
        idempotency_key: key.ok_or(Error::BadForm)?,
        entry: Entry::SetUp(site),
    }))
}

pub async fn show(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    require(&app, &me, Power::ChangeSite).await?;
    let store = &app.store;
    let shown = store.shown_site_values(SettingsChange::fields()).await?;
    let site = store.read_site().await?;
    let entrance = store.chosen_entrance(&site);
    let typed = SiteTyped {
        shown,
        ..SiteTyped::of(&site, entrance)
    };
    show_form(&app, &me, StatusCode::OK, typed)
}

pub async fn update(app: Data<AppState>, form: MemberForm<SiteFields>) -> Result<HttpResponse> {
    let act = async |me: &CurrentUser, fields: &SiteFields| {
        require(&app, me, Power::ChangeSite).await?;
        let typed = fields.typed();
        let Some(draft) = fields.parse() else {
            return show_form(&app, me, StatusCode::UNPROCESSABLE_ENTITY, typed);
        };
        rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
        let change = draft.into();
        let outcome = change_site_as(&app.store, me.actor(), &change, &typed.shown).await?;
        if let SiteOutcome::Conflicts(conflicts) = outcome {
            let typed = typed.in_conflict(&conflicts);
            return show_form(&app, me, StatusCode::CONFLICT, typed);
        }
        me.visitor.set_notice(Notice::SettingsSaved);
        Ok(see_other(routes::ADMIN_SITE))
    };
    let pinned = app.site.config.sign_up;
    let give_back = |fields: &SiteFields, visit: &Visit, _: &Error| {
        Retained::form(&SiteForm::new(visit, fields.typed(), pinned))
    };
    form.answer(act, give_back).await
}

fn show_form(
    app: &AppState,
    me: &CurrentUser,
    code: StatusCode,
    typed: SiteTyped,
) -> Result<HttpResponse> {
    let visit = me.visitor.visit();
    let form = SiteForm::new(&visit, typed, app.site.config.sign_up);
    page_with(code, &SitePage::new(&visit, form))
}
