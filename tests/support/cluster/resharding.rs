//! Slots that move from one primary to another, by the commands of `redis-cli --cluster reshard`.

use std::collections::BTreeSet;

use super::Cluster;
use crate::support::waiting::eventually_blocking;

/// Number of keys per MIGRATE.
const KEYS_AT_A_TIME: &str = "10";

impl Cluster {
    /// Returns the slots of a primary that hold keys.
    pub fn slots_with_keys(&self, node: usize) -> BTreeSet<u16> {
        let mut slots = BTreeSet::new();
        for key in self.list(node, &["KEYS", "*"]) {
            slots.insert(self.slot_of(&key));
        }
        slots
    }

    /// Moves a slot with all its keys, while requests continue.
    pub fn move_slot(&self, slot: u16, from: usize, to: usize) {
        self.move_keys_of_slot(slot, from, to);
        let to_id = self.id(to);
        self.set_slot(to, slot, &["NODE", &to_id]);
        self.set_slot(from, slot, &["NODE", &to_id]);
    }

    /// Moves the slot of a key by one command, if the server has one, or else key by key.
    pub fn move_slot_atomically(&self, key: &str, from: usize, to: usize) {
        let slot = self.slot_of(key);
        let (number, to_id) = (slot.to_string(), self.id(to));
        let words = ["CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", &number, &number];
        let words = [&words[..], &["NODE", &to_id]].concat();
        let answer = self.ask(from, &words).expect("the node answers");
        if !answer.starts_with("+OK") {
            self.move_slot(slot, from, to);
            return;
        }
        eventually_blocking("the slot belongs to the other primary", || {
            let answer = self.ask(to, &["EXISTS", key]);
            answer.is_ok_and(|answer| answer.starts_with(":1"))
        });
    }

    /// Moves the keys of a slot, which still belongs to the former primary.
    pub fn move_keys_of_slot(&self, slot: u16, from: usize, to: usize) {
        let number = slot.to_string();
        self.begin_move(slot, from, to);
        let address = self.address(to);
        let (host, port) = address.split_once(':').expect("host and port");
        loop {
            let some = &["CLUSTER", "GETKEYSINSLOT", &number, KEYS_AT_A_TIME];
            let keys = self.list(from, some);
            if keys.is_empty() {
                break;
            }
            let mut migrate = vec!["MIGRATE", host, port, "\"\"", "0", "5000", "KEYS"];
            migrate.extend(keys.iter().map(String::as_str));
            let answer = self.ask(from, &migrate).expect("the node answers");
            assert!(!answer.starts_with('-'), "slot {slot}: {answer}");
        }
    }

    /// Begins the move of a slot. Existing keys stay at the source. New keys are created at the target.
    pub fn begin_move(&self, slot: u16, from: usize, to: usize) {
        let (from_id, to_id) = (self.id(from), self.id(to));
        self.set_slot(to, slot, &["IMPORTING", &from_id]);
        self.set_slot(from, slot, &["MIGRATING", &to_id]);
    }

    /// Sends a command for a key of a slot that moves to this node.
    pub fn send_to_importing_node(&self, node: usize, words: &[&str]) {
        let asking = [&["ASKING\r\n"], words].concat();
        let answers = self.ask(node, &asking).expect("the node answers");
        assert!(!answers.contains('-'), "{words:?}: {answers}");
    }

    fn set_slot(&self, node: usize, slot: u16, words: &[&str]) {
        let number = slot.to_string();
        let words = [&["CLUSTER", "SETSLOT", &number], words].concat();
        let answer = self.ask(node, &words).expect("the node answers");
        assert!(answer.starts_with("+OK"), "{words:?}: {answer}");
    }

    /// Returns the slot of a key.
    pub fn slot_of(&self, key: &str) -> u16 {
        let answer = self.ask(0, &["CLUSTER", "KEYSLOT", key]);
        let answer = answer.expect("the node answers");
        let slot = answer.strip_prefix(':').map(str::trim_end);
        slot.and_then(|slot| slot.split_whitespace().next()?.parse().ok())
            .expect("a slot's number")
    }

    /// Returns an answer that is a list of strings.
    fn list(&self, node: usize, words: &[&str]) -> Vec<String> {
        let answer = self.ask(node, words).expect("the node answers");
        let texts = answer.lines().skip(1).collect::<Vec<_>>();
        let pairs = texts
            .chunks_exact(2)
            .filter(|pair| pair[0].starts_with('$'));
        pairs.map(|pair| pair[1].to_owned()).collect()
    }
}
