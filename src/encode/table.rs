//! A layout as Markdown, so that the documentation of an encoding is the encoding's own words.

use std::fmt::Write;

use crate::game::{Layout, PlaneInfo};

/// The planes of the network's input and of the action space as two Markdown tables. Neighbours with the same meaning
/// share a line.
pub fn layout_table(layout: &Layout) -> String {
    let Layout { version, height, width, .. } = layout;
    let mut text = format!(
        "Version {version}. Input `[{}, {height}, {width}]`, {} planes of bits and {} scalars, each spread over the squares of the board:\n\n\
         | plane | name | meaning | 1.0 stands for |\n| --- | --- | --- | --- |\n",
        layout.channels(),
        layout.bit_planes.len(),
        layout.scalars.len(),
    );
    let inputs: Vec<&PlaneInfo> = layout.bit_planes.iter().chain(&layout.scalars).collect();
    for (planes, names, first) in grouped(&inputs) {
        push(&mut text, &[&planes, &names, &first.meaning, &first.scale]);
    }
    write!(
        text,
        "\nAction space `[{}, {height}, {width}]`, {} indices, `plane * {} + row * {width} + column`:\n\n\
         | plane | name | meaning |\n| --- | --- | --- |\n",
        layout.action_planes.len(),
        layout.actions(),
        layout.squares(),
    )
    .expect("writing to a string never fails");
    let actions: Vec<&PlaneInfo> = layout.action_planes.iter().collect();
    for (planes, names, first) in grouped(&actions) {
        push(&mut text, &[&planes, &names, &first.meaning]);
    }
    text
}

/// Runs of planes with the same meaning and scale: their numbers, their names, and the first of them.
fn grouped<'a>(planes: &[&'a PlaneInfo]) -> Vec<(String, String, &'a PlaneInfo)> {
    let mut start = 0;
    planes
        .chunk_by(|a, b| a.meaning == b.meaning && a.scale == b.scale)
        .map(|run| {
            let names: Vec<String> = run.iter().map(|plane| format!("`{}`", plane.name)).collect();
            let numbers = match run.len() {
                1 => start.to_string(),
                length => format!("{start}-{}", start + length - 1),
            };
            start += run.len();
            (numbers, names.join(" "), run[0])
        })
        .collect()
}

fn push(text: &mut String, cells: &[&str]) {
    writeln!(text, "| {} |", cells.join(" | ")).expect("writing to a string never fails");
}
