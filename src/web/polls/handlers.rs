//! Votes in polls.

use crate::{
    actions::polls::vote as cast_vote,
    domain::Ballot,
    store::Cast,
    web::{collections::handlers::back, prelude::*},
};

/// The fields of the page's single form, which contains all its polls.
type Fields = Vec<(String, String)>;

pub async fn vote(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(fields): SignedForm<Fields>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Save(me.id)).await?;
    let return_to = ReturnTo::of_fields(&fields);
    let Some(ballot) = ballot(&fields, id) else {
        return Err(not_counted("Choose an option first.", &return_to, id));
    };
    let reason = match cast_vote(&app.store, me.actor(), id, ballot).await? {
        Cast::Counted => return Ok(back(&SignedForm(return_to), id)),
        Cast::Unknown => {
            let back = return_to.page_without(id).to_owned();
            return Err(Error::Deleted { back });
        }
        Cast::NoPoll => "This post has no poll.",
        Cast::VotedBefore => "You have already voted in this poll.",
        Cast::Ended => "This poll has ended.",
        Cast::Own => "You cannot vote in your own poll.",
        Cast::NoSuchChoice => "This poll does not allow that choice.",
    };
    Err(not_counted(reason, &return_to, id))
}

fn not_counted(reason: &'static str, return_to: &ReturnTo, id: StatusId) -> Error {
    Error::NotCounted {
        reason,
        back: routes::status_on(return_to.page_or(routes::HOME), id),
    }
}

/// Returns the options chosen in this poll. `None` if nothing was chosen, or a number that no poll
/// has.
fn ballot(fields: &Fields, id: StatusId) -> Option<Ballot> {
    let name = routes::vote_field(id);
    let chosen = fields.iter().filter(|(field, _)| *field == name);
    let places: Option<Vec<usize>> = chosen
        .map(|(_, number)| number.parse::<usize>().ok()?.checked_sub(1))
        .collect();
    Ballot::of(&places?)
}

#[cfg(test)]
mod tests {
    use super::super::handlers::*;

    #[test]
    fn a_ballot_contains_only_options_of_its_own_poll() {
        let id = StatusId::new(7).unwrap();
        let ballot = |form: &str| {
            let fields: Fields = serde_urlencoded::from_str(form).unwrap();
            ballot(&fields, id).map(Ballot::bits)
        };
        assert_eq!(ballot("next=%2F&vote-7=1&vote-8=2&vote-7=3"), Some(5));
        for form in ["", "vote-8=1", "vote-7=0", "vote-7=5", "vote-7=1&vote-7=x"] {
            assert_eq!(ballot(form), None, "{form}");
        }
    }
}
