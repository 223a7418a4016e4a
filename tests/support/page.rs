//! A response of the site, read as a browser and a parser read it: status, headers, elements, and
//! forms with the values set by the page.

use reqwest::{StatusCode, header::HeaderMap};
use scraper::{ElementRef, Html, Selector};

/// The action of the form around a feed.
pub const PRESS: &str = "/statuses/press";

/// The fields that the buttons of the form to post bring, with their first values.
const EXTRAS: [(&str, &str); 7] = [
    ("warning", ""),
    ("option_1", ""),
    ("option_2", ""),
    ("option_3", ""),
    ("option_4", ""),
    ("hours", "24"),
    ("repliers", "everyone"),
];

pub struct Page {
    pub status: StatusCode,
    pub headers: HeaderMap,
    /// Requested path and query.
    pub path: String,
    pub html: String,
}

impl Page {
    pub async fn read(path: String, answer: reqwest::Response) -> Self {
        let page = Self::try_read(path, answer).await;
        page.expect("the answer's body arrives whole")
    }

    /// Reads a response during which the site may stop.
    pub async fn try_read(path: String, answer: reqwest::Response) -> reqwest::Result<Self> {
        let (status, headers) = (answer.status(), answer.headers().clone());
        let html = answer.text().await?;
        Ok(Self {
            status,
            headers,
            path,
            html,
        })
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .get(name)
            .map(|value| value.to_str().expect("headers are ASCII"))
    }

    /// Returns the target of a redirect.
    pub fn location(&self) -> &str {
        self.header("location")
            .unwrap_or_else(|| panic!("no redirect but {} from {}", self.status, self.path))
    }

    pub fn document(&self) -> Html {
        Html::parse_document(&self.html)
    }

    pub fn count(&self, css: &str) -> usize {
        self.document().select(&selector(css)).count()
    }

    pub fn has(&self, css: &str) -> bool {
        self.count(css) > 0
    }

    /// Returns the trimmed text of each matching element.
    pub fn texts(&self, css: &str) -> Vec<String> {
        self.document()
            .select(&selector(css))
            .map(text_of)
            .collect()
    }

    /// Returns the text of the first matching element.
    #[track_caller]
    pub fn text(&self, css: &str) -> String {
        self.texts(css)
            .into_iter()
            .next()
            .unwrap_or_else(|| panic!("no {css} on {}:\n{}", self.path, self.html))
    }

    /// Returns the attribute of every matching element that has it.
    pub fn attributes(&self, css: &str, name: &str) -> Vec<String> {
        self.document()
            .select(&selector(css))
            .filter_map(|found| found.attr(name))
            .map(str::to_owned)
            .collect()
    }

    /// Returns all readable text on the page.
    pub fn visible_text(&self) -> String {
        self.text("body")
    }

    /// Returns the ids of the statuses shown, in the order of the page.
    pub fn status_ids(&self) -> Vec<u64> {
        self.attributes("article.status", "id")
            .iter()
            .map(|id| {
                id.strip_prefix("status-")
                    .and_then(|id| id.parse().ok())
                    .expect("id=\"status-<id>\"")
            })
            .collect()
    }

    /// Returns the texts of the statuses shown.
    pub fn messages(&self) -> Vec<String> {
        self.texts("article.status .e-content")
    }

    /// Returns the link to older entries, if there is one.
    pub fn older(&self) -> Option<String> {
        self.attributes("a[rel~=next]", "href").into_iter().next()
    }

    /// Checks an error page: one heading, a way on, a request id to quote, and no internal details.
    pub fn assert_helpful(&self) {
        let text = self.visible_text();
        assert_eq!(self.count("h1"), 1, "{}", self.html);
        assert!(
            self.has("main a[href], main form"),
            "a way on:\n{}",
            self.html
        );
        let id = self
            .header("x-request-id")
            .unwrap_or_else(|| panic!("{} has a request id", self.path));
        assert!(
            text.contains(id),
            "the page shows the id of the log:\n{text}"
        );
        for detail in ["panicked", "src/", ".rs:", "redis", "Redis", "Unexpected {"] {
            assert!(!text.contains(detail), "{detail} in:\n{text}");
        }
    }

    /// Returns the first form with that action, with the values set by the page.
    #[track_caller]
    pub fn form(&self, action: &str) -> Form {
        self.find_form(action).unwrap_or_else(|| {
            panic!(
                "no form for {action} on {} ({}):\n{}",
                self.path, self.status, self.html
            )
        })
    }

    pub fn find_form(&self, action: &str) -> Option<Form> {
        let document = self.document();
        let found = document
            .select(&selector("form"))
            .find(|form| path_of(form) == action)?;
        Some(Form::read(&self.path, found))
    }

    /// Returns the fields of the form that the first button with this path submits.
    #[track_caller]
    pub fn button(&self, path: &str) -> Form {
        self.find_button(path)
            .unwrap_or_else(|| panic!("no button for {path} on {}:\n{}", self.path, self.html))
    }

