//! What stands round every page: head, navigation, the form to log out, footer.

use crate::{domain::UserId, web::routes};

use super::{
    counted,
    notice::Notice,
    visit::{Visit, Who},
};

/// Where the static files are, by their hashed names.
#[derive(Debug, Clone)]
pub struct Assets {
    pub stylesheet: String,
    pub script: String,
    /// The script of members' pages.
    pub live: String,
    pub icon: String,
}

/// The entry of the navigation that a page belongs to.
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
    /// Of the page, without the site's name.
    pub(in crate::web) title: String,
    pub(in crate::web) description: String,
    /// The one address of a page that has several.
    pub(in crate::web) canonical: Option<String>,
    /// Search engines leave it out.
    pub(in crate::web) unlisted: bool,
    pub(super) section: Section,
    pub(in crate::web) member: Option<Member>,
    /// Surely nobody who is logged in: somebody to show the doors to.
    pub(in crate::web) is_visitor: bool,
    pub(in crate::web) csrf_token: String,
    pub(in crate::web) notice: Option<Notice>,
    pub(in crate::web) assets: &'static Assets,
}

/// The one who is logged in: their folded login, where their profile is, and how many notifications
/// they have not read (without a zero).
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
                    number => counted(number),
                },
            }),
            is_visitor: matches!(visit.who, Who::Visitor),
            csrf_token: visit.csrf_token.clone(),
            notice: visit.notice.clone(),
            assets: visit.assets,
        }
    }

    /// Begins the title with what those who hear the page must know first: something went wrong.
    #[must_use]
    pub(in crate::web) fn wrong_if(mut self, something_is: bool) -> Self {
        if something_is {
            self.title.insert_str(0, "Error: ");
        }
        self
    }

    /// With a description for search engines and previews.
    #[must_use]
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// The page can be reached under several addresses, and this path is the one to link to.
    #[must_use]
    pub(in crate::web) fn best_at(mut self, path: String) -> Self {
        self.canonical = Some(path);
        self
    }

    /// Without an entry in search engines.
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

/// The section of a person's pages: the reader's own profile, or elsewhere.
pub(in crate::web) fn section_of(visit: &Visit, person: UserId) -> Section {
    match visit.me() {
        Some(me) if me.id == person => Section::Profile,
        _ => Section::Elsewhere,
    }
}
