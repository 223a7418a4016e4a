//! The export of an account as an archive in the form of Mastodon's, with a page that reads without the site. A task
//! reads the account in passes and writes their parts to files, and at the end one archive from these parts.

mod archive;
mod documents;
mod files;
mod markup;
mod space;

use std::{
    io, mem,
    path::{Path, PathBuf},
};

use askama::Template;
use tokio::{fs, task::spawn_blocking};

pub use files::ExportFiles;

use self::{
    archive::Account, documents::Documents, files::ArchivePart, markup::IndexStatus,
    space::ExportSpace,
};
use crate::{
    domain::{
        ChatId, ChatList, ChatMessage, Collection, Export, ExportStage, ExportToken,
        MessagePosition, Page, PeopleFile, ProfileView, Task, UserId,
    },
    store::{
        Actor, AdvanceOutcome, BeginExportOutcome, Error, FoldingBudget, Result, Store, User,
        Viewer, VisibleStatus, WalkLimits,
    },
};

/// Number of pages that one pass reads.
const PAGES_PER_PASS: usize = 10;
/// Number of messages and bytes that one pass reads.
const MESSAGES_PER_PASS: WalkLimits = WalkLimits {
    examined: 2000,
    bytes: 4 * 1024 * 1024,
    folded: usize::MAX,
    kept: usize::MAX,
};
/// Number of files that one clean-up examines.
const EXAMINED: usize = 1000;

/// The outcome of a request for an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BeginResult {
    /// An export of the person is under way, by this request or an earlier one.
    UnderWay,
    /// The disk space for archives is used up.
    NoSpace,
    UnknownUser,
}

/// Begins an export of one's own account.
pub async fn begin(store: &Store, actor: impl Into<Actor>) -> Result<BeginResult> {
    let actor = actor.into();
    let space = ExportSpace::new(store.config());
    if let Err(error) = in_files(move || space.check(space::LEAST_BYTES)).await {
        tracing::warn!(%error, "no export can begin");
        return Ok(BeginResult::NoSpace);
    }
    let token = ExportToken::draw();
    let total = store.export_total(actor.id()).await?;
    let call = &store.begin().await?;
    let begun = store.begin_export(call, &actor, &token, total).await;
    let begun = call.finish(begun).await?;
    if begun == BeginExportOutcome::Begun {
        // Without the task the export counts as interrupted after a while, and the person begins another.
        let person = actor.id();
        store.enqueue(&Task::Export { person, token }).await?;
    }
    Ok(match begun {
        BeginExportOutcome::Begun | BeginExportOutcome::UnderWay => BeginResult::UnderWay,
        BeginExportOutcome::Unknown => BeginResult::UnknownUser,
    })
}

/// Returns the archive of a finished export of a person, if its file is here.
pub async fn archive_of(store: &Store, person: UserId) -> Result<Option<PathBuf>> {
    let export = store.export(person).await?;
    let done = export.filter(|export| export.stage == ExportStage::Done);
    let path = done.map(|export| ExportFiles::new(store.config(), person, &export.token).archive());
    match path {
        Some(path) if is_file(&path).await => Ok(Some(path)),
        _ => Ok(None),
    }
}

async fn is_file(path: &Path) -> bool {
    fs::metadata(path).await.is_ok_and(|found| found.is_file())
}

/// Runs steps on files in a thread that may block.
async fn in_files<T: Send + 'static>(
    steps: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    spawn_blocking(steps).await.map_err(io::Error::other)?
}

/// Runs one pass of an export. Returns the task that continues. A pass that is run twice writes the same files.
pub async fn run_pass(store: &Store, person: UserId, token: &ExportToken) -> Result<Option<Task>> {
    let export = store.export(person).await?;
    let Some(export) = export.filter(|export| export.token == *token) else {
        return Ok(None);
    };
    if !export.stage.is_under_way() {
        return Ok(None);
    }
    let files = ExportFiles::new(store.config(), person, token);
    let user = store.user(person).await?;
    let next = match user {
        // Another machine made the earlier passes, in a directory that is not shared.
        _ if !is_continued_here(&files, export.step).await => failed(&export, ExportStage::Failed),
        None => failed(&export, ExportStage::Failed),
        Some(user) => {
            let pass = Pass {
                store,
                user,
                files: files.clone(),
                export: export.clone(),
            };
            match pass.run().await {
                Ok(next) => next,
                Err(PassError::Store(error)) => return Err(error),
                Err(PassError::Files(error)) => {
                    tracing::error!(%error, "the files of an export cannot be written");
                    failed(&export, stage_after(&error))
                }
            }
        }
    };
    if next.stage.has_failed()
        && let Err(error) = in_files(move || files.remove_parts()).await
    {
        tracing::warn!(%error, "the files of a failed export cannot be removed");
    }
    let advanced = store.advance_export(person, &next).await?;
    let goes_on = advanced == AdvanceOutcome::Advanced && next.stage.is_under_way();
    let token = token.clone();
    Ok(goes_on.then_some(Task::Export { person, token }))
}

