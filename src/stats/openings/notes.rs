//! Which games were counted, as the notes of tables and figures say it.

use super::Openings;
use crate::page::Phrase;

impl Openings {
    /// Which games were counted.
    fn sample(&self) -> Phrase {
        let (first, last) = self.generations.clone().into_inner();
        let (games, cut_off) = (self.groups.all.games(), self.groups.all.ends.all.cut_off);
        let runs: Vec<String> = self.runs.iter().map(|run| format!("`{run}`")).collect();
        let (game, hash) = (&self.ruleset.game, &self.ruleset.hash);
        Phrase::new(
            format!(
                "{} (`{game}`, ruleset `{hash}`), generations {first} to {last}: n = {games} games, {cut_off} of them cut off by self-play's own limit of plies, \
                 without a result of the rules.",
                runs.join(", ")
            ),
            format!(
                "{} (`{game}`، القواعد `{hash}`)، الأجيال من {first} إلى {last}: n = {games} مباراة، منها {cut_off} قطعها حدّ أنصاف النقلات في اللعب الذاتي \
                 فلا نتيجة لها بحكم القواعد.",
                runs.join("، ")
            ),
        )
    }

    /// What a table's reader must know: which games, and more.
    pub(super) fn note(&self, more: &Phrase) -> Phrase {
        join(&self.sample(), more)
    }
}

/// What a searched move is.
pub(super) fn temperature() -> Phrase {
    Phrase::new(
        "A searched move is the search's choice, but until self-play's temperature switches it is drawn in proportion to the search's policy.",
        "النقلة المختارة بالبحث هي اختيار البحث، لكنها قبل تبديل حرارة اللعب الذاتي تُسحب بنسبة سياسة البحث.",
    )
}

/// One phrase after another.
pub(super) fn join(first: &Phrase, second: &Phrase) -> Phrase {
    Phrase::new(format!("{} {}", first.en, second.en), format!("{} {}", first.ar, second.ar))
}
