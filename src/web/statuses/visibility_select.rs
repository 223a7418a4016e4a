//! The choice of who can see a post, in the composer and in the edit form.

use crate::{domain::Visibility, web::parts::prelude::*};

#[derive(Debug, Clone, Template)]
#[template(path = "statuses/_visibility_select.html")]
pub struct VisibilitySelect {
    /// `None` if the form has not been sent yet.
    chosen: Option<Visibility>,
    remembered: Visibility,
    widest: Visibility,
}

impl askama::filters::HtmlSafe for VisibilitySelect {}

struct Offered {
    value: &'static str,
    icon: &'static str,
    words: &'static str,
    is_selected: bool,
}

impl VisibilitySelect {
    pub fn new(chosen: Option<Visibility>) -> Self {
        Self {
            chosen,
            remembered: Visibility::Public,
            widest: Visibility::Public,
        }
    }

    /// Offers first the visibility of the last post.
    #[must_use]
    pub fn remembering(self, remembered: Visibility) -> Self {
        Self { remembered, ..self }
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
        let option = |one: Visibility| {
            let (icon, words) = words(one);
            Offered {
                value: one.as_str(),
                icon,
                words,
                is_selected: one == self.selected(),
            }
        };
        self.offered().into_iter().map(option).collect()
    }

    fn selected(&self) -> Visibility {
        self.chosen.unwrap_or(self.remembered).min(self.widest)
    }
}

/// Returns the icon of a visibility and its words.
pub fn words(visibility: Visibility) -> (&'static str, &'static str) {
    match visibility {
        Visibility::Public => ("🌐", "Everyone"),
        Visibility::Members => ("👤", "Members"),
        Visibility::Followers => ("🔒", "Followers"),
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
}
