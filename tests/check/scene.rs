//! A small consistent site, all that its users can see, and breakages written without the store.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{SystemTime, UNIX_EPOCH},
};

use redwing::{
    actions::{
        homes, importance,
        lists::{self, Add, Create},
        messages::{self, NewMessage},
        pinned_posts, polls, statuses,
    },
    audit::{self, Repair, Report, Scope},
    domain::{
        AuthorPreference, Ballot, ChatId, ChatText, Collection, FoldedTag, GroupId, GroupKind,
        IdempotencyKey, ListId, ListName, MessageExpiry, NotificationFilter, NotificationKind,
        PinnedPosts, ProfileView, Query, StatusId, Tally, UserId,
    },
    store::{
        Branch, Cast, ChatChange, DATA_VERSION, PeopleOf, PinOutcome, PreferenceOutcome, ReadMode,
        Store, User, Viewer, VisibleStatus,
    },
};

use crate::support::{
    core::Core,
    crowd::{
        bookmark, delete, edit, favourite, follow, follow_tag, member, post, post_poll, quote,
        reply, repost, tag_named,
    },
    groups,
};

/// Alice and carol follow bob, and bob follows alice. Alice and bob have posted, and bob has deleted one status. Alice
/// has a list with carol and bob. Bob has an exclusive list with carol. Alice replied to the living status twice. She
/// deleted the second reply after a reply to that one as well. Carol and alice follow a tag of one of alice's posts,
/// which mentions carol. Alice and carol favourited the living status, alice favourited the deleted one, and bob has a
/// bookmark. Bob has edited the living one. Bob and carol have voted in alice's poll. Alice wants to see more of bob,
/// and has written him a message. Bob has pinned the living status. Alice has reposted the living status, and carol has
/// quoted it. Bob is a member of a group of alice, who has posted there.
pub struct Scene {
    pub core: Core,
    pub alice: UserId,
    pub bob: UserId,
    pub carol: UserId,
    /// By bob, living.
    pub living: StatusId,
    /// By bob, deleted.
    pub deleted: StatusId,
    /// By alice, with a poll.
    pub others: StatusId,
    /// Repost of the living status by alice, and quote of it by carol.
    pub repost: StatusId,
    pub quote: StatusId,
    /// Alice's reply to the living status, a deleted reply, and the reply to that one.
    pub reply: StatusId,
    pub gap: StatusId,
    pub below: StatusId,
    /// By alice. Carol receives it by its tag and is mentioned in it.
    pub tagged: StatusId,
    pub list: ListId,
    pub group: GroupId,
    /// By alice, in the group.
    pub grouped: StatusId,
}

/// Creates an exclusive list with one member.
async fn exclusive_list(store: &Store, owner: UserId, member: UserId) -> ListId {
    let name = ListName::parse("Apart").expect("valid");
    let made = lists::create(store, owner, &name, &IdempotencyKey::draw()).await;
    let Ok(Create::Created(list)) = made else {
        panic!("{made:?}");
    };
    homes::list_page(store, list, None)
        .await
        .expect("an answer");
    lists::edit(store, list.owner, list.number, &name, true)
        .await
        .expect("an answer");
    lists::add(store, list.owner, list.number, member)
        .await
        .expect("an answer");
    list
}

/// Everything that users see of each other, except the times of edges.
#[derive(Debug, PartialEq)]
pub struct UserViews(Vec<UserView>);

#[derive(Debug, PartialEq)]
struct UserView {
    login: Option<String>,
    counts: Option<[u64; 3]>,
    pinned: Option<PinnedPosts>,
    profile: Vec<(StatusId, String)>,
    home: Vec<(StatusId, String)>,
    /// Number of new statuses on home, as far as known.
    new: u64,
    following: BTreeSet<UserId>,
    followers: BTreeSet<UserId>,
    suggested: [BTreeSet<UserId>; 2],
    lists: Vec<ListView>,
    kept: [BTreeSet<StatusId>; 2],
    tags: Vec<FoldedTag>,
    mentions: Vec<(StatusId, String)>,
    /// Statuses with the tag of the scene.
    tagged: Vec<(StatusId, String)>,
    author_preferences: BTreeMap<String, String>,
    /// Notifications of the user, with their actors.
    notifications: BTreeSet<(NotificationKind, UserId)>,
    /// Favourite count of each of the user's statuses, and the people who favourited it.
    favourites: Vec<(u64, BTreeSet<UserId>)>,
    polls: Vec<Tally>,
    /// The user's profile without replies, and the reply count of each status.
    posts: Vec<(StatusId, String)>,
    replies: Vec<u64>,
    /// Statuses below each of the user's statuses, with their depth.
    conversations: Vec<Vec<(usize, StatusId, Option<String>)>>,
    /// Search results for the user's posts, and people found by login.
    found: (Vec<(StatusId, String)>, BTreeSet<UserId>),
}