    pub fn find_button(&self, path: &str) -> Option<Form> {
        let document = self.document();
        let (name, value) = press_of(path);
        let css = selector(&format!("button[name=\"{name}\"][value=\"{value}\"]"));
        let button = document.select(&css).next()?;
        let mut owners = button.ancestors().filter_map(ElementRef::wrap);
        let owner = owners.find(|element| element.value().name() == "form")?;
        let mut form = Form::read(&self.path, owner);
        form.fields.push((name, value));
        Some(form)
    }
}

/// Returns the name and the value of the button that does what a form at the path does.
fn press_of(path: &str) -> (String, String) {
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    let (name, value) = match parts[..] {
        ["statuses", id, action @ ("mute" | "unmute")] => (format!("{action}-conversation"), id),
        ["statuses", id, action] => (action.to_owned(), id),
        [person, "reposts", action] => (format!("{action}-reposts"), person),
        [person, action] => (action.to_owned(), person),
        _ => panic!("{path} is no action on a status or a person"),
    };
    (name, value.trim_start_matches('@').to_owned())
}

/// Form as a page contained it.
#[derive(Clone, Debug)]
pub struct Form {
    pub action: String,
    pub method: String,
    pub fields: Vec<(String, String)>,
}

impl Form {
    fn read(page: &str, form: ElementRef<'_>) -> Self {
        let action = match form.attr("action") {
            None | Some("") => page.to_owned(),
            Some(action) => action.to_owned(),
        };
        let sent = selector("input[name], textarea[name], select[name], button[name]");
        let mut fields: Vec<_> = form
            .select(&sent)
            .filter(|field| {
                let is_chosen = !matches!(field.attr("type"), Some("checkbox" | "radio"))
                    || field.attr("checked").is_some();
                // Of the buttons of a form around a feed, only the pressed one is sent.
                is_chosen
                    && !(field.value().name() == "button" && form.attr("action") == Some(PRESS))
            })
            .map(|field| {
                (
                    field.attr("name").unwrap_or_default().to_owned(),
                    value_of(field),
                )
            })
            .collect();
        // A person can press its buttons first, which bring more fields.
        let has = |field: &str| fields.iter().any(|(name, _)| name == field);
        let is_short = has("extras") && !has("warning");
        fields.retain(|(name, _)| name != "extras");
        if is_short {
            fields.extend(EXTRAS.map(|(name, value)| (name.to_owned(), value.to_owned())));
        }
        Self {
            action,
            method: form.attr("method").unwrap_or("get").to_lowercase(),
            fields,
        }
    }

    /// Sets the value of a field, which must exist.
    #[track_caller]
    pub fn set(mut self, name: &str, value: &str) -> Self {
        let field = self.fields.iter_mut().find(|(field, _)| field == name);
        field
            .unwrap_or_else(|| panic!("the form for {} has a field {name}", self.action))
            .1 = value.to_owned();
        self
    }

    /// Sets the value of a field that a button or a checkbox adds.
    pub fn set_new(self, name: &str, value: &str) -> Self {
        let mut form = self.without(name);
        form.fields.push((name.to_owned(), value.to_owned()));
        form
    }

    /// Returns the same form for another path, like a button with `formaction`.
    pub fn to(&self, action: &str) -> Self {
        Self {
            action: action.to_owned(),
            ..self.clone()
        }
    }

    /// Chooses an option of radio buttons, of which none may be checked.
    pub fn choose(mut self, name: &str, value: &str) -> Self {
        self = self.without(name);
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Removes a field, as an attacker would.
    pub fn without(mut self, name: &str) -> Self {
        self.fields.retain(|(field, _)| field != name);
        self
    }

    /// Returns the message of the post that waits for this log-in.
    pub fn pending_message(&self) -> String {
        let form: serde_json::Value =
            serde_json::from_str(self.value("pending_form")).expect("a form as JSON");
        form["message"].as_str().expect("a message").to_owned()
    }

    /// Returns the value of a field.
    #[track_caller]
    pub fn value(&self, name: &str) -> &str {
        let field = self.fields.iter().find(|(field, _)| field == name);
        &field
            .unwrap_or_else(|| panic!("the form for {} has a field {name}", self.action))
            .1
    }
}

fn value_of(field: ElementRef<'_>) -> String {
    match field.value().name() {
        "textarea" => field.text().collect(),
        "select" => {
            let chosen = field.select(&selector("option[selected]")).next();
            let chosen = chosen.or_else(|| field.select(&selector("option")).next());
            chosen.map_or_else(String::new, |option| {
                option.attr("value").unwrap_or_default().to_owned()
            })
        }
        _ => field.attr("value").unwrap_or_default().to_owned(),
    }
}

fn path_of<'a>(form: &ElementRef<'a>) -> &'a str {
    form.attr("action")
        .unwrap_or_default()
        .split('?')
        .next()
        .unwrap_or_default()
}

fn text_of(element: ElementRef<'_>) -> String {
    element.text().collect::<String>().trim().to_owned()
}

pub fn selector(css: &str) -> Selector {
    Selector::parse(css).unwrap_or_else(|error| panic!("{css}: {error}"))
}
