//! The frame of every page: head, navigation, log-out form, footer.

use crate::{domain::UserId, web::routes};

use super::{
    capped_count,
    notice::Notice,
    visit::{Visit, Who},
};

/// URLs of the static files, with hashed names.
#[derive(Debug, Clone)]
pub struct Assets {
    pub stylesheet: String,
    pub script: String,
    /// The script of members' pages.
    pub live: String,
    pub icon: String,
}

/// The navigation entry that a page belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    Home,
    Profile,
    Notifications,
    Lists,
    Search,
    Settings,
    Elsewhere,
}

/// The fields of `layouts/page.html`.
#[derive(Debug)]
pub struct Layout {
    /// The page's title without the site's name.
    pub(in crate::web) title: String,
    pub(in crate::web) description: String,
    /// The canonical path of a page with several addresses.
    pub(in crate::web) canonical: Option<String>,
    /// Search engines must not index the page.
    pub(in crate::web) unlisted: bool,
    pub(super) section: Section,
    pub(in crate::web) member: Option<Member>,
    /// The reader is certainly logged out: log-in and sign-up are shown.
    pub(in crate::web) is_visitor: bool,
    pub(in crate::web) csrf_token: String,
    pub(in crate::web) notice: Option<Notice>,
    pub(in crate::web) assets: &'static Assets,
}

/// The current member: folded login, profile path, and the number of unread notifications (empty
/// for zero).
#[derive(Debug)]
pub(in crate::web) struct Member {
    pub(in crate::web) login: String,
    pub(in crate::web) profile: String,
    pub(in crate::web) unread: String,
}

impl Layout {
    #[must_use]
    pub fn new(visit: &Visit, section: Section, title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            description: "A small social network run by its community.".to_owned(),
            canonical: None,
            unlisted: false,
            section,
            member: visit.me().map(|me| Member {
                login: me.login.folded(),
                profile: routes::profile(&me.login),
                unread: match visit.unread {
                    0 => String::new(),
                    number => capped_count(number),
                },
            }),
            is_visitor: matches!(visit.who, Who::Visitor),
            csrf_token: visit.csrf_token.clone(),
            notice: visit.notice.clone(),
            assets: visit.assets,
        }
    }

    /// Starts the title with "Error: " for screen readers.
    #[must_use]
    pub(in crate::web) fn wrong_if(mut self, something_is: bool) -> Self {
        if something_is {
            self.title.insert_str(0, "Error: ");
        }
        self
    }

    /// Sets the description for search engines and previews.
    #[must_use]
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Sets the canonical path of a page with several addresses.
    #[must_use]
    pub(in crate::web) fn best_at(mut self, path: String) -> Self {
        self.canonical = Some(path);
        self
    }

    /// Hides the page from search engines.
    #[must_use]
    pub(in crate::web) fn unlisted(mut self) -> Self {
        self.unlisted = true;
        self
    }

    pub(in crate::web) fn in_home(&self) -> bool {
        self.section == Section::Home
    }

    pub(in crate::web) fn in_profile(&self) -> bool {
        self.section == Section::Profile
    }

    pub(in crate::web) fn in_notifications(&self) -> bool {
        self.section == Section::Notifications
    }

    pub(in crate::web) fn in_lists(&self) -> bool {
        self.section == Section::Lists
    }

    pub(in crate::web) fn in_search(&self) -> bool {
        self.section == Section::Search
    }

    pub(in crate::web) fn in_settings(&self) -> bool {
        self.section == Section::Settings
    }
}

/// Returns the section of a person's pages: Profile for the reader's own.
pub(in crate::web) fn section_of(visit: &Visit, person: UserId) -> Section {
    match visit.me() {
        Some(me) if me.id == person => Section::Profile,
        _ => Section::Elsewhere,
    }
}
