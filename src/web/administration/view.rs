//! The pages of the administration.

use super::charts::Chart;
use crate::{
    domain::{AccountState, Login, Power, Role, SecretLink, SuspensionReason, may},
    store::{AccountRecord, ActRecord, SiteDay},
    web::parts::{button_form::ButtonForm, moment::Moment, prelude::*},
};

#[derive(Debug, Template)]
#[template(path = "administration/overview.html")]
pub struct OverviewPage {
    layout: Layout,
    role: Role,
    changes_site: bool,
    /// On the first page.
    charts: Vec<Chart>,
    /// Number of people who wait to be let in.
    waiting: String,
    acts: Vec<LoggedLine>,
    pager: Pager,
}

/// An act, as a line of the log.
#[derive(Debug)]
struct LoggedLine {
    at: Moment,
    words: String,
}

impl OverviewPage {
    pub fn new(
        visit: &Visit,
        role: Role,
        days: &[SiteDay],
        (before, acts): (Option<Cursor>, &Page<ActRecord>),
    ) -> Self {
        let line = |act: &ActRecord| LoggedLine {
            at: visit.moment(act.at()),
            words: act.words(),
        };
        Self {
            layout: Layout::new(visit, Section::Settings, "Administration"),
            changes_site: may(Some(role), Power::ChangeSite),
            waiting: count(visit.waiting.applicants.unwrap_or_default()),
            role,
            charts: match before {
                None => Chart::all(days),
                Some(_) => Vec::new(),
            },
            acts: acts.items.iter().map(line).collect(),
            pager: Pager::new(routes::ADMIN, before, acts.next).ending_with("No more entries."),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "administration/people.html")]
pub struct PeoplePage {
    layout: Layout,
    people: Vec<AccountLine>,
    pager: Pager,
}

#[derive(Debug, Template)]
#[template(path = "administration/_account_line.html")]
struct AccountLine {
    login: String,
    profile: String,
    name: String,
    signup: Moment,
    posts: String,
    role: Option<Role>,
    /// The page with the people that the person invited.
    tree: String,
    inviter: Option<Login>,
}

impl askama::filters::HtmlSafe for AccountLine {}

impl AccountLine {
    fn new(visit: &Visit, person: &AccountRecord, inviter: Option<&AccountRecord>) -> Self {
        Self {
            login: person.login.to_string(),
            profile: routes::profile(&person.login),
            name: person.name.clone(),
            signup: visit.moment(person.signup),
            posts: count(person.posts),
            role: person.role,
            tree: routes::admin_person(&person.login),
            inviter: inviter.map(|inviter| inviter.login.clone()),
        }
    }
}

impl PeoplePage {
    pub fn new(
        visit: &Visit,
        before: Option<Cursor>,
        people: &Page<AccountRecord>,
        inviters: &[AccountRecord],
    ) -> Self {
        let line = |person: &AccountRecord| {
            let inviter = inviters.iter().find(|one| Some(one.id) == person.inviter);
            AccountLine::new(visit, person, inviter)
        };
        Self {
            layout: Layout::new(visit, Section::Settings, "People"),
            people: people.items.iter().map(line).collect(),
            pager: Pager::new(routes::ADMIN_PEOPLE, before, people.next)
                .ending_with("No more people."),
        }
    }
}

/// The state of a person's account, and their place in the tree of invitations.
#[derive(Debug, Template)]
#[template(path = "administration/person.html")]
pub struct PersonPage {
    layout: Layout,
    login: String,
    /// The reason of the suspension of the person.
    suspended: Option<String>,
    is_limited: bool,
    action: Option<Action>,
    /// Makes a link that sets a new password.
    reset_button: Option<ButtonForm>,
    /// The page of the reports and decisions about the person.
    case: Option<String>,
    /// The inviter of the person, the inviter of that one, and so on.
    above: Vec<Login>,
    people: Vec<AccountLine>,
    pager: Pager,
}

/// What those who run the site can do with the account.
#[derive(Debug)]
enum Action {
    /// The page with the form that suspends the person.
    Suspend(String),
    Restore(ButtonForm),
}

impl Action {
    fn new(visit: &Visit, user: &User) -> Option<Self> {
        let login = &user.login;
        match user.state {
            AccountState::BeingDeleted
            | AccountState::Waiting { .. }
            | AccountState::Refused { .. } => None,
            AccountState::Suspended { .. } => {
                let page = routes::admin_person(login);
                let path = (routes::restore(login), page.as_str());
                let label = ("End suspension", format!("of @{login}"));
                Some(Self::Restore(ButtonForm::new(
                    visit, path, "restore", label,
                )))
            }
            AccountState::Active | AccountState::Deactivated { .. } => {
                Some(Self::Suspend(routes::suspend(login)))
            }
        }
    }
}

/// The powers of a member over a person.
#[derive(Debug, Clone, Copy)]
pub struct PowersOverPerson {
    pub suspends: bool,
    pub makes_reset_link: bool,
}

fn reset_button(visit: &Visit, login: &Login) -> ButtonForm {
    let page = routes::admin_person(login);
    let path = (routes::make_reset_link(login), page.as_str());
    let label = ("Create a link for a new password", format!("of @{login}"));
    ButtonForm::new(visit, path, "reset-link", label).secondary()
}

/// The page that shows a new link, once.
#[derive(Debug, Template)]
#[template(path = "administration/reset_link.html")]
pub struct ResetLinkPage {
    layout: Layout,
    login: String,
    person: String,
    address: String,
    minutes: u64,
}

impl ResetLinkPage {
    pub fn new(visit: &Visit, login: &Login, address: String) -> Self {
        Self {
            layout: Layout::new(visit, Section::Settings, "Link for a new password"),
            login: login.to_string(),
            person: routes::admin_person(login),
            address,
            minutes: SecretLink::RESET_MS / 60_000,
        }
    }
}

impl PersonPage {
    /// Creates the page with the invited people from `before` on.
    pub fn new(
        visit: &Visit,
        (user, powers): (&User, PowersOverPerson),
        above: &[AccountRecord],
        (before, invited): (Option<Cursor>, &Page<AccountRecord>),
    ) -> Self {
        let login = &user.login;
        let path = routes::admin_person(login);
        let line = |person: &AccountRecord| AccountLine::new(visit, person, None);
        Self {
            layout: Layout::new(visit, Section::Settings, format!("Invited by @{login}")),
            login: login.to_string(),
            suspended: match &user.state {
                AccountState::Suspended { reason } => Some(reason.clone()),
                _ => None,
            },
            is_limited: user.is_limited,
            case: powers.suspends.then(|| routes::admin_case(login)),
            action: powers.suspends.then(|| Action::new(visit, user)).flatten(),
            reset_button: powers.makes_reset_link.then(|| reset_button(visit, login)),
            above: above.iter().map(|person| person.login.clone()).collect(),
            people: invited.items.iter().map(line).collect(),
            pager: Pager::new(&path, before, invited.next).ending_with("No more people."),
        }
    }
}

/// The form that suspends a person.
#[derive(Debug, Template)]
#[template(path = "administration/_suspend_form.html")]
pub struct SuspendForm {
    csrf_token: String,
    action: String,
    errors: ErrorSummary,
    reason: Field,
}

impl askama::filters::HtmlSafe for SuspendForm {}

impl SuspendForm {
    pub fn new(visit: &Visit, login: &Login, reason: Typed) -> Self {
        let reason = Field::new(Kind::Other, "reason", "Reason", reason)
            .with_hint("Up to 500 characters. The person reads it, and it is in the log.");
        Self {
            csrf_token: visit.csrf_token.clone(),
            action: routes::suspend(login),
            errors: ErrorSummary::of([&reason]),
            reason,
        }
    }

    /// Returns the typed reason with its error.
    pub fn typed(reason: &str) -> Typed {
        match SuspensionReason::parse(reason) {
            Ok(None) => Typed::wrong(reason, "Write a reason."),
            parsed => Typed::checked(reason, &parsed),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "administration/suspend.html")]
pub struct SuspendPage {
    layout: Layout,
    login: String,
    person: String,
    form: SuspendForm,
}

impl SuspendPage {
    pub fn new(visit: &Visit, login: &Login, form: SuspendForm) -> Self {
        let title = format!("Suspend @{login}");
        Self {
            layout: Layout::new(visit, Section::Settings, title).wrong_if(form.errors.has_some()),
            login: login.to_string(),
            person: routes::admin_person(login),
            form,
        }
    }
}
