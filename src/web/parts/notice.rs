//! Notices: a message that a page shows once after an action.

use serde::{Deserialize, Serialize};

use crate::{
    actions::follows::FilterChange,
    domain::{AuthorPreference, HomeFilter, Login, StatusId},
    web::{
        follows::view::{filter_path, filter_sentence},
        groups::GroupDone,
        routes,
    },
};

/// A notice for the next page. The site shows no other sentence, whatever the cookie says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "notice", rename_all = "snake_case")]
pub enum Notice {
    Welcome,
    Posted,
    /// The first message of a form for new people was sent.
    MessageSent,
    Edited,
    Deleted,
    ReplyControlSaved,
    ReplyHidden,
    ReplyShown,
    QuoteDetached,
    Followed {
        login: Login,
    },
    Unfollowed {
        login: Login,
    },
    Requested {
        login: Login,
    },
    RequestWithdrawn {
        login: Login,
    },
    /// The person accepted the request before it was withdrawn.
    RequestAcceptedBefore {
        login: Login,
    },
    /// There was no request to withdraw. The person refused it, or it was withdrawn before.
    NoRequest {
        login: Login,
    },
    FollowerRemoved {
        login: Login,
    },
    RequestsAccepted,
    RequestsRefused,
    /// Some requests to follow could not be answered.
    RequestsLeft,
    ApplicantsLetIn,
    ApplicantsRefused,
    /// Some applicants had their answer already, or have withdrawn.
    ApplicantsGone,
    /// The member asked to join and was let in.
    LetIn,
    AccountPrivate,
    AccountPublic,
    LoginChanged {
        login: Login,
    },
    DeviceConfirmed,
    AccountDeactivated,
    AccountReactivated,
    AccountDeleted,
    PreferenceSet {
        login: Login,
        preference: AuthorPreference,
    },
    Blocked {
        login: Login,
    },
    Unblocked {
        login: Login,
    },
    Muted {
        login: Login,
    },
    Unmuted {
        login: Login,
    },
    TextMuted,
    TextUnmuted,
    PostPinned,
    PostUnpinned,
    ConversationMuted,
    ConversationUnmuted,
    /// A home filter of a followed person was set.
    FilterSet {
        login: Login,
        filter: HomeFilter,
    },
    FilterCleared {
        login: Login,
        filter: HomeFilter,
    },
    ListMemberAdded {
        login: Login,
    },
    ListMemberRemoved {
        login: Login,
    },
    TagFollowed,
    TagUnfollowed,
    ListCreated,
    ListSaved,
    ListDeleted,
    ProfileSaved,
    SettingsSaved,
    /// The form shows a text that was typed before the log-in.
    TextRestored,
    /// The form that waited for the log-in belongs to another account, or its owner discarded it.
    FormDropped,
    PasswordChanged,
    /// A recovery code or a link set a new password.
    Recovered,
    SessionEnded,
    InvitationMade,
    InvitationRevoked,
    /// There was no such unused invitation to revoke.
    InvitationGone,
    SiteSetUp,
    ChatAccepted,
    ChatIgnored,
    ChatLeft,
    ChatMuted,
    ChatUnmuted,
    ChatCleared,
    Suspended {
        login: Login,
    },
    SuspensionEnded {
        login: Login,
    },
    Vouched {
        login: Login,
    },
    ReportReceived,
    /// There are enough reports about the person.
    ReportsEnough,
    CaseClaimed,
    CaseReleased,
    Decided,
    DecisionEnded,
    /// The chosen people whom a person invited are frozen.
    InvitedFrozen,
    InvitedPartlyFrozen,
    Appealed,
    AppealAnswered,
    Group {
        done: GroupDone,
    },
}

/// A notice with its place on the next page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedNotice {
    pub notice: Notice,
    /// The status with the menu that was used, if the person returns to it.
    pub place: Option<StatusId>,
}

impl PlacedNotice {
    pub fn to_cookie(&self) -> String {
        let notice = self.notice.to_cookie();
        match self.place {
            Some(id) => format!("{notice}&place={id}"),
            None => notice,
        }
    }

