//! The settings about who sees a member's posts: the visibility of new posts, and private accounts with their
//! requests and followers.

use super::{
    requests::{FollowersPage, RequestsPage},
    view::PrivacyPage,
};
use crate::{
    actions::{
        accounts::{set_default_visibility, set_favourites_shown},
        follow_requests::{answer_all, answer_all_waiting, remove_follower, set_private},
    },
    domain::{Answer, PAGE_SIZE, Visibility},
    store::PeopleOf,
    web::{follows::handlers::back, prelude::*},
};

#[derive(Deserialize)]
pub struct Fields {
    /// A visibility, or `last` for that of the last post.
    visibility: String,
}

impl Fields {
    /// Returns the choice. `None`: the visibility of the last post.
    fn visibility(&self) -> Result<Option<Visibility>> {
        match self.visibility.as_str() {
            "last" => Ok(None),
            text => Visibility::stored(text).map(Some).ok_or(Error::BadForm),
        }
    }
}

/// Whether the account becomes private or public.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Account {
    Private,
    Public,
}

/// What happens to waiting requests when an account becomes public.
#[derive(Debug, Clone, Copy, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
enum Waiting {
    Accept,
    Refuse,
    #[default]
    Leave,
}

#[derive(Deserialize)]
pub struct Switch {
    account: Account,
    #[serde(default)]
    waiting: Waiting,
}

/// Whether others see the favourites of the member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Favourites {
    Shown,
    Hidden,
}

#[derive(Deserialize)]
pub struct FavouritesChoice {
    favourites: Favourites,
}

#[derive(Deserialize)]
pub struct Answers {
    /// The ids of the people who asked.
    from: String,
    answer: Answer,
    #[serde(flatten)]
    return_to: ReturnTo,
}

impl Answers {
    fn people(&self) -> Result<Vec<UserId>> {
        let ids = self.from.split(' ').take(PAGE_SIZE);
        ids.map(|id| id.parse().map_err(|_| Error::BadForm))
            .collect()
    }
}

pub async fn show(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    let user = app.store.user(me.id).await?.ok_or(Error::NotFound)?;
    page(&PrivacyPage::new(&me.visitor.visit(), &user))
}

/// Stores which visibility the composer offers first.
pub async fn update(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(fields): SignedForm<Fields>,
) -> Result<HttpResponse> {
    let visibility = fields.visibility()?;
    rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
    set_default_visibility(&app.store, me.actor(), visibility).await?;
    me.visitor.set_notice(Notice::SettingsSaved);
    Ok(see_other(routes::SETTINGS_PRIVACY))
}

/// Stores whether the profile shows the favourites to others.
pub async fn show_favourites(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(choice): SignedForm<FavouritesChoice>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
    let are_shown = choice.favourites == Favourites::Shown;
    set_favourites_shown(&app.store, me.actor(), are_shown).await?;
    me.visitor.set_notice(Notice::SettingsSaved);
    Ok(see_other(routes::SETTINGS_PRIVACY))
}

/// Makes the account private or public. The answer to waiting requests comes after it is public.
pub async fn switch(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(switch): SignedForm<Switch>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
    let is_private = matches!(switch.account, Account::Private);
    set_private(&app.store, me.actor(), is_private).await?;
    let answer = match switch.waiting {
        Waiting::Accept => Some(Answer::Accept),
        Waiting::Refuse => Some(Answer::Refuse),
        Waiting::Leave => None,
    };
    if let Some(answer) = answer.filter(|_| !is_private) {
        answer_all_waiting(&app.store, me.actor(), answer).await?;
    }
    me.visitor.set_notice(match is_private {
        true => Notice::AccountPrivate,
        false => Notice::AccountPublic,
    });
    Ok(see_other(routes::SETTINGS_PRIVACY))
}

pub async fn requests(
    app: Data<AppState>,
    me: CurrentUser,
    Before(before): Before,
) -> Result<HttpResponse> {
    let viewer = Viewer::Member(me.id);
    let (people, user) = try_join!(
        app.store
            .people_page(viewer, PeopleOf::Requests(me.id), before),
        app.store.known_user(me.id)
    )?;
    let waiting = user.map_or(0, |user| user.requests);
    page(&RequestsPage::new(
        &me.visitor.visit(),
        waiting,
        before,
        &people,
    ))
}

/// Answers one request, or all of a page.
pub async fn answer(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(answers): SignedForm<Answers>,
) -> Result<HttpResponse> {
    let people = answers.people()?;
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    let answered = answer_all(&app.store, me.actor(), &people, answers.answer).await?;
    me.visitor.set_notice(match answers.answer {
        _ if answered < people.len() => Notice::RequestsLeft,
        Answer::Accept => Notice::RequestsAccepted,
        Answer::Refuse => Notice::RequestsRefused,
    });
    Ok(see_other(
        answers.return_to.page_or(routes::SETTINGS_REQUESTS),
    ))
}

pub async fn followers(
    app: Data<AppState>,
    me: CurrentUser,
    Before(before): Before,
) -> Result<HttpResponse> {
    let of = PeopleOf::Followers(me.id);
    let viewer = Viewer::Member(me.id);
    let people = app.store.people_page(viewer, of, before).await?;
    page(&FollowersPage::new(&me.visitor.visit(), before, &people))
}

pub async fn remove(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(return_to): SignedForm<ReturnTo>,
    Named(person): Named,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    remove_follower(&app.store, me.actor(), person.id).await?;
    me.visitor.set_notice(Notice::FollowerRemoved {
        login: person.login.clone(),
    });
    Ok(back(&return_to, &person))
}
