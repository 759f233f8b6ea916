//! First, second, third uses as a table, their incidence as figures, beside what the rules allow and random play does.

use super::{
    measure::{Summary, Timing, USES, Wait},
    random::{GAMES, RandomPlay},
};
use crate::{
    estimate::{ClusteredWaits, Curve},
    page::{Block, Cell, Column, Figure, Kind, Lines, Phrase, Plot, Point, Scale, Series, Style, Table},
    stats::{
        reserves::{
            observed::{ALL, Scope},
            page::{Question, sentence},
        },
        words::{band_column, count_column, interval_cells, interval_columns, kind_column, point},
    },
};

impl Question for Timing {
    fn answer(&self, scope: &Scope) -> Vec<Block> {
        let kinds: Vec<u8> = scope.kinds.iter().filter(|&kind| self.came(kind)).collect();
        if kinds.is_empty() {
            return Vec::new();
        }
        let random = RandomPlay::of(scope, self.longest());
        let mut blocks = vec![
            Block::Table(self.uses(scope, &kinds)),
            Block::Table(self.beside_chance(scope, &kinds, &random)),
            Block::Table(self.preferences(scope)),
        ];
        for kind in kinds {
            blocks.push(Block::Figure(self.uses_figure(scope, kind)));
            blocks.push(Block::Figure(self.chances_figure(scope, kind, &random)));
            if scope.groups().len() > 1 {
                blocks.push(Block::Figure(self.first_use_by_band(scope, kind)));
            }
            blocks.push(Block::Figure(self.hazard_figure(scope, kind)));
        }
        blocks
    }
}

/// What is waited for, in words.
fn legal() -> Phrase {
    Phrase::new("legal for the first time", "قانوني لأول مرة")
}

fn used() -> Phrase {
    Phrase::new("used for the first time", "مستعمل لأول مرة")
}

impl Timing {
    fn uses(&self, scope: &Scope, kinds: &[u8]) -> Table {
        let mut columns = vec![band_column(), kind_column(), count_column("use", Phrase::new("use", "الاستعمال رقم"))];
        columns.extend(summary_columns(("used", Phrase::new("used it", "استعملته"))));
        let note = sentence(&[
            &Phrase::new(
                "A side of a game waits for its k-th use. Cumulative incidence (Aalen-Johansen): a game's end without it is a competing event, a game cut off by self-play's own limit of plies is censored. \
                 Without games cut off it is the share of sides. 95% by bootstrap over games, since the two sides of a game are not independent; the interval of the ply is where the band's ends reach one half. \
                 A time says as much of what the rules allow as of what a side prefers: see it beside random play below.",
                "كل طرف في المباراة ينتظر استعماله رقم k. الوقوع التراكمي (آلن-يوهانسن): انتهاء المباراة دونه حدث منافس، والمباراة المقطوعة بحدّ أنصاف النقلات في اللعب الذاتي مبتورة. \
                 ودون مباريات مقطوعة هو نسبة الأطراف. 95% بإعادة المعاينة على المباريات، لأن طرفي المباراة غير مستقلين؛ وفترة نصف النقلة حيث يبلغ طرفا الشريط النصف. \
                 والوقت يدلّ على ما تتيحه القواعد كما يدلّ على ما يفضّله الطرف: فانظره أدناه إلى جانب اللعب العشوائي.",
            ),
            &scope.filter(),
        ]);
        let title = Phrase::new("When reserves are used", "متى يُستعمل الاحتياطي");
        let mut table = Table::new("first_uses", title, note, columns);
        for group in scope.groups() {
            for &kind in kinds {
                for k in 0..USES {
                    let Some(waits) = self.waits(group, kind, Wait::Use(k)) else { continue };
                    let mut row: Vec<Cell> =
                        vec![scope.group_cell(group), scope.kind_cell(kind), (k as u64 + 1).into()];
                    row.extend(summary_cells(&Summary::of(waits)));
                    table.push(row);
                }
            }
        }
        table
    }

