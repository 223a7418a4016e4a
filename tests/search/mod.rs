//! Search over HTTP: posts by words, phrases, authors, tags and dates, page by page; people by the
//! beginning of their names; and posts that must not be found.

mod beginnings;
mod completion;
mod footprint;
mod people;
mod postings;
mod races;

use redwing::{
    actions::search::index,
    domain::{Query, StatusId},
    store::Text,
};
use reqwest::StatusCode;

use crate::support::{Page, Person, Site, crowd, index::held};

/// Returns the page of a query after all index tasks are done.
pub(super) async fn found(site: &Site, who: &Person, query: &str) -> Page {
    site.drain().await;
    who.open(&path(query)).await
}

pub(super) fn path(query: &str) -> String {
    redwing::web::routes::search(query)
}

/// Returns the texts of the found posts, newest first.
async fn texts(site: &Site, who: &Person, query: &str) -> Vec<String> {
    found(site, who, query).await.messages()
}

/// Signs up alice and bob, each with posts.
async fn alice_and_bob(site: &Site) -> (Person, Person) {
    let alice = Person::sign_up(site, "alice").await;
    let bob = Person::sign_up(site, "bob").await;
    alice.post("The red wing nests in May #Birds").await;
    bob.post("Red paint on my wing mirror").await;
    bob.post("A RÉD WING, seen twice! #birds").await;
    (alice, bob)
}

#[tokio::test]
async fn words_are_found_anywhere_and_phrases_in_order() {
    let site = Site::start().await;
    let (_, bob) = alice_and_bob(&site).await;
    let visitor = Person::visitor(&site);
    let all = [
        "A RÉD WING, seen twice! #birds",
        "Red paint on my wing mirror",
        "The red wing nests in May #Birds",
    ];
    for who in [&bob, &visitor] {
        assert_eq!(texts(&site, who, "wing red").await, all);
        assert_eq!(texts(&site, who, "\"red wing\"").await, [all[0], all[2]]);
        assert_eq!(texts(&site, who, "red wing nests").await, [all[2]]);
        assert!(texts(&site, who, "\"wing red\"").await.is_empty());
        assert!(texts(&site, who, "\"win\"").await.is_empty());
        assert!(texts(&site, who, "ing").await.is_empty());
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn tags_and_authors_narrow_the_results() {
    let site = Site::start().await;
    let (_, bob) = alice_and_bob(&site).await;
    let birds = texts(&site, &bob, "#BIRDS").await;
    assert_eq!(birds.len(), 2);
    assert_eq!(
        texts(&site, &bob, "#birds @alice").await,
        [birds[1].clone()]
    );
    assert_eq!(
        texts(&site, &bob, "#birds from:Bob").await,
        [birds[0].clone()]
    );
    assert_eq!(texts(&site, &bob, "from:@bob").await.len(), 2);
    assert_eq!(texts(&site, &bob, "birds").await, birds);
    assert!(texts(&site, &bob, "#bird").await.is_empty());
    assert!(texts(&site, &bob, "red from:nobody").await.is_empty());
    assert_eq!(texts(&site, &bob, "from:bob from:@bob").await.len(), 2);
    assert!(
        texts(&site, &bob, "from:alice from:bob").await.is_empty(),
        "a post has one author"
    );
    assert!(texts(&site, &bob, "@alice @bob").await.is_empty());
}

#[tokio::test]
async fn only_valid_date_terms_bound_the_results() {
    let site = Site::start().await;
    let (_, bob) = alice_and_bob(&site).await;
    for (query, count) in [
        ("red after:2026-01-01", 3),
        ("red before:2026-01-02", 0),
        ("red after:2100", 0),
        ("red before:2100-01 after:2026", 3),
        ("@bob before:2100", 2),
        ("red before:tomorrow", 0),
    ] {
        assert_eq!(texts(&site, &bob, query).await.len(), count, "{query}");
    }
    let page = found(&site, &bob, "after:2026-01-01").await;
    assert!(page.text(".empty").starts_with("Add a word"));
}

#[tokio::test]
async fn a_day_begins_with_its_first_millisecond_and_ends_with_its_last() {
    let site = Site::start().await;
    let author = crowd::member(&site.store, "author").await;
    // The last id of January, the first and last of February, and the first of March.
    let last_before = |day| StatusId::new(crowd::id_on(day, 0).get() - 1).expect("an id");
    let ids = [
        last_before(31),
        crowd::id_on(31, 0),
        last_before(59),
        crowd::id_on(59, 0),
    ];
    for (number, id) in ids.into_iter().enumerate() {
        let text = format!("rain {number}");
        crowd::post_as(&site.store, author, id, &text).await;
    }
    let visitor = Person::visitor(&site);
    for (query, found) in [
        ("rain before:2026-02", vec!["rain 0"]),
        ("rain before:2026-02-01", vec!["rain 0"]),
        ("rain before:2026-02-02", vec!["rain 1", "rain 0"]),
        (
            "rain after:2026-02-01 before:2026-03-01",
            vec!["rain 2", "rain 1"],
        ),
        (
            "from:author after:2026-02 before:2026-03",
            vec!["rain 2", "rain 1"],
        ),
        ("rain after:2026-02-28", vec!["rain 3", "rain 2"]),
        ("rain after:2026-03-01", vec!["rain 3"]),
        ("rain after:2026-03-02", vec![]),
    ] {
        assert_eq!(texts(&site, &visitor, query).await, found, "{query}");
    }
}

#[tokio::test]
async fn scripts_without_spaces_are_found_by_any_part() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    for text in ["東京都に行く", "京都の猫", "ฉันพูดภาษาไทย", "한국어를 배워요"]
    {
        alice.post(text).await;
    }
    for (query, text) in [
        ("京都", vec!["京都の猫", "東京都に行く"]),
        ("東京", vec!["東京都に行く"]),
        ("都京", vec![]),
        ("京都 行く", vec!["東京都に行く"]),
        ("猫", vec!["京都の猫"]),
        ("ภาษา", vec!["ฉันพูดภาษาไทย"]),
        ("한국어", vec!["한국어를 배워요"]),
    ] {
        assert_eq!(texts(&site, &alice, query).await, text, "{query}");
    }
}

#[tokio::test]
async fn pages_follow_each_other_without_a_gap_or_a_repeat() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let uid = crowd::uid(&site.store, "alice").await;
    let bob = crowd::member(&site.store, "bob").await;
    let mut expected = Vec::new();
    for number in 0..95 {
        let even = number % 2 == 0;
        let text = if even {
            "a common rare pair"
        } else {
            "common, not the rare pair"
        };
        let id = crowd::post(&site.store, if number % 3 == 0 { bob } else { uid }, text).await;
        expected.push((id.get(), even, number % 3 == 0));
    }
    expected.sort_unstable();
    expected.reverse();
    site.drain().await;
    let meant = |keep: fn(&(u64, bool, bool)) -> bool| {
        let kept = expected.iter().filter(|post| keep(post));
        kept.map(|(id, ..)| *id).collect::<Vec<u64>>()
    };
    assert_eq!(alice.ids(&path("common")).await, meant(|_| true));
    assert_eq!(
        alice.ids(&path("\"common rare\"")).await,
        meant(|post| post.1)
    );
    assert_eq!(alice.ids(&path("@bob")).await, meant(|post| post.2));
    assert_eq!(
        alice.ids(&path("pair from:bob \"common rare\"")).await,
        meant(|post| post.1 && post.2)
    );
    let second = &alice.pages(&path("common")).await[1];
    assert_eq!(second.count("article.h-entry"), 30);
    assert!(!second.has(".person"), "people are on the first page only");
    alice
        .press(&second.path, "favourite", second.status_ids()[3])
        .await;
}

