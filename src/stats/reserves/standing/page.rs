//! What became of pieces after some plies as tables, by age as figures.

use super::measure::{AFTER, Fate, Fates, Origin, Standing};
use crate::{
    estimate::{ClusteredStep, Curve, Interval},
    page::{Block, Cell, Column, Figure, Kind, Lines, Phrase, Plot, Point, Scale, Series, Style, Table},
    stats::{
        reserves::{
            observed::{ALL, Scope},
            page::{FEW, Question, sentence},
        },
        words::{band_column, count_column, interval_cells, interval_columns, point, rank_name},
    },
};

impl Question for Standing {
    fn answer(&self, scope: &Scope) -> Vec<Block> {
        let ranks: Vec<u8> = self.ranks();
        if ranks.is_empty() {
            return Vec::new();
        }
        let mut blocks = vec![Block::Table(self.table(scope)), Block::Table(self.differences(scope))];
        blocks.extend(ranks.into_iter().flat_map(|rank| self.figures(scope, rank)).map(Block::Figure));
        blocks
    }
}

/// A fate in a column's name and in words.
fn fate_name(fate: Fate) -> (&'static str, Phrase) {
    match fate {
        Fate::Captured => ("captured", Phrase::new("captured at the rank", "أُسرت بالرتبة نفسها")),
        Fate::Rank => ("another_rank", Phrase::new("got another rank", "نالت رتبة أخرى")),
        Fate::Same => ("same_rank", Phrase::new("still of the rank", "باقية بالرتبة نفسها")),
        Fate::Board => ("on_the_board", Phrase::new("on the board, any rank", "على الرقعة بأي رتبة")),
    }
}

const SHARE: Kind = Kind::Percent { decimals: 1 };

impl Standing {
    fn table(&self, scope: &Scope) -> Table {
        let mut columns = vec![
            band_column(),
            rank_column(),
            Column::new("pieces", Phrase::new("pieces", "القطع"), Kind::Text),
            count_column("n", Phrase::same("n")),
        ];
        for fate in Fate::ALL {
            let (name, title) = fate_name(fate);
            columns.extend(interval_columns(name, title, SHARE));
        }
        let median = Phrase::new("median plies on the board", "وسيط أنصاف النقلات على الرقعة");
        columns.extend(interval_columns("median", median, Kind::Count));
        let note = sentence(&[
            &Phrase::new(
                format!(
                    "{AFTER} plies later. Capture and another rank are competing events (Aalen-Johansen), the game's end censors: captured at the rank, got another rank and still of the rank add up to 100%. On the board: not captured, whatever the rank (Kaplan-Meier). \
                     Ordinary pieces stand at the start and have met no event; those beside an event stood on the same side with the same rank when it came, and are followed from it on. \
                     95% by bootstrap over games; the median's are the ages at which the ends of the band reach one half (Brookmeyer and Crowley 1982). Empty: beyond what was seen."
                ),
                format!(
                    "بعد {AFTER} نصف نقلة. الأسر والرتبة الأخرى حدثان متنافسان (آلن-يوهانسن) ونهاية المباراة بتر: المأسورة بالرتبة نفسها والتي نالت رتبة أخرى والباقية بالرتبة نفسها مجموعها 100%. على الرقعة: لم تُؤسر مهما كانت رتبتها (كابلان-ماير). \
                     القطع العادية قائمة منذ البداية ولم يقع لها حدث؛ والتي إلى جانب حدثٍ كانت للطرف نفسه وبالرتبة نفسها حين وقوعه وتُتابع منه. \
                     95% بإعادة المعاينة على المباريات؛ وحدّا الوسيط هما العمران اللذان يبلغ عندهما طرفا الشريط النصف (بروكماير وكراولي 1982). والخالي أبعد مما شوهد."
                ),
            ),
            &scope.filter(),
        ]);
        let title = Phrase::new("What becomes of pieces", "مصير القطع");
        let mut table = Table::new("survival", title, note, columns);
        for (group, rank, origin, fates) in self.fates() {
            let mut row: Vec<Cell> = vec![
                scope.group_cell(group),
                rank_name(rank).into(),
                Cell::Words(name(scope, origin)),
                fates.pieces().into(),
            ];
            row.extend(fates.after().iter().flat_map(|share| interval_cells(share.as_ref())));
            row.extend(fates.median().map(Cell::from));
            table.push(row);
        }
        table
    }