    fn beside_chance(&self, scope: &Scope, kinds: &[u8], random: &RandomPlay) -> Table {
        let mut columns = vec![
            Column::new("games", Phrase::new("games", "المباريات"), Kind::Text),
            kind_column(),
            Column::new("what", Phrase::new("what", "ما هو"), Kind::Text),
        ];
        columns.extend(summary_columns(("came", Phrase::new("came to it", "بلغته"))));
        let note = sentence(&[
            &Phrase::new(
                format!(
                    "When a use is legal for the first time, and when it comes; below, the same in {GAMES} games of uniformly random actions under the same rules, cut off at the {} plies of the longest game here. \
                     Intervals as above.",
                    self.longest()
                ),
                format!(
                    "متى يكون الاستعمال قانونيًا لأول مرة ومتى يقع؛ وتحته الأمر نفسه في {GAMES} مباراة من نقلات عشوائية منتظمة بالقواعد نفسها، مقطوعة عند طول أطول مباراة هنا ({} نصف نقلة). \
                     والفترات كما سبق.",
                    self.longest()
                ),
            ),
            &scope.filter(),
        ]);
        let title = Phrase::new("First uses beside random play", "الاستعمالات الأولى إلى جانب اللعب العشوائي");
        let mut table = Table::new("first_uses_beside_chance", title, note, columns);
        let curves = [(Wait::Legal, legal()), (Wait::Use(0), used())];
        for &kind in kinds {
            let mut push = |games: Cell, what: &Phrase, waits: Option<&ClusteredWaits>| {
                let Some(waits) = waits else { return };
                let mut row = vec![games, scope.kind_cell(kind), Cell::Words(what.clone())];
                row.extend(summary_cells(&Summary::of(waits)));
                table.push(row);
            };
            for group in scope.groups() {
                for (wait, what) in &curves {
                    push(Cell::Words(scope.group_phrase(group)), what, self.waits(group, kind, *wait));
                }
            }
            for (wait, what) in &curves {
                push(Cell::Words(Phrase::new("random play", "لعب عشوائي")), what, random.waits(kind, *wait));
            }
        }
        table
    }

    fn uses_figure(&self, scope: &Scope, kind: u8) -> Figure {
        let ordinals = [("first", "الأول"), ("second", "الثاني"), ("third", "الثالث")];
        let curves = (0..USES).filter_map(|k| {
            let (en, ar) = ordinals[k];
            Some((Phrase::new(en, ar), Style::Step, self.waits(ALL, kind, Wait::Use(k))?))
        });
        let name = format!("incidence_{}", scope.kind(kind));
        let what = Phrase::new("first, second, third use", "الاستعمال الأول والثاني والثالث");
        incidence_figure(scope, kind, name, what, curves.collect())
    }

    fn chances_figure(&self, scope: &Scope, kind: u8, random: &RandomPlay) -> Figure {
        let here = [(Wait::Legal, legal()), (Wait::Use(0), used())];
        let chance = here.clone().map(|(wait, Phrase { en, ar })| {
            (wait, Phrase::new(format!("{en}, random play"), format!("{ar}، لعب عشوائي")))
        });
        let here = here.into_iter().map(|(wait, name)| (name, Style::Step, self.waits(ALL, kind, wait)));
        let chance = chance.into_iter().map(|(wait, name)| (name, Style::DashedStep, random.waits(kind, wait)));
        let curves = here.chain(chance).filter_map(|(name, style, waits)| Some((name, style, waits?)));
        let name = format!("incidence_{}_beside_chance", scope.kind(kind));
        let what = Phrase::new("legal and used, beside random play", "القانوني والمستعمل إلى جانب اللعب العشوائي");
        incidence_figure(scope, kind, name, what, curves.collect())
    }

    fn first_use_by_band(&self, scope: &Scope, kind: u8) -> Figure {
        let curves = scope
            .groups()
            .skip(1)
            .filter_map(|group| Some((scope.group_phrase(group), Style::Step, self.waits(group, kind, Wait::Use(0))?)));
        let name = format!("incidence_{}_by_generation", scope.kind(kind));
        let what = Phrase::new("first use by generation", "الاستعمال الأول بحسب الجيل");
        incidence_figure(scope, kind, name, what, curves.collect())
    }
}