#[tokio::test]
async fn a_deleted_post_is_never_found_even_while_it_is_indexed() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let gone = alice.post("a slip of the tongue").await;
    let kept = alice.post("a slip of paper").await;
    site.drain().await;
    alice.delete(gone).await;
    assert_eq!(
        held(&site.store, "tongue").await,
        1,
        "no task has been done yet"
    );
    assert_eq!(alice.ids(&path("slip")).await, [kept]);
    assert!(alice.ids(&path("tongue")).await.is_empty());
    site.drain().await;
    assert_eq!(held(&site.store, "tongue").await, 0);
    let gone = StatusId::new(gone).expect("an id");
    let texts = site.store.texts(&[gone]).await.expect("an answer");
    assert_eq!(texts, [Text::default()], "nothing of it is stored");
    site.assert_sound().await;
}

#[tokio::test]
async fn a_task_that_comes_late_or_twice_changes_nothing() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id: StatusId = StatusId::new(alice.post("said once").await).expect("an id");
    for _ in 0..2 {
        let left = index(&site.store, id).await;
        assert_eq!(left.expect("an answer"), None);
    }
    site.drain().await;
    assert_eq!(texts(&site, &alice, "once").await, ["said once"]);
    alice.delete(id.get()).await;
    site.drain().await;
    index(&site.store, id).await.expect("an answer");
    assert_eq!(held(&site.store, "once").await, 0);
}

#[tokio::test]
async fn an_edited_text_is_found_by_its_current_words() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let id = alice.post("old-words").await;
    site.drain().await;
    let status = StatusId::new(id).expect("an id");
    let uid = crowd::uid(&site.store, "alice").await;
    crowd::edit(&site.store, uid, status, "new-words").await;
    let found = alice.ids(&path("old")).await;
    assert!(found.is_empty(), "results are verified");
    site.drain().await;
    assert_eq!(alice.ids(&path("new words")).await, [id]);
    assert_eq!(held(&site.store, "old").await, 0);
    assert_eq!(held(&site.store, "words").await, 1);
    site.assert_sound().await;
}