#[derive(Debug, PartialEq)]
struct ListView {
    name: String,
    exclusive: bool,
    members: BTreeSet<UserId>,
    timeline: Vec<(StatusId, String)>,
}

/// Writes a message that disappears. The other person does not read it.
async fn write_with_expiry(store: &Store, from: UserId, to: UserId) {
    let chat = ChatId::of(&[from, to]);
    let week = MessageExpiry::parse("7").expect("a time");
    let changed = messages::change_chat(store, from, chat, ChatChange::Expiry(week)).await;
    assert_eq!(
        changed.expect("an answer"),
        messages::ChangeChatOutcome::Done
    );
    let message = NewMessage {
        text: &ChatText::parse("gone in a week").expect("valid"),
        key: &IdempotencyKey::draw(),
    };
    messages::write(store, from, chat, message)
        .await
        .expect("an answer");
}

impl Scene {
    pub async fn set(settings: &[&str]) -> Self {
        let settings: Vec<&str> = settings
            .iter()
            .chain(&["--group-age-days", "0"])
            .copied()
            .collect();
        let core = Core::with(&settings);
        let store = &core.store;
        let prepared = store.prepare_data(DATA_VERSION).await;
        prepared.expect("an empty database");
        let alice = member(store, "alice").await;
        let bob = member(store, "bob").await;
        let carol = member(store, "carol").await;
        for (from, to) in [(alice, bob), (carol, bob), (bob, alice)] {
            follow(store, from, to).await;
        }
        let others = post_poll(store, alice, &["Tea", "Coffee"]).await;
        for (voter, option) in [(bob, 0), (carol, 1)] {
            let ballot = Ballot::of(&[option]).expect("a ballot");
            let cast = polls::vote(store, voter, others, ballot).await;
            assert_eq!(cast.expect("an answer"), Cast::Counted);
        }
        let deleted = post(store, bob, "to be deleted").await;
        let living = post(store, bob, "one of bbo").await;
        edit(store, bob, living, "one of bob").await;
        post(store, bob, "another of bob").await;
        let reply_id = reply(store, alice, living, "an answer").await;
        let gap = reply(store, alice, living, "not for long").await;
        let below = reply(store, alice, gap, "to that").await;
        delete(store, alice, gap).await;
        for who in [carol, alice] {
            follow_tag(store, who, "birds").await;
        }
        let tagged = post(store, alice, "two of alice, @carol: #birds").await;
        for (by, id) in [(alice, deleted), (alice, living), (carol, living)] {
            favourite(store, by, id).await;
        }
        bookmark(store, bob, others).await;
        let with_preference =
            importance::set_author_preference(store, alice, bob, AuthorPreference::More).await;
        assert_eq!(with_preference.expect("an answer"), PreferenceOutcome::Set);
        let repost = repost(store, alice, living).await;
        let quote = quote(store, carol, living, "indeed").await;
        statuses::delete(store, bob, deleted)
            .await
            .expect("an answer");
        let pinned = pinned_posts::pin(store, bob, living).await;
        assert_eq!(pinned.expect("an answer"), PinOutcome::Done);
        let list = exclusive_list(store, alice, carol).await;
        let added = lists::add(store, list.owner, list.number, bob)
            .await
            .expect("an answer");
        assert_eq!(added, Add::Done);
        let name = ListName::parse("On home too").expect("valid");
        lists::edit(store, list.owner, list.number, &name, false)
            .await
            .expect("an answer");
        exclusive_list(store, bob, carol).await;
        let message = NewMessage {
            text: &ChatText::parse("hello").expect("valid"),
            key: &IdempotencyKey::draw(),
        };
        messages::write_to(store, alice, &[bob], message)
            .await
            .expect("an answer");
        write_with_expiry(store, alice, bob).await;
        let group = groups::draft("birders", GroupKind::Public);
        let group = groups::found(store, alice, &group).await;
        groups::join(store, group, bob).await;
        let grouped = groups::post(store, group, alice, "three of alice").await;
        core.drain().await;
        Self {
            core,
            alice,
            bob,
            carol,
            living,
            deleted,
            others,
            repost,
            quote,
            reply: reply_id,
            gap,
            below,
            tagged,
            list,
            group,
            grouped,
        }
    }

