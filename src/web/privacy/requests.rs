//! The pages of people who ask to follow a member, and of followers whom a member can remove.

use crate::{
    store::Person,
    web::{
        parts::{button_form::ButtonForm, prelude::*},
        people::{people_list::PeopleList, person_row::PersonRow},
    },
};

/// The form that answers one request, or several.
#[derive(Debug, Template)]
#[template(path = "settings/_answer_form.html")]
pub struct AnswerForm {
    csrf_token: String,
    action: String,
    /// The page of the form, to return to.
    here: String,
    /// The ids of the people who asked.
    from: String,
    /// The name of the person. `None` for all on the page.
    name: Option<String>,
}

impl askama::filters::HtmlSafe for AnswerForm {}

impl AnswerForm {
    fn of_person(visit: &Visit, here: &str, user: &User) -> Self {
        let action = routes::SETTINGS_REQUESTS.to_owned();
        Self::to_group(visit, (action, here), user)
    }

    /// Creates the form that answers the request of a person to join a group, by its action and the page of the form.
    pub fn to_group(visit: &Visit, (action, here): (String, &str), user: &User) -> Self {
        Self {
            csrf_token: visit.csrf_token.clone(),
            action,
            here: here.to_owned(),
            from: user.id.to_string(),
            name: Some(user.name.clone()),
        }
    }

    fn of_all(visit: &Visit, here: &str, people: &[Person]) -> Self {
        let ids: Vec<String> = people.iter().map(|one| one.user.id.to_string()).collect();
        Self {
            csrf_token: visit.csrf_token.clone(),
            action: routes::SETTINGS_REQUESTS.to_owned(),
            here: here.to_owned(),
            from: ids.join(" "),
            name: None,
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "settings/requests.html")]
pub struct RequestsPage {
    layout: Layout,
    list: PeopleList,
    /// Number of waiting requests.
    waiting: String,
    /// The form that answers all on the page, if there are several.
    all: Option<AnswerForm>,
}

impl RequestsPage {
    /// Creates the page of requests that began at `before`.
    pub fn new(visit: &Visit, waiting: u64, before: Option<Cursor>, page: &Page<Person>) -> Self {
        let row = |here: &str, person: &Person| {
            PersonRow::with_answers(
                visit,
                person,
                AnswerForm::of_person(visit, here, &person.user),
            )
        };
        let here = routes::page(routes::SETTINGS_REQUESTS, before);
        Self {
            layout: Layout::new(visit, Section::Settings, "Follow requests"),
            list: PeopleList::new(routes::SETTINGS_REQUESTS, before, page, row),
            waiting: count(waiting),
            all: (page.items.len() > 1).then(|| AnswerForm::of_all(visit, &here, &page.items)),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "settings/followers.html")]
pub struct FollowersPage {
    layout: Layout,
    list: PeopleList,
}

impl FollowersPage {
    /// Creates the page of the member's followers that began at `before`.
    pub fn new(visit: &Visit, before: Option<Cursor>, page: &Page<Person>) -> Self {
        let row = |here: &str, person: &Person| {
            let user = &person.user;
            let path = (routes::remove_follower(&user.login), here);
            let label = ("Remove", format!("{} from your followers", user.name));
            let button = ButtonForm::new(visit, path, "remove-follower", label).secondary();
            PersonRow::with_button(visit, person, button)
        };
        Self {
            layout: Layout::new(visit, Section::Settings, "Your followers"),
            list: PeopleList::new(routes::SETTINGS_FOLLOWERS, before, page, row),
        }
    }
}
