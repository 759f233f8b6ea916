//! Lines from a person or another program, of whom nothing is known.

use std::io::{self, BufRead, Read as _};

/// Longest line that [`Lines`] takes, in bytes, its end included.
const LONGEST: u64 = 1 << 16;

/// What was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Without its end; what is no UTF-8 is replaced.
    Text(String),
    /// The beginning of a line that was too long; the rest is gone.
    TooLong(String),
}

/// The lines of an input, in bounded memory however long they are.
#[derive(Debug)]
pub struct Lines<R>(R);

impl<R: BufRead> Lines<R> {
    pub fn new(input: R) -> Self {
        Lines(input)
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<io::Result<Line>> {
        read_line(&mut self.0, LONGEST).transpose()
    }
}

/// The next line, of which no more than `longest` bytes are taken, its end included; none at the end of the input.
///
/// # Errors
/// When the input cannot be read.
pub fn read_line(input: &mut impl BufRead, longest: u64) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(longest).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned();
    if bytes.len() as u64 == longest && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Some(Line::TooLong(text)));
    }
    Ok(Some(Line::Text(text)))
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
        let too_long = |letter: &str| Line::TooLong(letter.repeat(length));
        assert_eq!(lines, [text("one"), text(&longest), too_long("y"), text(""), too_long("z"), text("last")]);
        assert_eq!(Lines::new(&b"\xff\n"[..]).next().unwrap().unwrap(), text("\u{fffd}"));
    }
}
