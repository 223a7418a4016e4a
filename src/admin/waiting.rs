//! `redwing admin waiting`: the posts that wait for a moderator, and the decisions about them.

use clap::Args;
use serde::Serialize;

use super::{
    Failure,
    arguments::{DecisionOptions, Grounds, GroundsArgs, parse_post, parse_reason},
    outcome::{List, Row, quote, time},
    posts::Post,
};
use crate::{
    domain::{Cursor, Measure, ReportReason, StatusId, SuspensionReason},
    store::{Store, WaitingPost},
};

/// Number of posts from which a list ends with its page of the queue.
const LIST_LENGTH: usize = 100;

#[derive(Debug, Args)]
pub(super) struct WaitingArgs {
    /// Show the post with this id or address to everybody.
    #[arg(long, value_name = "ID", value_parser = parse_post, conflicts_with = "refuse")]
    approve: Option<StatusId>,

    /// Hide the post with this id or address from everybody but its author.
    #[arg(long, value_name = "ID", value_parser = parse_post)]
    refuse: Option<StatusId>,

    /// The reason of a refusal, at most 500 characters. The person reads it.
    #[arg(long, value_parser = parse_reason, value_name = "TEXT", requires = "refuse")]
    reason: Option<SuspensionReason>,

    /// The rule that the refused post broke: its number in the list of rules. A site without rules has `spam`,
    /// `harassment` and `illegal`.
    #[arg(long, requires = "refuse")]
    rule: Option<String>,

    /// Continue a list: its number for the next one.
    #[arg(long, value_name = "NUMBER")]
    before: Option<u64>,

    #[command(flatten)]
    options: DecisionOptions,
}

#[derive(Debug, Serialize)]
struct WaitingRow {
    at: String,
    login: String,
    post: StatusId,
    /// `None` if it gave way to other reports.
    message: Option<String>,
    warning: Option<String>,
    options: Vec<String>,
}

impl From<WaitingPost> for WaitingRow {
    fn from(waiting: WaitingPost) -> Self {
        let text = waiting.post.as_ref().map(|post| &post.text);
        Self {
            at: time(waiting.at),
            login: waiting.author.to_string(),
            post: waiting.id,
            message: text.map(|text| text.message.clone()),
            warning: text.and_then(|text| text.warning.clone()),
            options: waiting.post.map_or_else(Vec::new, |post| post.options),
        }
    }
}

impl Row for WaitingRow {
    fn line(&self) -> String {
        let Self {
            at, login, post, ..
        } = self;
        let mut lines = vec![format!("{at}  @{login}  post {post}")];
        if let Some(warning) = &self.warning {
            lines.push("  Warning:".to_owned());
            lines.extend(quote(warning));
            lines.push("  Text:".to_owned());
        }
        lines.extend(self.message.iter().flat_map(|message| quote(message)));
        if !self.options.is_empty() {
            lines.push("  Choices:".to_owned());
            lines.extend(self.options.iter().flat_map(|option| quote(option)));
        }
        lines.join("\n")
    }
}

pub(super) async fn run(args: WaitingArgs, store: &Store) -> Result<(), Failure> {
    let Some(id) = args.approve.or(args.refuse) else {
        return list(store, args.before, args.options.json).await;
    };
    let post = Post::find(store, id).await?;
    if post.waiting_since_us().is_none() {
        return Err(format!("the post {id} does not wait for a moderator").into());
    }
    if args.refuse.is_some() {
        let (reason, rule) = (args.reason, args.rule);
        let grounds = GroundsArgs { reason, rule }.read(store).await?;
        return post.hide(store, "refuse", grounds, args.options).await;
    }
    let grounds = Grounds {
        reason: ReportReason::NewAccountLink,
        explanation: String::new(),
    };
    let measure = Measure::ApprovePost { status: id };
    let approved = ("approve", format!("The post {id} is shown."));
    post.decide(store, approved, (measure, grounds), args.options)
        .await
}

/// Prints the waiting posts of the queue: whole pages, up to the one with the hundredth post.
async fn list(store: &Store, before: Option<u64>, json: bool) -> Result<(), Failure> {
    let mut rows: Vec<WaitingRow> = Vec::new();
    let mut before = before.map(Cursor::before);
    let next = loop {
        let page = store.waiting_posts(before).await?;
        rows.extend(page.items.into_iter().map(WaitingRow::from));
        match page.next {
            Some(next) if rows.len() < LIST_LENGTH => before = Some(next),
            next => break next.map(Cursor::get),
        }
    };
    List { rows, next }.print(json)
}