#[tokio::test]
async fn an_empty_search_shows_an_explanation_and_runs_no_query() {
    let site = Site::with(&["--searches-per-hour", "1"]).await;
    let visitor = Person::visitor(&site);
    for path in [
        "/search",
        "/search?q=",
        "/search?q=%20%22%22",
        "/search?before=7",
    ] {
        let page = visitor.open(path).await;
        assert!(page.has("form[role=search] input[name=q]"), "{path}");
        assert!(!page.has("article"), "{path}");
    }
    let page = visitor.open("/search").await;
    assert!(page.has("details[open] dl"));
    assert!(page.has("meta[name=robots][content=noindex]"));
    assert!(visitor.open("/").await.has("a[href=\"/search\"]"));
}

#[tokio::test]
async fn any_query_is_answered_and_comes_back_as_text() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    for query in [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "* OR 1=1 -- }{ :0",
        "postings:{x}:0 \r\nFLUSHALL\r\n",
        "\u{202E}gnp.exe\u{0}",
        "from: @ # \" before: after:",
        "before:99999-99-99 after:-1",
        "{{7*7}} %s %n \\",
        "🏳️‍🌈 👩‍👩‍👧‍👦 ❤️",
        &"\u{301}".repeat(190),
        &"字".repeat(200),
    ] {
        let page = alice.open(&path(query)).await;
        assert!(!page.html.contains("<script>alert"), "{query}");
        assert!(!page.has("img[onerror]"), "{query}");
    }
    let typed = "a \"b\" <c> & #d";
    let page = alice.open(&path(typed)).await;
    assert_eq!(page.attributes("input[name=q]", "value"), [typed]);
    for query in ["q=%FF%FE", "q=a&q=b", "q"] {
        assert_eq!(
            alice.get(&format!("/search?{query}")).await.status,
            StatusCode::OK,
            "{query}"
        );
    }
    assert_eq!(
        alice.get("/search?q=a&before=x").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn a_too_long_query_is_cut_and_the_page_says_so() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let page = alice.open(&path("a b c d e f g h i")).await;
    assert!(page.text(".hint").contains(&Query::MAX_PARTS.to_string()));
    let page = alice.open(&path(&"word ".repeat(60))).await;
    assert!(page.text(".hint").contains("first"));
    assert!(page.attributes("input[name=q]", "value")[0].len() <= Query::MAX_CHARACTERS);
    assert!(!alice.open(&path("a b c")).await.has(".hint"));
}

#[tokio::test]
async fn searches_are_limited_for_each_member_and_each_address() {
    let site = Site::with(&["--searches-per-hour", "2"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    for who in [&alice, &visitor] {
        for _ in 0..2 {
            assert_eq!(who.get(&path("word")).await.status, StatusCode::OK);
        }
        let answer = who.get(&path("word")).await;
        assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
        assert!(answer.header("retry-after").is_some());
    }
}

#[tokio::test]
async fn an_invalid_date_is_reported() {
    let site = Site::start().await;
    let (alice, _) = alice_and_bob(&site).await;
    for typed in ["after:21.11.2026", "before:2026-13", "after:yesterday"] {
        let page = found(&site, &alice, &format!("red {typed}")).await;
        let hint = page.text(".hint");
        assert!(
            hint.starts_with(&format!("{typed} is not a valid date")),
            "{hint}"
        );
        assert!(hint.contains("after:2026-05-17"), "{hint}");
        assert_eq!(page.text(".empty"), "No results.");
    }
    assert!(!found(&site, &alice, "red after:2026-01").await.has(".hint"));
    let one = found(&site, &alice, "whale").await.text(".empty");
    assert!(
        one.contains("another word") && !one.contains("fewer"),
        "{one}"
    );
    let fewer = found(&site, &alice, "red whale").await;
    assert!(fewer.text(".empty").contains("Try fewer words"));
}

#[tokio::test]
async fn each_operator_is_a_link_that_adds_it_to_the_box_and_searches_nothing() {
    let site = Site::start().await;
    let (_, bob) = alice_and_bob(&site).await;
    for who in [&bob, &Person::visitor(&site)] {
        let results = found(&site, who, "red wing").await;
        let links = results.attributes(".search-tips dt a", "href");
        let operators = results.attributes(".search-tips dt a", "data-operator");
        assert_eq!(operators, ["\"\"", "@", "#", "after:", "before:"]);
        for (link, operator) in links.iter().zip(&operators) {
            let page = who.open(link).await;
            let typed = page.attributes("#q", "value");
            assert_eq!(typed, [format!("red wing {operator}")]);
            assert!(page.has("#q[autofocus]") && page.has(".search-tips[open]"));
            assert!(page.messages().is_empty() && !page.has(".empty"), "{link}");
        }
    }
    let empty = bob.open("/search").await;
    assert!(!empty.has("[autofocus]"));
    let link = &empty.attributes(".search-tips dt a", "href")[1];
    assert_eq!(bob.open(link).await.attributes("#q", "value"), ["@"]);
}
