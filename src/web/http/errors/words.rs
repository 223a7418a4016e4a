//! The texts of error pages: the reason, and the next step.

use actix_web::http::StatusCode;

use super::{Error, Gone, view::Words};
use crate::{
    domain::{
        BlockedContent, GroupPostRefusal, MAX_NEWCOMER_LINKS, MAX_NEWCOMER_MENTIONS,
        MAX_WAITING_POSTS, NewcomerLimit, NewcomerRefusal, Zone,
    },
    web::{http::csrf::Forgery, parts::moment},
};

/// The words for a form that cannot be saved during the log-in.
pub(super) const LOG_IN_ELSEWHERE: Words = Words::new(
    "You have been logged out",
    "Nothing was sent.",
    "Log in in another tab, then send this form again. The site may ask you to send it once more.",
);

const OVER_QUOTA: Words = Words::new(
    "Your posts use all your storage",
    "Each person on this site has a limited amount of storage for posts, and a tenth of it while the site is almost full. Nothing was posted or changed.",
    "Delete some of your posts to make room. Settings show how much you use.",
);

/// Returns why a group does not allow a post or reply.
pub fn group_words(refusal: GroupPostRefusal) -> String {
    match refusal {
        GroupPostRefusal::NotMember => {
            "Only members post in a group. You are not a member of this one, or it was deleted."
                .to_owned()
        }
        GroupPostRefusal::OnlyModerators => {
            "Only moderators post in this group. Members can read and reply.".to_owned()
        }
        GroupPostRefusal::RepliesClosed => "Replies are closed in this group.".to_owned(),
        GroupPostRefusal::Muted(until) => format!(
            "The moderators of this group have muted you until {}. Until then you can read.",
            moment::full(until, &Zone::default())
        ),
    }
}

impl Error {
    #[expect(clippy::too_many_lines, reason = "it has the words of each error")]
    pub fn words(&self) -> Words {
        match self {
            Self::LoggedOut | Self::LogInFirst { .. } => Words::new(
                "You have been logged out",
                "Nothing was sent.",
                "Log in here to continue.",
            ),
            Self::Forged(forgery) => words_of_forgery(forgery),
            Self::NotFound | Self::Moved(_) => Words::new(
                "Page not found",
                "This page does not exist, was deleted, or is not visible to you.",
                "Check the address, or start from home.",
            ),
            Self::Deleted { .. } => Words::new(
                "This post was deleted",
                "Nothing was changed.",
                match self.back() {
                    Some(_) => "Go back to continue.",
                    None => "Go home to continue.",
                },
            ),
            Self::Gone(thing) => words_of_gone(*thing),
            Self::MethodNotAllowed { .. } => Words::new(
                "This page cannot be opened like this",
                "The page exists, but does not accept this kind of request.",
                "Open it as a link, or use the buttons on the site.",
            ),
            Self::TooSlow => Words::new(
                "This took too long",
                "Your request did not arrive completely in time. Nothing was changed.",
                "Check your connection and try again.",
            ),
            Self::Conflict => Words::new(
                "You have already sent this form",
                "It had another text then, or what it made was changed or deleted since. Nothing was written now.",
                "To send this text again, send it from here.",
            ),
            Self::Contended => Words::new(
                "Nothing was saved",
                "Another device changed the same form at the same moment.",
                "Your text is still in the form.",
            ),
            Self::ThreadStopped {
                published, cause, ..
            } => words_of_thread(*published, cause),
            Self::LongHeaders => Words::new(
                "Your browser sent too much",
                "The cookies and other headers of the request are longer than allowed. Nothing was changed.",
                "Delete the cookies of this site in your browser, and try again.",
            ),
            Self::TooLarge { .. } => Words::new(
                "This is too large",
                "The form is larger than allowed and was not read.",
                "Go back, shorten your text and send it again.",
            ),
            Self::UnsupportedType => Words::new(
                "Unsupported format",
                "This site cannot read the format of the request.",
                "Use the forms on this site.",
            ),
            Self::BadForm => Words::new(
                "Invalid request",
                "Something in the request is missing or wrong. Nothing was changed.",
                "Go back and check your input, or start from home.",
            ),
            Self::Refused(reason) => Words {
                title: "This is not possible",
                explanation: reason.clone().into(),
                advice: "Nothing was changed.",
            },
            Self::NotInGroup => Words {
                title: "This is not possible",
                explanation: group_words(GroupPostRefusal::NotMember).into(),
                advice: "Nothing was posted. Choose who can see the post, and send it again.",
            },
            Self::NotPermitted => Words::new(
                "This page is not for you",
                "Only the people who run this site can use it. Nothing was changed.",
                "If you need something from them, write to them.",
            ),
            Self::NotCounted { reason, .. } => {
                Words::new("Your vote was not counted", reason, "Nothing was changed.")
            }
            Self::TooMany { .. } => Words::new(
                "Too many requests",
                "You have done this too often in a short time.",
                "Nothing was changed.",
            ),
            Self::TooManyForNewcomer { until, .. } => Words {
                title: "Too many requests",
                explanation: format!(
                    "Your account is new. New accounts have lower limits until {}.",
                    moment::full(*until, &Zone::default())
                )
                .into(),
                advice: "Nothing was changed.",
            },
            Self::Newcomer(refusal) => words_of_newcomer(*refusal),
            Self::Blocked(content) => words_of_blocked(content),
            Self::OverQuota => OVER_QUOTA,
            Self::Busy => Words::new(
                "The site is busy",
                "Many people are logging in right now.",
                "This usually passes quickly.",
            ),
            Self::Overloaded => Words::new(
                "The site is busy",
                "The server has too many requests right now.",
                "This usually passes quickly.",
            ),
            Self::TimedOut => Words::new(
                "This took too long",
                "The request took too long and was stopped.",
                "Try again in a minute.",
            ),
            Self::Unavailable(_) => Words::new(
                "The site is temporarily unavailable",
                "The server cannot reach its database.",
                "This usually lasts less than a minute.",
            ),
            Self::Full => Words::new(
                "The site is full for now",
                "Its storage is almost used up, so posting and everything else that needs room is closed.",
                "Deleting, logging in and logging out still work. Deleting posts makes room.",
            ),
            Self::Internal(_) => Words::new(
                "Something went wrong",
                "This is an error of the site, not yours. It was logged.",
                "Try again. If it does not help, report the number below to the people who run this site.",
            ),
        }
    }
}

