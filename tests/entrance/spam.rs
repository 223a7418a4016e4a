//! An attack with many new accounts against the default settings: copies of one text with links and mass mentions,
//! messages to strangers, and follows that are taken back. It counts the posts and messages that reached people, and the
//! accounts that the site brought to its moderators.

use std::{env, net::Ipv4Addr, ops::AddAssign};

use futures_util::{StreamExt, stream};
use redwing::{
    domain::{IdempotencyKey, ReportName, ReportSubject, Reporter},
    store::Key,
};
use reqwest::StatusCode;

use crate::{
    administration::output_of,
    support::{Form, PASSWORD, Page, Person, Site, crowd, request::Request},
};

/// Accounts of the attack, and addresses that they come from. The full attack takes ten times as many of both:
/// `REDWING_SPAM=full`.
const ACCOUNTS: usize = 50;
const ADDRESSES: usize = 5;
const FULL_FACTOR: usize = 10;
/// Members that it is aimed at.
const MEMBERS: usize = 10;
/// Requests at the same time.
const AT_A_TIME: usize = 4;

/// The defaults of the settings that tests usually raise.
const DEFAULTS: [&str; 12] = [
    "--sign-ups-per-hour",
    "20",
    "--log-ins-per-quarter",
    "60",
    "--posts-per-hour",
    "300",
    "--messages-per-hour",
    "1200",
    "--follows-per-hour",
    "600",
    "--trusted-proxies",
    "127.0.0.0/8",
];

/// The copied text, and a copy that keeps the limits of new accounts.
const GREEDY: &str =
    "Win now! https://a.example https://b.example https://c.example @m_0 @m_1 @m_2 @m_3 @m_4";
const CAREFUL: &str = "Win now! https://a.example https://b.example @m_0 @m_1";

/// The numbers of an attack.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Toll {
    accounts: usize,
    posts: usize,
    links: usize,
    mentions: usize,
    messages: usize,
    follows: usize,
}

impl AddAssign for Toll {
    fn add_assign(&mut self, other: Self) {
        self.accounts += other.accounts;
        self.posts += other.posts;
        self.links += other.links;
        self.mentions += other.mentions;
        self.messages += other.messages;
        self.follows += other.follows;
    }
}

fn member(number: usize) -> String {
    format!("m_{}", number % MEMBERS)
}

/// A browser behind an address of the attack.
fn address(number: usize, addresses: usize) -> String {
    let address = u32::from(Ipv4Addr::new(198, 51, 100, 0)) + (number % addresses) as u32;
    Ipv4Addr::from(address).to_string()
}

async fn sign_up(site: &Site, number: usize, addresses: usize) -> Option<Person> {
    let person = Person::visitor(site);
    let login = format!("spam_{number}");
    let page = person.open("/signup").await;
    let form = page.find_form("/signup")?;
    let form = form.set("login", &login).set("name", &login);
    let form = form.set("password", PASSWORD);
    let request = Request::submit(&person, &form);
    let request = request.header("x-forwarded-for", &address(number, addresses));
    let answer = request.send().await;
    (answer.status == StatusCode::SEE_OTHER).then_some(person)
}

fn is_accepted(answer: &Page) -> bool {
    answer.status == StatusCode::SEE_OTHER
}

/// Sends a form of the account to another path, with a new idempotency key.
async fn send(person: &Person, form: &Form, path: &str, fields: &[(&str, &str)]) -> bool {
    let key = IdempotencyKey::draw();
    let form = form.to(path).set("idempotency_key", key.as_str());
    let form = fields
        .iter()
        .fold(form, |form, (name, value)| form.set_new(name, value));
    is_accepted(&person.submit(&form).await)
}

