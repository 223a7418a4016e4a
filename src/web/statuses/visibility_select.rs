//! The choice of who can see a post, in the composer and in the edit form. The composer also offers the groups of the
//! author.

use std::sync::Arc;

use crate::{
    domain::{GroupId, Visibility},
    store::Group,
    web::{http::session::pending_form::PostFields, parts::prelude::*},
};

#[derive(Debug, Clone, Template)]
#[template(path = "statuses/_visibility_select.html")]
pub struct VisibilitySelect {
    /// `None` if the form has not been sent yet.
    chosen: Option<Visibility>,
    remembered: Visibility,
    widest: Visibility,
    /// The author has yet to choose. Nothing is preselected.
    is_missing: bool,
    /// The group that was chosen.
    group: Option<GroupId>,
    /// The groups that are offered.
    groups: Vec<Arc<Group>>,
}

impl askama::filters::HtmlSafe for VisibilitySelect {}

struct Offered {
    value: &'static str,
    words: &'static str,
    is_selected: bool,
}

impl VisibilitySelect {
    pub fn new(chosen: Option<Visibility>) -> Self {
        Self {
            chosen,
            remembered: Visibility::Public,
            widest: Visibility::Public,
            is_missing: false,
            group: None,
            groups: Vec::new(),
        }
    }

    /// Stays in the group that the form was sent with, also if that is not offered. So a text for a group never
    /// becomes visible to others because its form was sent again.
    #[must_use]
    pub fn in_group(self, group: Option<GroupId>) -> Self {
        Self { group, ..self }
    }

    /// Selects nothing that can be sent, so that the author has to choose.
    #[must_use]
    pub fn missing(self, is_missing: bool) -> Self {
        Self { is_missing, ..self }
    }

    /// Offers these groups too.
    #[must_use]
    pub fn with_groups(self, groups: Vec<Arc<Group>>) -> Self {
        Self { groups, ..self }
    }

    /// Offers first the visibility of the last post.
    #[must_use]
    pub fn remembering(self, remembered: Visibility) -> Self {
        Self { remembered, ..self }
    }

    /// Returns the widest choice of a form that was sent before. One that named no readers, as a reply in a group, offers
    /// no choice again.
    pub fn widest_again(&self) -> Visibility {
        match self.chosen {
            Some(_) => Visibility::Public,
            None => Visibility::Group,
        }
    }

    /// Offers nothing wider than this.
    #[must_use]
    pub fn up_to(self, widest: Visibility) -> Self {
        Self {
            widest: widest.min(self.widest),
            ..self
        }
    }

    fn offered(&self) -> Vec<Visibility> {
        let mut offered = Visibility::ALL.to_vec();
        offered.retain(|one| *one <= self.widest);
        offered
    }

    fn options(&self) -> Vec<Offered> {
        let option = |one: Visibility| Offered {
            value: one.as_str(),
            words: words(one),
            is_selected: !self.is_missing && self.group.is_none() && one == self.selected(),
        };
        self.offered().into_iter().map(option).collect()
    }

    /// Returns the options to post in a group: the value and the name of each, and whether it is selected.
    fn group_options(&self) -> Vec<(String, &str, bool)> {
        let value = |group: GroupId| format!("{}{group}", PostFields::IN_GROUP);
        let is_offered = |chosen: &GroupId| self.groups.iter().any(|group| group.id == *chosen);
        let not_offered = self.group.filter(|chosen| !is_offered(chosen));
        let options = self.groups.iter().map(|group| {
            let is_selected = self.group == Some(group.id);
            (value(group.id), group.name.as_str(), is_selected)
        });
        let chosen = not_offered.map(|chosen| (value(chosen), "The group that you chose", true));
        options.chain(chosen).collect()
    }

    fn selected(&self) -> Visibility {
        self.chosen.unwrap_or(self.remembered).min(self.widest)
    }
}

/// Returns the words of a visibility.
pub fn words(visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::Public => "Everyone",
        Visibility::Members => "Members",
        Visibility::Followers => "Followers",
        Visibility::Group => "Members of the group",
    }
}

#[cfg(test)]
mod tests {
    use super::super::visibility_select::*;

    #[test]
    fn it_selects_the_last_choice_within_the_widest_one() {
        use Visibility::{Followers, Members, Public};
        let new = VisibilitySelect::new;
        assert_eq!(new(None).selected(), Public);
        assert_eq!(new(None).remembering(Members).selected(), Members);
        assert_eq!(new(Some(Public)).remembering(Members).selected(), Public);
        let narrow = new(Some(Public)).up_to(Followers).up_to(Public);
        assert_eq!(narrow.selected(), Followers);
        assert_eq!(narrow.offered(), [Followers]);
        assert_eq!(new(None).up_to(Members).offered(), [Members, Followers]);
    }

    #[test]
    fn a_missing_choice_selects_no_option() {
        let select = VisibilitySelect::new(None).missing(true);
        assert!(select.options().iter().all(|option| !option.is_selected));
        let html = select.render().expect("a select");
        assert!(
            html.contains("<option value=not-chosen selected>"),
            "{html}"
        );
    }

    #[test]
    fn a_chosen_group_stays_selected_although_it_is_not_offered() {
        let select = VisibilitySelect::new(None).in_group("7".parse().ok());
        let expected = [("group:7".to_owned(), "The group that you chose", true)];
        assert_eq!(select.group_options(), expected);
        assert!(select.options().iter().all(|option| !option.is_selected));
        assert!(VisibilitySelect::new(None).group_options().is_empty());
    }
}
