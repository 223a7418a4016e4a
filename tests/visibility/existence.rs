//! What the viewer may not see is answered like what does not exist: with the same status, headers and page.

use redwing::domain::StatusId;
use reqwest::StatusCode;

use super::{post_to, sign_up};
use crate::{
    administration::output_of,
    blocks::set_block,
    support::{
        Form, Page, Person, Site,
        crowd::{self, uid},
    },
};

/// A response without what differs from request to request: its time, its number, the tokens of its forms, and
/// the names that the request had.
#[derive(Debug, PartialEq)]
struct Answer {
    status: StatusCode,
    headers: Vec<(String, String)>,
    page: String,
}

impl Answer {
    /// Describes the first difference.
    fn difference(&self, other: &Self) -> String {
        let mut lines = self.page.lines().zip(other.page.lines());
        let different = lines.find(|(one, other)| one != other);
        let heads = [self, other].map(|answer| (answer.status, &answer.headers));
        format!("{different:?} {heads:?}")
    }
}

/// Returns the response without these names.
fn answer(page: &Page, names: &[&str]) -> Answer {
    let without_names = |text: &str| {
        let replaced = |text: String, name: &&str| text.replace(name, "NAME");
        names.iter().fold(text.to_owned(), replaced)
    };
    let is_constant = |name: &str| !["date", "x-request-id", "set-cookie"].contains(&name);
    let headers = page.headers.iter();
    let headers = headers.filter(|(name, _)| is_constant(name.as_str()));
    let mut headers: Vec<(String, String)> = headers
        .filter(|(name, _)| *name != "content-length")
        .map(|(name, value)| {
            let value = value.to_str().expect("headers are ASCII");
            (name.to_string(), without_names(value))
        })
        .collect();
    headers.sort();
    let lines = page.html.lines();
    let lines = lines.filter(|line| !line.contains("request <code>"));
    let lines: Vec<String> = lines.map(without_random_values).collect();
    Answer {
        status: page.status,
        headers,
        page: without_names(&lines.join("\n")),
    }
}

/// Returns a line without the random values of its forms.
fn without_random_values(line: &str) -> String {
    let mut line = line.to_owned();
    for name in ["csrf_token", "idempotency_key"] {
        if let Some((before, field)) = line.split_once(name) {
            let (_, value) = field.split_once("value=").expect("it has a value");
            let is_of_value = |character: char| character == '"' || character.is_ascii_hexdigit();
            let after = value.trim_start_matches(is_of_value);
            line = format!("{before}{name}{after}");
        }
    }
    line
}

/// A stranger of an author whose posts are for followers, and of a person who blocks the stranger.
pub(super) struct Scene {
    pub(super) site: Site,
    pub(super) stranger: Person,
    /// By the author, for followers.
    pub(super) hidden: Vec<u64>,
    /// By the person who blocks the stranger.
    pub(super) of_blocker: Vec<u64>,
    /// By the author, for everyone.
    shown: u64,
}

/// Number of hidden posts.
const POSTS: usize = 2;

impl Scene {
    async fn set() -> Self {
        Self::on(Site::start().await).await
    }

    pub(super) async fn on(site: Site) -> Self {
        let [author, stranger, _] = sign_up(&site, ["author", "stranger", "blocker"]).await;
        let shown = post_to(&author, "public", "for everyone").await;
        let mut hidden = Vec::new();
        for _ in 0..POSTS {
            hidden.push(post_to(&author, "followers", "for followers").await);
        }
        let blocker = uid(&site.store, "blocker").await;
        let posts = crowd::posts(&site.store, blocker, POSTS).await;
        set_block(&site.store, blocker, uid(&site.store, "stranger").await).await;
        site.drain().await;
        // The notices of the forms are shown once.
        stranger.open("/").await;
        let of_blocker = posts.into_iter().map(StatusId::get).collect();
        Self {
            site,
            stranger,
            hidden,
            of_blocker,
            shown,
        }
    }
}

/// Compares the responses to the requests for things that are hidden and for things that do not exist.
async fn assert_alike(what: &str, pairs: &[[&str; 2]], ask: impl AsyncFn(&str) -> Page) {
    for [hidden, absent] in pairs {
        let one = answer(&ask(hidden).await, &[hidden]);
        let other = answer(&ask(absent).await, &[absent]);
        assert!(one == other, "{what}: {}", one.difference(&other));
    }
}

