//! Following and unfollowing a person, hiding and showing their reposts.

use actix_web::{HttpResponse, web::Data};

use crate::{
    actions::follows::{Follow, HideReposts, Reposts, follow, set_hidden_reposts, unfollow},
    domain::LocalPath,
    store::{RateLimit, User},
    web::{
        AppState,
        addresses::Named,
        http::{
            answer::see_other,
            errors::{Error, Result},
            forms::SignedForm,
            rate,
            return_to::ReturnTo,
            session::current_user::CurrentUser,
        },
        parts::notice::Notice,
        routes,
    },
};

pub(in crate::web) async fn create(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Named(person): Named,
) -> Result<HttpResponse> {
    rate::take(&app.store, RateLimit::Follow(me.id)).await?;
    match follow(&app.store, me.visitor.actor(me.id), person.id).await? {
        Follow::Done => {
            me.visitor.set_notice(Notice::Followed {
                login: person.login.clone(),
            });
            Ok(back(form, &person))
        }
        Follow::Unknown => Err(Error::NotFound),
        Follow::Oneself => Err(Error::Refused(
            "This is you. Your own posts are already on your home.".to_owned(),
        )),
        Follow::TooMany => {
            let limit = app.store.config().limits.max_following;
            let reason = format!(
                "You have reached the limit of {limit} followed people. Unfollow someone first."
            );
            Err(Error::Refused(reason))
        }
    }
}

pub(in crate::web) async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Named(person): Named,
) -> Result<HttpResponse> {
    rate::take(&app.store, RateLimit::Follow(me.id)).await?;
    unfollow(&app.store, me.visitor.actor(me.id), person.id).await?;
    me.visitor.set_notice(Notice::Unfollowed {
        login: person.login.clone(),
    });
    Ok(back(form, &person))
}

pub(in crate::web) async fn hide_reposts(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Named(person): Named,
) -> Result<HttpResponse> {
    set_reposts(&app, &me, form, &person, Reposts::Hidden).await
}

pub(in crate::web) async fn show_reposts(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Named(person): Named,
) -> Result<HttpResponse> {
    set_reposts(&app, &me, form, &person, Reposts::Shown).await
}

async fn set_reposts(
    app: &AppState,
    me: &CurrentUser,
    form: SignedForm<ReturnTo>,
    person: &User,
    reposts: Reposts,
) -> Result<HttpResponse> {
    rate::take(&app.store, RateLimit::Follow(me.id)).await?;
    match set_hidden_reposts(&app.store, me.visitor.actor(me.id), person.id, reposts).await? {
        HideReposts::Done => {
            let login = person.login.clone();
            me.visitor.set_notice(match reposts {
                Reposts::Shown => Notice::RepostsShown { login },
                Reposts::Hidden => Notice::RepostsHidden { login },
            });
            Ok(back(form, person))
        }
        HideReposts::NotFollowing => Err(Error::Refused(
            "You do not follow this person, so their reposts do not appear on your home."
                .to_owned(),
        )),
    }
}

/// Redirects to the page of the button, or to the profile.
fn back(SignedForm(return_to): SignedForm<ReturnTo>, person: &User) -> HttpResponse {
    let profile = routes::profile(&person.login);
    see_other(return_to.next.as_ref().map_or(&profile, LocalPath::as_str))
}
