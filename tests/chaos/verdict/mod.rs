//! The verdict, after everything runs again and no work is left: every page of every person is
//! compared with the history. Acknowledged writes are present once; unknown ones are applied
//! completely or not at all.

mod groups;
mod lists;
mod messages;
mod talk;

use std::collections::{BTreeMap, BTreeSet};

use reqwest::StatusCode;

use super::{
    crowd::Crowd,
    history::{Action, WriteState},
    pages::{author_of, learn},
};
use crate::support::{PASSWORD, Page, Person, waiting::eventually};
use groups::ShownGroup;
use lists::Shown;

/// Number of log-in attempts while the site asks to try again.
const LOG_INS: usize = 20;

/// Outcome of all writes.
#[derive(Default)]
pub struct Verdict {
    /// Number of acknowledged writes that were found as expected.
    pub found: usize,
    pub unknown_done: usize,
    pub unknown_not_done: usize,
}

/// Content of all pages of the site.
struct Found<'a> {
    crowd: &'a Crowd,
    members: BTreeMap<String, Person>,
    /// Ids and texts of each profile, newest first.
    profiles: BTreeMap<String, Vec<(u64, String)>>,
    /// Top-level statuses: those on the first view of a profile.
    alone: BTreeSet<u64>,
    following: BTreeMap<String, BTreeSet<String>>,
    lists: BTreeMap<String, Vec<Shown>>,
    groups: BTreeMap<String, ShownGroup>,
    /// Texts of all statuses that each person favourited.
    stars: BTreeMap<String, BTreeSet<String>>,
}

pub async fn reach(crowd: &Crowd) -> Verdict {
    let mut verdict = Verdict::default();
    let members = find_members(crowd, &mut verdict).await;
    let mut found = Found {
        crowd,
        members,
        profiles: BTreeMap::new(),
        alone: BTreeSet::new(),
        following: BTreeMap::new(),
        lists: BTreeMap::new(),
        groups: BTreeMap::new(),
        stars: BTreeMap::new(),
    };
    found.read().await;
    found.judge_posts(&mut verdict);
    found.judge_edges(&mut verdict);
    found.judge_lists(&mut verdict);
    found.judge_groups(&mut verdict);
    found.judge_counts().await;
    found.judge_homes().await;
    found.judge_permalinks().await;
    found.judge_replies_and_votes(&mut verdict).await;
    found.judge_messages(&mut verdict).await;
    verdict
}

/// Finds everyone who can log in and has a profile. No one has only one of the two.
async fn find_members(crowd: &Crowd, verdict: &mut Verdict) -> BTreeMap<String, Person> {
    let mut members = BTreeMap::new();
    let actions = crowd.history.borrow().actions();
    for (login, action) in actions
        .iter()
        .filter(|(_, action)| *action == Action::SignUp)
    {
        let mut person = crowd.visitor();
        let profile = person.get(&format!("/@{login}")).await.status;
        // On a cluster a busy replica may confirm too late. The answer then asks to try again.
        let mut answer = StatusCode::SERVICE_UNAVAILABLE;
        for _ in 0..LOG_INS {
            answer = person.send_log_in(login, PASSWORD).await.status;
            if answer != StatusCode::SERVICE_UNAVAILABLE {
                break;
            }
        }
        let is_member = match (profile, answer) {
            (StatusCode::OK, StatusCode::SEE_OTHER) => true,
            (StatusCode::NOT_FOUND, StatusCode::UNPROCESSABLE_ENTITY) => false,
            half => {
                crowd.fault(
                    &format!("{login} is half there: {half:?}"),
                    &[login, "SignUp"],
                );
                false
            }
        };
        verdict.judge(crowd, login, action, is_member);
        if is_member {
            login.clone_into(&mut person.login);
            members.insert(login.clone(), person);
        }
    }
    members
}

impl Verdict {
    /// Compares a state with the answers that its author received.
    fn judge(&mut self, crowd: &Crowd, who: &str, action: &Action, is_so: bool) {
        let write_state = crowd.history.borrow().write_state(who, action);
        match (write_state, is_so) {
            (WriteState::Done, true) => self.found += 1,
            (WriteState::Unknown, true) => self.unknown_done += 1,
            (WriteState::Unknown, false) => self.unknown_not_done += 1,
            (WriteState::NotDone, false) => {}
            (WriteState::Done, false) => {
                crowd.fault(
                    &format!("LOST: {who}'s {action:?} was acknowledged"),
                    &names(who, action),
                );
            }
            (WriteState::NotDone, true) => {
                crowd.fault(
                    &format!("{who}'s {action:?} was never received"),
                    &names(who, action),
                );
            }
        }
    }
}

