//! The markup of every page: microformats that any parser reads, headings, labels and landmarks.

use std::collections::HashSet;

use crate::support::{Page, Person, Site, crowd, page::selector, tour::Tour};

#[tokio::test]
async fn every_page_has_one_heading_a_title_a_language_and_landmarks() {
    let tour = Tour::start().await;
    for page in tour.every_page().await {
        assert_eq!(page.count("h1"), 1, "{}", page.path);
        assert_eq!(page.count("main"), 1, "{}", page.path);
        assert!(
            page.has("html[lang]") && page.has("header") && page.has("nav"),
            "{}",
            page.path
        );
        assert!(
            !page.text("title").is_empty() && !page.text("h1").is_empty(),
            "{}",
            page.path
        );
        assert!(
            page.has("meta[name=viewport]") && page.has("meta[charset]"),
            "{}",
            page.path
        );
    }
}

#[tokio::test]
async fn pages_have_titles_that_tell_them_apart() {
    let tour = Tour::start().await;
    let mut titles = Vec::new();
    for path in [
        "/",
        "/login",
        "/signup",
        "/@alice",
        "/@bob",
        "/@bob/followers",
        "/@bob/following",
        "/nowhere",
    ] {
        titles.push(tour.visitor.get(path).await.text("title"));
    }
    let different: HashSet<&String> = titles.iter().collect();
    assert_eq!(different.len(), titles.len(), "{titles:?}");
}

/// Checks that every visible field has a label of its own.
fn assert_labelled(page: &Page) {
    let document = page.document();
    for field in document.select(&selector(
        "input:not([type=hidden], [hidden]), textarea, select",
    )) {
        if field
            .attr("aria-label")
            .is_some_and(|label| !label.is_empty())
        {
            continue;
        }
        let id = field
            .attr("id")
            .unwrap_or_else(|| panic!("a field without id on {}: {}", page.path, field.html()));
        let labels = page.texts(&format!("label[for=\"{id}\"]"));
        assert!(
            labels.len() == 1 && !labels[0].is_empty(),
            "{id} on {}: {labels:?}",
            page.path
        );
    }
}

#[tokio::test]
async fn every_field_has_a_label_and_every_button_a_name_and_a_type() {
    let tour = Tour::start().await;
    for page in tour.every_page().await {
        assert_labelled(&page);
        for button in page.document().select(&selector("button, a[href]")) {
            let named = button.text().any(|text| !text.trim().is_empty())
                || button.attr("aria-label").is_some();
            assert!(named, "{} on {}", button.html(), page.path);
        }
        for button in page.document().select(&selector("button")) {
            assert!(
                button.attr("type").is_some(),
                "{} on {}",
                button.html(),
                page.path
            );
        }
    }
}

#[tokio::test]
async fn ids_are_unique_and_references_lead_somewhere() {
    let tour = Tour::start().await;
    for page in tour.every_page().await {
        let ids = page.attributes("[id]", "id");
        let unique: HashSet<&String> = ids.iter().collect();
        assert_eq!(unique.len(), ids.len(), "{}: {ids:?}", page.path);
        for attribute in ["aria-describedby", "aria-labelledby", "aria-controls"] {
            for reference in page.attributes(&format!("[{attribute}]"), attribute) {
                assert!(
                    reference
                        .split_whitespace()
                        .all(|id| unique.contains(&id.to_owned())),
                    "{reference} on {}",
                    page.path
                );
            }
        }
        for anchor in page.attributes("a[href^=\"#\"]", "href") {
            assert!(
                unique.contains(&anchor[1..].to_owned()),
                "{anchor} on {}",
                page.path
            );
        }
    }
}

