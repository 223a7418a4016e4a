//! Views of the site, compared with the model.

use redwing::{
    actions::homes,
    domain::{Cursor, ListId, PAGE_SIZE, Page, ProfileView, StatusId, Timeline, UserId},
    store::{Mark, NewPosts, Oldest, ReadMode, Viewer, VisibleStatus},
};

use super::{
    game::Game,
    seen_statuses::Known,
    steps::{Place, TAGS},
};
use crate::support::crowd::{read_all, tag_named, timeline};

/// Maximum number of seen ranges stored for a reader. Beyond it, the oldest gap is dropped.
const MOST_RANGES: usize = 24;

impl Game<'_> {
    /// Compares every timeline and every count, after all passes are done.
    pub async fn compare(&mut self) {
        let store = self.store();
        for who in self.who.clone() {
            let lists = self.model.lists.keys().filter(|list| list.owner == who);
            let lists: Vec<ListId> = lists.copied().collect();
            let shown = store.lists(who).await.expect("an answer");
            assert_eq!(shown.len(), lists.len(), "lists of {who}");
            for list in &shown {
                let plain = &self.model.lists[&list.id];
                assert_eq!(list.name, plain.name);
                assert_eq!(list.exclusive, plain.exclusive);
                assert_eq!(list.members, plain.members.len() as u64);
            }
            for list in lists.into_iter().map(Timeline::List) {
                let shown = timeline(store, list).await;
                assert_eq!(shown, self.model.timeline(list), "list {list}");
            }
            self.compare_important(who).await;
            self.compare_home(who).await;
            self.compare_profile(who).await;
            self.compare_texts(who).await;
            self.compare_collections(who).await;
            self.compare_notifications(who).await;
            self.compare_search(Some(who)).await;
            let page = async |before| store.mentions_page(who, before).await;
            let mentions = read_all(async |before| page(before).await.expect("an answer")).await;
            assert_eq!(mentions, self.model.mentions(who), "mentions of {who}");
        }
        for (number, tag) in TAGS.into_iter().enumerate() {
            let tag = tag_named(tag);
            let page = async |before| store.tag_page(Viewer::Anonymous, &tag, before).await;
            let tagged = read_all(async |before| page(before).await.expect("an answer")).await;
            assert_eq!(tagged, self.model.tagged(number), "tagged {tag}");
        }
        self.compare_group().await;
        self.compare_search(None).await;
        self.compare_people().await;
    }

    async fn compare_home(&mut self, of: UserId) {
        let (mut shown, mut cursor) = (Vec::new(), None);
        loop {
            let page = self.read_page_of_home(of, cursor).await;
            shown.extend(page.items.iter().map(VisibleStatus::id));
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        let home = Timeline::Home(of);
        assert_eq!(shown, self.model.timeline(home), "home of {of}");
    }

    async fn compare_profile(&self, of: UserId) {
        let store = self.store();
        let page = async |before| {
            store
                .profile_page(Viewer::Anonymous, of, ProfileView::PostsAndReplies, before)
                .await
        };
        let profile = read_all(async |before| page(before).await.expect("an answer")).await;
        assert_eq!(profile, self.model.profile(of), "profile of {of}");
        let page = async |before| {
            store
                .profile_page(Viewer::Anonymous, of, ProfileView::Posts, before)
                .await
        };
        let posts = read_all(async |before| page(before).await.expect("an answer")).await;
        assert_eq!(posts, self.model.posts(of), "posts of {of}");
        for id in &profile {
            self.compare_conversation(*id).await;
            self.compare_favourited_by(*id).await;
        }
        let user = store.user(of).await.expect("an answer");
        let user = user.expect("a person");
        let edges = || self.model.follows.iter();
        let counts = [user.posts, user.following, user.followers];
        let expected = [
            profile.len(),
            edges().filter(|(from, _)| *from == of).count(),
            edges().filter(|(_, to)| *to == of).count(),
        ];
        assert_eq!(counts, expected.map(|count| count as u64), "counts of {of}");
    }

    pub async fn read_list(&self, list: ListId, from: Place) {
        let of = Timeline::List(list);
        let before = self.cursor(of, from);
        let page = homes::list_page(self.store(), list, before).await;
        self.compare_page(of, before, &page.expect("an answer"));
    }

    pub async fn read_home(&mut self, reader: UserId, from: Place) {
        let before = self.cursor(Timeline::Home(reader), from);
        self.read_page_of_home(reader, before).await;
    }

    /// Reads a page of a home and records the statuses that it showed.
    async fn read_page_of_home(
        &mut self,
        reader: UserId,
        before: Option<Cursor>,
    ) -> Page<VisibleStatus> {
        let of = Timeline::Home(reader);
        self.record_dropped_ranges(reader).await;
        let read = homes::home_page(self.store(), reader, before, ReadMode::Visit).await;
        let read = read.expect("an answer");
        self.compare_page(of, before, &read.page);
        let (mark, _) = self.store().mark(of).await.expect("an answer");
        let Mark::Floor(floor) = mark else {
            panic!("{of} was built when it was read: {mark:?}");
        };
        let newest = self.model.newest();
        let memory = self.memories.entry(reader).or_default();
        memory.read(newest, &self.model.under_way);
        if floor > 0 {
            memory.maybe_seen(0, floor - 1);
        }
        let new_posts = read.new_posts.expect("the home is there");
        self.compare_new_posts(reader, floor, before, &new_posts, &read.page);
        self.record_shown(reader, floor, before, &read.page);
        self.record_dropped_ranges(reader).await;
        read.page
    }

    fn cursor(&self, of: Timeline, from: Place) -> Option<Cursor> {
        cursor_at(&self.model.timeline(of), from)
    }

    fn compare_page(&self, of: Timeline, before: Option<Cursor>, page: &Page<VisibleStatus>) {
        let entries = self.model.timeline_entries(of);
        self.compare_ids(&of.to_string(), &entries, before, page);
    }

    /// Compares a page with the expected timeline. Each original appears once, apart from statuses
    /// under way, and the page is full unless the timeline ends.
    pub fn compare_ids(
        &self,
        page_name: &str,
        entries: &[StatusId],
        before: Option<Cursor>,
        page: &Page<VisibleStatus>,
    ) {
        let from = before.map_or(u64::MAX, Cursor::get);
        let is_late = |id: &StatusId| self.model.under_way.contains(id);
        let newer = |id: &StatusId| {
            let (id, shown) = (*id, self.model.shown_status(*id));
            let entries = entries.iter().copied();
            entries.filter(move |other| *other > id && self.model.shown_status(*other) == shown)
        };
        let mut expected = entries.to_vec();
        expected.retain(|id| id.get() < from && newer(id).all(|other| is_late(&other)));
        let mut expected = expected.into_iter().peekable();
        // An older repost disappears once a newer repost of the same original has arrived.
        let is_late = |id: &StatusId| is_late(id) || newer(id).next().is_some();
        for id in page.items.iter().map(VisibleStatus::id) {
            while expected
                .next_if(|next| *next != id && is_late(next))
                .is_some()
            {}
            assert_eq!(
                Some(id),
                expected.next(),
                "page of {page_name} from {before:?}"
            );
        }
        if page.next.is_some() {
            assert_eq!(page.items.len(), PAGE_SIZE, "a page that is not the last");
        } else {
            let missing = expected.find(|id| !is_late(id));
            assert_eq!(missing, None, "the last page of {page_name}");
        }
    }

    /// Compares the new posts: their number and the oldest of them.
    fn compare_new_posts(
        &self,
        reader: UserId,
        floor: u64,
        before: Option<Cursor>,
        new_posts: &NewPosts,
        page: &Page<VisibleStatus>,
    ) {
        let seen_before = &self.memories[&reader].before;
        let others = page.items.iter().filter(|status| !status.is_own());
        for id in others.map(VisibleStatus::id) {
            match seen_before.of(id) {
                Known::Open => {}
                known => assert_eq!(
                    known == Known::New,
                    new_posts.is_new(id),
                    "{id} for {reader}, who saw {:?} before: {seen_before:?}",
                    new_posts.seen
                ),
            }
        }
        let home = self.model.timeline_entries(Timeline::Home(reader));
        let shown = self.model.timeline(Timeline::Home(reader));
        let retained = home.iter().filter(|id| id.get() >= floor);
        let others = retained.filter(|id| self.model.statuses[id] != reader);
        let (mut new, mut open, mut hidden) = (Vec::new(), self.model.leaving.len(), 0);
        for id in others {
            match seen_before.of(*id) {
                Known::Seen => {}
                Known::Open => open += 1,
                Known::New if self.model.under_way.contains(id) => open += 1,
                Known::New if shown.contains(id) => new.push(*id),
                Known::New => hidden += 1,
            }
        }
        let possible = new.len() as u64..=(new.len() + open + hidden) as u64;
        assert!(
            possible.contains(&new_posts.count),
            "{} of {possible:?} for {reader}",
            new_posts.count
        );
        if open == 0 && (hidden == 0 || before.is_none()) {
            let oldest = new.last().map(|id| {
                let rank = home
                    .iter()
                    .position(|other| other == id)
                    .expect("it exists");
                let first = rank / PAGE_SIZE * PAGE_SIZE;
                let begins = first
                    .checked_sub(1)
                    .map(|at| Cursor::before(home[at].get()));
                Oldest {
                    id: *id,
                    page: begins,
                }
            });
            assert_eq!(new_posts.oldest, oldest, "for {reader} from {before:?}");
        }
    }

    /// Records that the page has shown everything from its start to its last status, or to the end
    /// of the home.
    fn record_shown(
        &mut self,
        reader: UserId,
        floor: u64,
        before: Option<Cursor>,
        page: &Page<VisibleStatus>,
    ) {
        let newest = self.model.newest();
        let high = before.map_or(newest, |before| newest.min(before.get().saturating_sub(1)));
        let ids: Vec<StatusId> = page.items.iter().map(VisibleStatus::id).collect();
        let last = ids.last().filter(|_| page.next.is_some());
        let low = last.map_or(floor, |id| id.get().max(floor));
        let home = self.model.timeline(Timeline::Home(reader));
        let next = home.into_iter().find(|id| id.get() < low);
        let next = next.map_or(floor, |id| id.get() + 1);
        let late: Vec<StatusId> = self.model.under_way.iter().copied().collect();
        let shown = &mut self.memories.entry(reader).or_default().shown;
        let before_this = shown.clone();
        // Statuses above the first one are recorded as shown only once a minute.
        let first = ids.first().map_or(low, |id| id.get());
        shown.shown(low, first.min(high));
        shown.maybe_shown(first, high);
        shown.maybe_shown(next, low);
        for id in late {
            if (low..=high).contains(&id.get())
                && !ids.contains(&id)
                && before_this.of(id) != Known::Seen
            {
                shown.may_come(id);
            }
        }
    }

    /// Once the maximum number of ranges is stored, some of them may have been dropped.
    pub async fn record_dropped_ranges(&mut self, reader: UserId) {
        let estate = self.store().user_snapshot(reader).await.expect("an answer");
        let memory = self.memories.entry(reader).or_default();
        for ranges in estate.reading[..2].iter().flatten() {
            if ranges.split(',').count() >= MOST_RANGES {
                memory.maybe_seen(0, u64::MAX);
            }
            let last = ranges.rsplit('-').next().and_then(|id| id.parse().ok());
            memory.moment = memory.moment.max(last.unwrap_or_default());
        }
    }
}

/// Returns a cursor at a position within these ids.
pub fn cursor_at(ids: &[StatusId], from: Place) -> Option<Cursor> {
    let (Place::Below(nth) | Place::Between(nth)) = from else {
        return None;
    };
    let at = ids.get(nth % ids.len().max(1)).map_or(1, |id| id.get());
    let place = at + u64::from(matches!(from, Place::Between(_)));
    Some(Cursor::before(place))
}