    /// Parses the text of a cookie. `None` if it is no notice.
    pub fn from_cookie(text: &str) -> Option<Self> {
        let fields: Vec<(String, String)> = serde_urlencoded::from_str(text).ok()?;
        let place = fields.iter().find(|(name, _)| name == "place");
        Some(Self {
            notice: Notice::from_cookie(text)?,
            place: place.and_then(|(_, id)| id.parse().ok()),
        })
    }
}

impl From<Notice> for PlacedNotice {
    fn from(notice: Notice) -> Self {
        Self {
            notice,
            place: None,
        }
    }
}

impl Notice {
    fn to_cookie(&self) -> String {
        serde_urlencoded::to_string(self).expect("a notice is always a form")
    }

    fn from_cookie(text: &str) -> Option<Self> {
        serde_urlencoded::from_str(text).ok()
    }

    /// Returns whether a post was created or edited, or a message sent, so that the browser's draft can be deleted.
    pub fn is_posted(&self) -> bool {
        matches!(self, Self::Posted | Self::Edited | Self::MessageSent)
    }

    /// Returns the action that undoes it.
    pub fn undo(&self) -> Option<String> {
        match self {
            Self::Unfollowed { login } => Some(routes::follow(login)),
            Self::Muted { login } => Some(routes::unmute(login)),
            Self::FilterSet { login, filter } => {
                Some(filter_path(login, FilterChange::Clear(*filter)))
            }
            Self::Blocked { .. } => Some(routes::UNBLOCK.to_owned()),
            _ => None,
        }
    }

    /// Returns the login that the form of this action names. The path of a blocked person is not found.
    pub fn undo_login(&self) -> Option<&Login> {
        match self {
            Self::Blocked { login } => Some(login),
            _ => None,
        }
    }

