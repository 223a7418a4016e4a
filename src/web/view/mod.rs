//! What people see: one struct with its own template for each page and for each part that pages
//! share. Handlers build them from a [`Visit`] and the store's models and render them; every
//! format (times, counts, initials) is made here, so that templates hold `if` and `for` only.

mod act;
mod agent;
mod author_preference;
mod avatar;
mod card;
mod collection;
mod compose;
mod conversation;
mod counts;
mod credentials;
mod edits;
mod error_page;
mod feed;
mod field;
mod home;
mod importance;
mod importance_help;
mod kept;
mod landing;
mod layout;
mod lists;
mod made;
mod members;
mod mentions;
mod moment;
mod news;
mod notice;
mod notifications;
mod pager;
mod people;
mod person_row;
mod poll;
mod posting_help;
mod profile;
mod progress;
mod quote;
mod reacted_people;
mod reposts;
mod rich_text;
mod search;
mod settings;
mod side;
mod status_card;
mod status_pages;
mod tags;
mod visit;
mod why;

pub use collection::CollectionPage;
pub use compose::{ComposeForm, DraftTyped, Reply};
pub use counts::LiveCounts;
pub use credentials::{LogIn, LogInForm, LogInPage, SignUp, SignUpForm, SignUpPage};
pub use edits::{EditForm, EditPage, TextTyped, VersionsPage};
pub use error_page::{ErrorPage, Retained, Trouble, Words};
pub use field::Typed;
pub use home::{Home, HomePage};
pub use importance::{Important, ImportantPage};
pub use importance_help::ImportanceHelpPage;
pub use kept::{Kept, Written};
pub use landing::LandingPage;
pub use layout::{Assets, Layout, Section};
pub use lists::{DeleteListPage, EditListForm, EditListPage, ListForm, ListPage, ListsPage};
pub use members::{MemberForm, MembersPage};
pub use mentions::MentionsPage;
pub use moment::Moment;
pub use notice::Notice;
pub use notifications::NotificationsPage;
pub use people::{Direction, PeoplePage};
pub use posting_help::PostingHelpPage;
pub use profile::ProfilePage;
pub use quote::QuotePage;
pub use reacted_people::{Deed, ReactedPeoplePage};
pub use search::SearchPage;
pub use settings::{
    PasswordForm, PasswordTyped, ProfileForm, ProfileTyped, SessionsPage, SettingsPage,
};
pub use status_card::StatusCard;
pub use status_pages::{DeletePage, GapPage, Permalink, PermalinkPage};
pub use tags::{TagPage, TagsPage};
pub use visit::{Me, Visit, Who};

/// Declares that a part's own template has escaped what it shows, so that a page showing the part
/// does not escape it again.
macro_rules! escaped_by_its_template {
    ($($part:ty),+ $(,)?) => {
        $(impl askama::filters::HtmlSafe for $part {})+
    };
}

escaped_by_its_template!(
    act::Act,
    avatar::Avatar,
    card::Card,
    ComposeForm,
    EditForm,
    ListForm,
    EditListForm,
    MemberForm,
    LogInForm,
    SignUpForm,
    compose::Room,
    conversation::Above,
    conversation::Answers,
    counts::Counts,
    feed::Feed,
    members::OnLists,
    members::MemberButton,
    field::ErrorSummary,
    field::Field,
    importance::Readings,
    made::Made<'_>,
    moment::Age,
    moment::Stamp,
    poll::PollPart,
    news::Summary,
    notifications::Line,
    pager::Pager,
    person_row::FollowButton,
    person_row::PersonRow,
    rich_text::RichText,
    PasswordForm,
    ProfileForm,
    progress::Progress,
    quote::Quoted,
    reposts::HideRepostsButton,
    reposts::RepostLine,
    side::Me,
    side::Mine,
    side::WhoToFollow,
    StatusCard,
    tags::Trending,
    author_preference::PreferenceForm,
);

/// Up to how many new things are counted in words, titles and beside links: more is `99+`.
const COUNTED_TO: u64 = 99;

/// A number of new things: `3`, or `99+`.
fn counted(number: u64) -> String {
    match number {
        0..=COUNTED_TO => count(number),
        _ => format!("{COUNTED_TO}+"),
    }
}

/// A number as people write it: `1,234`.
fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn counts_are_grouped_by_thousands() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(count),
            ["0", "999", "1,000", "1,234,567"]
        );
    }
}
