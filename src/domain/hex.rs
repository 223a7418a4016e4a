//! Digests as text.

/// Returns lower-case hexadecimal digits, two per byte.
pub fn hex(bytes: &[u8]) -> String {
    let halves = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let mut digits = String::with_capacity(2 * bytes.len());
    digits.extend(halves.filter_map(|half| char::from_digit(u32::from(half), 16)));
    digits
}

/// Returns whether a text has this number of digits, all lower-case hexadecimal.
pub(super) fn is_hex(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::super::hex::*;

    #[test]
    fn each_byte_becomes_two_hex_digits() {
        assert_eq!(hex(&[0, 9, 0x0a, 0xf0, 0xff]), "00090af0ff");
        assert_eq!(hex(&[]), "");
    }
}
