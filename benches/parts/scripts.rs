//! Redis' own time for each script that is not O(log n), with the worst data that the default limits allow.
//! The store sends the scripts, so their passes have the sizes that it uses. The file has over 400 lines because
//! each script needs its own data.

use std::{fmt::Display, sync::Arc};

use clap::Parser;
use redwing::{
    config::Config,
    domain::{
        Cursor, FoldedTag, ListId, ListName, Notification, NotificationKind, PAGE_SIZE, Source,
        StatusHeader, StatusId, Term, Timeline, UserId,
    },
    store::{
        self, Actor, Begin, Chunk, IndexEntry, Life, LiveQuery, ReadMode, Store, TimelineRead,
        Undecided,
    },
};
use tokio::runtime::{Builder, Runtime};

use crate::{
    redis::{Batch, Outcome, Redis, Reply},
    results::Row,
    site::Site,
    spread::Spread,
};

const PART: &str = "Scripts";
/// The default limits.
const HOME: u64 = 524;
const FOLLOWING: u64 = 5000;
const LISTS: u64 = 100;
const MEMBERS: u64 = 500;
const TAGS: usize = 20;
const NOTIFICATIONS: u64 = 1000;
const TAG_USES: u64 = 10_000;
/// Number of homes in one delivery.
const DELIVERED_AT_ONCE: u64 = 25;
/// Number of posts in a chunk of the search index.
const CHUNK: u64 = 511;
/// The first status id, and the distance of two.
const FIRST: u64 = 1 << 50;
const STEP: u64 = 4099;
/// The reader, an author whom they do not follow, and one whom they follow.
const READER: u64 = 1;
const STRANGER: u64 = 900_000;
const FOLLOWED: u64 = 10;

/// A script, the data that it meets, and a key by which its calls are known.
struct Case {
    script: &'static str,
    data: &'static str,
    key: &'static str,
}

const CASES: [Case; 18] = [
    case(
        "deliver",
        "25 homes, 20 tags of which the last is followed, 24 ranges seen",
        "home:{2}",
    ),
    case(
        "merge_timeline",
        "500 posts with 20 tags that are not followed",
        "home:{1}",
    ),
    case(
        "prune_timeline",
        "500 posts with 20 tags that are not followed",
        "home:{1}",
    ),
    case(
        "fill_rebuild",
        "500 posts with 20 tags that are not followed",
        "home:{1}",
    ),
    case(
        "finish_rebuild",
        "a home of 524, all below the floor",
        "home:{1}",
    ),
    case(
        "edit_list",
        "500 members; the list becomes exclusive",
        "lists:{1}",
    ),
    case(
        "delete_list",
        "an exclusive list of 500 members",
        "lists:{1}",
    ),
    case(
        "recount_excluded",
        "100 exclusive lists of 500 members, 500 wrong counts",
        "lists:{1}",
    ),
    case("read_home", "a home of 524, 24 ranges seen", "home:{1}"),
    case(
        "read_important",
        "a home of 524, 24 ranges seen, a reader who mutes somebody",
        "home:{1}",
    ),
    case("note_shown", "a home of 524, all examined", "home:{1}"),
    case("read_live", "2,000 notifications", "arrivals:{1}"),
    case(
        "notify",
        "1,000 notifications by as many people",
        "user:{1}",
    ),
    case(
        "read_notifications",
        "1,000 notifications and 1,000 retracted ones",
        "notifications:{1}",
    ),
    case(
        "unfile_status",
        "1,000 notifications and 1,000 retracted ones",
        "profile:{1}",
    ),
    case("enter_posting", "a full chunk is split", "postings:{word}"),
    case("drop_posting", "511 wrong entries", "postings:{word}"),
    case(
        "add_index_entry",
        "10,000 uses of the tag that are older than a day",
        "tag_index:{last}",
    ),
];

const fn case(script: &'static str, data: &'static str, key: &'static str) -> Case {
    Case { script, data, key }
}

#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    config: Config,
}

/// A Redis that logs the time of each command, and a store on it.
struct Scene {
    redis: Redis,
    store: Store,
    runtime: Runtime,
    /// Keeps Redis running.
    _site: Site,
}

