//! Lines from a person or another program, of whom nothing is known.

use std::io::{self, BufRead, Read as _};

/// Longest line that is taken, in bytes, its end included.
const LONGEST: u64 = 1 << 16;

/// What was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Without its end; what is no UTF-8 is replaced.
    Text(String),
    /// It was too long, and is gone.
    TooLong,
}

/// The lines of an input, in bounded memory however long they are.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    bytes: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub fn new(input: R) -> Self {
        Lines { input, bytes: Vec::new() }
    }

    /// Reads on to the end of the line, but no more than [`LONGEST`] bytes. Whether there was anything.
    fn fill(&mut self) -> io::Result<bool> {
        self.bytes.clear();
        Ok(self.input.by_ref().take(LONGEST).read_until(b'\n', &mut self.bytes)? > 0)
    }

    /// Whether the line goes on beyond what was read.
    fn goes_on(&self) -> bool {
        self.bytes.len() as u64 == LONGEST && !self.bytes.ends_with(b"\n")
    }

    fn read(&mut self) -> io::Result<Option<Line>> {
        if !self.fill()? {
            return Ok(None);
        }
        if !self.goes_on() {
            return Ok(Some(Line::Text(
                String::from_utf8_lossy(&self.bytes).trim_end_matches(['\r', '\n']).to_owned(),
            )));
        }
        while self.fill()? && self.goes_on() {}
        Ok(Some(Line::TooLong))
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<io::Result<Line>> {
        self.read().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_passed_over() {
        let length = LONGEST as usize;
        let longest = "x".repeat(length - 1);
        let input = format!("one\r\n{longest}\n{}\n\n{}\nlast", "y".repeat(length), "z".repeat(3 * length));
        let lines: Vec<Line> = Lines::new(input.as_bytes()).map(Result::unwrap).collect();
        let text = |text: &str| Line::Text(text.to_owned());
        assert_eq!(lines, [text("one"), text(&longest), Line::TooLong, text(""), Line::TooLong, text("last")]);
        assert_eq!(Lines::new(&b"\xff\n"[..]).next().unwrap().unwrap(), text("\u{fffd}"));
    }
}