/// Attacks with one new account.
async fn attack(site: &Site, number: usize, addresses: usize) -> Toll {
    let Some(person) = sign_up(site, number, addresses).await else {
        return Toll::default();
    };
    let mut toll = Toll {
        accounts: 1,
        ..Toll::default()
    };
    let form = person.open("/messages/new").await.form("/messages/new");
    for (text, links, mentions) in [(GREEDY, 3, 5), (CAREFUL, 2, 2)] {
        if send(&person, &form, "/statuses", &[("message", text)]).await {
            toll.posts = 1;
            toll.links = links;
            toll.mentions = mentions;
            break;
        }
    }
    let victim = member(number);
    let fields = [("people", victim.as_str()), ("message", GREEDY)];
    toll.messages = usize::from(send(&person, &form, "/messages/new", &fields).await);
    for verb in ["follow", "unfollow"] {
        let path = format!("/@{victim}/{verb}");
        toll.follows += usize::from(send(&person, &form, &path, &[("next", "/")]).await);
    }
    toll
}

/// The shields of the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shields {
    /// The site reports nothing by itself.
    Off,
    Default,
    /// Links of new accounts wait, too.
    Waiting,
    /// A domain of the links is blocked, too.
    Blocked,
}

const SHIELDS: &str = "/admin/site/shields";

/// Sets the shields in the name of the first member, who owns the site.
async fn set_shields(site: &Site, owner: &Person, shields: Shields) {
    output_of(site, &["role", &owner.login, "owner"]);
    let form = owner.open(SHIELDS).await.form(SHIELDS);
    let form = match shields {
        Shields::Off => form.without("reports_spam"),
        Shields::Default => form,
        Shields::Waiting => form.choose("holds_links", "1"),
        Shields::Blocked => form.set("domains", "b.example"),
    };
    owner.submit_accepted(&form).await;
}

/// Returns the number of accounts in the queue of the moderators.
async fn reported(site: &Site) -> usize {
    let counts = site.store.member_counts(&[Key::AdminReports]).await;
    counts.expect("an answer")[0]
}

/// Attacks a site with these settings, and returns the numbers and the members.
async fn attack_site(settings: &[&str], shields: Shields) -> (Site, Vec<Person>, Toll) {
    let factor = match env::var("REDWING_SPAM").as_deref() {
        Ok("full") => FULL_FACTOR,
        _ => 1,
    };
    let (accounts, addresses) = (ACCOUNTS * factor, ADDRESSES * factor);
    let site = Site::with(&[&DEFAULTS[..], settings].concat()).await;
    let mut members = Vec::new();
    for number in 0..MEMBERS {
        members.push(super::member(&site, &member(number)).await);
    }
    set_shields(&site, &members[0], shields).await;
    let attacks = stream::iter(0..accounts).map(|number| attack(&site, number, addresses));
    let tolls: Vec<Toll> = attacks.buffer_unordered(AT_A_TIME).collect().await;
    let mut sum = Toll::default();
    tolls.into_iter().for_each(|toll| sum += toll);
    site.drain().await;
    let reported = reported(&site).await;
    println!("{settings:?}, {shields:?}: {sum:?}, {reported} reported");
    (site, members, sum)
}

/// Returns the numbers of the attack for each of so many accounts.
fn times(accounts: usize, each: Toll) -> Toll {
    Toll {
        accounts,
        posts: accounts * each.posts,
        links: accounts * each.links,
        mentions: accounts * each.mentions,
        messages: accounts * each.messages,
        follows: accounts * each.follows,
    }
}

/// Checks that the members found exactly the posts and messages of the attack.
async fn assert_reached(members: &[Person], toll: Toll) {
    let mut mentions = 0;
    for member in members {
        mentions += member.ids("/mentions").await.len();
        let page = member.open("/notifications").await;
        let follows = page.visible_text().matches("followed you").count();
        assert_eq!(follows, 0, "follows that were taken back");
    }
    assert_eq!(mentions, toll.mentions);
}

#[tokio::test]
async fn a_site_on_a_public_address_admits_no_account_of_an_attack() {
    let settings = ["--public-url", "https://redwing.example"];
    let settings = [&settings[..], &["--sign-up", "invitation"]].concat();
    let (_site, members, toll) = attack_site(&settings, Shields::Default).await;
    assert_eq!(toll, Toll::default());
    assert_reached(&members, toll).await;
}

