//! The cache of rendered HTML: the parts of a page that follow from one row of the store and are the same
//! for every viewer. A fragment is found by the version of its row. A changed row has another version, so
//! its old fragments are no longer found and make room for others.

use std::{fmt, sync::Arc};

use askama::{FastWritable, Template, Values};
use foldhash::fast::RandomState;
use quick_cache::{Weighter, sync};

use crate::store::RowVersion;

/// Bytes per fragment besides its HTML: key and place in the table.
const ENTRY_BYTES: u64 = 128;
/// Average bytes per fragment, for the initial size of the table.
const USUAL_BYTES: u64 = 1024;

/// The content of a fragment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FragmentKind {
    Avatar,
    Byline,
    PersonHead,
    CompactPersonHead,
    Time,
    Message,
    Card,
}

/// HTML that its own template has escaped.
#[derive(Debug, Clone)]
pub struct Fragment(Arc<str>);

/// The names of an author that a card shows. The status does not have them, so its version does not change with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuthorNames<Text> {
    pub name: Text,
    pub login: Text,
}

/// The rendered card of a status, in two halves around its age, which changes with time.
#[derive(Debug)]
pub struct CardHalves {
    html: Box<str>,
    age_at: usize,
    author: AuthorNames<Box<str>>,
}

/// Fragments of all threads, within one limit in bytes.
#[derive(Debug)]
pub struct Fragments(sync::Cache<(RowVersion, FragmentKind), Cached, Bytes, RandomState>);

#[derive(Clone)]
enum Cached {
    Fragment(Fragment),
    Card(Arc<CardHalves>),
}

#[derive(Clone)]
struct Bytes;

impl Weighter<(RowVersion, FragmentKind), Cached> for Bytes {
    fn weight(&self, _: &(RowVersion, FragmentKind), cached: &Cached) -> u64 {
        let html = match cached {
            Cached::Fragment(fragment) => &fragment.0,
            Cached::Card(card) => &*card.html,
        };
        ENTRY_BYTES + html.len() as u64
    }
}

impl Fragments {
    /// Creates an empty cache. Without bytes, it caches nothing.
    pub fn of(bytes: usize) -> Self {
        let bytes = bytes as u64;
        let usual = usize::try_from(bytes / USUAL_BYTES).unwrap_or(usize::MAX);
        let (hasher, lifecycle) = (RandomState::default(), Default::default());
        Self(sync::Cache::with(usual, bytes, Bytes, hasher, lifecycle))
    }

    /// Returns a fragment of a row's HTML. Renders it if it is not cached. A row without a version is
    /// not cached, and neither is its HTML.
    pub fn get<T: Template>(
        &self,
        row: Option<RowVersion>,
        kind: FragmentKind,
        template: impl FnOnce() -> T,
    ) -> Fragment {
        let key = row.map(|version| (version, kind));
        if let Some(Cached::Fragment(fragment)) = key.and_then(|key| self.0.get(&key)) {
            return fragment;
        }
        let fragment = Fragment::of(&template());
        if let Some(key) = key {
            self.0.insert(key, Cached::Fragment(fragment.clone()));
        }
        fragment
    }

    /// Returns the card of a status by an author with these names. Renders it if it is not cached.
    pub fn card(
        &self,
        status: Option<RowVersion>,
        author: AuthorNames<&str>,
        render: impl FnOnce() -> CardHalves,
    ) -> Arc<CardHalves> {
        let key = status.map(|version| (version, FragmentKind::Card));
        if let Some(Cached::Card(card)) = key.and_then(|key| self.0.get(&key))
            && *card.author.name == *author.name
            && *card.author.login == *author.login
        {
            return card;
        }
        let card = Arc::new(render());
        if let Some(key) = key {
            self.0.insert(key, Cached::Card(Arc::clone(&card)));
        }
        card
    }
}

impl CardHalves {
    pub fn new(before: &str, after: &str, author: AuthorNames<&str>) -> Self {
        Self {
            html: [before, after].concat().into(),
            age_at: before.len(),
            author: AuthorNames {
                name: author.name.into(),
                login: author.login.into(),
            },
        }
    }

    /// Returns the HTML before and after the age.
    pub fn both(&self) -> (&str, &str) {
        self.html.split_at(self.age_at)
    }
}

impl Fragment {
    pub fn of(template: &impl Template) -> Self {
        let html = template.render();
        Self(html.expect("writing to memory does not fail").into())
    }
}

impl askama::filters::HtmlSafe for Fragment {}

impl fmt::Display for Fragment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FastWritable for Fragment {
    fn write_into(&self, dest: &mut dyn fmt::Write, _: &dyn Values) -> askama::Result<()> {
        Ok(dest.write_str(&self.0)?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fragments::*;

    #[derive(Template)]
    #[template(source = "{{ text }}", ext = "html")]
    struct Text {
        text: &'static str,
    }

    fn version(number: u64) -> Option<RowVersion> {
        Some(RowVersion(number))
    }

    #[test]
    fn a_fragment_is_rendered_once_per_version_and_kind() {
        let fragments = Fragments::of(1 << 20);
        let get = |row, kind, text| fragments.get(row, kind, || Text { text }).to_string();
        assert_eq!(get(version(1), FragmentKind::Byline, "first"), "first");
        assert_eq!(get(version(1), FragmentKind::Byline, "again"), "first");
        assert_eq!(get(version(1), FragmentKind::Avatar, "other"), "other");
        assert_eq!(get(version(2), FragmentKind::Byline, "changed"), "changed");
        assert_eq!(get(None, FragmentKind::Byline, "not cached"), "not cached");
        assert_eq!(get(None, FragmentKind::Byline, "rendered"), "rendered");
    }

    #[test]
    fn a_card_is_rendered_again_after_its_author_changed_the_name_or_the_login() {
        let fragments = Fragments::of(1 << 20);
        let card = |name: &str, login: &str, text: &str| {
            let author = AuthorNames { name, login };
            let render = || CardHalves::new(text, "after", author);
            let halves = fragments.card(version(1), author, render);
            halves.both().0.to_owned()
        };
        assert_eq!(card("Alice", "al", "before"), "before");
        assert_eq!(card("Alice", "al", "again"), "before");
        assert_eq!(card("Alicia", "al", "renamed"), "renamed");
        assert_eq!(card("Alicia", "al", "again"), "renamed");
        assert_eq!(card("Alicia", "robin", "moved"), "moved");
    }

    #[test]
    fn fragments_stay_within_their_bytes() {
        let fragments = Fragments::of(64 << 10);
        for number in 1..=1000 {
            fragments.get(version(number), FragmentKind::Message, || Text {
                text: "a message",
            });
        }
        assert!(fragments.0.weight() <= 64 << 10);
        assert!(!fragments.0.is_empty());
    }
}
