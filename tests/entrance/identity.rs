//! What the owner chooses for the look of a site, and for its visitors.

use reqwest::StatusCode;

use crate::support::{Page, Person, Site};

const FORM: &str = "/admin/site";

async fn owner_of(site: &Site) -> Person {
    let alice = Person::sign_up(site, "alice").await;
    crate::administration::output_of(site, &["role", "alice", "owner"]);
    alice
}

fn stylesheets(page: &Page) -> Vec<String> {
    page.attributes("link[rel=stylesheet]", "href")
}

fn icon(page: &Page) -> String {
    page.attributes("link[rel=icon]", "href").concat()
}

#[tokio::test]
async fn the_hue_of_the_owner_colours_every_page_and_the_mark() {
    let site = Site::start().await;
    let alice = owner_of(&site).await;
    let visitor = Person::visitor(&site);
    let before = visitor.open("/").await;
    assert_eq!(stylesheets(&before).len(), 1);
    assert!(icon(&before).starts_with("/static/icon."));
    let form = alice.open(FORM).await.form(FORM);
    assert_eq!(form.value("hue"), "31");
    let form = form.set("site_name", "Garden & <Club>");
    alice.submit_accepted(&form.set("hue", "200")).await;
    for page in [visitor.open("/").await, alice.open("/settings").await] {
        let [_, hue] = stylesheets(&page).try_into().expect("two style sheets");
        assert!(hue.starts_with("/static/hue-200."), "{hue}");
        let sheet = visitor.get(&hue).await;
        assert_eq!(
            sheet.header("content-type"),
            Some("text/css; charset=utf-8")
        );
        assert!(sheet.html.contains("--accent-fill:light-dark(#"));
        let mark = visitor.get(&icon(&page)).await;
        assert_eq!(mark.header("content-type"), Some("image/svg+xml"));
        let kept = mark.header("cache-control").expect("a header");
        assert!(kept.contains("immutable"));
        assert!(mark.html.contains(">G&#60;</text>"), "{}", mark.html);
        let other = hue.replace("200", "360");
        assert_eq!(visitor.get(&other).await.status, StatusCode::NOT_FOUND);
        let older = hue.replace(".css", "0.css");
        assert_eq!(visitor.get(&older).await.status, StatusCode::NOT_FOUND);
    }
    let form = alice.open(FORM).await.form(FORM);
    assert_eq!(form.value("hue"), "200");
    site.assert_sound().await;
}

#[tokio::test]
async fn visitors_see_the_newest_posts_unless_the_owner_shows_them_to_members_only() {
    let site = Site::start().await;
    let alice = owner_of(&site).await;
    let visitor = Person::visitor(&site);
    let id = alice.post("for everybody").await;
    site.drain().await;
    assert_eq!(visitor.open("/everybody").await.status_ids(), [id]);
    assert_eq!(visitor.open("/").await.status_ids(), [id]);
    let form = alice.open(FORM).await.form(FORM);
    alice
        .submit_accepted(&form.set_new("hides_everybody", "1"))
        .await;
    let refused = visitor.get("/everybody?before=9").await;
    assert_eq!(refused.status, StatusCode::SEE_OTHER);
    let log_in = "/login?next=%2Feverybody%3Fbefore%3D9";
    assert_eq!(refused.location(), log_in);
    assert!(visitor.open("/").await.status_ids().is_empty());
    assert_eq!(alice.open("/everybody").await.status_ids(), [id]);
    let form = alice.open(FORM).await.form(FORM);
    alice
        .submit_accepted(&form.without("hides_everybody"))
        .await;
    assert_eq!(visitor.open("/everybody").await.status_ids(), [id]);
}
