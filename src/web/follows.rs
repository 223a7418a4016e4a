//! Following a person, and no longer.

use actix_web::{HttpResponse, web::Data};

use super::{
    AppState,
    addresses::Named,
    answer::see_other,
    current_user::CurrentUser,
    error::{Error, Result},
    forms::SignedForm,
    leading::Leading,
    rate, routes,
    view::Notice,
};
use crate::{
    actions::follows::{Follow, follow, unfollow},
    domain::LocalPath,
    store::{RateLimit, User},
};

pub(super) async fn create(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<Leading>,
    Named(person): Named,
) -> Result<HttpResponse> {
    rate::take(&app.store, RateLimit::Follow(me.id)).await?;
    match follow(&app.store, me.visitor.actor(me.id), person.id).await? {
        Follow::Done => {
            me.visitor.tell(Notice::Followed(person.login.clone()));
            Ok(back(form, &person))
        }
        Follow::Unknown => Err(Error::NotFound),
        Follow::Oneself => Err(Error::Refused(
            "That is you. Your own posts are on your home already.".to_owned(),
        )),
        Follow::TooMany { limit } => {
            let reason = format!(
                "You follow {limit} people, and more than that nobody can. Unfollow somebody first."
            );
            Err(Error::Refused(reason))
        }
    }
}

pub(super) async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<Leading>,
    Named(person): Named,
) -> Result<HttpResponse> {
    rate::take(&app.store, RateLimit::Follow(me.id)).await?;
    unfollow(&app.store, me.visitor.actor(me.id), person.id).await?;
    me.visitor.tell(Notice::Unfollowed(person.login.clone()));
    Ok(back(form, &person))
}

/// To where the button stood, or to the profile.
fn back(SignedForm(leading): SignedForm<Leading>, person: &User) -> HttpResponse {
    let profile = routes::profile(&person.login);
    see_other(leading.next.as_ref().map_or(&profile, LocalPath::as_str))
}
