//! The settings about messages: who may write, and read marks. Also the help.

use crate::{
    actions::accounts::{MessageSettings, set_message_settings},
    config::Config,
    domain::{Correspondents, MAX_CHAT_MEMBERS, ShownValues},
    web::{
        parts::prelude::{Layout, Section, Template},
        prelude::*,
    },
};

#[derive(Deserialize)]
pub struct Fields {
    messages_from: Correspondents,
    group_messages_from: Correspondents,
    /// Present if the box is checked.
    read_marks: Option<String>,
    /// The digests of the values with which the form was made.
    #[serde(default)]
    shown: String,
}

#[derive(Debug, Template)]
#[template(path = "settings/messages.html")]
struct MessageSettingsPage {
    layout: Layout,
    messages_from: Vec<Choice>,
    group_messages_from: Vec<Choice>,
    shows_read_marks: bool,
    shown: ShownValues,
}

#[derive(Debug)]
struct Choice {
    value: &'static str,
    label: &'static str,
    is_chosen: bool,
}

#[derive(Debug, Template)]
#[template(path = "help/messages.html")]
pub(super) struct HelpPage {
    layout: Layout,
    requests: usize,
    newcomer_days: u64,
    people: usize,
}

impl HelpPage {
    pub(super) fn new(visit: &Visit, config: &Config) -> Self {
        let layout = Layout::new(visit, Section::Elsewhere, "How messages work")
            .described("Who can write to you, who can read messages, and how they disappear.");
        Self {
            layout,
            requests: config.limits.message_requests_per_day,
            newcomer_days: config.limits.new_account_days,
            people: MAX_CHAT_MEMBERS,
        }
    }
}

pub async fn show(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    let user = app.store.user(me.id).await?.ok_or(Error::NotFound)?;
    let visit = me.visitor.visit();
    page(&MessageSettingsPage {
        layout: Layout::new(&visit, Section::Settings, "Messages"),
        messages_from: choices(user.messages_from),
        group_messages_from: choices(user.group_messages_from),
        shows_read_marks: user.shows_read_marks,
        shown: ShownValues::of([
            ("messages_from", user.messages_from.to_string()),
            ("group_messages_from", user.group_messages_from.to_string()),
            ("read_marks", user.shows_read_marks.to_string()),
        ]),
    })
}

pub async fn update(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(fields): SignedForm<Fields>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
    set_message_settings(&app.store, me.actor(), fields.changes()).await?;
    me.visitor.set_notice(Notice::SettingsSaved);
    Ok(see_other(routes::SETTINGS_MESSAGES))
}

impl Fields {
    /// Returns the settings that the sender changed.
    fn changes(&self) -> MessageSettings {
        let shown = ShownValues::parse(&self.shown);
        MessageSettings {
            from: shown.changed("messages_from", self.messages_from),
            group_from: shown.changed("group_messages_from", self.group_messages_from),
            shows_read_marks: shown.changed("read_marks", self.read_marks.is_some()),
        }
    }
}

fn choices(chosen: Correspondents) -> Vec<Choice> {
    let choice = |one: Correspondents| Choice {
        value: one.as_str(),
        label: match one {
            Correspondents::Everyone => "Everyone",
            Correspondents::Followed => "People I follow",
            Correspondents::NoOne => "No one",
        },
        is_chosen: one == chosen,
    };
    Correspondents::ALL.into_iter().map(choice).collect()
}
