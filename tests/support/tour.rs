//! Every kind of page of the site, with content: for claims that hold on all of them.

use redwing::domain::{StatusId, UserId};

use super::{Page, Person, Site, crowd};

/// Texts that would do harm if a page treated them as markup.
pub const HOSTILE: &str = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>{{7*7}} & https://example.org/\"onmouseover=alert(1)";

/// Hostile display name: at most 50 characters, one line.
pub const HOSTILE_NAME: &str = "<script>alert(2)</script>\"'><b onclick=x>";

/// Site with people, posts and edges, and its logged-in user.
pub struct Tour {
    pub site: Site,
    pub alice: Person,
    pub visitor: Person,
    pub status: u64,
    /// Alice's poll with a warning and replies, which she has edited.
    pub asked: u64,
    /// Deleted reply with replies below it.
    pub gap: StatusId,
}

/// Posts a poll with a warning and edits it. Returns its id.
async fn post_poll(alice: &Person) -> u64 {
    let form = alice.open("/").await.form("/statuses");
    let form = form.set("message", &format!("{HOSTILE} #birds"));
    let form = form.set("option_1", HOSTILE_NAME).set("option_2", "Other");
    alice
        .submit_accepted(&form.set("warning", HOSTILE_NAME))
        .await;
    let id = alice.open("/@alice").await.status_ids()[0];
    let edit = format!("/statuses/{id}/edit");
    let form = alice.open(&edit).await.form(&edit);
    let text = format!("{HOSTILE} #birds, once more");
    alice.submit_accepted(&form.set("message", &text)).await;
    id
}

/// Creates a conversation with many replies, one of them deleted. Returns the deleted one.
async fn create_conversation(site: &Site, alice: UserId, asked: StatusId) -> StatusId {
    let store = &site.store;
    let carol = crowd::member(store, "carol").await;
    let gap = crowd::reply(store, carol, asked, "soon gone").await;
    let below = crowd::reply(store, alice, gap, HOSTILE).await;
    let mut last = below;
    for number in 0..24 {
        crowd::reply(store, carol, asked, &format!("@alice, {number} #birds")).await;
        last = crowd::reply(store, carol, last, "and then?").await;
    }
    crowd::delete(store, carol, gap).await;
    gap
}

impl Tour {
    pub async fn start() -> Self {
        Self::on(Site::start().await).await
    }

    pub async fn on(site: Site) -> Self {
        let alice = Person::sign_up(&site, "alice").await;
        let settings = alice.open("/settings").await.form("/settings/profile");
        alice
            .submit_accepted(&settings.set("name", HOSTILE_NAME).set("bio", HOSTILE))
            .await;
        let status = alice.post(HOSTILE).await;
        let (uid, bob) = (
            crowd::uid(&site.store, "alice").await,
            crowd::member(&site.store, "bob").await,
        );
        crowd::follow(&site.store, bob, uid).await;
        crowd::follow(&site.store, uid, bob).await;
        crowd::posts(&site.store, bob, 40).await;
        let id = StatusId::new(status).expect("an id");
        crowd::favourite(&site.store, bob, id).await;
        let form = alice.open("/lists").await.form("/lists");
        alice.submit_accepted(&form.set("name", HOSTILE_NAME)).await;
        let form = alice.open("/@bob").await.form("/lists/1/members");
        alice.submit_accepted(&form).await;
        alice.press("/@alice", "favourite", status).await;
        alice.press("/@alice", "bookmark", status).await;
        alice.press("/@alice", "repost", status).await;
        let quote = format!("/statuses/{status}/quote");
        let form = alice.open(&quote).await.form(&quote);
        alice.submit_accepted(&form.set("message", HOSTILE)).await;
        let form = alice.open("/groups/new").await.form("/groups/new");
        let form = form.set("name", HOSTILE_NAME).set("slug", "birders");
        let form = form.set("description", HOSTILE).set("rules", HOSTILE);
        alice.submit_accepted(&form).await;
        crowd::show_favourites(&site.store, uid, true).await;
        let asked = post_poll(&alice).await;
        alice.press("/@alice", "pin", asked).await;
        let gap = create_conversation(&site, uid, StatusId::new(asked).expect("an id")).await;
        site.drain().await;
        let visitor = Person::visitor(&site);
        Self {
            site,
            alice,
            visitor,
            status,
            asked,
            gap,
        }
    }

