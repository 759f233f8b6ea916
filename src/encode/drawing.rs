//! A row as text, for people and golden tests.

use std::fmt::Write;

use super::Rows;
use crate::game::PlaneInfo;

/// Grids drawn side by side.
const ACROSS: usize = 4;

/// Draws row `i`: each plane that has a bit as a grid (`1` set, `.` not), four across, the row nearest the side to move
/// below; then the names of the planes without one; then each scalar that is not 0, and the names of those that are.
pub fn draw_row(rows: &Rows, i: usize) -> String {
    let layout = rows.layout();
    let planes = layout.bit_planes.iter().zip(rows.bits(i).chunks_exact(layout.words_per_plane()));
    let (filled, empty): (Vec<_>, Vec<_>) = planes.partition(|(_, words)| words.iter().any(|&word| word != 0));
    // Room for a row of squares with a space between them, and for the longest name.
    let longest = layout.bit_planes.iter().map(|plane| plane.name.len()).max().unwrap_or(0);
    let width = longest.max(2 * layout.width - 1);
    let mut text = String::new();
    for group in filled.chunks(ACROSS) {
        let names: Vec<String> = group.iter().map(|(plane, _)| format!("{:width$}", plane.name)).collect();
        push_line(&mut text, &names.join("   "));
        for row in (0..layout.height).rev() {
            let grids: Vec<String> = group
                .iter()
                .map(|(_, words)| {
                    let squares = row * layout.width..(row + 1) * layout.width;
                    let marks: Vec<&str> =
                        squares.map(|s| if words[s / 64] >> (s % 64) & 1 == 1 { "1" } else { "." }).collect();
                    format!("{:width$}", marks.join(" "))
                })
                .collect();
            push_line(&mut text, &grids.join("   "));
        }
        text.push('\n');
    }
    push_names(&mut text, "empty", empty.into_iter().map(|(plane, _)| plane));

    let scalars = layout.scalars.iter().zip(rows.scalars(i));
    let (zero, nonzero): (Vec<_>, Vec<_>) = scalars.partition(|&(_, &value)| value == 0.0);
    for (scalar, value) in nonzero {
        writeln!(text, "{} = {value}", scalar.name).expect("writing to a string never fails");
    }
    push_names(&mut text, "zero", zero.into_iter().map(|(scalar, _)| scalar));
    text
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line.trim_end());
    text.push('\n');
}

fn push_names<'a>(text: &mut String, label: &str, planes: impl Iterator<Item = &'a PlaneInfo>) {
    let names: Vec<&str> = planes.map(|plane| plane.name.as_str()).collect();
    if !names.is_empty() {
        push_line(text, &format!("{label}: {}", names.join(", ")));
    }
}