/// Sides, those that came to what they waited for, and when.
fn summary_columns((name, title): (&str, Phrase)) -> Vec<Column> {
    let mut columns = vec![count_column("sides", Phrase::new("sides (n)", "أطراف (n)")), count_column(name, title)];
    let incidence = Phrase::new("before the end", "قبل النهاية");
    columns.extend(interval_columns("incidence", incidence, Kind::Percent { decimals: 1 }));
    let half = Phrase::new("half have by ply", "نصفها عند نصف النقلة");
    columns.extend(interval_columns("half_by_ply", half, Kind::Count));
    columns
}

fn summary_cells(summary: &Summary) -> Vec<Cell> {
    let mut cells = vec![summary.sides.into(), summary.came.into()];
    cells.extend(interval_cells(summary.incidence.as_ref()));
    cells.extend(summary.half_by_ply.map(Cell::from));
    cells
}

fn incidence_figure(
    scope: &Scope,
    kind: u8,
    table: String,
    what: Phrase,
    curves: Vec<(Phrase, Style, &ClusteredWaits)>,
) -> Figure {
    let name = scope.kind_name(kind);
    let title = Phrase::new(format!("{}: {}", name.en, what.en), format!("{}: {}", name.ar, what.ar));
    let mut columns = vec![Column::new("curve", Phrase::new("curve", "المنحنى"), Kind::Text)];
    columns.push(count_column("ply", Phrase::new("ply", "نصف النقلة")));
    columns.push(count_column("waiting", Phrase::new("waiting", "ينتظر")));
    columns.push(count_column("used", Phrase::new("used", "استعمل")));
    columns.push(count_column("ended", Phrase::new("game ended", "انتهت المباراة")));
    columns.push(count_column("cut_off", Phrase::new("cut off", "مقطوعة")));
    columns.extend(interval_columns("incidence", Phrase::new("incidence", "الوقوع"), Kind::Percent { decimals: 2 }));
    let mut data = Table::new(table, title.clone(), Phrase::default(), columns);
    let mut series = Vec::new();
    for (curve, style, waits) in &curves {
        let mut points = vec![Point::new(0.0, 0.0)];
        for step in waits.steps() {
            let counts = [u64::from(step.time), step.at_risk, step.events, step.competing, step.censored];
            let mut row: Vec<Cell> = vec![Cell::Words(curve.clone())];
            row.extend(counts.map(Cell::Count));
            row.extend(interval_cells(Some(&step.incidence(Curve::Event))));
            data.push(row);
            points.push(point(f64::from(step.time), &step.incidence(Curve::Event)));
        }
        series.push(Series { name: curve.clone(), style: *style, points });
    }
    let mut n: Vec<String> = curves.iter().map(|(_, _, waits)| waits.n().to_string()).collect();
    n.dedup();
    extend_to_the_last(&mut series);
    let caption = sentence(&[
        &Phrase::new(
            format!(
                "Share of sides that have come to it by a ply; the game's end is a competing event. n = {} sides; 95% bands (Aalen-Johansen, bootstrap over games).",
                n.join(" and ")
            ),
            format!(
                "نسبة الأطراف التي بلغته حتى نصف نقلة ما؛ ونهاية المباراة حدث منافس. n = {} طرفًا؛ أشرطة 95% (آلن-يوهانسن، إعادة المعاينة على المباريات).",
                n.join(" و ")
            ),
        ),
        &scope.filter(),
    ]);
    let plot = Plot::Lines(Lines {
        x: Phrase::new("ply", "نصف النقلة"),
        y: Phrase::new("share of sides", "نسبة الأطراف"),
        x_range: None,
        y_range: Some((0.0, 1.0)),
        series,
        scale: Scale::Percent,
    });
    Figure { title, caption, plot, data }
}

/// A curve that has come to its end stays where it is.
fn extend_to_the_last(series: &mut [Series]) {
    let last = |series: &Series| series.points.last().map_or(0.0, |point| point.x);
    let end = series.iter().map(last).fold(0.0, f64::max);
    for series in series {
        let point = series.points.last().copied();
        series.points.extend(point.filter(|point| point.x < end).map(|point| Point { x: end, ..point }));
    }
}
