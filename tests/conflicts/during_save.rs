//! Another device changes a stored value while a form is saved: once right before each round trip of the save.

use std::{
    cell::Cell,
    future::{Future, poll_fn},
    pin::pin,
};

use redwing::{
    actions::{accounts, groups, lists, reply_control},
    domain::{
        Bio, DisplayName, GroupId, GroupKind, GroupName, IdempotencyKey, ListId, ListName,
        Repliers, ReplyControl, SaveOutcome, ShownValues, StatusId, UserId,
    },
    store::{Error, Fuse, GroupSettings, Store, Viewer},
};

use crate::support::{self, core::Core, crowd};

/// Upper bound for the round trips of a save.
const MANY: usize = 200;

/// A thing with two fields. The sender of its form changes the first one.
trait Edited: Sized {
    /// The name of the first field in the form.
    const FIELD: &'static str;
    /// The value of the first field in the form.
    const SENT: &'static str;
    /// The values that the other device stores.
    const OTHERS: [&'static str; 2];

    async fn make(core: &Core, number: usize) -> Self;

    /// Returns the digests of the form.
    fn shown(&self) -> ShownValues;

    async fn save(&self, store: &Store, shown: &ShownValues) -> Result<SaveOutcome, Error>;

    /// Returns the command with which the other device changes the first field.
    fn change_first(&self) -> [String; 4];

    /// Returns the command with which the other device changes the second field.
    fn change_second(&self) -> [String; 4];

    /// Returns the stored values of both fields.
    async fn stored(&self, store: &Store) -> [String; 2];
}

/// A person with a name and a bio.
struct Profile(UserId);

impl Profile {
    fn key(&self) -> String {
        format!("user:{{{}}}", self.0)
    }
}

impl Edited for Profile {
    const FIELD: &'static str = "name";
    const SENT: &'static str = "Sent";
    const OTHERS: [&'static str; 2] = ["Other", "Sails"];

    async fn make(core: &Core, number: usize) -> Self {
        let person = crowd::member(&core.store, &format!("alice_{number}")).await;
        let name = DisplayName::parse("Old").expect("valid");
        let edited = accounts::edit_profile(&core.store, person, &name, &Bio::default()).await;
        edited.expect("an answer");
        Self(person)
    }

    fn shown(&self) -> ShownValues {
        ShownValues::of([("name", "Old".to_owned()), ("bio", String::new())])
    }

    async fn save(&self, store: &Store, shown: &ShownValues) -> Result<SaveOutcome, Error> {
        let name = DisplayName::parse(Self::SENT).expect("valid");
        accounts::save_profile(store, self.0, (&name, &Bio::default()), shown).await
    }

    fn change_first(&self) -> [String; 4] {
        set_field(self.key(), ["name", Self::OTHERS[0]])
    }

    fn change_second(&self) -> [String; 4] {
        set_field(self.key(), ["bio", Self::OTHERS[1]])
    }

    async fn stored(&self, store: &Store) -> [String; 2] {
        let user = store.user(self.0).await.expect("an answer");
        let user = user.expect("a person");
        [user.name, user.bio]
    }
}

/// A list with a name that is exclusive or not. Both are in one stored field.
struct EditedList(ListId);

impl EditedList {
    fn change(&self, stored: &str) -> [String; 4] {
        let key = format!("lists:{{{}}}", self.0.owner);
        set_field(key, [&self.0.number.to_string(), stored])
    }
}

impl Edited for EditedList {
    const FIELD: &'static str = "name";
    const SENT: &'static str = "Sent";
    const OTHERS: [&'static str; 2] = ["Other", "true"];

    async fn make(core: &Core, number: usize) -> Self {
        let owner = crowd::member(&core.store, &format!("alice_{number}")).await;
        let name = ListName::parse("Old").expect("valid");
        let key = IdempotencyKey::draw();
        match lists::create(&core.store, owner, &name, &key).await {
            Ok(lists::Create::Created(list)) => Self(list),
            other => panic!("{other:?}"),
        }
    }

    fn shown(&self) -> ShownValues {
        ShownValues::of([("name", "Old".to_owned()), ("exclusive", false.to_string())])
    }

    async fn save(&self, store: &Store, shown: &ShownValues) -> Result<SaveOutcome, Error> {
        let name = ListName::parse(Self::SENT).expect("valid");
        lists::save(store, self.0.owner, self.0.number, (&name, false), shown).await
    }

    fn change_first(&self) -> [String; 4] {
        self.change("0:Other")
    }

    fn change_second(&self) -> [String; 4] {
        self.change("1:Old")
    }

    async fn stored(&self, store: &Store) -> [String; 2] {
        let list = store.list(self.0).await.expect("an answer");
        let list = list.expect("a list");
        [list.name, list.exclusive.to_string()]
    }
}

/// A group with a name and rules.
struct EditedGroup {
    group: GroupId,
    owner: UserId,
    settings: GroupSettings,
}

impl EditedGroup {
    fn key(&self) -> String {
        format!("group:{{{}}}", self.group)
    }
}

impl Edited for EditedGroup {
    const FIELD: &'static str = "name";
    const SENT: &'static str = "Sent";
    const OTHERS: [&'static str; 2] = ["Other", "Quiet."];

    async fn make(core: &Core, number: usize) -> Self {
        let owner = crowd::member(&core.store, &format!("alice_{number}")).await;
        let draft = support::groups::draft(&format!("birds-{number}"), GroupKind::Public);
        Self {
            group: support::groups::found(&core.store, owner, &draft).await,
            owner,
            settings: draft.settings,
        }
    }

    fn shown(&self) -> ShownValues {
        let settings = &self.settings;
        ShownValues::of([
            ("name", settings.name.as_str().to_owned()),
            ("description", String::new()),
            ("rules", String::new()),
            ("joining", settings.joining.to_string()),
            ("past", settings.past.to_string()),
            ("unlisted", String::new()),
            ("replies_closed", String::new()),
        ])
    }

    async fn save(&self, store: &Store, shown: &ShownValues) -> Result<SaveOutcome, Error> {
        let settings = GroupSettings {
            name: GroupName::parse(Self::SENT).expect("valid"),
            ..self.settings.clone()
        };
        groups::save(store, self.owner, self.group, (settings, shown)).await
    }

    fn change_first(&self) -> [String; 4] {
        set_field(self.key(), ["name", Self::OTHERS[0]])
    }

    fn change_second(&self) -> [String; 4] {
        set_field(self.key(), ["rules", Self::OTHERS[1]])
    }

    async fn stored(&self, store: &Store) -> [String; 2] {
        let group = store.group(self.group).await.expect("an answer");
        let group = group.expect("a group");
        [group.name, group.rules]
    }
}

/// A post with people who can reply and a choice about quotes. Both are in one stored field.
struct ControlledPost {
    author: UserId,
    id: StatusId,
}

impl ControlledPost {
    fn change(&self, stored: &str) -> [String; 4] {
        let key = format!("status:{{{}}}", self.id);
        set_field(key, ["reply_control", stored])
    }
}

impl Edited for ControlledPost {
    const FIELD: &'static str = "repliers";
    const SENT: &'static str = "followers";
    const OTHERS: [&'static str; 2] = ["mentioned", "true"];

    async fn make(core: &Core, number: usize) -> Self {
        let author = crowd::member(&core.store, &format!("alice_{number}")).await;
        let id = crowd::post(&core.store, author, "a post").await;
        Self { author, id }
    }

    fn shown(&self) -> ShownValues {
        ShownValues::of([
            ("repliers", "everyone".to_owned()),
            ("quoting_closed", false.to_string()),
        ])
    }

    async fn save(&self, store: &Store, shown: &ShownValues) -> Result<SaveOutcome, Error> {
        let chosen = ReplyControl {
            repliers: Repliers::Followers,
            is_quoting_closed: false,
        };
        reply_control::save_reply_control(store, self.author, self.id, chosen, shown).await
    }

    fn change_first(&self) -> [String; 4] {
        self.change(Self::OTHERS[0])
    }

    fn change_second(&self) -> [String; 4] {
        self.change("\"everyone quoting_closed\"")
    }

    async fn stored(&self, store: &Store) -> [String; 2] {
        let viewer = Viewer::Member(self.author);
        let status = store.status(viewer, self.id).await.expect("an answer");
        let control = status.expect("a post").reply_control();
        [
            control.repliers.as_str().to_owned(),
            control.is_quoting_closed.to_string(),
        ]
    }
}

fn set_field(key: String, [field, value]: [&str; 2]) -> [String; 4] {
    ["HSET".to_owned(), key, field.to_owned(), value.to_owned()]
}

/// Runs an operation, and calls `before` with the number of each round trip before it is sent.
async fn before_each_trip<T>(
    fuse: &Fuse,
    operation: impl Future<Output = T>,
    mut before: impl FnMut(usize),
) -> T {
    let mut operation = pin!(operation);
    let mut begun = 0;
    poll_fn(|context| {
        let polled = operation.as_mut().poll(context);
        // The connection sends the commands on this thread, so they wait until this returns.
        while begun < fuse.trips() {
            begun += 1;
            before(begun);
        }
        polled
    })
    .await
}

/// Saves the form of a new thing for each round trip of the save. The other device sends its command right before that
/// one. `check` gets the number of the round trip, the outcome, and the stored values.
async fn save_during<T: Edited>(
    shown: impl Fn(&T) -> ShownValues,
    change: impl Fn(&T) -> [String; 4],
    check: impl Fn(usize, &SaveOutcome, [&str; 2]),
) {
    let core = Core::start();
    for trip in 1..MANY {
        let thing = T::make(&core, trip).await;
        let (shown, change) = (shown(&thing), change(&thing));
        let is_changed = Cell::new(false);
        let before = |number: usize| {
            if number == trip {
                core.redis.command(&change.each_ref().map(String::as_str));
                is_changed.set(true);
            }
        };
        let fuse = Fuse::endless();
        let store = core.store.with_fuse(fuse.clone());
        let saved = before_each_trip(&fuse, thing.save(&store, &shown), before).await;
        let saved = saved.expect("an answer");
        if !is_changed.get() {
            assert!(trip > 2, "a save reads and writes");
            return;
        }
        let stored = thing.stored(&store).await;
        check(trip, &saved, stored.each_ref().map(String::as_str));
    }
    panic!("the save never completed");
}

/// Checks that a save never overwrites the value of the other device, and that its sender gets that value if the save
/// has not written before.
async fn check_conflict<T: Edited>() {
    save_during::<T>(T::shown, T::change_first, |trip, saved, [first, _]| {
        assert_eq!(first, T::OTHERS[0], "{trip}: {saved:?}");
        match saved {
            SaveOutcome::Conflicts(conflicts) => {
                assert_eq!(conflicts.stored(T::FIELD), Some(T::OTHERS[0]), "{trip}");
            }
            SaveOutcome::Saved => assert!(trip > 1, "the save read the other value"),
            SaveOutcome::NotFound => panic!("{trip}: not found"),
        }
    })
    .await;
}

/// Checks that a form without digests is saved, also if the other device writes between its read and its write.
async fn check_without_digests<T: Edited>() {
    let shown = |_: &T| ShownValues::default();
    save_during::<T>(shown, T::change_first, |trip, saved, [first, _]| {
        assert_eq!(*saved, SaveOutcome::Saved, "{trip}");
        let is_later = trip > 1 && first == T::OTHERS[0];
        assert!(first == T::SENT || is_later, "{trip}: {first}");
    })
    .await;
}

/// Checks that changes of different fields are both saved.
async fn check_different_fields<T: Edited>() {
    save_during::<T>(T::shown, T::change_second, |trip, saved, stored| {
        assert_eq!(*saved, SaveOutcome::Saved, "{trip}");
        assert_eq!(stored, [T::SENT, T::OTHERS[1]], "{trip}");
    })
    .await;
}

#[tokio::test]
async fn a_value_of_another_device_is_never_overwritten() {
    check_conflict::<Profile>().await;
    check_conflict::<EditedList>().await;
    check_conflict::<EditedGroup>().await;
    check_conflict::<ControlledPost>().await;
}

/// A form without digests overwrites every field.
#[tokio::test]
async fn a_form_without_digests_is_saved_although_another_device_saves_too() {
    check_without_digests::<Profile>().await;
    check_without_digests::<EditedList>().await;
    check_without_digests::<EditedGroup>().await;
    check_without_digests::<ControlledPost>().await;
}

#[tokio::test]
async fn different_fields_of_two_devices_are_both_saved() {
    check_different_fields::<Profile>().await;
    check_different_fields::<EditedList>().await;
    check_different_fields::<EditedGroup>().await;
    check_different_fields::<ControlledPost>().await;
}

#[tokio::test]
async fn a_value_that_changes_during_each_attempt_is_not_overwritten() {
    let core = Core::start();
    let profile = Profile::make(&core, 1).await;
    let key = profile.key();
    let before = |trip: usize| {
        let name = format!("Other{trip}");
        core.redis.command(&["HSET", &key, "name", &name]);
    };
    let fuse = Fuse::endless();
    let store = core.store.with_fuse(fuse.clone());
    let without_digests = ShownValues::default();
    let save = profile.save(&store, &without_digests);
    let saved = before_each_trip(&fuse, save, before).await;
    assert!(matches!(saved, Err(Error::Contended)), "{saved:?}");
    let [name, _] = profile.stored(&store).await;
    assert!(name.starts_with("Other"), "{name}");
}