fn names<'a>(who: &'a str, action: &'a Action) -> Vec<&'a str> {
    match action {
        Action::Post(text) | Action::Delete(text) | Action::Answer(text, _) => vec![text],
        Action::Favourite(text) | Action::Unfavourite(text) | Action::Vote(text) => vec![who, text],
        Action::Follow(other) | Action::Unfollow(other) => vec![who, other],
        Action::CreateList(list)
        | Action::DeleteList(list)
        | Action::MakeExclusive(list)
        | Action::MakeOpen(list) => {
            vec![list]
        }
        Action::AddMember(list, other) | Action::RemoveMember(list, other) => vec![list, other],
        Action::Message(_, text) | Action::DeleteMessage(_, text) => vec![text],
        Action::AcceptMessages(other) => vec![who, other],
        Action::FoundGroup(slug) | Action::JoinGroup(slug) | Action::LeaveGroup(slug) => {
            vec![who, slug]
        }
        Action::PostInGroup(_, text) => vec![text],
        Action::SignUp | Action::LogIn | Action::LogOut | Action::OfPair(_) => vec![who],
    }
}

impl Found<'_> {
    async fn read(&mut self) {
        for (login, person) in &self.members {
            let mut statuses = Vec::new();
            for page in person.pages(&format!("/@{login}/replies")).await {
                statuses.extend(learn(self.crowd, &page));
            }
            for page in person.pages(&format!("/@{login}")).await {
                self.alone.extend(page.status_ids());
            }
            let following = self.people(person, &format!("/@{login}/following")).await;
            self.profiles.insert(login.clone(), statuses);
            self.following.insert(login.clone(), following);
            let lists = self.lists_of(person).await;
            self.lists.insert(login.clone(), lists);
            let stars = self.favourites_of(person).await;
            self.stars.insert(login.clone(), stars);
        }
        if let Some(reader) = self.members.values().next() {
            self.groups = self.all_groups(reader).await;
        }
    }

    async fn people(&self, reader: &Person, path: &str) -> BTreeSet<String> {
        let pages = reader.pages(path).await;
        let listed: Vec<String> = pages
            .iter()
            .flat_map(|page| page.texts("main .person .p-nickname"))
            .collect();
        let each: BTreeSet<String> = listed.iter().cloned().collect();
        if each.len() != listed.len() {
            self.crowd
                .fault(&format!("{path} names a person twice: {listed:?}"), &[]);
        }
        each
    }

    fn judge_posts(&self, verdict: &mut Verdict) {
        let mut standing = BTreeSet::new();
        for (login, statuses) in &self.profiles {
            for (id, text) in statuses {
                if author_of(text) != login || !standing.insert(text.as_str()) {
                    let claim = format!("\"{text}\" ({id}) appears twice, or with {login}");
                    self.crowd.fault(&claim, &[text]);
                }
            }
        }
        for (id, text) in self.posts_in_groups() {
            if !standing.insert(text.as_str()) {
                let claim = format!("\"{text}\" ({id}) appears twice");
                self.crowd.fault(&claim, &[text]);
            }
        }
        for (who, action) in self.crowd.history.borrow().actions() {
            match &action {
                Action::Post(text) | Action::Answer(text, _) | Action::PostInGroup(_, text) => {
                    let deletion = Action::Delete(text.clone());
                    let deleted = self.crowd.history.borrow().write_state(&who, &deletion);
                    let is_present = standing.contains(text.as_str());
                    // The person who deleted it has seen it. The deletion is judged separately.
                    if deleted == WriteState::NotDone {
                        verdict.judge(self.crowd, &who, &action, is_present);
                    }
                }
                Action::Delete(text) => {
                    let gone = !standing.contains(text.as_str());
                    verdict.judge(self.crowd, &who, &action, gone);
                }
                _ => {}
            }
        }
    }

    fn judge_edges(&self, verdict: &mut Verdict) {
        for (from, following) in &self.following {
            for to in self.members.keys().filter(|to| *to != from) {
                let edge = self.crowd.history.borrow().edge(from, to);
                let is_present = following.contains(to);
                match (edge.may_hold, edge.may_not_hold) {
                    (true, true) if is_present => verdict.unknown_done += 1,
                    (true, true) => verdict.unknown_not_done += 1,
                    (may, _) if may == is_present => {
                        let ever = Action::Follow(to.clone());
                        let is_acknowledged = self.crowd.history.borrow().write_state(from, &ever)
                            == WriteState::Done;
                        verdict.found += usize::from(is_acknowledged);
                    }
                    _ => {
                        let claim = format!("LOST: {from} follows {to}: {is_present}, is {edge:?}");
                        self.crowd.fault(&claim, &[from, to]);
                    }
                }
            }
        }
    }

    /// Checks that the lists of followers mirror those of the followed, and that the counts equal
    /// their lengths.
    async fn judge_counts(&self) {
        for (login, person) in &self.members {
            let path = format!("/@{login}");
            let listed = self.people(person, &format!("{path}/followers")).await;
            let mirrored: BTreeSet<String> = self
                .following
                .iter()
                .filter(|(_, following)| following.contains(login))
                .map(|(from, _)| from.clone())
                .collect();
            if listed != mirrored {
                let claim = format!("followers of {login} are {listed:?}, not {mirrored:?}");
                self.crowd.fault(&claim, &[login, "ollow"]);
            }
            let page = served(person, &path).await;
            let count =
                |link: &str| digits(&page.text(&format!(".counts a[href=\"{path}{link}\"]")));
            let shown = [count(""), count("/followers"), count("/following")];
            let following = self.following.get(login).map_or(0, BTreeSet::len);
            let posts = self.profiles.get(login).map_or(0, Vec::len);
            let posts = posts + self.count_of_posts_in_groups(login);
            if shown != [posts, mirrored.len(), following] {
                let claim = format!(
                    "{login} has {posts}, {} and {following}, and shows {shown:?}",
                    mirrored.len()
                );
                self.crowd.fault(&claim, &[login]);
            }
        }
    }

    /// Checks that each home holds, to its last page, the owner's statuses and those of followed
    /// people, except people in exclusive lists.
    async fn judge_homes(&self) {
        for (login, person) in &self.members {
            let people_off_home = self.people_off_home(login);
            let mut due: Vec<u64> = self
                .profiles
                .iter()
                .filter(|(author, _)| !people_off_home.contains(author.as_str()))
                .filter(|(author, _)| *author == login || self.following[login].contains(*author))
                .flat_map(|(author, statuses)| statuses.iter().map(move |status| (author, status)))
                .filter(|(author, status)| {
                    *author == login || self.is_for(login, &self.following[login], status)
                })
                .map(|(_, (id, _))| *id)
                .collect();
            due.extend(self.group_posts_for(login));
            due.sort_unstable_by(|a, b| b.cmp(a));
            let shown = person.home_ids().await;
            if shown != due {
                let (due, shown) = (BTreeSet::from_iter(due), BTreeSet::from_iter(shown));
                let lacks: Vec<_> = due.difference(&shown).collect();
                let wrong: Vec<_> = shown.difference(&due).collect();
                let claim = format!("home of {login} lacks {lacks:?}, holds {wrong:?} wrongly");
                self.crowd.fault(&claim, &[login, "ollow"]);
            }
        }
    }

    /// Checks that a status has a page of its own exactly if it is on its author's profile.
    async fn judge_permalinks(&self) {
        let visitor = self.crowd.visitor();
        let ids = self.crowd.history.borrow().ids();
        for (text, id) in ids {
            let author = author_of(&text);
            let statuses = self.profiles.get(author);
            let is_present = statuses.is_some_and(|all| all.iter().any(|(other, _)| *other == id));
            let page = visitor.get(&format!("/@{author}/{id}")).await;
            let found = page.status == StatusCode::OK && page.messages().contains(&text);
            if found != is_present || !(found || page.status == StatusCode::NOT_FOUND) {
                let claim = format!(
                    "\"{text}\" is present: {is_present}; its page: {}",
                    page.status
                );
                self.crowd.fault(&claim, &[&text]);
            }
        }
    }
}

fn digits(text: &str) -> usize {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    digits.parse().expect("a number")
}

/// Returns a page, with retries while a busy site asks for them.
async fn served(person: &Person, path: &str) -> Page {
    let mut page = person.get(path).await;
    eventually("the page is served", async || {
        if page.status == StatusCode::SERVICE_UNAVAILABLE {
            page = person.get(path).await;
        }
        page.status == StatusCode::OK
    })
    .await;
    page
}
