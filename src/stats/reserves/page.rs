//! What a question about reserves puts on a page, and the words that all of them share.

use std::collections::BTreeSet;

use maud::html;

use super::observed::{ALL, Measure, Scope};
use crate::{
    page::{Block, Cell, Phrase},
    stats::words::kind_name,
};

/// Observations that a point of a figure needs to be drawn; tables have every number.
pub const FEW: u64 = 30;

/// A measure whose result can be put on a page.
pub trait Question: Measure {
    /// Tables and figures; none where there is nothing to say.
    fn answer(&self, scope: &Scope) -> Vec<Block>;
}

impl Scope {
    /// The group as a table has it.
    pub fn group_cell(&self, group: usize) -> Cell {
        let name = self.group_name(group);
        if group == ALL { Cell::Words(Phrase::new(name, "الكل")) } else { Cell::Text(name) }
    }

    /// The name of a kind of action in words.
    pub fn kind_name(&self, kind: u8) -> Phrase {
        kind_name(self.rules.words(), self.kind(kind))
    }

    /// The name of a kind of action as a table has it.
    pub fn kind_cell(&self, kind: u8) -> Cell {
        Cell::Words(self.kind_name(kind))
    }

    /// Where games with each kind of action are, on a page that has games.
    pub fn games_with(&self) -> Block {
        Block::Markup(html! {
            p.games-with {
                @for kind in self.kinds.iter() {
                    @let name = self.kind_name(kind);
                    span data-games={ "kind=" (self.kind(kind)) } {
                        span lang="en" dir="ltr" { "Games with " (name.en) }
                        span lang="ar" dir="rtl" { "مباريات فيها " (name.ar) }
                    }
                    " "
                }
            }
        })
    }

    /// The group as a legend has it.
    pub fn group_phrase(&self, group: usize) -> Phrase {
        let name = self.group_name(group);
        match group {
            ALL => Phrase::new("all generations", "كل الأجيال"),
            _ if name.contains('-') => Phrase::new(format!("generations {name}"), format!("الأجيال {name}")),
            _ => Phrase::new(format!("generation {name}"), format!("الجيل {name}")),
        }
    }

    /// Which games were looked at, to end a caption with.
    pub fn filter(&self) -> Phrase {
        let (first, last) = (self.bands.range(0), self.bands.range(self.bands.len() - 1));
        let runs: BTreeSet<&str> = self.runs.iter().map(|run| &**run).collect();
        let runs = runs.into_iter().collect::<Vec<_>>().join(", ");
        Phrase::new(
            format!("Games of {runs}, generations {} to {}.", first.start(), last.end()),
            format!("مباريات {runs}، الأجيال من {} إلى {}.", first.start(), last.end()),
        )
    }
}

/// One phrase after another.
pub fn sentence(parts: &[&Phrase]) -> Phrase {
    let join = |pick: fn(&Phrase) -> &str| parts.iter().map(|part| pick(part)).collect::<Vec<_>>().join(" ");
    Phrase::new(join(|part| &part.en), join(|part| &part.ar))
}