    fn differences(&self, scope: &Scope) -> Table {
        let mut columns = vec![
            band_column(),
            rank_column(),
            Column::new("pieces", Phrase::new("pieces", "القطع"), Kind::Text),
            Column::new("fate", Phrase::new("fate", "المصير"), Kind::Text),
            Column::new("share", Phrase::new("share", "النسبة"), SHARE),
            Column::new("beside", Phrase::new("of those beside", "نسبة التي إلى جانبها"), SHARE),
        ];
        columns.extend(interval_columns("difference", Phrase::new("difference", "الفرق"), SHARE));
        let note = sentence(&[
            &Phrase::new(
                format!(
                    "{AFTER} plies later: pieces after an event less the ordinary pieces beside it, in percentage points; 95% by bootstrap over games, each sample of games counting for both."
                ),
                format!(
                    "بعد {AFTER} نصف نقلة: القطع بعد الحدث ناقص القطع العادية إلى جانبه، بالنقاط المئوية؛ 95% بإعادة المعاينة على المباريات، وكل عيّنة مباريات للجهتين معًا."
                ),
            ),
            &scope.filter(),
        ]);
        let title = Phrase::new("Beside the ordinary pieces", "إلى جانب القطع العادية");
        let mut table = Table::new("survival_differences", title, note, columns);
        for (group, rank, origin, fates) in self.fates() {
            let Some(beside) = self.beside(group, rank, origin) else { continue };
            for (i, fate) in Fate::ALL.into_iter().enumerate() {
                let share = |fates: &Fates| Cell::from(fates.after()[i].map(|share| share.estimate));
                let mut row: Vec<Cell> = vec![
                    scope.group_cell(group),
                    rank_name(rank).into(),
                    Cell::Words(name(scope, origin)),
                    Cell::Words(fate_name(fate).1),
                    share(fates),
                    share(beside),
                ];
                row.extend(interval_cells(fates.minus(beside, fate).as_ref()));
                table.push(row);
            }
        }
        table
    }

    /// Not captured, whatever the rank; captured at the rank; promoted.
    fn figures(&self, scope: &Scope, rank: u8) -> Vec<Figure> {
        let letter = rank_name(rank);
        let board = Drawn {
            name: format!("survival_{letter}"),
            title: Phrase::new(format!("Survival of {letter}"), format!("بقاء {letter}")),
            what: Phrase::new(
                "Share of pieces not captured by age, whatever their rank, from the event on or from the start (Kaplan-Meier).",
                "نسبة القطع التي لم تُؤسر بحسب العمر مهما كانت رتبتها، من الحدث أو من البداية (كابلان-ماير).",
            ),
            fate: Fate::Board,
            steps: Fates::whole,
            value: ClusteredStep::free,
        };
        let captured = Drawn {
            name: format!("captured_{letter}"),
            title: Phrase::new(format!("{letter} captured at the rank"), format!("{letter}: الأسر بالرتبة نفسها")),
            what: Phrase::new(
                "Share of pieces captured before they got another rank, by age; another rank is a competing event (Aalen-Johansen).",
                "نسبة القطع التي أُسرت قبل أن تنال رتبة أخرى بحسب العمر؛ والرتبة الأخرى حدث منافس (آلن-يوهانسن).",
            ),
            fate: Fate::Captured,
            steps: Fates::ranked,
            value: |step| step.incidence(Curve::Event),
        };
        let promoted = Drawn {
            name: format!("promoted_{letter}"),
            title: Phrase::new(format!("{letter} to another rank"), format!("{letter}: نيل رتبة أخرى")),
            what: Phrase::new(
                "Share of pieces that got another rank, by age; capture is a competing event (Aalen-Johansen).",
                "نسبة القطع التي نالت رتبة أخرى بحسب العمر؛ والأسر حدث منافس (آلن-يوهانسن).",
            ),
            fate: Fate::Rank,
            steps: Fates::ranked,
            value: |step| step.incidence(Curve::Competing),
        };
        let is_left = self.fates().any(|(_, other, _, fates)| other == rank && fates.promoted());
        let drawn = [Some(board), Some(captured), is_left.then_some(promoted)];
        drawn.into_iter().flatten().map(|drawn| self.figure(scope, rank, drawn)).collect()
    }

