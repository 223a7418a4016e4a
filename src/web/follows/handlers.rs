//! Following and unfollowing a person, and filtering their statuses.

use crate::{
    actions::{
        follow_requests,
        follows::{FilterChange, FilterOutcome, Follow, change_filter, follow, unfollow},
    },
    store::ClearOutcome,
    web::prelude::*,
};

pub async fn create(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(return_to): SignedForm<ReturnTo>,
    Named(person): Named,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    let login = person.login.clone();
    let notice = match follow(&app.store, me.actor(), person.id).await? {
        Follow::Done => Notice::Followed { login },
        Follow::Requested => Notice::Requested { login },
        Follow::Unknown => return Err(Error::NotFound),
        Follow::Oneself => {
            let reason = "This is you. Your own posts are already on your home.";
            return Err(Error::Refused(reason.to_owned()));
        }
        Follow::TooMany => {
            let limit = app.store.config().limits.max_following;
            let reason = format!(
                "You have reached the limit of {limit} followed people. Unfollow someone first."
            );
            return Err(Error::Refused(reason));
        }
    };
    me.visitor.set_notice(notice);
    Ok(back(&return_to, &person))
}

pub async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(return_to): SignedForm<ReturnTo>,
    Named(person): Named,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    unfollow(&app.store, me.actor(), person.id).await?;
    me.visitor.set_notice(Notice::Unfollowed {
        login: person.login.clone(),
    });
    Ok(back(&return_to, &person))
}

/// Withdraws a request to follow. A follow that was accepted before stays.
pub async fn withdraw(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(return_to): SignedForm<ReturnTo>,
    Named(person): Named,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    let withdrawn = follow_requests::withdraw(&app.store, me.actor(), person.id).await?;
    let relation = app.store.relation(Viewer::Member(me.id), person.id).await?;
    let login = person.login.clone();
    me.visitor.set_notice(match withdrawn {
        _ if relation.following => Notice::RequestAcceptedBefore { login },
        ClearOutcome::Cleared => Notice::RequestWithdrawn { login },
        ClearOutcome::Unchanged | ClearOutcome::Kept => Notice::NoRequest { login },
    });
    Ok(back(&return_to, &person))
}

pub async fn filter(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(return_to): SignedForm<ReturnTo>,
    OfRoute(change): OfRoute<FilterChange>,
    Named(person): Named,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    match change_filter(&app.store, me.actor(), person.id, change).await? {
        FilterOutcome::Done => {
            let login = person.login.clone();
            let notice = match change {
                FilterChange::Set(filter) => Notice::FilterSet { login, filter },
                FilterChange::Clear(filter) => Notice::FilterCleared { login, filter },
            };
            me.visitor.set_notice_at(notice, return_to.status());
            Ok(back(&return_to, &person))
        }
        FilterOutcome::NotFollowing => Err(Error::Refused(
            "You do not follow this person, so their posts and reposts do not appear on your home."
                .to_owned(),
        )),
    }
}

/// Redirects to the page of the button, or to the profile.
pub fn back(return_to: &ReturnTo, person: &User) -> HttpResponse {
    see_other(return_to.page_or(&routes::profile(&person.login)))
}
