//! The invariants of the data model and their wording.

use serde::Serialize;

/// An invariant that `redwing check` verifies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Invariant {
    LoginsNameBack,
    TruthIsWhole,
    EdgesMirror,
    CountsMatch,
    ProfilesHoldTheLiving,
    HomesAreComplete,
    ListsMirror,
    ListsAreComplete,
    FavouritesMirror,
    RepostsAgree,
    TagsMirror,
    TagsHoldTheLiving,
    MentionsHoldTheLiving,
    AnswersMirror,
    PollsAddUp,
    ScoresOrder,
    SuggestionsAgree,
    KeysAreOwned,
    LifetimesHold,
    TasksMove,
    NothingIsGivenUp,
    DeliveriesGoOn,
    ReadingIsRemembered,
    SearchFindsAll,
    WeightsAreOfTheFollowed,
    NotificationsAreTrue,
}

impl Invariant {
    pub const ALL: [Self; 26] = [
        Self::LoginsNameBack,
        Self::TruthIsWhole,
        Self::EdgesMirror,
        Self::CountsMatch,
        Self::ProfilesHoldTheLiving,
        Self::HomesAreComplete,
        Self::ListsMirror,
        Self::ListsAreComplete,
        Self::FavouritesMirror,
        Self::RepostsAgree,
        Self::TagsMirror,
        Self::TagsHoldTheLiving,
        Self::MentionsHoldTheLiving,
        Self::AnswersMirror,
        Self::PollsAddUp,
        Self::ScoresOrder,
        Self::SuggestionsAgree,
        Self::KeysAreOwned,
        Self::LifetimesHold,
        Self::TasksMove,
        Self::NothingIsGivenUp,
        Self::DeliveriesGoOn,
        Self::ReadingIsRemembered,
        Self::SearchFindsAll,
        Self::WeightsAreOfTheFollowed,
        Self::NotificationsAreTrue,
    ];

    #[must_use]
    pub fn claim(self) -> &'static str {
        match self {
            Self::LoginsNameBack => "every login names a person who names it back, one to one",
            Self::TruthIsWhole => "people and statuses have all that makes them, and ids only rise",
            Self::EdgesMirror => "following and followers mirror each other, among people",
            Self::CountsMatch => "counts equal cardinalities",
            Self::ProfilesHoldTheLiving => {
                "profiles hold exactly their author's living statuses, the first view those that answer nothing"
            }
            Self::HomesAreComplete => "homes hold exactly what lives from their floor up",
            Self::ListsMirror => {
                "lists and those in them know of each other, and of whom home leaves out"
            }
            Self::ListsAreComplete => "lists hold exactly what lives from their floor up",
            Self::FavouritesMirror => {
                "favourites and who favours a status mirror each other; what is kept are statuses"
            }
            Self::RepostsAgree => {
                "reposts, their originals and who reposts know of each other, and all of them live"
            }
            Self::TagsMirror => "followed tags and who follows a tag mirror each other",
            Self::TagsHoldTheLiving => {
                "tags hold exactly the living statuses with them that stand alone"
            }
            Self::MentionsHoldTheLiving => {
                "mentions hold exactly the living statuses that name one"
            }
            Self::AnswersMirror => {
                "answers and what they answer know of each other, and gaps stand where some are below"
            }
            Self::PollsAddUp => {
                "polls say what their ballots come to, each of a choice that is there"
            }
            Self::ScoresOrder => "timelines are ordered by id, edges by a time of their own",
            Self::SuggestionsAgree => "the newest and the most followed people are those",
            Self::KeysAreOwned => "every key has an owner and the type it should have",
            Self::LifetimesHold => "truth never expires, and what is ephemeral does",
            Self::TasksMove => "no reminder is overdue and no task waits too long",
            Self::NothingIsGivenUp => "no task was given up",
            Self::DeliveriesGoOn => "what is said to be on its way has a task that brings it",
            Self::ReadingIsRemembered => "what people have seen of their homes is in order",
            Self::NotificationsAreTrue => {
                "what people were told is so, and at most 1000 of it is kept"
            }
            Self::SearchFindsAll => {
                "search finds living posts and people by their words, and nothing else"
            }
            Self::WeightsAreOfTheFollowed => "who asks for more or less of somebody follows them",
        }
    }
}