    /// Returns the page that it recommends, with the label of the link.
    pub fn link(&self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Welcome | Self::LetIn | Self::SiteSetUp => {
                Some((routes::SETTINGS_RECOVERY, "Get your recovery codes"))
            }
            Self::PasswordChanged => Some((routes::SETTINGS_RECOVERY, "Get new recovery codes")),
            Self::Recovered => Some((routes::SETTINGS_RECOVERY, "See your recovery codes")),
            _ => None,
        }
    }

    #[expect(clippy::too_many_lines, reason = "it has a sentence for each notice")]
    pub fn sentence(&self) -> String {
        let sentence = match self {
            Self::Welcome => {
                "Welcome. If you forget your password, only a recovery code lets you back in."
            }
            Self::Posted => "Posted.",
            Self::MessageSent => "Message sent.",
            Self::Edited => "Your post was updated.",
            Self::Deleted => "Deleted.",
            Self::ReplyControlSaved => "Saved. It applies to new replies and quotes.",
            Self::ReplyHidden => {
                "The reply is hidden. Everyone finds it under Hidden replies, at the end of the conversation."
            }
            Self::ReplyShown => "The reply is shown again.",
            Self::QuoteDetached => "Your post was removed from the quote.",
            Self::Followed { login } => return format!("You now follow @{login}."),
            Self::Unfollowed { login } => return format!("You no longer follow @{login}."),
            Self::Requested { login } => return format!("You asked to follow @{login}."),
            Self::RequestWithdrawn { login } => {
                return format!("Your request to @{login} is withdrawn.");
            }
            Self::RequestAcceptedBefore { login } => {
                return format!("@{login} accepted your request before. You follow them.");
            }
            Self::NoRequest { login } => {
                return format!("You have no open request to @{login}.");
            }
            Self::FollowerRemoved { login } => return format!("@{login} no longer follows you."),
            Self::RequestsAccepted => "Accepted.",
            Self::RequestsRefused => "Refused.",
            Self::RequestsLeft => {
                "Some requests were not answered. They were answered or withdrawn before, or the person has \
                 reached the limit of followed people."
            }
            Self::ApplicantsLetIn => "Let in.",
            Self::ApplicantsRefused => "Refused.",
            Self::ApplicantsGone => {
                "Already answered by another person, or withdrawn. The list shows the requests that still wait."
            }
            Self::LetIn => {
                "You were let in. If you forget your password, only a recovery code lets you back in."
            }
            Self::AccountPrivate => "Your account is private. Only your followers see your posts.",
            Self::AccountPublic => "Your account is public.",
            Self::LoginChanged { login } => return format!("Your login is now @{login}."),
            Self::DeviceConfirmed => "Your other device is confirmed. Press “Continue” there.",
            Self::AccountDeactivated => {
                "Your account is deactivated, and you are logged out. To return, log in again."
            }
            Self::AccountReactivated => "Welcome back. Your account is active again.",
            Self::AccountDeleted => "Your account is being deleted.",
            Self::PreferenceSet { login, preference } => {
                return preference_sentence(login, *preference);
            }
            Self::Blocked { login } => {
                return format!(
                    "@{login} is blocked. You no longer see each other. Follows, list memberships, favourites and \
                     votes between you were removed for good. The person is not notified, but may notice. Logged out, \
                     the person can still read your public posts."
                );
            }
            Self::Unblocked { login } => return format!("@{login} is no longer blocked."),
            Self::Muted { login } => {
                return format!("@{login} is muted. Their posts no longer appear on your home.");
            }
            Self::Unmuted { login } => return format!("@{login} is no longer muted."),
            Self::TextMuted => {
                "Muted. Posts with it no longer appear on your home, your lists and Important."
            }
            Self::TextUnmuted => "No longer muted.",
            Self::PostPinned => "Pinned. Your profile shows this post first.",
            Self::PostUnpinned => "Unpinned. The post stays where it was posted.",
            Self::ConversationMuted => {
                "This conversation is muted. You get no more notifications from it."
            }
            Self::ConversationUnmuted => "This conversation is no longer muted.",
            Self::FilterSet { login, filter } => {
                return filter_sentence(login, FilterChange::Set(*filter));
            }
            Self::FilterCleared { login, filter } => {
                return filter_sentence(login, FilterChange::Clear(*filter));
            }
            Self::ListMemberAdded { login } => return format!("@{login} was added to the list."),
            Self::ListMemberRemoved { login } => {
                return format!("@{login} was removed from the list.");
            }
            Self::TagFollowed => "You now follow this tag. Posts with it will appear on your home.",
            Self::TagUnfollowed => "You no longer follow this tag.",
            Self::ListCreated => "Your list was created. Now add people to it.",
            Self::ListSaved => "The list was saved.",
            Self::ListDeleted => "The list was deleted. You still follow the same people.",
            Self::ProfileSaved | Self::SettingsSaved => "Saved.",
            Self::TextRestored => "Your form is back as you filled it in. It is not saved yet.",
            Self::FormDropped => "You are logged in. The saved form was discarded.",
            Self::PasswordChanged => {
                "Your password was changed. You are logged out everywhere else. Earlier recovery codes no longer work."
            }
            Self::Recovered => {
                "Your new password is set, and you are logged in. You were logged out everywhere else."
            }
            Self::SessionEnded => "The session was ended.",
            Self::InvitationMade => "Your invitation is ready. Send its link to one person.",
            Self::InvitationRevoked => "The invitation was revoked.",
            Self::InvitationGone => {
                "This invitation is no longer valid. It was used or revoked, or it has expired."
            }
            Self::SiteSetUp => "Your site is ready. You are its owner.",
            Self::ChatAccepted => "Accepted. You can write to each other now.",
            Self::ChatIgnored => "You ignored the request. The sender is not notified.",
            Self::ChatLeft => "You left the conversation.",
            Self::ChatMuted => "This conversation is muted. It no longer counts as unread.",
            Self::ChatUnmuted => "This conversation is no longer muted.",
            Self::ChatCleared => "The conversation is deleted for you.",
            Self::Suspended { login } => return format!("@{login} is suspended."),
            Self::SuspensionEnded { login } => {
                return format!("@{login} is no longer suspended.");
            }
            Self::Vouched { login } => {
                return format!("@{login} has no limits of a new account any more.");
            }
            Self::ReportReceived => {
                "Received. The moderators read your report, and you get a notification of the outcome."
            }
            Self::ReportsEnough => {
                "Your report was not added, because many reports about this person are open already. The moderators decide about those."
            }
            Self::CaseClaimed => "This case is yours for half an hour.",
            Self::CaseReleased => "You gave the case back.",
            Self::Decided => "Decided.",
            Self::DecisionEnded => "The decision was taken back.",
            Self::InvitedFrozen => "The chosen people are frozen.",
            Self::InvitedPartlyFrozen => {
                "Some of the chosen people are not frozen: their state has changed, or another moderator works on them."
            }
            Self::Appealed => "Sent. You get a notification when the moderators have answered.",
            Self::AppealAnswered => "Answered.",
            Self::Group { done } => done.sentence(),
        };
        sentence.to_owned()
    }
}

