//! The frame of every page: head, navigation, log-out form, footer.

use std::{borrow::Cow, sync::Arc};

use askama::Template;

use crate::{
    domain::UserId,
    store::SiteProfile,
    web::{identity, routes},
};

use super::{
    capped_count,
    notice::Notice,
    theme::Theme,
    visit::{Visit, Who},
};

/// Longer titles are cut in tabs and in search results.
const MAX_TITLE_CHARACTERS: usize = 69;

/// URLs of the static files, with hashed names.
#[derive(Debug, Clone)]
pub struct Assets {
    pub stylesheet: String,
    pub script: String,
    /// The scripts of members' pages.
    pub live: String,
    pub keys: String,
    /// The script of pages that offer newer posts.
    pub newer: String,
    pub icon: String,
}

/// The navigation entry that a page belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    Home,
    Profile,
    Notifications,
    Messages,
    Lists,
    Groups,
    Search,
    Settings,
    Elsewhere,
}

/// The fields of `layouts/page.html`.
#[derive(Debug)]
pub struct Layout {
    /// The page's title without the site's name.
    pub title: String,
    pub description: String,
    /// The canonical path of a page with several addresses.
    pub canonical: Option<String>,
    /// Search engines must not index the page.
    pub unlisted: bool,
    pub section: Section,
    pub member: Option<Member>,
    /// The reader is certainly logged out: log-in and sign-up are shown. If that is unknown, the navigation
    /// is that of members.
    pub is_visitor: bool,
    /// Whether the page leads to other pages. That of a suspended or deactivated account does not.
    pub has_navigation: bool,
    /// If the page offers newer posts to members as they come: the largest id that a post of now can have.
    pub newer_after: Option<u64>,
    pub csrf_token: String,
    pub theme: Theme,
    pub notice: Option<Notice>,
    /// The page to which undoing the action of the notice returns.
    pub notice_page: Option<String>,
    pub assets: &'static Assets,
    pub site: Arc<SiteProfile>,
    /// Scheme, host and port of the public URL.
    pub origin: Arc<str>,
}

/// What stands above the content of a page. Its template is compiled once, and not with each page.
#[derive(Debug, Template)]
#[template(path = "layouts/_top.html")]
pub struct Top<'a> {
    layout: &'a Layout,
}

/// What the page has to tell first: the result of the last act, and that the account is frozen.
#[derive(Debug, Template)]
#[template(path = "layouts/_notices.html")]
pub struct Notices<'a> {
    layout: &'a Layout,
}

/// What stands below the content of a page.
#[derive(Debug, Template)]
#[template(path = "layouts/_bottom.html")]
pub struct Bottom<'a> {
    layout: &'a Layout,
}

impl askama::filters::HtmlSafe for Top<'_> {}
impl askama::filters::HtmlSafe for Notices<'_> {}
impl askama::filters::HtmlSafe for Bottom<'_> {}

/// The current member: folded login, profile path, and the numbers of unread notifications and of requests to follow
/// (empty for zero).
#[derive(Debug)]
pub struct Member {
    pub login: String,
    pub profile: String,
    pub unread: String,
    pub requests: String,
    /// Number of conversations with unread messages, empty for zero.
    pub unread_chats: String,
    /// What waits for moderators, if the member is one: "3", or empty for nothing.
    pub waiting: Option<String>,
    /// Number of requests to join, if the member answers them and there are some.
    pub applicants: Option<String>,
    /// The end of the freeze of the member.
    pub frozen_until: Option<String>,
}