    /// Replaces placeholders in commands by the ids of the scene.
    pub fn filled(&self, words: &str) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let today = now.expect("after 1970").as_secs() / 86_400;
        words
            .replace("TODAY", &today.to_string())
            .replace("@ALICE", "@alice (user ALICE)")
            .replace("@BOB", "@bob (user BOB)")
            .replace("@CAROL", "@carol (user CAROL)")
            .replace("#LIVING", "status LIVING by @bob")
            .replace("#OTHERS", "status OTHERS by @alice")
            .replace("#REPLY", "status REPLY by @alice")
            .replace("#BELOW", "status BELOW by @alice")
            .replace("#TAGGED", "status TAGGED by @alice")
            .replace("#REPOST", "status REPOST by @alice")
            .replace("#QUOTE", "status QUOTE by @carol")
            .replace("#INCIRCLE", "status INCIRCLE by @alice")
            .replace("INCIRCLE", &self.grouped.to_string())
            .replace("CIRCLE", &self.group.to_string())
            .replace("%LIST", "list LIST \"On home too\" of @alice")
            .replace("CHAT", &ChatId::of(&[self.alice, self.bob]).to_string())
            .replace("ALICE", &self.alice.to_string())
            .replace("BOB", &self.bob.to_string())
            .replace("CAROL", &self.carol.to_string())
            .replace("LIVING", &self.living.to_string())
            .replace("DELETED", &self.deleted.to_string())
            .replace("REPLY", &self.reply.to_string())
            .replace("GAP", &self.gap.to_string())
            .replace("BELOW", &self.below.to_string())
            .replace("TAGGED", &self.tagged.to_string())
            .replace("OTHERS", &self.others.to_string())
            .replace("REPOST", &self.repost.to_string())
            .replace("QUOTE", &self.quote.to_string())
            .replace("LIST", &self.list.number.to_string())
    }

    /// Sends commands past the store, one per line. A blank in a word is `\x20`, in quotes.
    pub fn damage(&self, lines: &str) {
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let line = self.filled(line);
            let words: Vec<&str> = line.split(' ').collect();
            self.core.redis.command(&words);
        }
    }

    pub async fn check(&self) -> Report {
        audit::run(&self.core.store).await.expect("an answer")
    }

    pub async fn repair(&self) -> Report {
        self.repair_with(Repair::Yes).await
    }

    pub async fn repair_with(&self, repair: Repair) -> Report {
        audit::perform(&self.core.store, Scope::Everything, repair)
            .await
            .expect("an answer")
    }

    /// Every user posts and sees the post at the top of their profile and home; bob follows one
    /// more person.
    pub async fn continue_using_site(&self) {
        let store = &self.core.store;
        for id in [self.alice, self.bob, self.carol] {
            let text = format!("{id} goes on");
            let posted = post(store, id, &text).await;
            let profile = store
                .profile_page(Viewer::Anonymous, id, ProfileView::PostsAndReplies, None)
                .await;
            let profile = profile.expect("an answer").items;
            let first = profile.first().expect("the post");
            assert_eq!((first.id(), first.message()), (posted, text.as_str()));
            let home = homes::home_page(store, id, None, ReadMode::Visit)
                .await
                .expect("an answer");
            let shown = texts(home.page.items);
            assert!(shown.contains(&(posted, text)), "{posted}: {shown:?}");
        }
        follow(store, self.bob, self.carol).await;
        self.core.drain().await;
    }

    pub async fn user_views(&self) -> UserViews {
        let mut user_views = Vec::new();
        for id in [self.alice, self.bob, self.carol] {
            user_views.push(self.user_view(id).await);
        }
        UserViews(user_views)
    }

    async fn user_view(&self, id: UserId) -> UserView {
        let store = &self.core.store;
        let anybody = Viewer::Anonymous;
        let profile = store
            .profile_page(anybody, id, ProfileView::PostsAndReplies, None)
            .await;
        let home = homes::home_page(store, id, None, ReadMode::Visit)
            .await
            .expect("an answer");
        let following = store
            .people_page(anybody, PeopleOf::Followed(id), None)
            .await;
        let followers = store
            .people_page(anybody, PeopleOf::Followers(id), None)
            .await;
        let suggestions = store.suggestions(id).await.expect("an answer");
        let user: Option<User> = store.user(id).await.expect("an answer");
        let ids = |people: Vec<redwing::store::Person>| {
            people.iter().map(|person| person.user.id).collect()
        };
        let mut lists = Vec::new();
        for list in store.lists(id).await.expect("an answer") {
            let page = homes::list_page(store, list.id, None).await;
            let members = store.members(list.id).await.expect("an answer");
            lists.push(ListView {
                name: list.name,
                exclusive: list.exclusive,
                members: members.into_iter().collect(),
                timeline: texts(page.expect("an answer").items),
            });
        }
        let profile = profile.expect("an answer").items;
        let tally = |status: &VisibleStatus| status.poll().map(|(_, tally)| tally.clone());
        let polls = profile.iter().filter_map(tally).collect();
        let posts = store
            .profile_page(anybody, id, ProfileView::Posts, None)
            .await;
        let (mut favourites, mut conversations) = (Vec::new(), Vec::new());
        for status in &profile {
            let about = store.conversation(anybody, status, None).await;
            let mut turns = Vec::new();
            list_turns(&about.expect("an answer").replies, 0, &mut turns);
            conversations.push(turns);
            let who = store
                .people_page(anybody, PeopleOf::Favourites(status.id()), None)
                .await;
            favourites.push((status.favourite_count(), ids(who.expect("an answer").items)));
        }
        let tag_follows = store.tag_follows(id).await.expect("an answer");
        let mentions = store.mentions_page(id, None).await.expect("an answer");
        let birds = store.tag_page(anybody, &tag_named("birds"), None).await;
        let author_preferences = store.preference_rows(id).await.expect("an answer");
        UserView {
            tags: tag_follows.tags().to_vec(),
            mentions: texts(mentions.items),
            tagged: texts(birds.expect("an answer").items),
            lists,
            kept: [
                self.saved(id, Collection::Favourites).await,
                self.saved(id, Collection::Bookmarks).await,
            ],
            notifications: self.notifications(id).await,
            favourites,
            polls,
            posts: texts(posts.expect("an answer").items),
            replies: profile.iter().map(VisibleStatus::reply_count).collect(),
            conversations,
            author_preferences: author_preferences.into_iter().collect(),
            found: self.found(user.as_ref()).await,
            login: user.as_ref().map(|user| user.login.to_string()),
            pinned: user.as_ref().map(|user| user.pinned.clone()),
            counts: user.map(|user| [user.posts, user.followers, user.following]),
            profile: texts(profile),
            new: home.new_posts.map_or(0, |news| news.count),
            home: texts(home.page.items),
            following: ids(following.expect("an answer").items),
            followers: ids(followers.expect("an answer").items),
            suggested: [ids(suggestions.newest), ids(suggestions.most_followed)],
        }
    }

    async fn notifications(&self, id: UserId) -> BTreeSet<(NotificationKind, UserId)> {
        let store = &self.core.store;
        let all = (NotificationFilter::All, None);
        let page = store.notifications_page(id, all, ReadMode::Prefetch).await;
        let lines = page.expect("an answer").items.into_iter();
        let notifications = lines.flat_map(|line| {
            let kind = line.kind;
            line.people.into_iter().map(move |by| (kind, by.id))
        });
        notifications.collect()
    }

    async fn found(&self, user: Option<&User>) -> (Vec<(StatusId, String)>, BTreeSet<UserId>) {
        let login = user.map_or("nobody", |user| user.login.as_str());
        let store = &self.core.store;
        let query = Query::parse(&format!("of {login}"));
        let posts = store.search(Viewer::Anonymous, &query, None).await;
        let people = store
            .people_named(Viewer::Anonymous, &[login.to_owned()])
            .await;
        let people = people.expect("an answer");
        let ids = people.iter().map(|person| person.user.id).collect();
        (texts(posts.expect("an answer").items), ids)
    }

    async fn saved(&self, id: UserId, collection: Collection) -> BTreeSet<StatusId> {
        let page = self.core.store.collection_page(id, collection, None).await;
        let items = page.expect("an answer").items;
        items.iter().map(VisibleStatus::id).collect()
    }
}

fn list_turns(
    branches: &[Branch],
    depth: usize,
    into: &mut Vec<(usize, StatusId, Option<String>)>,
) {
    for Branch { turn, below, .. } in branches {
        let status = turn.status.as_ref();
        let text = status.map(|status| status.message().to_owned());
        into.push((depth, turn.id, text));
        list_turns(below, depth + 1, into);
    }
}

fn texts(statuses: Vec<VisibleStatus>) -> Vec<(StatusId, String)> {
    let texts = statuses
        .iter()
        .map(|status| (status.id(), status.message().to_owned()));
    texts.collect()
}