pub fn run(rounds: usize) -> Outcome<Vec<Row>> {
    let mut scene = Scene::start()?;
    let mut rows = Vec::new();
    for case in &CASES {
        let (mut figures, mut calls) = (Vec::new(), 0);
        // The first call of a script also compiles it.
        for round in 0..=rounds {
            let times = scene.times_us(case)?;
            if round > 0 {
                calls = times.len();
                figures.push(times.iter().copied().max().unwrap_or_default() as f64 / 1e3);
            }
        }
        let row = Row::new(PART, case.script, "ms", Spread::of(figures));
        rows.push(row.with_details(format!("{}; {calls} calls", case.data)));
    }
    Ok(rows)
}

impl Scene {
    fn start() -> Outcome<Self> {
        let site = Site::start()?;
        let mut redis = site.redis()?;
        redis.command(&[&"CONFIG", &"SET", &"slowlog-log-slower-than", &0])?;
        redis.command(&[&"CONFIG", &"SET", &"slowlog-max-len", &2000])?;
        let config = Arc::new(CommandLine::try_parse_from(["bench"])?.config);
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let entered = runtime.enter();
        let store = Store::open(&site.redis_url(), config)?;
        drop(entered);
        Ok(Self {
            redis,
            store,
            runtime,
            _site: site,
        })
    }

    /// Returns the time of each call of the script.
    fn times_us(&mut self, case: &Case) -> Outcome<Vec<u64>> {
        write_data(&mut self.redis)?;
        if case.script == "recount_excluded" {
            self.redis.command(&[&"DEL", &"excluded:{1}"])?;
        }
        self.runtime.block_on(prepare(&self.store, case.script))?;
        self.redis.command(&[&"SLOWLOG", &"RESET"])?;
        self.runtime.block_on(act(&self.store, case.script))?;
        let Reply::List(entries) = self.redis.command(&[&"SLOWLOG", &"GET", &-1])? else {
            return Err("SLOWLOG says nothing".into());
        };
        let times: Vec<u64> = entries
            .iter()
            .filter_map(|entry| time_us(entry, case.key))
            .collect();
        match times.is_empty() {
            true => Err(format!("{} was not called", case.script).into()),
            false => Ok(times),
        }
    }
}

/// Returns the time of an entry of SLOWLOG if it is a script with this first key.
fn time_us(entry: &Reply, key: &str) -> Option<u64> {
    let Reply::List(fields) = entry else {
        return None;
    };
    let (Reply::Number(us), Reply::List(words)) = (fields.get(2)?, fields.get(3)?) else {
        return None;
    };
    let is = |at: usize, text: &str| words.get(at) == Some(&Reply::Text(text.to_owned()));
    (is(0, "EVALSHA") && is(3, key)).then_some(us.unsigned_abs())
}

fn user(id: u64) -> UserId {
    UserId::new(id).expect("in range")
}

fn status(nth: u64) -> StatusId {
    StatusId::new(FIRST + nth * STEP).expect("in range")
}

fn tag(number: usize) -> FoldedTag {
    let text = match number {
        last if last + 1 == TAGS => "last".to_owned(),
        number => format!("tag{number}"),
    };
    FoldedTag::stored(&text).expect("a tag")
}

/// Returns a post with as many tags as a post can have.
fn post(author: u64, tag_count: usize) -> StatusHeader {
    StatusHeader {
        tags: (0..tag_count).map(tag).collect(),
        ..StatusHeader::of(user(author))
    }
}

/// Runs the store's step that calls the script.
async fn act(store: &Store, script: &str) -> store::Result<()> {
    let (reader, home) = (user(READER), Timeline::Home(user(READER)));
    let call = store.begin().await?;
    let unwanted = || (0..500).map(|nth| (status(nth), post(STRANGER, TAGS - 1)));
    match script {
        "deliver" => {
            let homes = (2..2 + DELIVERED_AT_ONCE).map(|id| Timeline::Home(user(id)));
            let homes: Vec<Timeline> = homes.collect();
            let id = StatusId::new(FIRST + 100 * STEP + 1).expect("in range");
            store
                .deliver(&call, (id, &post(STRANGER, TAGS)), &homes)
                .await?;
        }
        "merge_timeline" => {
            let statuses: Vec<_> = unwanted().collect();
            let source = Source::Person(user(FOLLOWED));
            store
                .merge_timeline(&call, home, source, &statuses, None)
                .await?;
        }
        "prune_timeline" => {
            let statuses = unwanted().map(|(id, status)| (id, Life::Living(status)));
            store
                .prune_timeline(home, &statuses.collect::<Vec<_>>())
                .await?;
        }
        "fill_rebuild" => {
            let statuses: Vec<_> = unwanted().collect();
            store.fill_rebuild(home, "abc", &statuses).await?;
        }
        "finish_rebuild" => {
            store
                .finish_rebuild(home, "abc", status(HOME).get())
                .await?;
        }
        "edit_list" => {
            let name = ListName::parse("boats").expect("a name");
            store
                .edit_list(&call, &Actor::from(reader), list(LISTS + 1), &name, true)
                .await?;
        }
        "delete_list" => {
            store
                .delete_list(&call, &Actor::from(reader), list(1))
                .await?;
        }
        _ => read(store, script).await?,
    }
    Ok(())
}