    fn figure(&self, scope: &Scope, rank: u8, drawn: Drawn) -> Figure {
        let Drawn { name: table, title, what, fate, steps, value } = drawn;
        let (column, y) = fate_name(fate);
        let mut columns = vec![Column::new("pieces", Phrase::new("pieces", "القطع"), Kind::Text)];
        columns.push(count_column("age", Phrase::new("age, plies", "العمر بأنصاف النقلات")));
        columns.push(count_column("at_risk", Phrase::new("at risk", "معرّضة")));
        columns.push(count_column("captured", Phrase::new("captured", "أُسرت")));
        columns.push(count_column("another_rank", Phrase::new("another rank", "رتبة أخرى")));
        columns.push(count_column("censored", Phrase::new("censored", "بُترت")));
        columns.extend(interval_columns(&format!("share_{column}"), y.clone(), Kind::Percent { decimals: 2 }));
        let mut data = Table::new(table, title.clone(), Phrase::default(), columns);
        let (mut series, mut n) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        for (_, _, origin, fates) in self.fates().filter(|&(group, other, ..)| (group, other) == (ALL, rank)) {
            let name = name(scope, origin);
            let steps = steps(fates);
            for step in &steps {
                let mut row: Vec<Cell> = vec![Cell::Words(name.clone())];
                let counts = [u64::from(step.time), step.at_risk, step.events, step.competing, step.censored];
                row.extend(counts.map(Cell::Count));
                row.extend(interval_cells(Some(&value(step))));
                data.push(row);
            }
            n[0].push(format!("{} {}", name.en, fates.pieces()));
            n[1].push(format!("{} {}", name.ar, fates.pieces()));
            let style = if matches!(origin, Origin::Event(_)) { Style::Step } else { Style::DashedStep };
            let start = if fate == Fate::Board { 1.0 } else { 0.0 };
            let seen = steps.iter().take_while(|step| step.at_risk >= FEW);
            let points = seen.map(|step| point(f64::from(step.time), &value(step)));
            let points = std::iter::once(Point::new(0.0, start)).chain(points).collect();
            series[usize::from(style == Style::DashedStep)].push(Series { name, style, points });
        }
        let caption = sentence(&[
            &what,
            &Phrase::new(
                format!(
                    "95% bands by bootstrap over games; drawn while {FEW} pieces are at risk. n: {}.",
                    n[0].join(", ")
                ),
                format!(
                    "أشرطة 95% بإعادة المعاينة على المباريات؛ والرسم ما دامت {FEW} قطعة معرّضة. n: {}.",
                    n[1].join("، ")
                ),
            ),
            &scope.filter(),
        ]);
        let plot = Plot::Lines(Lines {
            x: Phrase::new("age, plies", "العمر بأنصاف النقلات"),
            y,
            x_range: None,
            y_range: Some((0.0, 1.0)),
            series: series.into_iter().flatten().collect(),
            scale: Scale::Percent,
        });
        Figure { title, caption, plot, data }
    }
}

/// What a figure of fates shows.
struct Drawn {
    name: String,
    title: Phrase,
    what: Phrase,
    fate: Fate,
    steps: fn(&Fates) -> Vec<ClusteredStep>,
    value: fn(&ClusteredStep) -> Interval,
}

fn rank_column() -> Column {
    Column::new("rank", Phrase::new("rank", "الرتبة"), Kind::Text)
}

/// What a legend calls pieces of an origin.
fn name(scope: &Scope, origin: Origin) -> Phrase {
    match origin {
        Origin::Start => Phrase::new("ordinary, from the start", "عادية منذ البداية"),
        Origin::Event(kind) => {
            let name = scope.kind_name(kind);
            Phrase::new(format!("after {}", name.en), format!("بعد {}", name.ar))
        }
        Origin::Beside(kind) => {
            let name = scope.kind_name(kind);
            Phrase::new(format!("ordinary beside {}", name.en), format!("عادية إلى جانب {}", name.ar))
        }
    }
}
