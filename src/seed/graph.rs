//! Edge lists: `a b` separated by blanks or a comma, comments after `%` or `#`, an optional header. Each
//! line is a friendship, which means two follows.

use std::collections::{BTreeMap, BTreeSet};

/// Friendships between numbered people.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Graph {
    /// Numbers of the people, ascending.
    pub(super) people: Vec<u64>,
    /// Indices into `people`, the smaller first, each pair once.
    pub(super) friendships: Vec<(usize, usize)>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct NotAnEdge {
    /// Counted from 1.
    pub(super) line: usize,
}

impl Graph {
    /// Parses an edge list. Further columns (weights, times) and self-loops are ignored.
    pub(super) fn parse(text: &str) -> Result<Self, NotAnEdge> {
        let mut edges = BTreeSet::new();
        let mut header_allowed = true;
        for (index, line) in text.lines().enumerate() {
            let line = line.trim().trim_start_matches('\u{FEFF}');
            if line.is_empty() || line.starts_with(['%', '#']) {
                continue;
            }
            match edge(line) {
                Some((a, b)) if a != b => drop(edges.insert((a.min(b), a.max(b)))),
                Some(_) => {}
                None if header_allowed && !line.starts_with(|c: char| c.is_ascii_digit()) => {}
                None => return Err(NotAnEdge { line: index + 1 }),
            }
            header_allowed = false;
        }
        Ok(Self::of(&edges))
    }

    fn of(edges: &BTreeSet<(u64, u64)>) -> Self {
        let people: BTreeSet<u64> = edges.iter().flat_map(|&(a, b)| [a, b]).collect();
        let places: BTreeMap<u64, usize> = people.iter().copied().zip(0..).collect();
        let friendships = edges.iter().map(|(a, b)| (places[a], places[b])).collect();
        Self {
            people: people.into_iter().collect(),
            friendships,
        }
    }
}

fn edge(line: &str) -> Option<(u64, u64)> {
    let columns = line.split([',', ' ', '\t', ';']);
    let mut columns = columns.filter(|column| !column.is_empty());
    let from = columns.next()?.parse().ok()?;
    let to = columns.next()?.parse().ok()?;
    Some((from, to))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::graph::*;

    #[test]
    fn edge_lists_with_comments_headers_and_duplicates_are_parsed() {
        for (text, people, friendships) in [
            (
                "% 2 edges\n# more\n1 0\n15 0\n\n",
                vec![0, 1, 15],
                vec![(0, 1), (0, 2)],
            ),
            (
                "\u{FEFF}from,to,weight\r\n0,9206,1\r\n7, 0,0.5\r\n",
                vec![0, 7, 9206],
                vec![(0, 1), (0, 2)],
            ),
            ("1 2\n2 1\n1 2\n3 3", vec![1, 2], vec![(0, 1)]),
        ] {
            let graph = Graph {
                people,
                friendships,
            };
            assert_eq!(Graph::parse(text), Ok(graph), "{text:?}");
        }
    }

    #[test]
    fn a_malformed_line_is_reported_by_number() {
        for (text, line) in [
            ("# x\n1 2\n3 four\n", 3),
            ("from,to\nfrom,to\n", 2),
            ("1\n", 1),
        ] {
            assert_eq!(Graph::parse(text), Err(NotAnEdge { line }));
        }
    }

    proptest! {
        #[test]
        fn any_edge_list_round_trips(edges in prop::collection::btree_set((0..50u64, 0..50u64), 0..80)) {
            let text: String = edges.iter().map(|(a, b)| format!("{a}\t{b}\n")).collect();
            let graph = Graph::parse(&text).expect("a graph");
            let found: BTreeSet<_> =
                graph.friendships.iter().map(|&(a, b)| (graph.people[a], graph.people[b])).collect();
            let wanted = edges.iter().filter(|(a, b)| a != b).map(|&(a, b)| (a.min(b), a.max(b))).collect();
            prop_assert_eq!(found, wanted);
        }

        #[test]
        fn parsing_a_graph_never_panics(text in "(?s).{0,60}") {
            drop(Graph::parse(&text));
        }
    }
}