/// Returns ids that no post has, beside these.
fn absent(ids: &[u64]) -> Vec<String> {
    ids.iter().map(|id| (id + 7).to_string()).collect()
}

fn pairs<'a>(hidden: &'a [String], absent: &'a [String]) -> Vec<[&'a str; 2]> {
    let both = hidden.iter().zip(absent);
    both.map(|(one, other)| [one.as_str(), other.as_str()])
        .collect()
}

#[tokio::test]
async fn pages_of_hidden_posts_are_answered_as_if_there_were_none() {
    let scene = Scene::set().await;
    let visitor = Person::visitor(&scene.site);
    for (login, ids, viewer) in [
        ("author", &scene.hidden, &scene.stranger),
        ("author", &scene.hidden, &visitor),
        ("blocker", &scene.of_blocker, &scene.stranger),
    ] {
        let hidden: Vec<String> = ids.iter().map(u64::to_string).collect();
        let absent = absent(ids);
        for page in ["", "/versions", "/favourites", "/reposts"] {
            let pairs = pairs(&hidden, &absent);
            let what = format!("{page} of posts by {login}");
            assert_alike(&what, &pairs, async |id| {
                viewer.get(&format!("/@{login}/{id}{page}")).await
            })
            .await;
        }
        for page in ["quote", "menu"] {
            let what = format!("the page {page} of posts by {login}");
            assert_alike(&what, &pairs(&hidden, &absent), async |id| {
                viewer.get(&format!("/statuses/{id}/{page}")).await
            })
            .await;
        }
    }
}

#[tokio::test]
async fn pages_of_a_person_who_blocks_the_viewer_are_answered_as_if_there_were_none() {
    let scene = Scene::set().await;
    for page in ["", "/followers", "/following", "?replies=1"] {
        let pairs = ["no_such", "none_such", "nobody"].map(|absent| ["blocker", absent]);
        let what = format!("{page} of a blocker");
        assert_alike(&what, &pairs, async |login| {
            scene.stranger.get(&format!("/@{login}{page}")).await
        })
        .await;
    }
}

#[tokio::test]
async fn forms_about_hidden_posts_are_answered_as_if_there_were_none() {
    let scene = Scene::set().await;
    let page = scene.stranger.open("/@author").await;
    let path = |action: &str, id: &str| format!("/statuses/{id}/{action}");
    let shown = scene.shown.to_string();
    for ids in [&scene.hidden, &scene.of_blocker] {
        let hidden: Vec<String> = ids.iter().map(u64::to_string).collect();
        let absent = absent(ids);
        for action in ["favourite", "bookmark", "repost"] {
            let button = page.button(&path(action, &shown));
            assert_alike(action, &pairs(&hidden, &absent), async |id| {
                let form = Form {
                    action: path(action, id),
                    ..button.clone()
                };
                scene.stranger.submit(&form).await
            })
            .await;
        }
        let permalink = scene.stranger.open(&format!("/@author/{shown}")).await;
        let reply = permalink.form("/statuses").set("message", "an answer");
        assert_alike("a reply", &pairs(&hidden, &absent), async |id| {
            scene
                .stranger
                .submit(&reply.clone().set("reply_to", id))
                .await
        })
        .await;
    }
}

#[tokio::test]
async fn forms_about_a_person_who_blocks_or_left_are_answered_as_if_there_were_none() {
    let scene = Scene::set().await;
    let (site, stranger) = (&scene.site, &scene.stranger);
    crowd::member(&site.store, "deserter").await;
    output_of(site, &["suspend", "deserter", "--reason", "Spam."]);
    let me = uid(&site.store, "stranger").await;
    let author = uid(&site.store, "author").await;
    crowd::list(&site.store, me, &[author]).await;
    let form = stranger.open("/lists/1/members").await;
    let form = form.form("/lists/1/members/remove");
    let pairs = [["blocker", "no_such"], ["deserter", "no_login"]];
    assert_alike("a removal from a list", &pairs, async |login| {
        stranger.submit(&form.clone().set("login", login)).await
    })
    .await;
    for [hidden, absent] in pairs {
        for login in [hidden, absent] {
            let post = stranger.open("/").await.form("/statuses");
            let post = post.set("visibility", "followers");
            let post = post.set("message", &format!("@{login}, read this"));
            let answer = stranger.submit(&post).await;
            assert_eq!(answer.status, StatusCode::SEE_OTHER, "{login}");
        }
    }
}