fn words_of_gone(thing: Gone) -> Words {
    match thing {
        Gone::Post => Words::new(
            "This post was deleted",
            "Nothing was changed.",
            "To post the text as a new post, send it from here.",
        ),
        Gone::PostWithOtherRules => Words::new(
            "This post was deleted",
            "Nothing was changed. The form lets no one reply or quote.",
            "Check who can reply and quote. Then send the text as a new post.",
        ),
        Gone::Target => Words::new(
            "This post was deleted",
            "Nothing was posted.",
            "To post the text as a new post, send it from here.",
        ),
        Gone::List => Words::new(
            "This list was deleted",
            "Nothing was changed.",
            "To make a new list with this name, send it from here.",
        ),
        Gone::Group => Words::new(
            "You cannot change this group",
            "It was deleted, or you do not own it any more. Nothing was changed.",
            "To found a new group with these texts, send them from here.",
        ),
        Gone::Message => Words::new(
            "You cannot edit this message",
            "It was deleted, or you left the conversation. Nothing was changed.",
            "To send the text as a new message, send it from here.",
        ),
        Gone::Conversation => Words::new(
            "You cannot write in this conversation",
            "It does not exist any more, or you left it. Nothing was sent.",
            "To send the text in another conversation, send it from here.",
        ),
        Gone::Reported => Words::new(
            "You cannot report this any more",
            "It was deleted, or you cannot see it any more. Nothing was sent.",
            "Copy your text, and write to the people who run this site.",
        ),
        Gone::AppealedDecision => Words::new(
            "You cannot appeal against this decision",
            "It was taken back or its time has ended. Nothing was sent.",
            "See the decisions about you. Copy your text if you still need it.",
        ),
        Gone::GroupPerson => Words::new(
            "You cannot do this in the group",
            "The group or the account was deleted, you do not moderate the group any more, or you cannot see the account. Nothing was changed.",
            "See your groups. Copy your text if you still need it.",
        ),
        Gone::GroupPost => Words::new(
            "You cannot remove this post",
            "It was deleted, or you do not moderate its group any more. Nothing was changed.",
            "See your groups. Copy your text if you still need it.",
        ),
        Gone::Case => Words::new(
            "You cannot decide about this any more",
            "The account, the post or the appeal does not exist, or its time has ended. Nothing was changed.",
            "See the other reports. Copy your text if you still need it.",
        ),
    }
}

