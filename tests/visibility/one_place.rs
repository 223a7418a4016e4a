//! The rules of visibility are in `src/store/access` alone: no page, action, stream or template has one.

use std::{fs, path::Path};

/// Everything that a rule needs, and the files outside the store that mention it for another reason.
const OF_RULES: [(&str, &[&str]); 12] = [
    ("readers_of(", &[]),
    ("is_among(", &[]),
    (".may_see(", &[]),
    (".may_find(", &[]),
    (".is_connected(", &[]),
    ("StatusReaders", &[]),
    ("blocked_by", &[]),
    // The deletion of an account walks over its relations.
    (
        "Key::Blocked",
        &["src/actions/accounts/account_deletion.rs"],
    ),
    ("Key::Muted", &[]),
    // A follow of a private account is a request. The others say that an account is private, or name the button.
    (
        ".is_private",
        &[
            "src/actions/people/follows.rs",
            "src/export/documents.rs",
            "src/web/people/person_row.rs",
            "src/web/people/profile.rs",
            "src/web/privacy/view.rs",
        ],
    ),
    // Where a new status goes: never to homes by a tag, to trends and to everybody. Whether it waits for a moderator or is
    // compared with others, which is for public ones alone. Exports name the readers. The form of a new post with the text of
    // a deleted one selects its readers.
    (
        ".readers",
        &[
            "src/actions/moderation/shields.rs",
            "src/actions/statuses/edits.rs",
            "src/actions/statuses/index_entries.rs",
            "src/actions/statuses/mentions.rs",
            "src/actions/statuses/posting.rs",
            "src/actions/timelines/fan_out.rs",
            "src/export/documents.rs",
            "src/web/edits/deleted.rs",
        ],
    ),
    // The words of a rule below a card, its change by the author, and its choice for a text that is posted again.
    (
        ".repliers",
        &[
            "src/actions/statuses/reply_control.rs",
            "src/web/edits/deleted.rs",
            "src/web/http/session/pending_form.rs",
            "src/web/reply_control/handlers.rs",
            "src/web/reply_control/view.rs",
            "src/web/reply_control/words.rs",
            "src/web/statuses/thread.rs",
            "templates/reply_control/_reply_control_fields.html",
        ],
    ),
];

/// Adds the files with a rule below a folder.
fn look_in(folder: &Path, found: &mut Vec<String>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            look_in(&path, found);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap_or_default();
        let name = path.strip_prefix(root).expect("a file of the project");
        let name = name.to_str().expect("names are ASCII");
        for (word, files) in OF_RULES {
            if text.contains(word) && !files.contains(&name) {
                found.push(format!("{name}: {word}"));
            }
        }
    }
}

#[test]
fn no_page_action_stream_or_template_has_a_rule_of_its_own() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in [
        "src/web",
        "src/actions",
        "src/live",
        "src/worker",
        "src/export",
        "templates",
    ] {
        look_in(&root.join(folder), &mut found);
    }
    assert!(found.is_empty(), "{found:#?}");
}
