//! A draft in the form to post.

use crate::{
    domain::{
        Choice, Draft, GroupId, Login, Message, Poll, PollError, PollOption, PollTerm,
        ReplyControl, Visibility, Warning, joined,
    },
    web::{
        http::session::{pending_form::PostFields, thread_fields::ThreadFields},
        parts::prelude::*,
    },
};

/// A draft in its form, with the errors of each field.
#[derive(Debug, Default)]
pub struct DraftTyped {
    pub(super) message: Typed,
    pub(super) warning: Typed,
    pub(super) options: [Typed; Poll::MAX_OPTIONS],
    pub(super) several: bool,
    pub(super) term: PollTerm,
    /// `None` if the form has not been sent yet.
    pub(super) visibility: Option<Visibility>,
    /// The author has yet to choose who can see the post.
    pub(super) is_audience_missing: bool,
    /// The group to post in.
    pub(super) group: Option<GroupId>,
    pub(super) reply_control: ReplyControl,
    /// Mentioned people who will not see the post, as the form has said.
    pub(super) unreached: String,
    /// The deleted post to which this text belonged as an edit.
    pub(super) edit_of: Option<StatusId>,
    /// The further posts of a thread.
    pub(super) thread: Vec<Typed>,
}

impl DraftTyped {
    /// Returns the draft as it was typed, without errors.
    pub fn text(post: &PostFields) -> Self {
        Self {
            message: Typed::text(&post.message),
            warning: Typed::text(&post.warning),
            options: post.options().map(Typed::text),
            several: post.several.is_some(),
            term: PollTerm::of_hours(&post.hours).unwrap_or_default(),
            visibility: Visibility::stored(&post.visibility),
            is_audience_missing: post.is_audience_missing(),
            group: post.group(),
            reply_control: post.reply_control(),
            unreached: String::new(),
            edit_of: post.edit_of.parse().ok(),
            thread: post.thread.texts().map(Typed::text).collect(),
        }
    }

    /// Makes a new post of a reply that is not possible. A reply that names no readers has those of its conversation, for
    /// example of a group. A new post cannot have these, so its author chooses.
    #[must_use]
    pub fn without_reply(self) -> Self {
        let names_readers = self.visibility.is_some() || self.group.is_some();
        Self {
            is_audience_missing: !names_readers,
            ..self
        }
    }

    /// Selects no readers in place of a group in which the author cannot post.
    #[must_use]
    pub fn without_group(self) -> Self {
        Self {
            is_audience_missing: self.is_audience_missing || self.group.is_some(),
            group: None,
            ..self
        }
    }

    /// Adds an empty post to the thread, if it has room.
    pub(super) fn add_post(&mut self) {
        if self.thread.len() < ThreadFields::MAX_POSTS {
            self.thread.push(Typed::default());
        }
    }

    /// Parses the typed draft, or returns it with its errors.
    pub fn parse(post: &PostFields) -> Result<Draft, Box<Self>> {
        let message = Message::parse(&post.message);
        let warning = Warning::parse(&post.warning);
        let options = post.options().map(PollOption::parse);
        let mut typed = Self {
            message: Typed::checked(&post.message, &message),
            warning: Typed::checked(&post.warning, &warning),
            ..Self::text(post)
        };
        for (typed, option) in typed.options.iter_mut().zip(&options) {
            typed.error = option.as_ref().err().map(ToString::to_string);
        }
        if message.is_ok() && typed.is_audience_missing {
            typed.message.error = Some("Choose who can see this post.".to_owned());
            return Err(Box::new(typed));
        }
        let places = options.iter().enumerate();
        let filled = places.filter(|(_, option)| !matches!(option, Ok(None)));
        let filled: Vec<usize> = filled.map(|(at, _)| at).collect();
        let options: Result<Vec<PollOption>, _> =
            options.into_iter().filter_map(Result::transpose).collect();
        let poll = options.ok().map(|options| typed.poll(options, &filled));
        match (message, warning, poll) {
            (Ok(message), Ok(warning), Some(Ok(poll))) => Ok(Draft {
                warning,
                poll,
                visibility: typed.visibility.unwrap_or_default(),
                reply_control: typed.reply_control,
                group: typed.group,
                ..Draft::from(&message)
            }),
            _ => Err(Box::new(typed)),
        }
    }

    /// Builds the poll of these options, which are in these places of the form. Without options
    /// there is no poll. An error of the whole poll is shown at one of its options.
    fn poll(&mut self, options: Vec<PollOption>, places: &[usize]) -> Result<Option<Poll>, ()> {
        if options.is_empty() {
            return Ok(None);
        }
        let choice = if self.several {
            Choice::Several
        } else {
            Choice::One
        };
        Poll::new(options, choice, self.term)
            .map(Some)
            .map_err(|error| {
                let at = match error {
                    PollError::Same { at } => places[at],
                    PollError::TooFew => usize::from(places[0] == 0),
                    PollError::TooMany => places[0],
                };
                self.options[at].error = Some(error.to_string());
            })
    }

    /// Says which mentioned people will not see the post.
    #[must_use]
    pub fn naming_unreached(mut self, unreached: &[Login]) -> Self {
        let names: Vec<String> = unreached.iter().map(|login| format!("@{login}")).collect();
        self.message.error = Some(format!(
            "Only {} see this post, and {} will not see it. Send it again to post it anyway.",
            if self.group.is_some() {
                "members of the group"
            } else {
                "followers"
            },
            names.join(" and ")
        ));
        self.unreached = joined(unreached);
        self
    }

    /// Returns the fields besides the message.
    pub(super) fn more(&self) -> impl Iterator<Item = &Typed> {
        self.options.iter().chain([&self.warning])
    }
}

#[cfg(test)]
mod tests {
    use super::super::draft_typed::*;

    fn written(options: [&str; 4]) -> PostFields {
        let [one, two, three, four] = options.map(str::to_owned);
        PostFields {
            message: "hello".to_owned(),
            option_1: one,
            option_2: two,
            option_3: three,
            option_4: four,
            ..PostFields::default()
        }
    }

    #[test]
    fn a_poll_error_is_shown_at_one_option() {
        for (options, at) in [
            (["a", "", "", ""], 1),
            (["", "a", "", ""], 0),
            (["", "", "a", " "], 0),
            (["", "a", "b", "A"], 3),
            (["a", "", "a\u{202E}", ""], 2),
        ] {
            let typed = DraftTyped::parse(&written(options)).expect_err("wrong");
            let wrong: Vec<usize> = (0..4)
                .filter(|at| typed.options[*at].error.is_some())
                .collect();
            assert_eq!(wrong, [at], "{options:?}");
        }
    }

    #[test]
    fn a_poll_consists_of_its_filled_options() {
        let draft = DraftTyped::parse(&written(["", "a", "", "b"])).expect("valid");
        assert_eq!(draft.poll.expect("a poll").options().len(), 2);
        let draft = DraftTyped::parse(&written([" ", "", "", ""])).expect("valid");
        assert_eq!(draft.poll, None);
    }
}
