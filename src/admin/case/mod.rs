//! `redwing admin case`: the reports about a person with their context, and the decisions.

mod decisions;
mod document;
mod lines;
mod reported;

use clap::Args;

use self::document::CaseDocument;
use super::{
    Failure,
    arguments::{AccountArgs, holder},
};
use crate::{
    domain::Cursor,
    output::{print_document, print_line},
    store::Store,
};

#[derive(Debug, Args)]
pub(super) struct CaseArgs {
    #[command(flatten)]
    account: AccountArgs,

    /// Continue with reported posts before the one with this id.
    #[arg(long, value_name = "ID")]
    before: Option<u64>,

    /// Continue with reported messages and groups before this time (µs).
    #[arg(long, value_name = "TIME")]
    before_texts: Option<u64>,
}

pub(super) async fn show(args: CaseArgs, store: &Store) -> Result<(), Failure> {
    let AccountArgs { login, json } = args.account;
    let person = holder(store, &login).await?;
    let (user, now) = tokio::try_join!(store.user(person), store.now())?;
    let Some(user) = user else {
        return Err(format!("the account of {login} is incomplete").into());
    };
    let places = (args.before, args.before_texts);
    let places = (places.0.map(Cursor::before), places.1.map(Cursor::before));
    let file = store.case_file(&user, places).await?;
    let document = CaseDocument::new(&file, now);
    match json {
        true => print_document(&document),
        false => document.lines().iter().try_for_each(print_line),
    }
}
