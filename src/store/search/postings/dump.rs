//! The ids of a chunk, from the reply of DUMP. Redis stores a chunk as sorted integers and dumps them as one text,
//! mostly compressed. SMEMBERS replies a text for each id, which takes both sides longer.

use std::borrow::Cow;

/// Type of a SET of sorted integers in the format of Redis (RDB).
const SORTED_INTEGERS: u8 = 11;
/// Type of a text that is compressed by LZF.
const COMPRESSED: u8 = 0xC3;
/// Bytes of version and checksum at the end of a dump.
const FOOTER_BYTES: usize = 10;
/// Usual largest number of bytes of the integers, for the initial size of the text.
const USUAL_BYTES: usize = 8 + 512 * 8;

/// Returns the ids of a dumped chunk, in ascending order. `None` if Redis stores the chunk in another form.
pub fn ids_in_dump(dump: &[u8]) -> Option<Vec<u64>> {
    let content = &dump[..dump.len().checked_sub(FOOTER_BYTES)?];
    let (&SORTED_INTEGERS, text) = content.split_first()? else {
        return None;
    };
    let text = read_text(text)?;
    let (width, rest) = split_number(&text)?;
    let (count, members) = split_number(rest)?;
    if members.len() as u64 != u64::from(width) * u64::from(count) {
        return None;
    }
    match width {
        2 => ids(members, |member| i16::from_le_bytes(member).into()),
        4 => ids(members, |member| i32::from_le_bytes(member).into()),
        8 => ids(members, i64::from_le_bytes),
        _ => None,
    }
}

/// Reads ascending ids. `None` if one is negative, which no id is.
fn ids<const WIDTH: usize>(members: &[u8], id: fn([u8; WIDTH]) -> i64) -> Option<Vec<u64>> {
    let (members, _) = members.as_chunks::<WIDTH>();
    let first = members.first().map_or(0, |first| id(*first));
    let ids = || members.iter().map(|member| id(*member).cast_unsigned());
    (first >= 0).then(|| ids().collect())
}

fn split_number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*number), rest))
}

/// Reads a text that fills these bytes.
fn read_text(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    let Some((&COMPRESSED, rest)) = bytes.split_first() else {
        let (length, text) = split_length(bytes)?;
        return (text.len() == length).then_some(Cow::Borrowed(text));
    };
    let (packed_length, rest) = split_length(rest)?;
    let (length, packed) = split_length(rest)?;
    let is_complete = packed.len() == packed_length;
    is_complete.then(|| unpack(packed, length).map(Cow::Owned))?
}

/// Reads a length of one, two or five bytes.
fn split_length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (&first, rest) = bytes.split_first()?;
    let low_bits = usize::from(first & 0x3F);
    match first >> 6 {
        0 => Some((low_bits, rest)),
        1 => {
            let (&second, rest) = rest.split_first()?;
            Some(((low_bits << 8) | usize::from(second), rest))
        }
        2 if low_bits == 0 => {
            let (length, rest) = rest.split_first_chunk()?;
            Some((u32::from_be_bytes(*length) as usize, rest))
        }
        _ => None,
    }
}

