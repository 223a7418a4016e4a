//! The buttons of the form around a feed. The name of a button is its action, and its value is the status or the
//! login that it is about. Text browsers submit such buttons too, unlike those with an address of their own.

use actix_web::web::Path;

use crate::{
    actions::follows::FilterChange,
    domain::{
        Collection::{Bookmarks, Favourites},
        HomeFilter,
    },
    web::{
        blocks::handlers as blocks,
        collections::handlers as collections,
        follows::handlers as follows,
        muted_conversations::handlers as muted_conversations,
        mutes::handlers as mutes,
        pinned_posts::handlers as pinned_posts,
        polls::handlers as polls,
        prelude::*,
        reply_control::handlers::{self as reply_control, ReplyState},
        reposts::handlers as reposts,
    },
};

/// The fields of the form: all polls of the page, and the pressed button.
type Fields = Vec<(String, String)>;

/// Declares the actions of buttons with their names in forms.
macro_rules! actions {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, derive_more::Display)]
        pub enum $name {
            $(#[display($text)] $variant,)+
        }

        impl $name {
            fn named(text: &str) -> Option<Self> {
                match text {
                    $($text => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

actions! {
    /// An action on a status.
    StatusAction {
        Favourite = "favourite",
        Unfavourite = "unfavourite",
        Bookmark = "bookmark",
        Unbookmark = "unbookmark",
        Repost = "repost",
        Unrepost = "unrepost",
        Vote = "vote",
        Hide = "hide",
        Show = "show",
        Detach = "detach",
        MuteConversation = "mute-conversation",
        UnmuteConversation = "unmute-conversation",
        Pin = "pin",
        Unpin = "unpin",
    }
}

actions! {
    /// An action on the author of a status, or on the person who reposted it.
    PersonAction {
        Mute = "mute",
        Unmute = "unmute",
        HideReposts = "hide-reposts",
        ShowReposts = "show-reposts",
        Block = "block",
        Follow = "follow",
        AskToFollow = "ask-to-follow",
        Unfollow = "unfollow",
        Withdraw = "withdraw",
    }
}

/// A pressed button.
#[derive(Debug, PartialEq, Eq)]
enum Press {
    OnStatus(StatusAction, StatusId),
    OnPerson(PersonAction, Login),
}

impl Press {
    fn find(fields: &Fields) -> Option<Self> {
        fields.iter().find_map(|(name, value)| {
            if let Some(action) = StatusAction::named(name) {
                return Some(Self::OnStatus(action, value.parse().ok()?));
            }
            let action = PersonAction::named(name)?;
            Some(Self::OnPerson(action, Login::stored(value)?))
        })
    }
}

pub async fn create(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(fields): SignedForm<Fields>,
) -> Result<HttpResponse> {
    match Press::find(&fields).ok_or(Error::BadForm)? {
        Press::OnStatus(action, id) => on_status(app, me, fields, (action, id)).await,
        // A person who is blocked already is not found.
        Press::OnPerson(PersonAction::Block, login) => {
            let form = SignedForm(ReturnTo::of_fields(&fields));
            blocks::create(app, me, form, Path::from(login.to_string())).await
        }
        Press::OnPerson(action, login) => {
            let person = app.store.find_user(Viewer::Member(me.id), &login).await?;
            let person = Named(person.ok_or(Error::NotFound)?);
            on_person(app, me, ReturnTo::of_fields(&fields), (action, person)).await
        }
    }
}

async fn on_status(
    app: Data<AppState>,
    me: CurrentUser,
    fields: Fields,
    (action, id): (StatusAction, StatusId),
) -> Result<HttpResponse> {
    use StatusAction as Do;
    let form = SignedForm(ReturnTo::of_fields(&fields));
    let (favourites, bookmarks) = (OfRoute(Favourites), OfRoute(Bookmarks));
    let id = Numbered(id);
    match action {
        Do::Favourite => collections::create(app, me, form, favourites, id).await,
        Do::Unfavourite => collections::destroy(app, me, form, favourites, id).await,
        Do::Bookmark => collections::create(app, me, form, bookmarks, id).await,
        Do::Unbookmark => collections::destroy(app, me, form, bookmarks, id).await,
        Do::Repost => reposts::create(app, me, form, id).await,
        Do::Unrepost => reposts::destroy(app, me, form, id).await,
        Do::Vote => polls::vote(app, me, SignedForm(fields), id).await,
        Do::Hide => reply_control::set_reply(app, me, form, OfRoute(ReplyState::Hidden), id).await,
        Do::Show => reply_control::set_reply(app, me, form, OfRoute(ReplyState::Shown), id).await,
        Do::Detach => reply_control::detach(app, me, form, id).await,
        Do::MuteConversation => muted_conversations::create(app, me, form, id).await,
        Do::Pin => pinned_posts::create(app, me, form, id).await,
        Do::Unpin => pinned_posts::destroy(app, me, form, id).await,
        Do::UnmuteConversation => muted_conversations::destroy(app, me, form, id).await,
    }
}

async fn on_person(
    app: Data<AppState>,
    me: CurrentUser,
    return_to: ReturnTo,
    (action, person): (PersonAction, Named),
) -> Result<HttpResponse> {
    match action {
        PersonAction::Mute => {
            let form = SignedForm(mutes::Fields::until_unmuted(return_to));
            mutes::create(app, me, form, person).await
        }
        PersonAction::Unmute => mutes::destroy(app, me, SignedForm(return_to), person).await,
        PersonAction::HideReposts => {
            let hidden = OfRoute(FilterChange::Set(HomeFilter::HiddenReposts));
            follows::filter(app, me, SignedForm(return_to), hidden, person).await
        }
        PersonAction::ShowReposts => {
            let shown = OfRoute(FilterChange::Clear(HomeFilter::HiddenReposts));
            follows::filter(app, me, SignedForm(return_to), shown, person).await
        }
        PersonAction::Follow | PersonAction::AskToFollow => {
            follows::create(app, me, SignedForm(return_to), person).await
        }
        PersonAction::Unfollow => follows::destroy(app, me, SignedForm(return_to), person).await,
        PersonAction::Withdraw => follows::withdraw(app, me, SignedForm(return_to), person).await,
        PersonAction::Block => Err(Error::BadForm),
    }
}

#[cfg(test)]
mod tests {
    use super::super::press::*;

    fn press(form: &str) -> Option<Press> {
        Press::find(&serde_urlencoded::from_str(form).unwrap())
    }

    #[test]
    fn a_press_is_the_one_button_among_the_fields() {
        let id = StatusId::new(7).unwrap();
        let vote = press("csrf_token=a&next=%2F&vote-8=1&vote=7");
        assert_eq!(vote, Some(Press::OnStatus(StatusAction::Vote, id)));
        let mute = press("mute=Ann&next=%2F");
        let ann = Login::stored("Ann").unwrap();
        assert_eq!(mute, Some(Press::OnPerson(PersonAction::Mute, ann)));
        for form in [
            "",
            "next=%2F",
            "vote-7=1",
            "favourite=x",
            "mute=%2F",
            "delete=7",
        ] {
            assert_eq!(press(form), None, "{form}");
        }
    }
}