#[tokio::test]
async fn the_limits_of_new_accounts_stop_messages_and_most_mentions_of_an_attack() {
    let without = Toll {
        accounts: 1,
        posts: 1,
        links: 3,
        mentions: 5,
        messages: 1,
        follows: 2,
    };
    let with = Toll {
        links: 2,
        mentions: 2,
        messages: 0,
        ..without
    };
    for (days, each) in [("0", without), ("7", with)] {
        let (site, members, toll) = attack_site(&["--new-account-days", days], Shields::Off).await;
        assert!(toll.accounts >= ACCOUNTS, "{toll:?}");
        assert_eq!(toll, times(toll.accounts, each), "{days} days");
        assert_reached(&members, toll).await;
        assert_eq!(reported(&site).await, 0);
    }
}

/// Returns the number of accounts with a report by the site about a copied text.
async fn reported_copies(site: &Site, accounts: usize) -> usize {
    let mut count = 0;
    for number in 0..accounts {
        let account = crowd::uid(&site.store, &format!("spam_{number}")).await;
        let case = site.store.case(account).await.expect("a case");
        let is_copy = |name: &ReportName| {
            name.reporter == Reporter::Shield && matches!(name.subject, ReportSubject::Post(_))
        };
        count += usize::from(case.reports.iter().any(|one| is_copy(&one.name)));
    }
    count
}

/// With the default shields, the same posts reach the same people, and the moderators have each account in their queue.
/// If links wait or their domain is blocked, no post reaches anybody.
#[tokio::test]
async fn the_shields_report_each_account_of_an_attack_and_can_keep_its_posts_back() {
    for (shields, posted, reached) in [
        (Shields::Default, 1, 2),
        (Shields::Waiting, 1, 0),
        (Shields::Blocked, 0, 0),
    ] {
        let settings = ["--new-account-days", "7"];
        let (site, members, toll) = attack_site(&settings, shields).await;
        assert!(toll.accounts >= ACCOUNTS, "{toll:?}");
        assert_eq!((toll.posts, toll.messages), (posted * toll.accounts, 0));
        let copies = reported_copies(&site, toll.accounts).await;
        assert_eq!(copies, toll.posts, "{shields:?}");
        assert_eq!(reported(&site).await, toll.accounts, "{shields:?}");
        let mentions = toll.accounts * reached;
        assert_reached(&members, Toll { mentions, ..toll }).await;
        let everybody = Person::visitor(&site).ids("/everybody").await;
        assert_eq!(everybody.is_empty(), reached == 0, "{shields:?}");
        site.assert_sound().await;
    }
}

/// The bursts of one account, and of one address.
#[tokio::test]
async fn one_account_and_one_address_have_bursts() {
    for (days, posts, follows) in [("0", 25, 50), ("7", 20, 20)] {
        let site = Site::with(&[&DEFAULTS[..], &["--new-account-days", days]].concat()).await;
        super::member(&site, "m_0").await;
        let mut accounts = Vec::new();
        for number in 0..21 {
            accounts.extend(sign_up(&site, number, 1).await);
        }
        assert_eq!(accounts.len(), 20, "sign-ups of one address");
        let person = &accounts[0];
        let form = person.open("/messages/new").await.form("/messages/new");
        let mut accepted = [0, 0];
        for number in 0..60 {
            let text = format!("copy {number}");
            let fields = [("message", text.as_str())];
            accepted[0] += usize::from(send(person, &form, "/statuses", &fields).await);
            let verb = ["follow", "unfollow"][number % 2];
            let path = format!("/@m_0/{verb}");
            accepted[1] += usize::from(send(person, &form, &path, &[("next", "/")]).await);
        }
        println!("{days} days: {accepted:?} posts and follows of 60");
        for (accepted, burst) in accepted.into_iter().zip([posts, follows]) {
            // The bucket refills while the requests are sent.
            assert!((burst..burst + 8).contains(&accepted), "{accepted} {burst}");
        }
    }
}