impl Layout {
    pub fn new(visit: &Visit, section: Section, title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            description: match visit.site.description.is_empty() {
                true => "A small social network run by its community.".to_owned(),
                false => visit.site.description.clone(),
            },
            canonical: None,
            unlisted: false,
            section,
            member: visit.me().map(|me| Member {
                login: me.login.folded(),
                profile: routes::profile(&me.login),
                unread: capped_count_unless_zero(visit.unread),
                requests: capped_count_unless_zero(visit.requests),
                unread_chats: capped_count_unless_zero(visit.unread_chats),
                waiting: visit.waiting.reports.map(capped_count_unless_zero),
                applicants: visit
                    .waiting
                    .applicants
                    .filter(|number| *number > 0)
                    .map(capped_count_unless_zero),
                frozen_until: visit.frozen_until.map(|until| visit.moment(until).full),
            }),
            is_visitor: matches!(visit.who, Who::Visitor),
            has_navigation: true,
            newer_after: None,
            csrf_token: visit.csrf_token.clone(),
            theme: visit.theme,
            notice: visit.notice.clone(),
            notice_page: visit.notice_page.clone(),
            assets: visit.assets,
            site: Arc::clone(&visit.site),
            origin: Arc::clone(&visit.origin),
        }
    }

    pub fn top(&self) -> Top<'_> {
        Top { layout: self }
    }

    pub fn notices(&self) -> Notices<'_> {
        Notices { layout: self }
    }

    pub fn bottom(&self) -> Bottom<'_> {
        Bottom { layout: self }
    }

    /// Starts the title with "Error: " for screen readers.
    #[must_use]
    pub fn wrong_if(mut self, something_is: bool) -> Self {
        if something_is {
            self.title.insert_str(0, "Error: ");
        }
        self
    }

    /// Offers newer posts as they come, if the reader is a member.
    #[must_use]
    pub fn offering_newer_if(self, visit: &Visit, is_newest: bool) -> Self {
        let is_offered = is_newest && self.member.is_some();
        Self {
            newer_after: is_offered.then(|| visit.now.largest_id()),
            ..self
        }
    }

    /// Leaves out the navigation, the search and the scripts of members.
    #[must_use]
    pub fn without_navigation(self) -> Self {
        Self {
            member: None,
            has_navigation: false,
            ..self
        }
    }

    /// Returns the path of the icon: the mark of the site, or the bird of Redwing.
    pub fn icon(&self) -> Cow<'static, str> {
        let mark = identity::mark_path(&self.site).map(Cow::Owned);
        mark.unwrap_or(Cow::Borrowed(&self.assets.icon))
    }

    /// Returns the path of the style sheet with the colours of the site.
    pub fn hue_stylesheet(&self) -> Option<String> {
        identity::stylesheet_path(&self.site)
    }

    /// Returns the colour of the header in the theme `Light` or `Dark`.
    pub fn header_colour(&self, theme: Theme) -> &'static str {
        let colour = identity::header_colour(&self.site, theme);
        colour.unwrap_or(match theme {
            Theme::Dark => "#1d1716",
            _ => "#fffdfb",
        })
    }

    #[must_use]
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Returns the path of the reader's profile, or the path that leads there if the login is unknown.
    pub fn profile_path(&self) -> &str {
        let member = self.member.as_ref();
        member.map_or(routes::OWN_PROFILE, |member| member.profile.as_str())
    }

    /// Returns whether the menu contains the section of the page.
    pub fn is_in_menu(&self) -> bool {
        matches!(
            self.section,
            Section::Lists | Section::Groups | Section::Settings
        )
    }

    /// Returns the title with the site's name, shortened for tabs and search results.
    pub fn head_title(&self) -> String {
        let end = format!(" · {}", self.site.name);
        let room = MAX_TITLE_CHARACTERS.saturating_sub(end.chars().count());
        if self.title.chars().count() <= room {
            return format!("{}{end}", self.title);
        }
        let cut: String = self.title.chars().take(room.saturating_sub(1)).collect();
        format!("{}…{end}", cut.trim_end())
    }
}

/// Returns a number of new things, empty for zero.
fn capped_count_unless_zero(number: u64) -> String {
    match number {
        0 => String::new(),
        number => capped_count(number),
    }
}

/// Returns the section of a person's pages: Profile for the reader's own.
pub fn section_of(visit: &Visit, person: UserId) -> Section {
    match visit.me() {
        Some(me) if me.id == person => Section::Profile,
        _ => Section::Elsewhere,
    }
}
