//! Who climbs to which rank, and how long it takes.

use std::collections::BTreeMap;

use super::{
    men::Man,
    observed::{ALL, Observed, Question, Scope, sentence},
};
use crate::{
    estimate::{ClusteredWaits, End, Interval, Ratio},
    page::{Block, Cell, Column, Figure, Kind, Lines, Phrase, Plot, Point, Scale, Series, Style, Table},
    stats::words::{band_column, count_column, interval_cells, interval_columns, point, rank_name},
};

/// Ranks held and left.
#[derive(Default)]
pub struct Ladder {
    /// Times a man held a rank, by group and rank.
    held: BTreeMap<(usize, u8), u64>,
    /// By group, rank, next rank.
    steps: BTreeMap<(usize, u8, u8), Steps>,
    /// From gaining a rank to the next one, by group and rank.
    waits: BTreeMap<(usize, u8), ClusteredWaits>,
}

#[derive(Default)]
struct Steps {
    count: u64,
    /// Plies from gaining the rank to the next one.
    wait: Ratio,
}

/// A rank of a man: which, from which position to which, and the next one.
pub(super) fn spells(man: &Man, plies: usize) -> impl Iterator<Item = (u8, usize, usize, Option<u8>)> + '_ {
    let next = move |i: usize| man.ranks.get(i + 1);
    man.ranks.iter().enumerate().map(move |(i, &(since, rank))| {
        (rank, since, next(i).map_or(man.until(plies), |next| next.0), next(i).map(|next| next.1))
    })
}

impl Question for Ladder {
    fn hear(&mut self, observed: &Observed<'_>, _: &Scope) {
        let plies = observed.game.plies();
        let mut sums: BTreeMap<(u8, u8), (f64, f64)> = BTreeMap::new();
        for man in &observed.lives.men {
            for (rank, since, until, next) in spells(man, plies) {
                let wait = (until - since) as u32;
                for &group in observed.groups {
                    *self.held.entry((group, rank)).or_default() += 1;
                    let waits = self.waits.entry((group, rank)).or_default();
                    let end = match next {
                        Some(_) => End::Event,
                        None if man.captured.is_some() => End::Competing,
                        None => End::Censored,
                    };
                    waits.add(observed.weights, wait, end);
                }
                if let Some(next) = next {
                    let sum = sums.entry((rank, next)).or_default();
                    *sum = (sum.0 + f64::from(wait), sum.1 + 1.0);
                }
            }
        }
        for ((rank, next), (wait, count)) in sums {
            for &group in observed.groups {
                let steps = self.steps.entry((group, rank, next)).or_default();
                steps.count += count as u64;
                steps.wait.add(observed.weights, wait, count);
            }
        }
    }

    fn answer(&self, scope: &Scope) -> Vec<Block> {
        if self.steps.is_empty() {
            return Vec::new();
        }
        vec![Block::Table(self.transitions(scope)), Block::Figure(self.waiting(scope))]
    }
}

impl Ladder {
    fn transitions(&self, scope: &Scope) -> Table {
        let mut columns = vec![
            band_column(),
            Column::new("from_rank", Phrase::new("from", "من"), Kind::Text),
            Column::new("to_rank", Phrase::new("to", "إلى"), Kind::Text),
            count_column("held", Phrase::new("men of the rank (n)", "قطع بهذه الرتبة (n)")),
            count_column("promoted", Phrase::new("promoted", "رُقّيت")),
        ];
        columns.extend(interval_columns("share", Phrase::new("share", "النسبة"), Kind::Percent { decimals: 2 }));
        let wait = Phrase::new("mean wait, plies", "متوسط الانتظار بأنصاف النقلات");
        columns.extend(interval_columns("wait", wait, Kind::Number { decimals: 1 }));
        let note = sentence(&[
            &Phrase::new(
                "A man counts once for each rank it held. Share: of these, promoted to that rank (Wilson, with men as independent). Wait: plies from gaining the rank to the next one, of those promoted (bootstrap over games).",
                "تُحسب القطعة مرة لكل رتبة حملتها. النسبة: ما رُقّي منها إلى تلك الرتبة (ويلسون، بعدّ القطع مستقلة). الانتظار: أنصاف النقلات من نيل الرتبة إلى التالية لمن رُقّي (إعادة معاينة على المباريات).",
            ),
            &scope.filter(),
        ]);
        let title = Phrase::new("Transitions of the ladder", "انتقالات سلّم الرتب");
        let mut table = Table::new("ladder", title, note, columns);
        for (&(group, rank, next), steps) in &self.steps {
            let held = self.held[&(group, rank)];
            let mut row: Vec<Cell> = vec![
                scope.group_cell(group),
                rank_name(rank).into(),
                rank_name(next).into(),
                held.into(),
                steps.count.into(),
            ];
            row.extend(interval_cells(Interval::share(steps.count, held).as_ref()));
            row.extend(interval_cells(steps.wait.interval().as_ref()));
            table.push(row);
        }
        table
    }

    fn waiting(&self, scope: &Scope) -> Figure {
        let title = Phrase::new("How long a rank is held before the next", "كم تدوم الرتبة قبل التالية");
        let mut columns = vec![band_column(), Column::new("rank", Phrase::new("rank", "الرتبة"), Kind::Text)];
        columns.push(count_column("age", Phrase::new("plies", "أنصاف نقلات")));
        columns.push(count_column("promoted", Phrase::new("promoted", "رُقّيت")));
        columns.push(count_column("captured", Phrase::new("captured", "أُسرت")));
        columns.extend(interval_columns(
            "incidence",
            Phrase::new("promoted by then", "رُقّيت حتى ذلك"),
            Kind::Percent { decimals: 2 },
        ));
        let mut data = Table::new("ladder_waits", title.clone(), Phrase::default(), columns);
        let (mut series, mut n) = (Vec::new(), Vec::new());
        for (&(group, rank), waits) in &self.waits {
            if !self.steps.keys().any(|key| (key.0, key.1) == (group, rank)) {
                continue;
            }
            let mut points = vec![Point::new(0.0, 0.0)];
            for step in waits.steps() {
                let mut row: Vec<Cell> = vec![scope.group_cell(group), rank_name(rank).into()];
                row.extend([u64::from(step.time), step.events, step.competing].map(Cell::Count));
                row.extend(interval_cells(Some(&step.incidence)));
                data.push(row);
                points.push(point(f64::from(step.time), &step.incidence));
            }
            if group == ALL {
                n.push(format!("{} {}", rank_name(rank), waits.n()));
                series.push(Series { name: Phrase::same(rank_name(rank)), style: Style::Step, points });
            }
        }
        let n = n.join(", ");
        let caption = sentence(&[
            &Phrase::new(
                format!(
                    "Share of men promoted within so many plies of gaining their rank (cumulative incidence); capture competes, the game's end censors. n: {n} men; 95% bands by bootstrap over games."
                ),
                format!(
                    "نسبة القطع التي رُقّيت خلال هذا العدد من أنصاف النقلات بعد نيل رتبتها (وقوع تراكمي)؛ الأسر حدث منافس ونهاية المباراة بتر. n: {n} قطعة؛ أشرطة 95% بإعادة المعاينة على المباريات."
                ),
            ),
            &scope.filter(),
        ]);
        let plot = Plot::Lines(Lines {
            x: Phrase::new("plies since the rank", "أنصاف نقلات منذ الرتبة"),
            y: Phrase::new("promoted", "رُقّيت"),
            x_range: None,
            y_range: None,
            series,
            scale: Scale::Percent,
        });
        Figure { title, caption, plot, data }
    }
}
