//! What a page says once about what has just been done.

use std::{fmt, str::FromStr};

use crate::domain::{AuthorPreference, Login};

/// One of a few sentences, so that nobody can make the site say another. As text it is the name
/// under which it travels to the next page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    Welcome,
    Posted,
    Corrected,
    Deleted,
    Followed(Login),
    Unfollowed(Login),
    /// How much is asked for of somebody from now on.
    AuthorPreferenceSet(Login, AuthorPreference),
    RepostsHidden(Login),
    RepostsShown(Login),
    Listed(Login),
    Unlisted(Login),
    TagFollowed,
    TagUnfollowed,
    ListMade,
    ListSaved,
    ListDeleted,
    ProfileSaved,
    /// A profile typed before the log-in stands in the form.
    Kept,
    PasswordChanged,
    SessionEnded,
}

impl Notice {
    /// Then a draft that the browser kept may go.
    pub(in crate::web) fn is_posted(&self) -> bool {
        *self == Self::Posted
    }

    pub(in crate::web) fn words(&self) -> String {
        let words = match self {
            Self::Welcome => "Welcome to Redwing.",
            Self::Posted => "Posted.",
            Self::Corrected => "Your post was updated.",
            Self::Deleted => "Deleted.",
            Self::Followed(login) => return format!("You now follow @{login}."),
            Self::Unfollowed(login) => return format!("You no longer follow @{login}."),
            Self::AuthorPreferenceSet(login, weight) => return with_preference(login, *weight),
            Self::RepostsHidden(login) => {
                return format!("Reposts by @{login} are now hidden.");
            }
            Self::RepostsShown(login) => {
                return format!("Reposts by @{login} are now shown.");
            }
            Self::Listed(login) => return format!("@{login} was added to the list."),
            Self::Unlisted(login) => return format!("@{login} was removed from the list."),
            Self::TagFollowed => "You now follow this tag. Posts with it will appear on your home.",
            Self::TagUnfollowed => "You no longer follow this tag.",
            Self::ListMade => "Your list was created. Now add people to it.",
            Self::ListSaved => "The list was saved.",
            Self::ListDeleted => "The list was deleted. You still follow the same people.",
            Self::ProfileSaved => "Saved.",
            Self::Kept => "Your text is back in the form. It is not saved yet.",
            Self::PasswordChanged => {
                "Your password was changed. You are logged out everywhere else."
            }
            Self::SessionEnded => "The session was ended.",
        };
        words.to_owned()
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Welcome => "welcome",
            Self::Posted => "posted",
            Self::Corrected => "corrected",
            Self::Deleted => "deleted",
            Self::Followed(login) => return write!(f, "followed.{login}"),
            Self::Unfollowed(login) => return write!(f, "unfollowed.{login}"),
            Self::AuthorPreferenceSet(login, weight) => return write!(f, "{weight}.{login}"),
            Self::RepostsHidden(login) => return write!(f, "reposts-hidden.{login}"),
            Self::RepostsShown(login) => return write!(f, "reposts-shown.{login}"),
            Self::Listed(login) => return write!(f, "listed.{login}"),
            Self::Unlisted(login) => return write!(f, "unlisted.{login}"),
            Self::TagFollowed => "tag-followed",
            Self::TagUnfollowed => "tag-unfollowed",
            Self::ListMade => "list-made",
            Self::ListSaved => "list-saved",
            Self::ListDeleted => "list-deleted",
            Self::ProfileSaved => "profile-saved",
            Self::Kept => "kept",
            Self::PasswordChanged => "password-changed",
            Self::SessionEnded => "session-ended",
        })
    }
}

fn with_preference(login: &Login, weight: AuthorPreference) -> String {
    let how = match weight {
        AuthorPreference::More => "higher from now on",
        AuthorPreference::Normal => "where they fall by themselves",
        AuthorPreference::Less => "lower from now on",
    };
    format!("Important shows posts by @{login} {how}.")
}

/// There is no such notice.
#[derive(Debug, PartialEq, Eq)]
pub struct UnknownNotice;

impl FromStr for Notice {
    type Err = UnknownNotice;

    fn from_str(text: &str) -> Result<Self, UnknownNotice> {
        let (name, login) = text.split_once('.').unwrap_or((text, ""));
        match (name, Login::stored(login)) {
            ("welcome", None) => Ok(Self::Welcome),
            ("posted", None) => Ok(Self::Posted),
            ("corrected", None) => Ok(Self::Corrected),
            ("deleted", None) => Ok(Self::Deleted),
            ("followed", Some(login)) => Ok(Self::Followed(login)),
            ("unfollowed", Some(login)) => Ok(Self::Unfollowed(login)),
            ("more", Some(login)) => Ok(Self::AuthorPreferenceSet(login, AuthorPreference::More)),
            ("normal", Some(login)) => {
                Ok(Self::AuthorPreferenceSet(login, AuthorPreference::Normal))
            }
            ("less", Some(login)) => Ok(Self::AuthorPreferenceSet(login, AuthorPreference::Less)),
            ("reposts-hidden", Some(login)) => Ok(Self::RepostsHidden(login)),
            ("reposts-shown", Some(login)) => Ok(Self::RepostsShown(login)),
            ("listed", Some(login)) => Ok(Self::Listed(login)),
            ("unlisted", Some(login)) => Ok(Self::Unlisted(login)),
            ("tag-followed", None) => Ok(Self::TagFollowed),
            ("tag-unfollowed", None) => Ok(Self::TagUnfollowed),
            ("list-made", None) => Ok(Self::ListMade),
            ("list-saved", None) => Ok(Self::ListSaved),
            ("list-deleted", None) => Ok(Self::ListDeleted),
            ("profile-saved", None) => Ok(Self::ProfileSaved),
            ("kept", None) => Ok(Self::Kept),
            ("password-changed", None) => Ok(Self::PasswordChanged),
            ("session-ended", None) => Ok(Self::SessionEnded),
            _ => Err(UnknownNotice),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::notice::*;

    #[test]
    fn a_notice_round_trips_through_text() {
        let login = Login::stored("Ada").unwrap();
        let notices = [
            Notice::Welcome,
            Notice::Posted,
            Notice::Corrected,
            Notice::Deleted,
            Notice::Followed(login.clone()),
            Notice::Unfollowed(login.clone()),
            Notice::AuthorPreferenceSet(login.clone(), AuthorPreference::More),
            Notice::AuthorPreferenceSet(login.clone(), AuthorPreference::Normal),
            Notice::AuthorPreferenceSet(login.clone(), AuthorPreference::Less),
            Notice::RepostsHidden(login.clone()),
            Notice::RepostsShown(login.clone()),
            Notice::Listed(login.clone()),
            Notice::Unlisted(login),
            Notice::ListMade,
            Notice::ListSaved,
            Notice::ListDeleted,
            Notice::ProfileSaved,
            Notice::Kept,
            Notice::PasswordChanged,
            Notice::SessionEnded,
        ];
        for notice in notices {
            assert_eq!(notice.to_string().parse(), Ok(notice));
        }
    }

    #[test]
    fn an_unknown_notice_is_refused() {
        for planted in ["", "You have won", "followed", "followed.<b>", "posted.ada"] {
            assert_eq!(planted.parse::<Notice>(), Err(UnknownNotice), "{planted}");
        }
    }
}
