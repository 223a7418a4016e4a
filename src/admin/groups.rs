//! `redwing admin groups` and `redwing admin delete-group`.

use clap::Args;
use serde::Serialize;

use super::{
    Failure,
    outcome::{Done, List, Row, plain, time},
};
use crate::{
    actions::groups::delete_for_host,
    domain::{Cursor, GroupId, GroupSlug},
    store::Store,
};

#[derive(Debug, Args)]
pub(super) struct GroupsArgs {
    /// Continue a list: its number for the next one.
    #[arg(long, value_name = "NUMBER")]
    before: Option<u64>,

    /// Print one JSON document instead of lines.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct DeleteArgs {
    /// The name of the group in addresses.
    #[arg(value_parser = parse_slug)]
    slug: GroupSlug,

    /// Confirms the deletion. It cannot be undone.
    #[arg(long, required = true)]
    now: bool,

    /// Print one JSON document instead of lines.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct GroupRow {
    id: u64,
    slug: String,
    name: String,
    members: u64,
    requests: u64,
    founded: String,
}

impl Row for GroupRow {
    fn line(&self) -> String {
        let Self {
            founded,
            members,
            slug,
            name,
            ..
        } = self;
        let name = plain(name);
        format!("{founded}  {members:>6} members  {slug}: {name}")
    }
}

pub(super) async fn list(args: GroupsArgs, store: &Store) -> Result<(), Failure> {
    let page = store.listed_groups(args.before.map(Cursor::before)).await?;
    let rows = page.items.iter().map(|group| GroupRow {
        id: group.id.get(),
        slug: group.slug.to_string(),
        name: group.name.clone(),
        members: group.members,
        requests: group.requests,
        founded: time(group.founded),
    });
    let rows = rows.collect();
    let next = page.next.map(Cursor::get);
    List { rows, next }.print(args.json)
}

pub(super) async fn delete(args: DeleteArgs, store: &Store) -> Result<(), Failure> {
    let DeleteArgs { slug, now: _, json } = args;
    let absent = || format!("there is no group {slug}");
    let id = find(store, &slug).await?.ok_or_else(absent)?;
    if !delete_for_host(store, (id, &slug)).await? {
        return Err(absent().into());
    }
    let lines = vec![
        format!("The group {slug} is deleted. Its posts and memberships are being removed."),
        "The workers of the site do the rest. To see what is left: redwing check".to_owned(),
    ];
    let done = Done::new("delete_group", lines).with("id", id.get());
    done.with("slug", slug.to_string()).print(json)
}

/// Returns the group with a name in addresses, unless it is being deleted.
async fn find(store: &Store, slug: &GroupSlug) -> Result<Option<GroupId>, Failure> {
    let Some(id) = store.group_named(slug).await? else {
        return Ok(None);
    };
    let group = store.group(id).await?;
    Ok(group.filter(|group| !group.is_gone).map(|group| group.id))
}

fn parse_slug(text: &str) -> Result<GroupSlug, String> {
    GroupSlug::parse(text).map_err(|error| error.to_string())
}