/// The same for steps that read, and for those of the indexes.
async fn read(store: &Store, script: &str) -> store::Result<()> {
    let (reader, home) = (user(READER), Timeline::Home(user(READER)));
    let call = store.begin().await?;
    match script {
        "recount_excluded" => {
            let lists: Vec<ListId> = (1..=LISTS).map(list).collect();
            let members = (1..=MEMBERS).map(|member| member.to_string());
            let members: Vec<String> = members.collect();
            store.recount_excluded(reader, &lists, &members).await?;
        }
        "read_home" => {
            let first = TimelineRead::First(ReadMode::Visit);
            store.slice(home, first, None, PAGE_SIZE + 1).await?;
        }
        "read_important" => {
            store.candidates(reader, None, 200, ReadMode::Visit).await?;
        }
        "note_shown" => {
            let ids: Vec<StatusId> = (0..HOME).step_by(2).map(status).collect();
            let shown = FIRST..=status(HOME).get();
            store.note_shown(&call, reader, shown, &ids).await?;
        }
        "read_live" => {
            let query = LiveQuery {
                person: reader,
                session: "session".to_owned(),
                epoch: "epoch".to_owned(),
                since: "1-1".parse().ok(),
            };
            store.read_live(&query).await?;
        }
        "read_notifications" => {
            store
                .notifications_page(reader, Some(Cursor::before(1)), ReadMode::Visit)
                .await?;
        }
        "notify" => {
            let kind = NotificationKind::Favourite(status(5));
            let by = user(STRANGER + 1);
            let sent = [Undecided::new((reader, Notification { kind, by }))];
            store.notify(&call, &sent, u64::MAX >> 11).await?;
        }
        "unfile_status" => store.unfile_status(status(5), reader).await?,
        "enter_posting" => {
            let term = Term::stored("word").expect("a term");
            store.enter_postings(&call, status(0), &[term]).await?;
        }
        "drop_posting" => {
            let term = Term::stored("word").expect("a term");
            let members: Vec<String> = (1..=CHUNK).map(|nth| status(nth).to_string()).collect();
            store
                .drop_postings(&Chunk { term, bound: 0 }, &members)
                .await?;
        }
        "add_index_entry" => {
            let status_of_today = StatusId::new(store.now().await?.largest_id()).expect("in range");
            let header = StatusHeader {
                tags: vec![tag(TAGS - 1)],
                ..post(STRANGER, 0)
            };
            let entries = IndexEntry::all_of(&header);
            store
                .add_index_entries(&call, (status_of_today, &header), &entries)
                .await?;
        }
        script => unreachable!("{script} has no case"),
    }
    Ok(())
}

/// Runs the steps that must precede.
async fn prepare(store: &Store, script: &str) -> store::Result<()> {
    let home = Timeline::Home(user(READER));
    if ["fill_rebuild", "finish_rebuild"].contains(&script) {
        store.begin_rebuild(home, "abc", Begin::Wrong).await?;
    }
    if script == "finish_rebuild" {
        let own: Vec<_> = (0..500).map(|nth| (status(nth), post(READER, 0))).collect();
        store.fill_rebuild(home, "abc", &own).await?;
    }
    Ok(())
}

fn list(number: u64) -> ListId {
    let text = format!("{READER}:{number}");
    text.parse().expect("a list")
}