/// Unpacks LZF: runs of new bytes, and references to bytes that are already unpacked. A referenced part may overlap
/// its copy, and then repeats.
fn unpack(packed: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut packed = packed.iter().copied();
    let mut text = Vec::with_capacity(length.min(USUAL_BYTES));
    while let Some(control) = packed.next() {
        let mut count = usize::from(control >> 5);
        if count == 0 {
            count = usize::from(control) + 1;
            if packed.len() < count {
                return None;
            }
            text.extend(packed.by_ref().take(count));
        } else {
            if count == 7 {
                count += usize::from(packed.next()?);
            }
            let distance = (usize::from(control & 0x1F) << 8) | usize::from(packed.next()?);
            let start = text.len().checked_sub(distance + 1)?;
            for at in start..start + count + 2 {
                text.push(text[at]);
            }
        }
        if text.len() > length {
            return None;
        }
    }
    (text.len() == length).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::super::dump::*;

    fn bytes(hex: &str) -> Vec<u8> {
        let digits = hex.as_bytes().chunks(2);
        let byte = |digits: &[u8]| {
            let digits = std::str::from_utf8(digits).expect("ASCII");
            u8::from_str_radix(digits, 16).expect("two digits")
        };
        digits.map(byte).collect()
    }

    /// Ids with 12 random bits, as a chunk of an hour has them, in the form of Redis.
    fn integers(count: u64) -> (Vec<u64>, Vec<u8>) {
        let id = |number: u64| ((28_650_000_000 + number * 7001) << 12) | ((number * 733) % 4096);
        let ids: Vec<u64> = (0..count).map(id).collect();
        let mut text = [8_u32, count as u32].map(u32::to_le_bytes).concat();
        text.extend(ids.iter().flat_map(|id| id.to_le_bytes()));
        (ids, text)
    }

    #[test]
    fn dumps_of_redis_have_the_ids_in_order() {
        let ids = [
            117_350_400_004_096,
            117_350_400_008_192,
            117_350_400_012_288,
            117_350_400_016_384,
            117_350_400_020_480,
            117_350_404_124_672,
            117_350_404_128_768,
        ];
        for (dump, expected) in [
            (
                "0b0e0200000003000000010002002c010a00e510b28e7b9529aa",
                &[1, 2, 300][..],
            ),
            (
                "0b10040000000200000005000000701101000a00c108697164e28f2c",
                &[5, 70_000],
            ),
            (
                "0bc32f40400408000000072003050010e8c4ba6a20070020a0070030a0070040a0070050a00702f026c5602701002720070\
                 100000a0005e2534479a33fc0",
                &ids,
            ),
            (
                "0b404008000000070000000010e8c4ba6a00000020e8c4ba6a00000030e8c4ba6a00000040e8c4ba6a00000050e8c4ba6a0\
                 00000f026c5ba6a0000000027c5ba6a00000a00b6c413071becc261",
                &ids,
            ),
        ] {
            assert_eq!(ids_in_dump(&bytes(dump)).as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_long_chunk_is_read_in_each_form_of_its_length() {
        let (ids, text) = integers(512);
        let long = u32::try_from(text.len()).expect("a length").to_be_bytes();
        let short = [0x40 | (text.len() >> 8) as u8, text.len() as u8];
        for length in [[&[0x80], &long[..]].concat(), short.to_vec()] {
            let dump = [&[11], &length[..], &text, &[0; FOOTER_BYTES]].concat();
            assert_eq!(ids_in_dump(&dump).as_ref(), Some(&ids));
        }
    }

    #[test]
    fn other_forms_and_damaged_dumps_have_no_ids() {
        let strings = "02020178c0010a0016faac4f543ce1e9";
        let text = "000568656c6c6f0a006372df766534200a";
        let negative = "0b0a0200000001000000fbff00000000000000000000";
        for dump in [strings, text, negative, "", "0b"] {
            assert_eq!(ids_in_dump(&bytes(dump)), None, "{dump}");
        }
        let packed = bytes(
            "0bc32f40400408000000072003050010e8c4ba6a20070020a0070030a0070040a0070050a00702f026c5602701002720070100000a\
             0005e2534479a33fc0",
        );
        for at in 0..packed.len() {
            ids_in_dump(&packed[at..]);
            ids_in_dump(&[&packed[..at], &packed[packed.len() - FOOTER_BYTES..]].concat());
            for value in [0, 0x1F, 0x7F, 0xE0, 0xFF] {
                let mut damaged = packed.clone();
                damaged[at] = value;
                // No damage makes it fail in another way.
                ids_in_dump(&damaged);
            }
        }
    }
}
