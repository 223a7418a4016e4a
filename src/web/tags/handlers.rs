//! The page of a tag, following and unfollowing it, and trending tags.

use super::view::{TagPage, TagsPage};
use crate::{
    actions::tag_follows::{follow, unfollow},
    domain::FoldedTag,
    store::{Relation, SetOutcome},
    web::{addresses::Tagged, prelude::*},
};

pub async fn index(app: Data<AppState>, visitor: Visitor) -> Result<HttpResponse> {
    let (trends, followed) = match visitor.viewer()?.id() {
        Some(me) => {
            let (trends, followed) = try_join!(app.store.trends(), app.store.tag_follows(me))?;
            (trends, Some(followed))
        }
        None => (app.store.trends_of_now().await?, None),
    };
    let followed = followed.as_ref().map(|followed| followed.tags());
    page(&TagsPage::new(&visitor.visit(), &trends, followed))
}

pub async fn show(
    app: Data<AppState>,
    visitor: Visitor,
    Tagged(tag): Tagged,
    Before(before): Before,
) -> Result<HttpResponse> {
    let viewer = visitor.viewer()?;
    let follows = async {
        match viewer.id() {
            Some(me) => {
                app.store
                    .has_relation(&Relation::TagFollow(me, tag.clone()))
                    .await
            }
            None => Ok(false),
        }
    };
    let (follows, mute, statuses) = try_join!(
        follows,
        app.store.mute_of_tag(viewer, &tag),
        app.store.tag_page(viewer, &tag, before)
    )?;
    let visit = visitor.visit();
    let choices = (follows, mute);
    page(&TagPage::new(&visit, &tag, choices, before, &statuses))
}

pub async fn create(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Tagged(tag): Tagged,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    match follow(&app.store, me.actor(), &tag).await? {
        SetOutcome::Done => {
            me.visitor.set_notice(Notice::TagFollowed);
            Ok(back(form, &tag))
        }
        SetOutcome::Unknown => Err(Error::NotFound),
        SetOutcome::TooMany => Err(Error::Refused(format!(
            "You have reached the limit of {} followed tags. Unfollow one first.",
            app.store.config().limits.max_tags
        ))),
    }
}

pub async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Tagged(tag): Tagged,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    unfollow(&app.store, me.actor(), &tag).await?;
    me.visitor.set_notice(Notice::TagUnfollowed);
    Ok(back(form, &tag))
}

/// Redirects to the page of the button, or to the tag's page.
fn back(SignedForm(return_to): SignedForm<ReturnTo>, tag: &FoldedTag) -> HttpResponse {
    see_other(return_to.page_or(&routes::tag(tag)))
}