/// Returns whether the files of the earlier passes are here, or the archive.
async fn is_continued_here(files: &ExportFiles, step: u32) -> bool {
    let last = files.last_step(step);
    let has_step = match &last {
        Some(last) => is_file(last).await,
        None => true,
    };
    has_step || is_file(&files.archive()).await
}

fn failed(export: &Export, stage: ExportStage) -> Export {
    Export {
        stage,
        ..export.clone()
    }
}

/// Returns the stage of an export after an error of its files.
fn stage_after(error: &io::Error) -> ExportStage {
    match space::is_full(error) {
        true => ExportStage::NoSpace,
        false => ExportStage::Failed,
    }
}

/// Why a pass was not made. An error of Redis is tried again.
enum PassError {
    Store(Error),
    Files(io::Error),
}

impl From<Error> for PassError {
    fn from(error: Error) -> Self {
        Self::Store(error)
    }
}

impl From<io::Error> for PassError {
    fn from(error: io::Error) -> Self {
        Self::Files(error)
    }
}

struct Pass<'a> {
    store: &'a Store,
    user: User,
    files: ExportFiles,
    export: Export,
}

impl Pass<'_> {
    /// Makes the pass. Returns the state after it; its number stays that of this pass.
    async fn run(mut self) -> std::result::Result<Export, PassError> {
        if self.export.step == 0 {
            let files = self.files.clone();
            in_files(move || files.remove_others()).await?;
        }
        let stage = self.export.stage;
        if stage == ExportStage::Archive {
            self.export.bytes = self.write_archive().await?;
            self.export.stage = ExportStage::Done;
            return Ok(self.export);
        }
        if stage == ExportStage::Messages {
            return self.run_messages().await;
        }
        let mut parts = Parts::default();
        for _ in 0..PAGES_PER_PASS {
            let page = self.next_page().await?;
            self.export.done += page.items.len() as u64;
            parts.add(stage, &page.items, &self.store.config().public_url);
            self.export.before = page.next;
            if page.next.is_none() {
                self.export.stage = stage.next();
                break;
            }
        }
        self.write_parts(parts).await
    }

    /// Makes a pass over messages of the person's conversations, as they see them.
    async fn run_messages(mut self) -> std::result::Result<Export, PassError> {
        let from = self.export.before_message;
        let from = from.unwrap_or_else(|| MessagePosition::start(ChatList::Chats));
        let is_kept = |message: &ChatMessage, _: &mut FoldingBudget| message.text().is_some();
        let read = self.export.chats.iter().copied().collect();
        let walk = self
            .store
            .walk_messages(self.user.id, from, &read, MESSAGES_PER_PASS, is_kept);
        let walk = walk.await?;
        let site = &self.store.config().public_url;
        let (documents, mut parts) = (Documents { site }, Parts::default());
        for chat in &walk.chats {
            for message in &chat.messages {
                let note = documents.message(&self.user, chat, message);
                parts.append(ArchivePart::Messages, &note.to_string());
            }
        }
        let ids = walk.chats.iter().map(|chat| chat.id);
        let new_chats: Vec<ChatId> = ids.filter(|id| !read.contains(id)).collect();
        self.export.has_new_chats |= !new_chats.is_empty();
        self.export.chats.extend(new_chats);
        self.export.before_message = walk.next;
        if walk.next.is_none() && !mem::take(&mut self.export.has_new_chats) {
            self.export.chats.clear();
            self.export.stage = self.export.stage.next();
        }
        self.write_parts(parts).await
    }

    async fn write_parts(self, parts: Parts) -> std::result::Result<Export, PassError> {
        let (files, step) = (self.files, self.export.step);
        let space = ExportSpace::of(self.store.config(), &files);
        in_files(move || {
            let mut compressed = Vec::new();
            for (part, content) in parts.0 {
                compressed.push((part, files::compress(&content)?));
            }
            let bytes: usize = compressed.iter().map(|(_, content)| content.len()).sum();
            space.check(bytes as u64)?;
            for (part, content) in compressed {
                files.write_part(part, step, &content)?;
            }
            files.finish_step(step)
        })
        .await?;
        Ok(self.export)
    }

    async fn next_page(&self) -> Result<Page<VisibleStatus>> {
        let (store, person, before) = (self.store, self.user.id, self.export.before);
        let collection = match self.export.stage {
            ExportStage::Favourites => Collection::Favourites,
            ExportStage::Bookmarks => Collection::Bookmarks,
            _ => {
                let view = ProfileView::PostsAndReplies;
                let viewer = Viewer::Member(person);
                return store.profile_page(viewer, person, view, before).await;
            }
        };
        store.collection_page(person, collection, before).await
    }

    /// Reads the rest of the account, and writes the archive in another thread.
    async fn write_archive(&self) -> std::result::Result<u64, PassError> {
        // The pass was made before, and its end was not noted.
        if let Ok(archive) = fs::metadata(self.files.archive()).await {
            return Ok(archive.len());
        }
        let (store, person) = (self.store, self.user.id);
        let mut people = Vec::new();
        for file in PeopleFile::ALL {
            people.push((file, store.people_of_file(person, file).await?));
        }
        let mut lists = Vec::new();
        for list in store.lists(person).await? {
            let members = store.members(list.id).await?;
            let logins = store.logins_of(&members).await?.into_iter().flatten();
            lists.extend(logins.map(|login| (list.name.clone(), login)));
        }
        let mut groups = Vec::new();
        for group in store.own_groups(person).await?.memberships {
            let role = store.group_tie(group.id, person).await?.role();
            groups.extend(role.map(|role| (group, role)));
        }
        let account = Account {
            user: self.user.clone(),
            made: store.now().await?,
            people,
            lists,
            groups,
        };
        let (files, site) = (self.files.clone(), store.config().public_url.clone());
        let space = ExportSpace::of(store.config(), &files);
        let written = in_files(move || {
            let documents = Documents { site: &site };
            archive::write(&files, documents, &account, space)
        });
        Ok(written.await?)
    }
}

