//! The case of a person for a reader. Texts of people are quoted.

use super::{
    decisions::DecisionRow,
    document::{CaseDocument, ReportRow},
    reported::{GroupRow, MessagesRow, PostRow, VersionRow},
};
use crate::admin::outcome::quote;

impl CaseDocument {
    /// Returns the lines for a reader.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = self.person();
        lines.push(String::new());
        lines.push(match self.open_reports {
            0 => "No open reports".to_owned(),
            count if count > self.reports.len() => {
                format!("Open reports: {count}, of which these are the newest")
            }
            count => format!("Open reports: {count}"),
        });
        lines.extend(self.reports.iter().flat_map(report));
        lines.extend(section("Reported posts", &self.reported_posts, post));
        lines.extend(self.next_posts.map(|id| format!("More: --before {id}")));
        let (messages, groups) = (&self.reported_messages, &self.reported_groups);
        lines.extend(section("Reported messages", messages, messages_of));
        lines.extend(section("Reported groups", groups, group));
        lines.extend(
            self.next_texts
                .map(|at| format!("More: --before-texts {at}")),
        );
        lines.extend(section("Decisions", &self.decisions, decision));
        if self.open_reports > 0 {
            lines.push(String::new());
            let seen = self.seen;
            lines.push(format!(
                "To close these reports by a decision: --seen {seen}"
            ));
        }
        lines
    }

    fn person(&self) -> Vec<String> {
        let Self {
            login,
            signed_up,
            posts,
            state,
            ..
        } = self;
        let inviter = self.inviter.as_ref();
        let inviter = inviter.map_or_else(String::new, |login| format!(", invited by @{login}"));
        let mut lines = vec![format!("@{login}  {state}")];
        lines.extend(quote(&self.name));
        lines.push(format!("Signed up {signed_up}{inviter}. Posts: {posts}."));
        lines.extend(self.limited.then(|| "Limited.".to_owned()));
        let frozen = self.frozen_until.as_ref();
        lines.extend(frozen.map(|until| format!("Frozen until {until}.")));
        let claim = self.claim.as_ref();
        lines.extend(claim.map(|claim| format!("{} works on it since {}.", claim.by, claim.since)));
        lines
    }
}

/// Returns a part of the case with its title. Nothing if it is empty.
fn section<T>(title: &str, rows: &[T], lines: fn(&T) -> Vec<String>) -> Vec<String> {
    if rows.is_empty() {
        return Vec::new();
    }
    let title = [String::new(), title.to_owned()];
    title
        .into_iter()
        .chain(rows.iter().flat_map(lines))
        .collect()
}

/// Returns a text of a person below its title. Nothing without a text.
fn titled(title: &str, text: &str) -> Vec<String> {
    match text {
        "" => Vec::new(),
        text => [vec![format!("  {title}:")], quote(text)].concat(),
    }
}

fn report(row: &ReportRow) -> Vec<String> {
    let ReportRow {
        at,
        reporter,
        about,
        post,
        ..
    } = row;
    let about = match (*about, post) {
        (_, Some(id)) => format!("post {id}"),
        ("person", None) => "the person".to_owned(),
        (about, None) => format!("a {about}"),
    };
    let mut lines = vec![format!("{at}  {reporter} reported {about}")];
    lines.extend(titled("Reason", &row.reason));
    lines.extend(titled("Note", &row.note));
    lines
}

fn version(title: &str, version: &VersionRow) -> Vec<String> {
    let VersionRow {
        since,
        warning,
        message,
    } = version;
    let mut lines = warning.as_ref().map_or_else(Vec::new, |warning| {
        titled(&format!("{title}, warning"), warning)
    });
    lines.extend(titled(&format!("{title}, written {since}"), message));
    lines
}

fn post(row: &PostRow) -> Vec<String> {
    let mut lines = vec![format!("{}  post {}", row.posted, row.id)];
    lines.extend(version("As it was reported", &row.then));
    lines.extend(titled("Choices", &row.options.join("\n")));
    let earlier = row.earlier.iter();
    lines.extend(earlier.flat_map(|one| version("Earlier version", one)));
    let state = row.state;
    lines.push(format!("  The post is {state}."));
    lines.extend(row.now.iter().flat_map(|now| version("Now", now)));
    if row.hidden {
        lines.push("  It is hidden from everybody but its author.".to_owned());
    } else if row.waiting {
        lines.push("  It waits for a moderator. Only its author sees it.".to_owned());
    }
    lines
}

fn messages_of(row: &MessagesRow) -> Vec<String> {
    let mut lines = vec![format!("Reported by {}", row.reporter)];
    for message in &row.messages {
        let mark = if message.reported { ", reported" } else { "" };
        let title = format!("{} at {}{mark}", message.author, message.at);
        lines.extend(titled(&title, &message.text));
    }
    lines
}

fn group(row: &GroupRow) -> Vec<String> {
    let GroupRow {
        reporter,
        owner,
        members,
        ..
    } = row;
    let slug = row.slug.as_ref();
    let slug = slug.map_or_else(String::new, |slug| format!(", now {slug}"));
    let mut lines = vec![format!(
        "Reported by {reporter}, owned by {owner}, members: {members}{slug}"
    )];
    lines.extend(titled("Name", &row.name));
    lines.extend(titled("Description", &row.description));
    lines.extend(titled("Rules", &row.rules));
    lines
}

fn decision(row: &DecisionRow) -> Vec<String> {
    let DecisionRow {
        at,
        by,
        words,
        number,
        ..
    } = row;
    let post = row.post.as_ref();
    let post = post.map_or_else(String::new, |id| format!("post {id}, "));
    let until = row.until.as_ref();
    let until = until.map_or_else(String::new, |until| format!("until {until}, "));
    let mut lines = vec![format!("{at}  {by} {words} ({post}{until}number {number})")];
    lines.extend(titled("Reason", &row.grounds));
    let warning = row.warning.as_ref();
    lines.extend(warning.iter().flat_map(|text| titled("Warning", text)));
    if let Some(ended) = &row.ended {
        lines.push(format!("  {} took it back {}.", ended.by, ended.at));
    }
    if let Some(appeal) = &row.appeal {
        lines.extend(titled(&format!("Appeal, {}", appeal.at), &appeal.text));
    }
    if let Some(answer) = &row.answer {
        let verb = if answer.granted { "granted" } else { "refused" };
        lines.push(format!("  {} {verb} the appeal {}.", answer.by, answer.at));
        lines.extend(titled("Explanation for the person", &answer.explanation));
    }
    if row.awaits_answer {
        lines.push("  The appeal waits for an answer.".to_owned());
    }
    lines
}
