//! The archive: its files are written one after the other, each from the parts of the passes. So its memory does not
//! depend on the number of posts.

use std::{
    io::{self, BufRead, BufWriter, Read, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use askama::Template;
use zip::{ZipWriter, result::ZipError, write::SimpleFileOptions};

use super::{
    documents::{Documents, csv_line},
    files::{self, ArchivePart, ExportFiles},
    markup::{IndexHead, Totals},
    space::{ExportSpace, LimitedFile},
};
use crate::{
    domain::{FilePerson, GroupRole, PeopleFile, UnixMs},
    store::{Group, User},
};

const INDEX_FOOT: &str = "</main>\n</body>\n</html>\n";

/// The small parts of an archive, which are read at its end.
#[derive(Debug)]
pub struct Account {
    pub user: User,
    pub made: UnixMs,
    pub people: Vec<(PeopleFile, Vec<FilePerson>)>,
    /// Names of lists, each with the login of a member.
    pub lists: Vec<(String, String)>,
    /// Groups with the role of the person.
    pub groups: Vec<(Arc<Group>, GroupRole)>,
}

/// Writes the archive and puts it in its place. Returns its size in bytes. Until it is complete, the parts take
/// about the same space again.
pub fn write(
    files: &ExportFiles,
    documents: Documents<'_>,
    account: &Account,
    space: ExportSpace,
) -> io::Result<u64> {
    space.check(files.part_bytes()?)?;
    let draft = files.draft();
    let file = files::create_private_file(&draft)?;
    let file = BufWriter::new(LimitedFile::new(file, space));
    let mut archive = Archive {
        zip: ZipWriter::new(file),
        files,
    };
    archive.write_all(documents, account)?;
    archive.zip.finish().map_err(io_error)?.flush()?;
    files.publish(&draft)
}

/// Returns the error of a file as it is, so that a lack of space is told as such.
fn io_error(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        error => io::Error::other(error),
    }
}

struct Archive<'a> {
    zip: ZipWriter<BufWriter<LimitedFile>>,
    files: &'a ExportFiles,
}

impl Archive<'_> {
    fn write_all(&mut self, documents: Documents<'_>, account: &Account) -> io::Result<()> {
        let Account { user, made, .. } = account;
        let totals = Totals {
            posts: self.line_count(ArchivePart::Outbox)?,
            likes: self.line_count(ArchivePart::Likes)?,
            bookmarks: self.line_count(ArchivePart::Bookmarks)?,
            messages: self.line_count(ArchivePart::Messages)?,
        };
        self.add("actor.json", documents.actor(user).to_string().as_bytes())?;
        for (part, name, total) in [
            (ArchivePart::Outbox, "outbox.json", totals.posts),
            (ArchivePart::Likes, "likes.json", totals.likes),
            (ArchivePart::Bookmarks, "bookmarks.json", totals.bookmarks),
            (ArchivePart::Messages, "messages.json", totals.messages),
        ] {
            self.begin(name)?;
            let head = documents.collection_head(name, total);
            self.zip.write_all(head.as_bytes())?;
            self.write_items(part)?;
            self.zip.write_all(b"]}\n")?;
        }
        self.begin("bookmarks.csv")?;
        for path in self.files.parts(ArchivePart::Bookmarks)? {
            for line in files::open_part(&path)?.lines() {
                let address: String = serde_json::from_str(&line?).map_err(io::Error::other)?;
                self.zip.write_all(csv_line(&[&address]).as_bytes())?;
            }
        }
        let host = documents.host();
        for (file, people) in &account.people {
            let text = file.format(people, &host);
            self.add(file.file_name(), text.as_bytes())?;
        }
        self.begin("lists.csv")?;
        for (list, login) in &account.lists {
            let line = csv_line(&[list, &format!("{login}@{host}")]);
            self.zip.write_all(line.as_bytes())?;
        }
        self.begin("groups.csv")?;
        for (group, role) in &account.groups {
            let address = documents.group_address(group);
            let line = csv_line(&[&address, &group.name, role.as_str()]);
            self.zip.write_all(line.as_bytes())?;
        }
        self.begin("index.html")?;
        let head = IndexHead::new(user, documents.site, *made, totals);
        self.zip
            .write_all(head.render().map_err(io::Error::other)?.as_bytes())?;
        for path in self.files.parts(ArchivePart::Page)? {
            self.copy(&path)?;
        }
        self.zip.write_all(INDEX_FOOT.as_bytes())
    }

    fn begin(&mut self, name: &str) -> io::Result<()> {
        let options = SimpleFileOptions::default();
        self.zip.start_file(name, options).map_err(io_error)
    }

    fn add(&mut self, name: &str, content: &[u8]) -> io::Result<()> {
        self.begin(name)?;
        self.zip.write_all(content)
    }

    fn copy(&mut self, path: &Path) -> io::Result<()> {
        io::copy(&mut files::open_part(path)?, &mut self.zip).map(drop)
    }

    /// Writes the lines of a part, oldest first, with commas between them. A pass wrote its lines newest first.
    fn write_items(&mut self, part: ArchivePart) -> io::Result<()> {
        let mut is_first = true;
        for path in self.files.parts(part)?.into_iter().rev() {
            let mut text = String::new();
            files::open_part(&path)?.read_to_string(&mut text)?;
            for line in text.lines().rev() {
                if !is_first {
                    self.zip.write_all(b",\n")?;
                }
                is_first = false;
                self.zip.write_all(line.as_bytes())?;
            }
        }
        Ok(())
    }

    fn line_count(&self, part: ArchivePart) -> io::Result<usize> {
        let lines = |path: PathBuf| Ok(files::open_part(&path)?.lines().count());
        let counts: io::Result<Vec<usize>> =
            self.files.parts(part)?.into_iter().map(lines).collect();
        Ok(counts?.iter().sum())
    }
}