fn words_of_thread(published: usize, cause: &Error) -> Words {
    if matches!(cause, Error::Gone(_)) {
        return words_of_thread_without_end(published);
    }
    let posts = match published {
        1 => "The first post of your thread is published.".to_owned(),
        count => format!("The first {count} posts of your thread are published."),
    };
    Words {
        title: "A part of your thread was posted",
        explanation: format!("{posts} Then an error stopped it: {}.", cause.words().title).into(),
        advice: "The rest is in the form below. Send it from there: no post is published twice.",
    }
}

/// Returns the words of a thread after the deletion of its last published post.
fn words_of_thread_without_end(published: usize) -> Words {
    let posts = match published {
        1 => "The first post of your thread was posted, and was deleted since.".to_owned(),
        count => format!(
            "The first {count} posts of your thread were posted, and the last of them was deleted since."
        ),
    };
    Words {
        title: "A part of your thread was posted",
        explanation: format!("{posts} So the rest cannot follow it.").into(),
        advice: "The rest is in the form below, as a new post. Send it from there: no post is published twice.",
    }
}

fn words_of_blocked(content: &BlockedContent) -> Words {
    let what = match content {
        BlockedContent::Text(text) => format!("“{text}”"),
        BlockedContent::Domain(domain) => format!("a link to {domain}"),
    };
    Words {
        title: "This site does not accept this post",
        explanation: format!("The owner of the site has blocked posts with {what}.").into(),
        advice: "Change it and send it again. Nothing was changed.",
    }
}

fn words_of_newcomer(NewcomerRefusal { limit, until }: NewcomerRefusal) -> Words {
    let until = moment::full(until, &Zone::default());
    let (rule, advice) = match limit {
        NewcomerLimit::WaitingPosts => (
            format!("at most {MAX_WAITING_POSTS} posts that wait for a moderator"),
            "Remove the links, or wait until the moderators have read your posts. Nothing was changed.",
        ),
        NewcomerLimit::LinkToStranger => (
            "no links in replies for followers to people who do not follow you".to_owned(),
            "Remove the links, or make the reply public. Nothing was changed.",
        ),
        NewcomerLimit::Links => (
            format!("at most {MAX_NEWCOMER_LINKS} links in a post"),
            "Remove links and send it again. Nothing was changed.",
        ),
        NewcomerLimit::Mentions => (
            format!("at most {MAX_NEWCOMER_MENTIONS} mentions of people who do not follow you"),
            "Remove mentions and send it again. Nothing was changed.",
        ),
    };
    Words {
        title: "Your account is new",
        explanation: format!("A new account can have {rule}. This limit ends on {until}.").into(),
        advice,
    }
}

fn words_of_forgery(forgery: &Forgery) -> Words {
    match forgery {
        Forgery::Foreign => Words::new(
            "This form came from another site",
            "It was not sent from a page of this site. Nothing was changed.",
            "Open the page here and send the form again.",
        ),
        Forgery::Stale => Words::new(
            "This form has expired",
            "You may have logged in or out since you opened it. Nothing was changed.",
            "Open the page again and send the form from there. If that does not help, allow cookies for this site.",
        ),
        Forgery::OfOtherAccount => Words::new(
            "This form belongs to another account",
            "You are logged in with a different account. Nothing was sent.",
            "To send it, log in with the account that opened it. If you typed a text, you can copy it.",
        ),
    }
}

/// Returns the error of a request that was rejected before our code ran.
pub(super) fn error_of(status: StatusCode) -> Error {
    match status {
        StatusCode::NOT_FOUND => Error::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => Error::MethodNotAllowed { allow: "" },
        StatusCode::PAYLOAD_TOO_LARGE => Error::TooLarge { limit: 0 },
        _ if status.is_client_error() => Error::BadForm,
        _ => Error::Internal(String::new()),
    }
}