fn preference_sentence(login: &Login, preference: AuthorPreference) -> String {
    let how = match preference {
        AuthorPreference::More => "higher from now on",
        AuthorPreference::Normal => "by their normal score",
        AuthorPreference::Less => "lower from now on",
    };
    format!("Important shows posts by @{login} {how}.")
}

#[cfg(test)]
mod tests {
    use super::super::notice::{AuthorPreference::*, Notice::*, *};

    /// Every notice, with the text of its cookie.
    #[expect(clippy::too_many_lines, reason = "it is a table of all notices")]
    fn cookies() -> Vec<(&'static str, Notice)> {
        let login = || Login::stored("Ada").unwrap();
        let set = |preference| PreferenceSet {
            login: login(),
            preference,
        };
        vec![
            ("notice=welcome", Welcome),
            ("notice=posted", Posted),
            ("notice=message_sent", MessageSent),
            ("notice=edited", Edited),
            ("notice=deleted", Deleted),
            ("notice=reply_control_saved", ReplyControlSaved),
            ("notice=reply_hidden", ReplyHidden),
            ("notice=reply_shown", ReplyShown),
            ("notice=quote_detached", QuoteDetached),
            ("notice=followed&login=Ada", Followed { login: login() }),
            ("notice=unfollowed&login=Ada", Unfollowed { login: login() }),
            ("notice=preference_set&login=Ada&preference=more", set(More)),
            (
                "notice=preference_set&login=Ada&preference=normal",
                set(Normal),
            ),
            ("notice=preference_set&login=Ada&preference=less", set(Less)),
            ("notice=requested&login=Ada", Requested { login: login() }),
            (
                "notice=request_withdrawn&login=Ada",
                RequestWithdrawn { login: login() },
            ),
            (
                "notice=request_accepted_before&login=Ada",
                RequestAcceptedBefore { login: login() },
            ),
            ("notice=no_request&login=Ada", NoRequest { login: login() }),
            (
                "notice=follower_removed&login=Ada",
                FollowerRemoved { login: login() },
            ),
            ("notice=requests_accepted", RequestsAccepted),
            ("notice=requests_refused", RequestsRefused),
            ("notice=requests_left", RequestsLeft),
            ("notice=applicants_let_in", ApplicantsLetIn),
            ("notice=applicants_refused", ApplicantsRefused),
            ("notice=applicants_gone", ApplicantsGone),
            ("notice=let_in", LetIn),
            ("notice=account_private", AccountPrivate),
            ("notice=account_public", AccountPublic),
            (
                "notice=login_changed&login=Ada",
                LoginChanged { login: login() },
            ),
            ("notice=device_confirmed", DeviceConfirmed),
            ("notice=account_deactivated", AccountDeactivated),
            ("notice=account_reactivated", AccountReactivated),
            ("notice=account_deleted", AccountDeleted),
            ("notice=blocked&login=Ada", Blocked { login: login() }),
            ("notice=unblocked&login=Ada", Unblocked { login: login() }),
            ("notice=muted&login=Ada", Muted { login: login() }),
            ("notice=unmuted&login=Ada", Unmuted { login: login() }),
            ("notice=text_muted", TextMuted),
            ("notice=text_unmuted", TextUnmuted),
            ("notice=post_pinned", PostPinned),
            ("notice=post_unpinned", PostUnpinned),
            ("notice=conversation_muted", ConversationMuted),
            ("notice=conversation_unmuted", ConversationUnmuted),
            (
                "notice=filter_set&login=Ada&filter=hidden_reposts",
                FilterSet {
                    login: login(),
                    filter: HomeFilter::HiddenReposts,
                },
            ),
            (
                "notice=filter_cleared&login=Ada&filter=hidden_reposts",
                FilterCleared {
                    login: login(),
                    filter: HomeFilter::HiddenReposts,
                },
            ),
            (
                "notice=list_member_added&login=Ada",
                ListMemberAdded { login: login() },
            ),
            (
                "notice=list_member_removed&login=Ada",
                ListMemberRemoved { login: login() },
            ),
            ("notice=tag_followed", TagFollowed),
            ("notice=tag_unfollowed", TagUnfollowed),
            ("notice=list_created", ListCreated),
            ("notice=list_saved", ListSaved),
            ("notice=list_deleted", ListDeleted),
            ("notice=profile_saved", ProfileSaved),
            ("notice=settings_saved", SettingsSaved),
            ("notice=text_restored", TextRestored),
            ("notice=form_dropped", FormDropped),
            ("notice=password_changed", PasswordChanged),
            ("notice=recovered", Recovered),
            ("notice=session_ended", SessionEnded),
            ("notice=invitation_made", InvitationMade),
            ("notice=invitation_revoked", InvitationRevoked),
            ("notice=invitation_gone", InvitationGone),
            ("notice=site_set_up", SiteSetUp),
            ("notice=chat_accepted", ChatAccepted),
            ("notice=chat_ignored", ChatIgnored),
            ("notice=chat_left", ChatLeft),
            ("notice=chat_muted", ChatMuted),
            ("notice=chat_unmuted", ChatUnmuted),
            ("notice=chat_cleared", ChatCleared),
            ("notice=suspended&login=Ada", Suspended { login: login() }),
            (
                "notice=suspension_ended&login=Ada",
                SuspensionEnded { login: login() },
            ),
            ("notice=vouched&login=Ada", Vouched { login: login() }),
            ("notice=report_received", ReportReceived),
            ("notice=reports_enough", ReportsEnough),
            ("notice=case_claimed", CaseClaimed),
            ("notice=case_released", CaseReleased),
            ("notice=decided", Decided),
            ("notice=decision_ended", DecisionEnded),
            ("notice=invited_frozen", InvitedFrozen),
            ("notice=invited_partly_frozen", InvitedPartlyFrozen),
            ("notice=appealed", Appealed),
            ("notice=appeal_answered", AppealAnswered),
            (
                "notice=group&done=offer_withdrawn",
                Group {
                    done: GroupDone::OfferWithdrawn,
                },
            ),
        ]
    }

