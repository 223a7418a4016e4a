//! The site in w3m and lynx, which know neither scripts nor styles: signing up, posting, a favourite, a repost, a reply
//! and a bookmark, by the keys of each program. A machine without them skips these tests. In CI (CI=true) that is a failure.

use std::{
    fs,
    io::{Read, Write},
    os::unix::{fs::PermissionsExt, process::CommandExt},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{Arc, Mutex},
    thread,
};

use redwing::domain::Collection;
use tempfile::TempDir;

use crate::support::{
    PASSWORD, Person, Site, crowd,
    environment::{program, variable},
    leftovers,
    waiting::eventually,
};

/// Draws the whole screen again, in both programs.
const REDRAW: &str = "\x0c";
/// Empties the line that one types.
const KILL_LINE: &str = "\x15";
const UP: &str = "\x1b[A";
/// Words of a profile that no other page has.
const OF_PROFILE: &str = "Joined";

/// A program in a terminal of its own, which `script` provides.
struct Terminal {
    child: Child,
    input: ChildStdin,
    output: Arc<Mutex<Vec<u8>>>,
    _home: TempDir,
}

impl Terminal {
    /// Opens a page, or returns `None` if the program is missing. `editor` is the text that an editor would write.
    fn open(name: &str, options: &str, url: &str, editor: &str) -> Option<Self> {
        if program(name).is_none() || program("script").is_none() {
            let is_in_ci = variable("CI").is_some_and(|ci| ci == "true");
            assert!(!is_in_ci, "CI needs {name} and script");
            // Not eprintln!: the test runner would capture it.
            let _ = writeln!(std::io::stderr(), "SKIPPED: {name} is missing here");
            return None;
        }
        let home = leftovers::directory("redwing-text-browser-");
        let writer = home.path().join("editor");
        let script = format!("#!/bin/sh\nprintf '%s' '{editor}' >\"$1\"\n");
        fs::write(&writer, script).expect("the directory is writable");
        fs::set_permissions(&writer, fs::Permissions::from_mode(0o755)).expect("the file exists");
        let run = format!("stty rows 200 cols 100 && exec {name} {options} {url}");
        let mut child = Command::new("script")
            .args(["-qfec", &run, "/dev/null"])
            .env("HOME", home.path())
            .env("TERM", "xterm")
            .env("LANG", "C.UTF-8")
            .env("EDITOR", &writer)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("script starts");
        leftovers::note(&child, home.path().join("terminal.group"));
        let output = Arc::new(Mutex::new(Vec::new()));
        let mut screen = child.stdout.take().expect("its output is a pipe");
        let seen = Arc::clone(&output);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = screen.read(&mut bytes) {
                let mut output = seen.lock().expect("no thread panics");
                output.extend_from_slice(&bytes[..length]);
            }
        });
        Some(Self {
            input: child.stdin.take().expect("its input is a pipe"),
            child,
            output,
            _home: home,
        })
    }

    fn keys(&mut self, keys: &[&str]) {
        for key in keys {
            self.input
                .write_all(key.as_bytes())
                .expect("the program runs");
        }
        self.input.flush().expect("the program runs");
    }

    /// Waits until the screen shows these words.
    async fn until(&mut self, words: &str) {
        let wanted = words.replace(' ', "");
        self.output.lock().expect("no thread panics").clear();
        let mut redraws = 0;
        eventually(words, async || {
            if printed(&self.output.lock().expect("no thread panics")).contains(&wanted) {
                return true;
            }
            // One redraw at a time: the program answers them all.
            redraws += 1;
            if redraws % 50 == 1 {
                self.keys(&[REDRAW]);
            }
            false
        })
        .await;
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.input.write_all(b"\x03");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the printed characters without blanks. Programs move the cursor instead of printing some blanks.
fn printed(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let mut characters = text.chars();
    let mut printed = String::new();
    while let Some(character) = characters.next() {
        if character == '\x1b' {
            let is_sequence = characters.next() == Some('[');
            while is_sequence
                && characters
                    .next()
                    .is_some_and(|end| !end.is_ascii_alphabetic())
            {}
        } else if !character.is_whitespace() && !character.is_control() {
            printed.push(character);
        }
    }
    printed
}

/// An author with one post, whose pages show what a text browser did.
struct Scene {
    site: Site,
    author: Person,
    id: u64,
}

impl Scene {
    async fn set() -> Self {
        let site = Site::start().await;
        let author = Person::sign_up(&site, "author").await;
        let id = author.post("worth a star").await;
        Self { site, author, id }
    }

    async fn until_posted(&self, login: &str, message: &str) {
        eventually(message, async || {
            let profile = self.author.get(&format!("/@{login}")).await;
            profile.status.is_success() && profile.messages().contains(&message.to_owned())
        })
        .await;
    }

    async fn until_favourited(&self, login: &str) {
        self.until_listed("favourites", login).await;
    }

    async fn until_reposted(&self, login: &str) {
        self.until_listed("reposts", login).await;
    }

    /// Waits until the page of the people who reacted to the post lists this person.
    async fn until_listed(&self, people: &str, login: &str) {
        let page = format!("/@author/{}/{people}", self.id);
        eventually(people, async || {
            self.author.get(&page).await.texts(".person .p-nickname") == [login]
        })
        .await;
    }

    async fn until_bookmarked(&self, login: &str) {
        let store = &self.site.store;
        let reader = crowd::uid(store, login).await;
        eventually("a bookmark", async || {
            let page = store.collection_page(reader, Collection::Bookmarks, None);
            let statuses = page.await.expect("the store answers").items;
            statuses
                .iter()
                .map(|status| status.id().get())
                .eq([self.id])
        })
        .await;
    }

    async fn until_replied(&self, message: &str) {
        let permalink = format!("/@author/{}", self.id);
        eventually("a reply", async || {
            let page = self.author.open(&permalink).await;
            page.texts(".reply-list .e-content") == [message]
        })
        .await;
    }
}

#[tokio::test]
async fn w3m_signs_up_posts_favourites_reposts_replies_and_bookmarks() {
    let scene = Scene::set().await;
    let options =
        "-cookie -o accept_cookie=1 -o ignorecase_search=0 -o wrap_search=1 -o editor=$EDITOR";
    let base = &scene.site.base;
    let sign_up = format!("{base}/signup");
    let Some(mut w3m) = Terminal::open("w3m", options, &sign_up, "from w3m") else {
        return;
    };
    let password = format!("{PASSWORD}\r");
    w3m.until("Already have an account?").await;
    // TAB goes to the next link or field, Enter presses it, "/" finds a text.
    w3m.keys(&[
        "/underscores\r",
        "\t\r",
        "wanda\r",
        "\t\r",
        "Wanda\r",
        "\t\r",
        &password,
    ]);
    w3m.keys(&["\t\r"]);
    w3m.until("Who to follow").await;
    w3m.keys(&["/your mind\r", "\t\r"]);
    w3m.until("[from w3m").await;
    w3m.keys(&["/Post Add\r", "\r"]);
    scene.until_posted("wanda", "from w3m").await;
    w3m.until("Posted.").await;
    let profile = format!("{base}/@author\r");
    w3m.keys(&["U", KILL_LINE, &profile]);
    w3m.until("worth a star").await;
    w3m.keys(&["/Favourite B\r", "\r"]);
    scene.until_favourited("wanda").await;
    w3m.until("Favourite 1").await;
    w3m.keys(&["/Repost F\r", "\r"]);
    scene.until_reposted("wanda").await;
    w3m.until("Repost 1").await;
    w3m.keys(&["/Reply\r", "\r"]);
    w3m.until("Who can reply").await;
    w3m.keys(&["\t\r"]);
    w3m.until("[from w3m").await;
    w3m.keys(&["/Reply Preview\r", "\r"]);
    scene.until_replied("from w3m").await;
    w3m.until("Posted.").await;
    w3m.keys(&["U", KILL_LINE, &profile]);
    w3m.until(OF_PROFILE).await;
    w3m.keys(&["/Bookmark M\r", "\r"]);
    scene.until_bookmarked("wanda").await;
}

#[tokio::test]
async fn lynx_signs_up_posts_favourites_reposts_replies_and_bookmarks() {
    let scene = Scene::set().await;
    let base = &scene.site.base;
    let sign_up = format!("{base}/signup");
    let Some(mut lynx) = Terminal::open("lynx", "-accept_all_cookies -case -nopause", &sign_up, "")
    else {
        return;
    };
    lynx.until("Already have an account?").await;
    // Tab goes to the next link or field, "/" finds a link.
    lynx.keys(&["/Create account\r", UP, UP, UP]);
    lynx.keys(&["lena", "\t", "Lena", "\t", PASSWORD, "\t", "\r"]);
    lynx.until("Who to follow").await;
    // Searching starts with a key that is text in a field, so from the button behind the field.
    let to_button = "\t".repeat(11);
    lynx.keys(&["/Compose\r", "\r"]);
    lynx.until("New post").await;
    lynx.keys(&["from lynx", &to_button, "\r"]);
    scene.until_posted("lena", "from lynx").await;
    lynx.until("Posted.").await;
    let profile = format!("{base}/@author\r");
    lynx.keys(&["g", &profile]);
    lynx.until("worth a star").await;
    // A search finds a line. The buttons to repost, favourite and bookmark follow the link to reply.
    lynx.keys(&["/Reply\r", "\t\t", "\r"]);
    scene.until_favourited("lena").await;
    lynx.until("Favourite 1").await;
    lynx.keys(&["/Reply\r", "\t", "\r"]);
    scene.until_reposted("lena").await;
    lynx.until("Repost 1").await;
    lynx.keys(&["/Reply\r", "\r"]);
    lynx.until("Who can reply").await;
    lynx.keys(&["a reply", &to_button, "\r"]);
    scene.until_replied("a reply").await;
    // The page begins at the reply, below the confirmation.
    lynx.until("Lena @lena").await;
    lynx.keys(&["g", &profile]);
    lynx.until(OF_PROFILE).await;
    lynx.keys(&["/Reply\r", "\t\t\t", "\r"]);
    scene.until_bookmarked("lena").await;
}
