//! Digests as text.

/// Returns lower-case hexadecimal digits, two per byte.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    let halves = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let mut digits = String::with_capacity(2 * bytes.len());
    digits.extend(halves.filter_map(|half| char::from_digit(u32::from(half), 16)));
    digits
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