/// The parts that a pass writes.
#[derive(Default)]
struct Parts(Vec<(ArchivePart, String)>);

impl Parts {
    fn add(&mut self, stage: ExportStage, statuses: &[VisibleStatus], site: &url::Url) {
        let documents = Documents { site };
        for status in statuses {
            match stage {
                ExportStage::Posts => {
                    let activity = documents.activity(status).to_string();
                    self.append(ArchivePart::Outbox, &activity);
                    let html = IndexStatus::new(status, site).render();
                    self.append(ArchivePart::Page, &html.unwrap_or_default());
                }
                ExportStage::Favourites | ExportStage::Bookmarks => {
                    let part = match stage {
                        ExportStage::Favourites => ArchivePart::Likes,
                        _ => ArchivePart::Bookmarks,
                    };
                    let login = &status.author().login;
                    let address = documents.status_address(login, status.id());
                    self.append(part, &serde_json::Value::from(address).to_string());
                }
                ExportStage::Messages
                | ExportStage::Archive
                | ExportStage::Done
                | ExportStage::Failed
                | ExportStage::NoSpace => {}
            }
        }
    }

    fn append(&mut self, part: ArchivePart, line: &str) {
        let at = self.0.iter().position(|(own, _)| *own == part);
        let at = at.unwrap_or_else(|| {
            self.0.push((part, String::new()));
            self.0.len() - 1
        });
        self.0[at].1.push_str(line);
        self.0[at].1.push('\n');
    }
}

/// Removes the files of exports that no account needs any more: those that are over, replaced, failed or interrupted, or
/// of a deleted account.
pub async fn remove_old_files(store: &Store) -> Result<()> {
    let root = store.config().exports_dir();
    let mut all = match in_files(move || files::all(&root)).await {
        Ok(all) => all,
        Err(error) => {
            tracing::warn!(%error, "the directory of exports cannot be read");
            return Ok(());
        }
    };
    // Each clean-up begins at another file, so none is left out for ever.
    if !all.is_empty() {
        let start = rand::random_range(0..all.len());
        all.rotate_left(start);
    }
    let now = store.now().await?;
    let mut kept: Option<(UserId, Option<ExportToken>)> = None;
    for (name, path) in all.into_iter().take(EXAMINED) {
        let Some((person, token)) = files::parse_name(&name) else {
            continue;
        };
        if kept.as_ref().is_none_or(|(of, _)| *of != person) {
            let export = store.export(person).await?;
            let export =
                export.filter(|export| !export.stage.has_failed() && !export.is_interrupted(now));
            kept = Some((person, export.map(|export| export.token)));
        }
        if kept
            .as_ref()
            .is_some_and(|(_, kept)| kept.as_ref() == Some(&token))
        {
            continue;
        }
        if let Err(error) = in_files(move || files::remove(&path)).await {
            tracing::warn!(%error, "an old file of an export cannot be removed");
        }
    }
    Ok(())
}