/// Writes the largest data of one person.
fn write_data(redis: &mut Redis) -> Outcome<()> {
    redis.command(&[&"FLUSHALL"])?;
    let mut batch = Batch::default();
    let numbered = |count: u64, above: u64| (1..=count).map(move |n| (n.cast_signed(), above + n));
    let following: Vec<(i64, u64)> = numbered(FOLLOWING, FOLLOWED - 1).collect();
    batch.add_scored("following:{1}", &following);
    batch.add_scored("hidden_reposts:{1}", &following);
    let home: Vec<(i64, u64)> = (0..HOME)
        .map(|nth| (-status(nth).get().cast_signed(), status(nth).get()))
        .collect();
    let others: Vec<(i64, u64)> = home.iter().copied().step_by(2).collect();
    batch.add_scored("home:{1}", &home);
    batch.add_scored("profile:{1}", &others);
    batch.add(&[&"SET", &"active:{1}", &5, &"EX", &1000]);
    write_lists(&mut batch);
    write_small_keys(&mut batch);
    for id in 2..2 + DELIVERED_AT_ONCE {
        batch.add_scored(&format!("home:{{{id}}}"), &home);
        batch.add(&[&"SET", &format!("active:{{{id}}}"), &5, &"EX", &1000]);
        batch.add(&[&"ZADD", &format!("followed_tags:{{{id}}}"), &1, &"last"]);
        write_reading(&mut batch, id);
    }
    redis.send(&mut batch).map(drop)
}

/// Writes a hundred exclusive lists with all members, and one that is not exclusive.
fn write_lists(batch: &mut Batch) {
    let mut excluded = Vec::new();
    for list in 0..=LISTS {
        let members = (1..=MEMBERS).map(|nth| (nth.cast_signed(), list * MEMBERS + nth));
        let members: Vec<(i64, u64)> = members.collect();
        batch.add_scored(&format!("list:{{1}}:{}:members", list + 1), &members);
        let is_exclusive = u8::from(list < LISTS);
        let value = format!("{is_exclusive}:list");
        batch.add(&[&"HSET", &"lists:{1}", &(list + 1), &value]);
        if is_exclusive == 1 {
            excluded.extend(members.iter().map(|(_, member)| (1, *member)));
        }
    }
    batch.add_scored("excluded:{1}", &excluded);
}

fn write_reading(batch: &mut Batch, id: u64) {
    let ranges = (0..24).map(|nth| {
        let low = FIRST + nth * 20 * STEP;
        format!("{low}-{}", low + 18 * STEP)
    });
    let ranges: Vec<String> = ranges.collect();
    let ranges = ranges.join(",");
    let reading = format!("reading:{{{id}}}");
    batch.add(&[
        &"HSET", &reading, &"before", &ranges, &"shown", &ranges, &"at", &1,
    ]);
}

/// Writes the notifications, a chunk of the search index, and the keys that show that the person exists.
fn write_small_keys(batch: &mut Batch) {
    let epoch = "epoch";
    batch.add(&[&"HSET", &"user:{1}", &"login", &"reader"]);
    batch.add(&[&"HSET", &"auth:{1}", &"epoch", &epoch]);
    batch.add(&[&"SET", &"session:{1}:session", &"state"]);
    batch.add(&[&"ZADD", &"muted:{1}", &i64::MAX, &STRANGER]);
    write_reading(batch, READER);
    for number in 0..100 {
        let tag = format!("followed{number}");
        batch.add(&[&"ZADD", &"followed_tags:{1}", &1, &tag]);
    }
    for number in 1..=200 {
        let (at, id) = (format!("1-{number}"), status(number));
        batch.add(&[&"XADD", &"arrivals:{1}", &at, &"status", &id]);
    }
    for number in 1..=NOTIFICATIONS {
        for (score, by) in [(1, FOLLOWED + number), (-1, 11)] {
            let score = score * number.cast_signed();
            let entry = notification(number, by);
            batch.add(&[&"ZADD", &"notifications:{1}", &score, &entry]);
        }
    }
    for number in 1..=CHUNK {
        batch.add(&[&"SADD", &"postings:{word}:0", &status(number)]);
    }
    let uses: Vec<(i64, u64)> = (1..=TAG_USES).map(|nth| (nth.cast_signed(), nth)).collect();
    batch.add_scored("tag_uses:{last}", &uses);
}

fn notification(number: u64, by: u64) -> impl Display {
    Notification {
        kind: NotificationKind::Favourite(status(number)),
        by: user(by),
    }
}
