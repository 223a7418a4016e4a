//! A member's lists, one list's timeline, and the forms to create, edit and delete lists.

use crate::{
    domain::{FieldConflicts, IdempotencyKey, ListName, ListNumber, ShownValues},
    store::List,
    web::{parts::prelude::*, statuses::feed::Feed},
};

#[derive(Debug, Template)]
#[template(path = "lists/_list_form.html")]
pub struct ListForm {
    csrf_token: String,
    idempotency_key: IdempotencyKey,
    errors: ErrorSummary,
    name: Field,
}

impl askama::filters::HtmlSafe for ListForm {}

impl ListForm {
    pub fn new(visit: &Visit, idempotency_key: IdempotencyKey, typed: Typed) -> Self {
        let name = name_field(typed);
        Self {
            csrf_token: visit.csrf_token.clone(),
            idempotency_key,
            errors: ErrorSummary::of([&name]),
            name,
        }
    }
}

fn name_field(typed: Typed) -> Field {
    const { assert!(ListName::MAX_CHARACTERS == 50, "the hint says so") }
    Field::new(Kind::Other, "name", "List name", typed)
        .with_hint("1 to 50 characters. Only you can see it.")
}

/// A list in the list of lists.
#[derive(Debug)]
struct Row {
    name: String,
    path: String,
    people: String,
    exclusive: bool,
}

fn people(list: &List) -> String {
    match list.members {
        1 => "1 person".to_owned(),
        many => format!("{} people", count(many)),
    }
}

#[derive(Debug, Template)]
#[template(path = "lists/lists.html")]
pub struct ListsPage {
    layout: Layout,
    lists: Vec<Row>,
    form: ListForm,
}

impl ListsPage {
    pub fn new(visit: &Visit, lists: Vec<List>, form: ListForm) -> Self {
        let row = |list: List| Row {
            path: routes::list(list.id.number),
            people: people(&list),
            exclusive: list.exclusive,
            name: list.name,
        };
        Self {
            layout: Layout::new(visit, Section::Lists, "Your lists")
                .wrong_if(form.errors.has_some()),
            lists: lists.into_iter().map(row).collect(),
            form,
        }
    }
}

/// The timeline of a list.
#[derive(Debug, Template)]
#[template(path = "lists/list.html")]
pub struct ListPage {
    layout: Layout,
    name: String,
    people: String,
    is_without_people: bool,
    exclusive: bool,
    members_path: String,
    edit_path: String,
    first: bool,
    feed: Feed,
}

impl ListPage {
    pub fn new(
        visit: &Visit,
        list: &List,
        before: Option<Cursor>,
        page: &Page<VisibleStatus>,
    ) -> Self {
        let path = routes::list(list.id.number);
        let name = format!("Posts by the people on {}", list.name);
        Self {
            layout: Layout::new(visit, Section::Lists, &list.name),
            name: list.name.clone(),
            people: people(list),
            is_without_people: list.members == 0,
            exclusive: list.exclusive,
            members_path: routes::list_members(list.id.number),
            edit_path: routes::edit_list(list.id.number),
            first: before.is_none(),
            feed: Feed::new(visit, name, &path, before, page),
        }
    }
}

#[derive(Debug)]
pub struct ListTyped {
    pub name: Typed,
    pub exclusive: bool,
    /// The values with which the form was made.
    pub shown: ShownValues,
}

impl From<&List> for ListTyped {
    fn from(list: &List) -> Self {
        let exclusive = list.exclusive;
        let shown = [
            ("name", list.name.clone()),
            ("exclusive", exclusive.to_string()),
        ];
        Self {
            name: Typed::text(&list.name),
            exclusive,
            shown: ShownValues::of(shown),
        }
    }
}

impl ListTyped {
    /// Adds the error of a name that another device changed too.
    #[must_use]
    pub fn in_conflict(self, conflicts: &FieldConflicts) -> Self {
        Self {
            name: self.name.in_conflict(conflicts.stored("name")),
            shown: self.shown.with_conflicts(conflicts),
            ..self
        }
    }
}

/// The form to rename a list and to make it exclusive.
#[derive(Debug, Template)]
#[template(path = "lists/_edit_form.html")]
pub struct EditListForm {
    csrf_token: String,
    action: String,
    shown: ShownValues,
    errors: ErrorSummary,
    name: Field,
    exclusive: bool,
}

impl askama::filters::HtmlSafe for EditListForm {}

impl EditListForm {
    pub fn new(visit: &Visit, list: ListNumber, typed: ListTyped) -> Self {
        let name = name_field(typed.name);
        Self {
            csrf_token: visit.csrf_token.clone(),
            action: routes::edit_list(list),
            shown: typed.shown,
            errors: ErrorSummary::of([&name]),
            name,
            exclusive: typed.exclusive,
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "lists/edit.html")]
pub struct EditListPage {
    layout: Layout,
    list: String,
    path: String,
    delete_path: String,
    form: EditListForm,
}

impl EditListPage {
    pub fn new(visit: &Visit, list: &List, form: EditListForm) -> Self {
        Self {
            layout: Layout::new(visit, Section::Lists, format!("Edit {}", list.name))
                .wrong_if(form.errors.has_some()),
            list: list.name.clone(),
            path: routes::list(list.id.number),
            delete_path: routes::delete_list(list.id.number),
            form,
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "lists/delete.html")]
pub struct DeleteListPage {
    layout: Layout,
    name: String,
    path: String,
    action: String,
    exclusive: bool,
}

impl DeleteListPage {
    pub fn new(visit: &Visit, list: &List) -> Self {
        Self {
            layout: Layout::new(visit, Section::Lists, "Delete this list?"),
            name: list.name.clone(),
            path: routes::list(list.id.number),
            action: routes::delete_list(list.id.number),
            exclusive: list.exclusive,
        }
    }
}
