//! The slot of a key, and of a command by its first key.

use redis::{Arg, Cmd};

/// Returns the slot of the first key of a command, or `None` if it has no key.
pub(super) fn slot_of_command(command: &Cmd) -> Option<u16> {
    let mut words = command.args_iter().filter_map(|word| match word {
        Arg::Simple(bytes) => Some(bytes),
        _ => None,
    });
    let key = match words.next()? {
        b"CLUSTER" | b"PING" => None,
        b"XINFO" => words.nth(1),
        b"EVAL" | b"EVALSHA" => words.nth(2),
        b"XREADGROUP" => words.skip_while(|word| *word != b"STREAMS").nth(1),
        _ => words.next(),
    };
    key.map(slot_of)
}

/// Returns the slot of a key: the CRC16 (XMODEM) of its hash tag, as in Redis.
pub(in crate::store) fn slot_of(key: &[u8]) -> u16 {
    const SLOTS: u16 = 16_384;
    let position = |byte: u8, bytes: &[u8]| bytes.iter().position(|each| *each == byte);
    let tag = position(b'{', key).and_then(|start| {
        let behind = &key[start + 1..];
        position(b'}', behind).map(|end| &behind[..end])
    });
    let hashed = tag.filter(|tag| !tag.is_empty()).unwrap_or(key);
    let crc = hashed.iter().fold(0_u16, |crc, byte| {
        let crc = crc ^ (u16::from(*byte) << 8);
        (0..8).fold(crc, |crc, _| match crc & 0x8000 {
            0 => crc << 1,
            _ => (crc << 1) ^ 0x1021,
        })
    });
    crc % SLOTS
}

#[cfg(test)]
mod tests {
    use redis::cmd;

    use super::*;

    #[test]
    fn slots_match_those_of_redis() {
        assert_eq!(slot_of(b"123456789"), 0x31c3);
        assert_eq!(slot_of(b"foo"), 12_182);
        assert_eq!(slot_of(b"home:{foo}:x"), 12_182);
        assert_ne!(slot_of(b"{}foo"), slot_of(b"{}bar"), "an empty tag is none");
    }

    #[test]
    fn a_command_goes_to_the_slot_of_its_first_key() {
        let foo = Some(slot_of(b"foo"));
        let mut script = cmd("EVALSHA");
        script
            .arg("hash")
            .arg(2)
            .arg("{foo}1")
            .arg("{foo}2")
            .arg("x");
        assert_eq!(slot_of_command(&script), foo);
        assert_eq!(slot_of_command(cmd("HGET").arg("foo").arg("x")), foo);
        let mut taken = cmd("XREADGROUP");
        taken
            .arg("GROUP")
            .arg("workers")
            .arg("one")
            .arg("COUNT")
            .arg(1);
        taken.arg("STREAMS").arg("foo").arg(">");
        assert_eq!(slot_of_command(&taken), foo);
        let mut consumers = cmd("XINFO");
        consumers.arg("CONSUMERS").arg("foo").arg("workers");
        assert_eq!(slot_of_command(&consumers), foo);
        assert_eq!(slot_of_command(cmd("CLUSTER").arg("INFO")), None);
    }
}
