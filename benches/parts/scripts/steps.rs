//! The steps of the store that call the measured scripts.

use redwing::{
    domain::{
        Cursor, ListId, ListName, Login, MuteTerm, Notification, NotificationFilter,
        NotificationKind, PAGE_SIZE, SecretCode, Source, StatusHeader, StatusId, Term, Timeline,
    },
    store::{
        self, Actor, Begin, ChatPart, Chunk, HomePart, IndexEntry, Life, ListChange, LiveQuery,
        ReadMode, SessionState, SourceMirror, Store, TimelineRead, Undecided, UnixMs,
    },
};

use super::data::*;

/// Runs the store's step that calls the script.
pub(super) async fn act(store: &Store, script: &str) -> store::Result<()> {
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
            let change = ListChange {
                name: Some(&name),
                exclusive: Some(true),
                based_on: None,
            };
            store
                .edit_list(&call, &Actor::from(reader), list(LISTS + 1), change)
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
            store
                .candidates(reader, None, HomePart::New(200), ReadMode::Visit)
                .await?;
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
                chat: None,
                watched: None,
            };
            store.read_live(reader, &[query]).await?;
        }
        "read_notifications" => {
            store
                .notifications_page(
                    reader,
                    (NotificationFilter::All, Some(Cursor::before(1))),
                    ReadMode::Visit,
                )
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
        "mirror_source" => {
            let mirror = SourceMirror::of_follow(user(STRANGER + 1), reader);
            store.mirror_source(&call, &mirror, 500).await?;
        }
        "move_due" => {
            store.move_due(0, None).await?;
        }
        _ => person(store, script).await?,
    }
    Ok(())
}

/// The same for steps about one person.
async fn person(store: &Store, script: &str) -> store::Result<()> {
    let reader = user(READER);
    let call = store.begin().await?;
    match script {
        "save_session" => {
            let state = SessionState {
                uid: reader,
                login: Login::stored("reader").expect("a login"),
                name: String::new(),
                epoch: "epoch".to_owned(),
                agent: String::new(),
                created: UnixMs(0),
                seen: UnixMs(0),
                csrf: String::new(),
                pending_form: None,
            };
            store.save_session(&state).await?;
        }
        "load_session" => {
            store.load_session(&format!("{READER}.unknown")).await?;
        }
        "set_mute" => {
            let term = Some(MuteTerm::Forever);
            let removable_until = store.removable_until().await;
            let actor = Actor::from(reader);
            store
                .set_mute(&call, &actor, user(STRANGER), term, removable_until)
                .await?;
        }
        "read_chat" => {
            let part = ChatPart::newest(ChatPart::PAGE);
            store.chat(reader, chat(), part).await?;
        }
        "accept_request" => {
            store.accept_request(&call, reader, user(FOLLOWED)).await?;
        }
        "drop_notifications_by" => store.drop_notifications_by(reader, &[user(11)]).await?,
        "make_invitation" => {
            let actor = Actor::from(reader);
            store
                .make_invitation(&call, &actor, &SecretCode::draw(), true)
                .await?;
        }
        "finish_deletion" => {
            store.finish_deletion(&call, reader).await?;
        }
        script => unreachable!("{script} has no case"),
    }
    Ok(())
}

/// Runs the steps that must precede.
pub(super) async fn prepare(store: &Store, script: &str) -> store::Result<()> {
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
