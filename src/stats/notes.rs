//! What every page of one run says of itself.

use std::fmt::Display;

use crate::page::Phrase;

/// Whose the figures of a page are, and what its intervals leave out.
pub fn this_run<T: Display>(runs: &[T]) -> Phrase {
    let names: Vec<String> = runs.iter().map(|run| format!("`{run}`")).collect();
    let (en, ar) = (names.join(", "), names.join("، "));
    if names.len() == 1 {
        return Phrase::new(
            format!(
                "All figures are of this run, {en}. Intervals say what other games of the same networks would give; a run of another seed may differ by more than they span. See `maydan stats compare`."
            ),
            format!(
                "كل الأرقام لهذه التجربة، {ar}. الفترات تقول ما كانت مباريات أخرى للشبكات نفسها ستعطيه؛ وقد تختلف تجربة ببذرة أخرى بأكثر من مداها. انظر `maydan stats compare`."
            ),
        );
    }
    Phrase::new(
        format!(
            "All figures are of these runs, {en}. Intervals that take games as independent say what other games of the same networks would give; runs of other seeds may differ by more than they span. See `maydan stats compare`."
        ),
        format!(
            "كل الأرقام لهذه التجارب، {ar}. الفترات التي تعدّ المباريات مستقلة تقول ما كانت مباريات أخرى للشبكات نفسها ستعطيه؛ وقد تختلف تجارب ببذور أخرى بأكثر من مداها. انظر `maydan stats compare`."
        ),
    )
}