#[tokio::test]
async fn a_timeline_is_an_h_feed_of_h_entries() {
    let tour = Tour::start().await;
    for path in ["/", "/@alice", "/@bob", "/lists/1"] {
        let page = tour.alice.open(path).await;
        assert_eq!(page.count(".h-feed"), 1, "{path}");
        assert!(!page.text(".h-feed > .p-name").is_empty(), "{path}");
        assert!(page.has("article.h-entry"), "{path}");
        assert_eq!(
            page.count(".h-feed article.h-entry"),
            page.count("article.h-entry"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_status_is_read_by_any_parser_of_microformats() {
    let tour = Tour::start().await;
    let id = tour.status;
    for path in ["/@alice", &format!("/@alice/{id}")] {
        let page = tour.visitor.open(path).await;
        let entry = format!("article.h-entry#status-{id}");
        assert_eq!(
            page.attributes(&format!("{entry} a.u-url"), "href")
                .last()
                .map(String::as_str),
            Some(&*format!("/@alice/{id}"))
        );
        assert_eq!(
            page.attributes(&format!("{entry} a.p-author.h-card"), "href")[0],
            "/@alice"
        );
        assert!(
            !page
                .text(&format!("{entry} .p-author.h-card .p-name"))
                .is_empty()
        );
        assert!(
            page.text(&format!("{entry} .p-author.h-card .p-nickname"))
                .contains("alice")
        );
        assert!(
            page.text(&format!("{entry} .e-content"))
                .contains("alert(1)")
        );
        let published = &page.attributes(&format!("{entry} time.dt-published"), "datetime")[0];
        published
            .parse::<jiff::Timestamp>()
            .unwrap_or_else(|error| panic!("{published}: {error}"));
    }
}

#[tokio::test]
async fn a_conversation_names_its_addresses_and_cites_the_posts_above() {
    let tour = Tour::start().await;
    let id = tour.status;
    let reply = tour.alice.reply(id, "so it is").await;
    for (path, canonical) in [
        (format!("/@alice/{id}"), format!("/@alice/{id}")),
        (format!("/@alice/{reply}"), format!("/@alice/{reply}")),
        ("/@alice".to_owned(), "/@alice".to_owned()),
        ("/@alice/replies".to_owned(), "/@alice/replies".to_owned()),
    ] {
        let page = tour.visitor.open(&path).await;
        let links = page.attributes("link[rel=canonical]", "href");
        assert_eq!(
            links,
            [format!("{}{canonical}", tour.site.origin)],
            "{path}"
        );
    }
    let page = tour.visitor.open(&format!("/@alice/{reply}")).await;
    assert_eq!(page.count(".ancestors > li > .h-cite"), 1);
    assert_eq!(page.count("article.h-entry"), 1);
    let urls = page.attributes("article.h-entry > .status-body > header > .u-url", "value");
    assert_eq!(
        urls,
        [format!("/@alice/{reply}")],
        "the address has no anchor"
    );
}

#[tokio::test]
async fn the_time_of_a_status_is_when_it_was_posted() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let before = jiff::Timestamp::now();
    alice.post("now").await;
    let page = alice.open("/").await;
    let published: jiff::Timestamp = page.attributes("time.dt-published", "datetime")[0]
        .parse()
        .expect("RFC 3339");
    let id = page.status_ids()[0];
    let title = alice
        .open(&format!("/@alice/{id}"))
        .await
        .text("time[data-full]");
    let off = published.duration_since(before).as_secs().abs();
    assert!(off < 120, "{published} and {before}");
    assert!(title.contains("20"), "the full time on its page: {title}");
}

#[tokio::test]
async fn a_profile_is_an_h_card() {
    let tour = Tour::start().await;
    let page = tour.visitor.open("/@alice").await;
    assert!(page.has("main .h-card .p-name") && page.has("main .h-card .p-nickname"));
    assert!(
        page.attributes("main .h-card .u-url, main .h-card.u-url", "href")
            .contains(&"/@alice".to_owned())
    );
}

#[tokio::test]
async fn people_are_h_cards_wherever_they_are_listed() {
    let tour = Tour::start().await;
    for (path, login) in [
        ("/@bob/followers", "alice"),
        ("/@alice/following", "bob"),
        ("/lists/1/members", "bob"),
    ] {
        let page = tour.alice.open(path).await;
        let card = "main li .h-card";
        assert_eq!(
            page.texts(&format!("{card} .p-nickname")),
            [login],
            "{path}"
        );
        assert!(!page.text(&format!("{card} .p-name")).is_empty(), "{path}");
        let urls = page.attributes(&format!("{card} a.u-url"), "href");
        assert_eq!(urls, [format!("/@{login}")], "{path}");
    }
}

#[tokio::test]
async fn the_pages_of_lists_have_titles_that_tell_them_apart() {
    let tour = Tour::start().await;
    let paths = ["", "/1", "/1/members", "/1/edit", "/1/delete"];
    let mut titles = HashSet::new();
    for path in paths {
        let page = tour.alice.open(&format!("/lists{path}")).await;
        titles.insert(page.text("title"));
        let current = page.attributes("nav [aria-current=page]", "href");
        assert_eq!(current, ["/lists"], "{path}");
    }
    assert_eq!(titles.len(), paths.len(), "{titles:?}");
}

#[tokio::test]
async fn older_entries_are_linked_with_rel_next() {
    let tour = Tour::start().await;
    for (path, person) in [("/@bob", &tour.visitor), ("/lists/1", &tour.alice)] {
        let first = person.open(path).await;
        let older = first.older().expect("forty posts are two pages");
        assert!(older.starts_with(&format!("{path}?before=")), "{older}");
        assert_eq!(person.open(&older).await.older(), None);
    }
}

#[tokio::test]
async fn no_link_of_the_site_is_dead() {
    let tour = Tour::start().await;
    let mut links: HashSet<String> = HashSet::new();
    for page in tour.every_page().await {
        links.extend(page.attributes("a[href], link[href], script[src], img[src]", "href"));
        links.extend(page.attributes("script[src], img[src]", "src"));
    }
    links.retain(|link| link.starts_with('/'));
    assert!(links.len() > 20, "{links:?}");
    for link in links {
        tour.alice
            .open(link.split('#').next().unwrap_or_default())
            .await;
    }
}

#[tokio::test]
async fn a_page_with_mistakes_says_so_in_its_title_and_leads_to_them() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let visitor = Person::visitor(&site);
    let settings = alice.open("/settings").await;
    let uid = crowd::uid(&site.store, "alice").await;
    crowd::list(&site.store, uid, &[]).await;
    let members = alice.open("/lists/1/members").await;
    let lists = ["/lists", "/lists/1/edit"];
    let [new, edit] = [alice.open(lists[0]).await, alice.open(lists[1]).await];
    let refused = [
        alice.submit(&new.form(lists[0]).set("name", "")).await,
        alice.submit(&edit.form(lists[1]).set("name", " ")).await,
        alice.submit(&members.form("/lists/1/members")).await,
        visitor.send_sign_up("alice").await,
        visitor.send_log_in("alice", "a wrong guess").await,
        alice
            .submit(&settings.form("/settings/profile").set("name", ""))
            .await,
        alice
            .submit(&settings.form("/settings/password").set("new_password", "x"))
            .await,
    ];
    for page in refused {
        assert!(page.text("title").starts_with("Error: "), "{}", page.path);
        assert_eq!(
            page.count(".errors[tabindex=\"-1\"][autofocus]"),
            1,
            "{}",
            page.path
        );
    }
    let compose = alice.open("/").await.form("/statuses");
    let page = alice.submit(&compose.set("message", " ")).await;
    assert!(page.text("title").starts_with("Error: "), "{}", page.path);
    assert!(page.has("#message[aria-invalid][autofocus]"));
    let nowhere = visitor.get("/nowhere").await;
    assert!(nowhere.text("title").starts_with("Error: "));
    assert!(!visitor.open("/signup").await.has("[autofocus]"));
}
