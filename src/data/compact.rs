//! As much of Thrift's compact protocol, in which Parquet writes its headers, as it takes to see what a header claims
//! before a decoder believes it.

/// Types that fields and elements have.
pub mod kind {
    pub const TRUE: u8 = 1;
    pub const FALSE: u8 = 2;
    pub const BYTE: u8 = 3;
    pub const I16: u8 = 4;
    pub const I32: u8 = 5;
    pub const I64: u8 = 6;
    pub const DOUBLE: u8 = 7;
    pub const BINARY: u8 = 8;
    pub const LIST: u8 = 9;
    pub const SET: u8 = 10;
    pub const MAP: u8 = 11;
    pub const STRUCT: u8 = 12;
}

/// How deep what is passed over may be nested: Parquet's headers have six levels.
const DEEPEST: u8 = 32;

/// Bytes that are still to be read. Every reading method gives none where they are not what they should be.
#[derive(Clone, Copy, Debug)]
pub struct Compact<'a>(pub &'a [u8]);

impl Compact<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn pass(&mut self, bytes: u64) -> Option<()> {
        self.0 = self.0.get(usize::try_from(bytes).ok()?..)?;
        Some(())
    }

    fn unsigned(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A number of a field of type [`kind::I32`] or another whole number.
    pub fn number(&mut self) -> Option<i64> {
        let number = self.unsigned()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// How many elements a list has, and of what type; they come next.
    pub fn list(&mut self) -> Option<(u64, u8)> {
        let head = self.byte()?;
        let size = if head >> 4 == 15 { self.unsigned()? } else { u64::from(head >> 4) };
        Some((size, head & 15))
    }

    /// Gives number and type of each field of a struct to `read`, which must read or [skip](Compact::skip) the value.
    pub fn fields(&mut self, mut read: impl FnMut(&mut Self, i64, u8) -> Option<()>) -> Option<()> {
        let mut number = 0;
        loop {
            let head = self.byte()?;
            if head & 15 == 0 {
                return Some(());
            }
            number = if head >> 4 == 0 { self.number()? } else { number + i64::from(head >> 4) };
            read(self, number, head & 15)?;
        }
    }

    /// Passes over a value.
    pub fn skip(&mut self, kind: u8) -> Option<()> {
        self.skip_within(kind, DEEPEST)
    }

    fn skip_within(&mut self, kind: u8, depth: u8) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match kind {
            kind::TRUE | kind::FALSE => Some(()),
            kind::BYTE => self.pass(1),
            kind::I16 | kind::I32 | kind::I64 => self.unsigned().map(drop),
            kind::DOUBLE => self.pass(8),
            kind::BINARY => {
                let length = self.unsigned()?;
                self.pass(length)
            }
            kind::LIST | kind::SET => {
                let (size, kind) = self.list()?;
                (0..size).try_for_each(|_| self.skip_element(kind, depth))
            }
            kind::MAP => {
                let size = self.unsigned()?;
                let kinds = if size > 0 { self.byte()? } else { 0 };
                (0..size).try_for_each(|_| {
                    self.skip_element(kinds >> 4, depth)?;
                    self.skip_element(kinds & 15, depth)
                })
            }
            kind::STRUCT => self.fields(|rest, _, kind| rest.skip_within(kind, depth)),
            _ => None,
        }
    }

    /// An element takes at least a byte, so that no number of them takes longer than there are bytes.
    fn skip_element(&mut self, kind: u8, depth: u8) -> Option<()> {
        if matches!(kind, kind::TRUE | kind::FALSE) { self.pass(1) } else { self.skip_within(kind, depth) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_and_passed_over() {
        // 1: i32 -3; 2: a list of two texts; 4: a struct with a flag and a number; 20: i64 300.
        let bytes = [0x15, 5, 0x19, 0x28, 1, b'a', 2, b'b', b'c', 0x2c, 0x11, 0x16, 2, 0, 0x06, 40, 0xd8, 4, 0, 77];
        let (mut header, mut found) = (Compact(&bytes), Vec::new());
        let read = header.fields(|rest, number, kind| {
            found.push((number, kind));
            rest.skip(kind)
        });
        assert_eq!((read, header.0), (Some(()), &[77][..]));
        assert_eq!(found, [(1, kind::I32), (2, kind::LIST), (4, kind::STRUCT), (20, kind::I64)]);
        assert_eq!(Compact(&bytes[1..]).number(), Some(-3));
        assert_eq!(Compact(&bytes[3..]).list(), Some((2, kind::BINARY)));
        for end in 0..bytes.len() - 1 {
            assert_eq!(Compact(&bytes[..end]).fields(|rest, _, kind| rest.skip(kind)), None, "{end}");
        }
    }

    #[test]
    fn what_is_claimed_costs_nothing() {
        let many = [0xf1, 0xff, 0xff, 0xff, 0xff, 0x0f];
        assert_eq!(Compact(&many).skip(kind::LIST), None, "4 thousand million flags");
        let deep = [0x1c; 100_000];
        assert_eq!(Compact(&deep).skip(kind::STRUCT), None);
        assert_eq!(Compact(&[0xff; 20]).number(), None);
    }
}
