//! The column beside Latest, Important and Everybody: the reader's profile, suggestions and trending tags.

use std::sync::Arc;

use crate::{
    store::{Suggestions, Trends},
    web::{
        parts::{avatar::Avatar, prelude::*},
        people::{counts::Counts, person_row::PersonRow},
        statuses::action_form::ActionForm,
        tags::view::Trending,
    },
};

/// Number of people of each kind that are suggested above or beside a timeline with posts.
pub const SIDE_SUGGESTIONS: usize = 2;

/// A person who follows fewer people than this is a newcomer.
const NEWCOMER_FOLLOWS: u64 = 5;

/// The content of the column for a member.
#[derive(Debug)]
pub struct SideContent {
    /// The reader; `None` leaves out the profile.
    pub user: Option<Arc<User>>,
    /// A newcomer with an empty home sees all of them. Otherwise a few are shown.
    pub suggestions: Suggestions,
    /// A few of them are shown.
    pub trends: Arc<Trends>,
}

impl SideContent {
    /// Returns the suggestions above a timeline, and the column beside it. A newcomer has the suggestions above the first
    /// page, at most `count` of each kind. Otherwise a few are in the column.
    pub fn place(
        &self,
        visit: &Visit,
        here: &str,
        (is_first, count): (bool, usize),
    ) -> (Option<WhoToFollow>, SideColumn) {
        let is_above = is_first && self.is_of_newcomer();
        let above = || {
            let style = (count, SuggestionStyle::Full);
            WhoToFollow::new(visit, here, &self.suggestions, style)
        };
        let side = SideColumn::new(visit, here, self);
        (is_above.then(above), side.with_suggestions(!is_above))
    }

    fn is_of_newcomer(&self) -> bool {
        let following = self.user.as_deref().map(|user| user.following);
        following.is_some_and(|following| following < NEWCOMER_FOLLOWS)
    }
}

/// The column, which is the same beside the three timelines.
#[derive(Debug, Template)]
#[template(path = "homes/_side.html")]
pub struct SideColumn {
    profile_summary: Option<ProfileSummary>,
    who_to_follow: Option<WhoToFollow>,
    trending: Trending,
}

impl askama::filters::HtmlSafe for SideColumn {}

impl SideColumn {
    /// Creates the column of the page at the path `here`.
    fn new(visit: &Visit, here: &str, side_content: &SideContent) -> Self {
        let few = (SIDE_SUGGESTIONS, SuggestionStyle::Compact);
        Self {
            profile_summary: side_content.user.as_deref().map(ProfileSummary::new),
            who_to_follow: Some(WhoToFollow::new(
                visit,
                here,
                &side_content.suggestions,
                few,
            )),
            trending: Trending::few(&side_content.trends),
        }
    }

    fn with_suggestions(self, has_suggestions: bool) -> Self {
        Self {
            who_to_follow: self.who_to_follow.filter(|_| has_suggestions),
            ..self
        }
    }
}

/// The reader's name and counts.
#[derive(Debug, Template)]
#[template(path = "people/_profile_summary.html")]
pub struct ProfileSummary {
    name: String,
    login: String,
    profile: String,
    counts: Counts,
    avatar: Avatar,
}

impl askama::filters::HtmlSafe for ProfileSummary {}

impl ProfileSummary {
    pub fn new(user: &User) -> Self {
        Self {
            name: user.name.clone(),
            login: user.login.to_string(),
            profile: routes::profile(&user.login),
            counts: Counts::new(user).live(),
            avatar: Avatar::new(user.id, &user.name),
        }
    }
}

/// Links to the reader's own pages.
#[derive(Debug, Template)]
#[template(path = "people/_own_links.html")]
pub struct OwnLinks;

impl askama::filters::HtmlSafe for OwnLinks {}

#[derive(Debug, Template)]
#[template(path = "people/_who_to_follow.html")]
pub struct WhoToFollow {
    most_followed: Vec<PersonRow>,
    newest: Vec<PersonRow>,
    /// The form around all buttons, if the people have no forms of their own.
    action_form: Option<ActionForm>,
}

/// How much suggestions say about each person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuggestionStyle {
    /// Also a note and numbers.
    Full,
    /// Only the names.
    Compact,
}

impl askama::filters::HtmlSafe for WhoToFollow {}

impl WhoToFollow {
    /// Shows at most this many of the most followed and of the newest, each person once.
    pub fn new(
        visit: &Visit,
        here: &str,
        suggestions: &Suggestions,
        (count, style): (usize, SuggestionStyle),
    ) -> Self {
        let most_followed = suggestions
            .most_followed
            .get(..count)
            .unwrap_or(&suggestions.most_followed);
        let shown = |id| most_followed.iter().any(|person| person.user.id == id);
        let newest = suggestions
            .newest
            .iter()
            .filter(|person| !shown(person.user.id))
            .take(count);
        let row = |person| match style {
            SuggestionStyle::Full => PersonRow::new(visit, here, person),
            SuggestionStyle::Compact => PersonRow::compact(visit, person),
        };
        Self {
            newest: newest.map(row).collect(),
            most_followed: most_followed.iter().map(row).collect(),
            action_form: (style == SuggestionStyle::Compact)
                .then(|| ActionForm::new(visit, here))
                .flatten()
                .map(ActionForm::without_fields),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.most_followed.is_empty() && self.newest.is_empty()
    }
}
