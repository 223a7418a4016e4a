//! The reasons of a post's rank in words, in one place.

use crate::{
    domain::{Ranked, Reason},
    web::parts::prelude::*,
};

/// From this number on, the text says "often".
const OFTEN: u64 = 3;

/// Whether the ranked posts are new or already seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    New,
    Seen,
}

/// The reasons of a post, and its score.
#[derive(Debug)]
pub struct RankingReasons {
    pub words: String,
    pub score: String,
}

impl RankingReasons {
    pub fn new(post: &Ranked<VisibleStatus>, kind: Kind) -> Self {
        let words_of = |reason: &Reason| {
            let whose = match reason {
                Reason::LessOfReposter => &post.item,
                _ => post.item.shown(),
            };
            words(*reason, &whose.author().name)
        };
        let mut words: Vec<String> = post.reasons.iter().map(words_of).collect();
        if words.is_empty() {
            words.push(match kind {
                Kind::New => "New".to_owned(),
                Kind::Seen => "Seen before".to_owned(),
            });
        }
        Self {
            words: words.join(" · "),
            score: format!("Score {}", post.rank.score),
        }
    }
}

/// Returns the text of a reason, with the name of the author or of the reposter.
fn words(reason: Reason, author: &str) -> String {
    match reason {
        Reason::More => format!("You asked to see more of {author}"),
        Reason::Less | Reason::LessOfReposter => format!("You asked to see less of {author}"),
        Reason::Replies(number) => format!("{} replied", people(number)),
        Reason::Favourites(number) => format!("{} favourited it", people(number)),
        Reason::YouReplied(number) => format!("You {}reply to {author}", times_text(number)),
        Reason::YouFavourited(number) => {
            format!("You {}favourite posts by {author}", times_text(number))
        }
    }
}

fn people(number: u64) -> String {
    match number {
        1 => "1 person you follow".to_owned(),
        _ => format!("{} people you follow", count(number)),
    }
}

fn times_text(number: u64) -> &'static str {
    if number < OFTEN {
        "sometimes "
    } else {
        "often "
    }
}

#[cfg(test)]
mod tests {
    use super::super::ranking_reasons::*;

    #[test]
    fn reasons_have_singular_and_plural_texts() {
        for (reason, said) in [
            (Reason::More, "You asked to see more of Bob"),
            (Reason::Less, "You asked to see less of Bob"),
            (Reason::LessOfReposter, "You asked to see less of Bob"),
            (Reason::Replies(1), "1 person you follow replied"),
            (Reason::Replies(3), "3 people you follow replied"),
            (Reason::Favourites(1), "1 person you follow favourited it"),
            (Reason::Favourites(2), "2 people you follow favourited it"),
            (Reason::YouReplied(2), "You sometimes reply to Bob"),
            (Reason::YouReplied(3), "You often reply to Bob"),
            (
                Reason::YouFavourited(1),
                "You sometimes favourite posts by Bob",
            ),
            (Reason::YouFavourited(3), "You often favourite posts by Bob"),
        ] {
            assert_eq!(words(reason, "Bob"), said);
        }
    }
}