    /// Returns pages that contain alice's text.
    pub async fn pages_with_alices_text(&self) -> Vec<Page> {
        let mut pages = Vec::new();
        let (status, asked, gap) = (self.status, self.asked, self.gap);
        for path in [
            "/@alice",
            &format!("/@alice/{status}"),
            "/@bob/followers",
            "/@bob/following",
            &format!("/@alice/{status}/favourites"),
            &format!("/@alice/{status}/reposts"),
            "/search?q=alice",
            "/search?q=alert",
            "/@alice/replies",
            "/@alice/favourites",
            &format!("/@alice/{asked}"),
            &format!("/@alice/{asked}/versions"),
            &format!("/statuses/{gap}"),
            "/tags/birds",
        ] {
            pages.push(self.alice.open(path).await);
            pages.push(self.visitor.open(path).await);
        }
        for path in [
            "/settings",
            "/settings/sessions",
            "/settings/recovery",
            "/settings/invitations",
            "/settings/messages",
            "/settings/display",
            "/messages",
            "/messages/requests",
            "/messages/new?to=bob",
            "/settings/blocked",
            "/settings/muted",
            "/settings/files",
            "/settings/muted-words",
            "/settings/muted-conversations",
            "/settings/privacy",
            "/settings/requests",
            "/settings/followers",
            "/important",
            "/favourites",
            "/bookmarks",
            "/notifications",
            "/notifications?show=mentions",
            "/lists",
            "/lists/1",
            "/lists/1/members",
            "/lists/1/edit",
            "/lists/1/delete",
            "/groups",
            "/groups/mine",
            "/groups/birders",
            "/groups/birders/members",
            "/groups/birders/members/alice",
            "/groups/birders/requests",
            "/groups/birders/invitations",
            "/groups/birders/bans",
            "/groups/birders/log",
            "/groups/birders/settings",
            "/groups/birders/leave",
            "/groups/birders/delete",
            "/@bob",
            &format!("/statuses/{status}/delete"),
            &format!("/statuses/{status}/quote"),
            &format!("/statuses/{status}/reply-control"),
            &format!("/statuses/{status}/menu"),
            &format!("/statuses/{asked}/edit"),
        ] {
            pages.push(self.alice.get(path).await);
        }
        pages.extend(self.alice.pages("/").await);
        pages.extend(self.pages_with_returned_forms().await);
        pages
    }

    /// Returns forms that the site gave back with their typed values.
    async fn pages_with_returned_forms(&self) -> Vec<Page> {
        let home = self.alice.open("/").await.form("/statuses");
        let settings = self.alice.open("/settings").await.form("/settings/profile");
        let (login, sign_up) = (
            self.visitor.open("/login").await,
            self.visitor.open("/signup").await,
        );
        let new_list = self.alice.open("/lists").await.form("/lists");
        let edit = self.alice.open("/lists/1/edit").await;
        let members = self.alice.open("/lists/1/members").await;
        vec![
            self.alice
                .submit(&new_list.set("name", &HOSTILE.repeat(10)))
                .await,
            self.alice
                .submit(&edit.form("/lists/1/edit").set("name", &HOSTILE.repeat(10)))
                .await,
            self.alice
                .submit(&members.form("/lists/1/members").set("login", HOSTILE))
                .await,
            self.alice
                .submit(&home.set("message", &HOSTILE.repeat(10)))
                .await,
            self.alice
                .submit(&settings.set("name", HOSTILE).set("bio", &HOSTILE.repeat(5)))
                .await,
            self.visitor
                .submit(
                    &login
                        .form("/login")
                        .set("login", HOSTILE)
                        .set("password", HOSTILE),
                )
                .await,
            self.visitor
                .submit(
                    &sign_up
                        .form("/signup")
                        .set("login", HOSTILE)
                        .set("name", HOSTILE)
                        .set("password", HOSTILE),
                )
                .await,
        ]
    }

    /// Returns one page of each kind, error pages included.
    pub async fn every_page(&self) -> Vec<Page> {
        let mut pages = self.pages_with_alices_text().await;
        for path in [
            "/",
            "/login",
            "/login/recover",
            "/login/reset/1-0000000000000000",
            "/signup",
            "/help/importance",
            "/help/posting",
            "/help/leaving",
            "/rules",
            "/help/messages",
            "/help/groups",
            "/groups/new",
            "/groups/notices",
            "/settings/leave",
            "/settings/login",
            "/settings/device",
            "/settings/device/confirm",
            "/settings/export",
            "/login/device/1-0000000000000000",
            "/nowhere",
            "/logout",
            "/@bob?before=1",
            "/search",
            "/tags",
            "/mentions",
            "/compose",
            "/@bob/report",
            "/groups/birders/report",
            "/admin/people/bob/invited",
            "/settings/reports",
            "/account/decisions",
            "/admin/reports",
            "/admin/approvals",
        ] {
            pages.push(self.visitor.get(path).await);
            pages.push(self.alice.get(path).await);
        }
        let form = self
            .alice
            .open("/")
            .await
            .form("/statuses")
            .set("csrf_token", "forged");
        pages.push(self.alice.submit(&form).await);
        pages.retain(|page| !page.status.is_redirection());
        pages
    }
}