    #[test]
    fn every_notice_has_its_cookie_and_is_read_from_it() {
        let cookies = cookies();
        for (text, notice) in &cookies {
            assert_eq!(notice.to_cookie(), *text);
            assert_eq!(Notice::from_cookie(text).as_ref(), Some(notice));
        }
        // serde names all variants, so a new one needs its cookie here.
        let error = serde_urlencoded::from_str::<Notice>("notice=?").unwrap_err();
        let error = error.to_string();
        let variants: Vec<&str> = error.split('`').skip(3).step_by(2).collect();
        assert_eq!(variants.len(), 81, "{error}");
        for variant in variants {
            let tag = format!("notice={variant}");
            let is_there = |text: &str| text.split('&').next() == Some(&tag);
            assert!(cookies.iter().any(|(text, _)| is_there(text)), "{variant}");
        }
    }

    #[test]
    fn a_notice_can_name_its_place() {
        let placed = |place| PlacedNotice {
            notice: Deleted,
            place,
        };
        for (text, notice) in [
            ("notice=deleted&place=12", placed(StatusId::new(12).ok())),
            ("notice=deleted", Deleted.into()),
        ] {
            assert_eq!(notice.to_cookie(), text);
            assert_eq!(PlacedNotice::from_cookie(text), Some(notice));
        }
        for text in ["notice=deleted&place=0", "notice=deleted&place=<b>"] {
            assert_eq!(PlacedNotice::from_cookie(text), Some(placed(None)));
        }
        assert_eq!(PlacedNotice::from_cookie("place=12"), None);
    }

    #[test]
    fn the_site_says_nothing_else() {
        let planted = "|You have won|posted|notice=|notice=won|notice=followed|notice=followed&login=<b>|\
            notice=followed&login=|notice=preference_set&login=Ada&preference=most";
        for text in planted.split('|') {
            assert_eq!(Notice::from_cookie(text), None, "{text}");
        }
    }
}
