//! Effects and their controls as tables and a figure.

use std::collections::BTreeMap;

use super::measure::{Effects, Found, Outcome, PLIES};
use crate::{
    estimate::Drawn,
    page::{Block, Cell, Column, Figure, Kind, Lines, Phrase, Plot, Scale, Section, Series, Style, Table},
    stats::words::{count_column, interval_cells, interval_columns, kind_column, kind_name, point},
};

const POINTS: Kind = Kind::Number { decimals: 4 };
const SHARE: Kind = Kind::Percent { decimals: 2 };

impl Effects {
    /// What was found, one section.
    pub fn section(&self) -> Section {
        let blocks = if self.found().next().is_none() {
            vec![Block::Paragraph(Phrase::new(
                "No action of these games was drawn by chance after a search.",
                "لم تُسحب أي نقلة في هذه المباريات بالصدفة بعد بحث.",
            ))]
        } else {
            vec![
                Block::Paragraph(self.method()),
                Block::Table(self.effects()),
                Block::Table(self.results()),
                Block::Figure(self.by_ply()),
                Block::Table(self.calibration()),
            ]
        };
        Section { id: "effect".to_owned(), title: title(), blocks }
    }

    fn name(&self, kind: u8) -> Phrase {
        kind_name(self.rules.words(), self.rules.action_kinds()[usize::from(kind)])
    }

    fn kind_cell(&self, kind: u8) -> Cell {
        Cell::Words(self.name(kind))
    }

    fn of_all_plies(&self) -> impl Iterator<Item = (u8, &Found)> {
        self.found().filter(|((_, bin), _)| bin.is_none()).map(|((kind, _), found)| (kind, found))
    }

    fn method(&self) -> Phrase {
        let (games, cut_off, decisions) = (self.games, self.cut_off, self.decisions);
        Phrase::new(
            format!(
                "At {decisions} searched decisions of {games} games the action was drawn from the search's policy, which is recorded. So the chance of each kind of action is known, and \
                 whatever else led to the result cannot bias its effect: sum of (a - p)(y - m) by sum of p (1 - p), with choice a, its probability p, result y and the search's expectation m \
                 (Robins, Mark and Newey, Biometrics 48, 1992). It is the effect of one such decision, for the side that takes it, against the other actions that the policy would have \
                 drawn in its place, with the play of these networks before and after it; decisions near 50% count most. {cut_off} games were cut off; they count half a point. \
                 95%: bootstrap over games."
            ),
            format!(
                "في {decisions} قرارًا بعد بحث من {games} مباراة سُحبت النقلة من سياسة البحث وهي مسجَّلة. فاحتمال كل نوع من النقلات معلوم، ولا يمكن لغيره مما أدى إلى النتيجة أن يحرف أثره: \
                 مجموع {} على مجموع {}، حيث a الاختيار وp احتماله وy النتيجة وm توقّع البحث (روبنز ومارك ونيوي، 1992). وهو أثر قرار واحد لصاحبه مقارنة بالنقلات الأخرى التي كانت السياسة ستسحبها مكانه، \
                 مع لعب هذه الشبكات قبله وبعده؛ والقرارات القريبة من 50% أثقل وزنًا. قُطعت {cut_off} مباراة وتُحسب نصف نقطة. 95%: إعادة المعاينة على المباريات.",
                formula("(a - p)(y - m)"),
                formula("p (1 - p)"),
            ),
        )
    }

    fn effects(&self) -> Table {
        let mut columns = vec![
            kind_column(),
            count_column("games", Phrase::new("games (n)", "المباريات (n)")),
            count_column("decisions", Phrase::new("decisions", "القرارات")),
            count_column("chosen", Phrase::new("chosen", "اختيرت")),
            Column::new("expected", Phrase::new("expected", "المتوقع"), Kind::Number { decimals: 1 }),
            surprise_column(),
        ];
        columns.extend(interval_columns("effect", Phrase::new("effect, points", "الأثر بالنقاط"), POINTS));
        columns.extend(interval_columns("placebo", Phrase::new("placebo, points", "الأثر الوهمي بالنقاط"), POINTS));
        let note = Phrase::new(
            "Placebo: the same for an action drawn once more from the same policy and not played; its interval should hold 0. Chosen and expected: how often the kind was drawn, and how often its \
             probabilities say; z is their difference in standard deviations, beyond 2 in one of twenty. Of twenty intervals that hold nothing, one misses 0 by chance. A kind of which fewer than some 25 draws were expected has no effect here.",
            "الأثر الوهمي: الحساب نفسه لنقلة سُحبت مرة أخرى من السياسة نفسها ولم تُلعب؛ ينبغي أن تحوي فترته الصفر. اختيرت والمتوقع: كم مرة سُحب النوع وكم تقول احتمالاته؛ وz فرقهما بالانحرافات المعيارية، يتجاوز 2 مرة من عشرين. ومن كل عشرين فترة لا أثر وراءها تخطئ واحدة الصفر بالصدفة. ولا أثر هنا لنوع كان المتوقع من سحبه أقل من نحو 25.",
        );
        let mut table = Table::new("effects", title(), note, columns);
        for (kind, found) in self.of_all_plies() {
            let total = found.calibration.total();
            let effect = found.effect(Outcome::Points);
            let is_often = total.variance >= LEAST_VARIANCE;
            let mut row = vec![
                self.kind_cell(kind),
                effect.map_or(0, |effect| effect.n).into(),
                total.draws.into(),
                total.chosen.into(),
                total.expected.into(),
                total.surprise().into(),
            ];
            row.extend(interval_cells(effect.filter(|_| is_often).as_ref()));
            row.extend(interval_cells(found.placebo().filter(|_| is_often).as_ref()));
            table.push(row);
        }
        table
    }

    fn results(&self) -> Table {
        let titles = [
            (Outcome::Win, "win", Phrase::new("won", "فوز")),
            (Outcome::Loss, "loss", Phrase::new("lost", "خسارة")),
            (Outcome::CutOff, "cut_off", Phrase::new("cut off", "مقطوعة")),
        ];
        let mut columns = vec![kind_column()];
        for (_, name, title) in &titles {
            columns.extend(interval_columns(name, title.clone(), SHARE));
        }
        let title = Phrase::new(
            "What a kind of action changes in the share of games won, lost and cut off",
            "ما يغيّره نوع النقلة في نسبة المباريات المكسوبة والمخسورة والمقطوعة",
        );
        let note = Phrase::new(
            "Differences of shares, for the side that takes the action. A kind that changes how many games are cut off changes its points by that too.",
            "فروق نسب لصاحب النقلة. والنوع الذي يغيّر عدد المباريات المقطوعة تتغيّر نقاطه بذلك أيضًا.",
        );
        let mut table = Table::new("effects_on_results", title, note, columns);
        for (kind, found) in self.of_all_plies() {
            let mut row = vec![self.kind_cell(kind)];
            let is_often = found.calibration.total().variance >= LEAST_VARIANCE;
            for (outcome, _, _) in &titles {
                let is_shown = is_often && (*outcome != Outcome::CutOff || self.cut_off > 0);
                let effect = found.effect(*outcome).filter(|_| is_shown);
                row.extend(interval_cells(effect.as_ref()));
            }
            table.push(row);
        }
        table
    }

    fn by_ply(&self) -> Figure {
        let title = Phrase::new("Effect by ply", "الأثر بحسب نصف النقلة");
        let mut columns = vec![kind_column(), count_column("from_ply", Phrase::new("from ply", "من نصف النقلة"))];
        columns.push(count_column("decisions", Phrase::new("decisions", "القرارات")));
        columns.extend(interval_columns("effect", Phrase::new("effect, points", "الأثر بالنقاط"), POINTS));
        let mut data = Table::new("effects_by_ply", title.clone(), Phrase::default(), columns);
        let mut series: BTreeMap<u8, Series> = BTreeMap::new();
        for ((kind, bin), found) in self.found() {
            let (Some(bin), Some(effect)) = (bin, found.effect(Outcome::Points)) else { continue };
            let from = bin * PLIES;
            let total = found.calibration.total();
            let mut row = vec![self.kind_cell(kind), (from as u64).into(), total.draws.into()];
            row.extend(interval_cells(Some(&effect).filter(|_| total.variance >= LEAST_VARIANCE)));
            data.push(row);
            let line = series.entry(kind).or_insert_with(|| Series {
                name: self.name(kind),
                style: Style::Dots,
                points: Vec::new(),
            });
            // Kinds stand side by side, so that their bars do not hide each other.
            let shift = (f64::from(kind) + 0.5) / self.rules.action_kinds().len() as f64 * PLIES as f64;
            if total.variance >= LEAST_VARIANCE {
                line.points.push(point(from as f64 + shift, &effect));
            }
        }
        let caption = Phrase::new(
            format!("In bins of {PLIES} plies; without kinds that were drawn too seldom. 95%: bootstrap over games."),
            format!("بفئات من {PLIES} أنصاف نقلات؛ دون الأنواع التي نَدَر سحبها. 95%: إعادة المعاينة على المباريات."),
        );
        let plot = Plot::Lines(Lines {
            x: Phrase::new("ply", "نصف النقلة"),
            y: Phrase::new("effect, points", "الأثر بالنقاط"),
            x_range: None,
            y_range: None,
            series: series.into_values().filter(|series| !series.points.is_empty()).collect(),
            scale: Scale::Number,
        });
        Figure { title, caption, plot, data }
    }

    fn calibration(&self) -> Table {
        let share = |name: &str, title: Phrase| Column::new(name, title, Kind::Percent { decimals: 2 });
        let mut columns = vec![
            kind_column(),
            share("from", Phrase::new("probability from", "الاحتمال من")),
            share("below", Phrase::new("to below", "إلى أقل من")),
            count_column("decisions", Phrase::new("decisions", "القرارات")),
            share("propensity", Phrase::new("mean probability", "متوسط الاحتمال")),
        ];
        columns.extend(interval_columns("chosen", Phrase::new("chosen", "اختيرت"), SHARE));
        columns.push(surprise_column());
        let note = Phrase::new(
            "How often a kind was drawn, by the probability that the policy gave it. An effect can be trusted where the two agree.",
            "كم مرة سُحب النوع بحسب الاحتمال الذي أعطته إياه السياسة. يوثق بالأثر حيث يتفقان.",
        );
        let title = Phrase::new("Calibration of the probabilities", "معايرة الاحتمالات");
        let mut table = Table::new("effect_calibration", title, note, columns);
        for (kind, found) in self.of_all_plies() {
            for ([from, below], drawn) in found.calibration.bins() {
                let mut row = vec![self.kind_cell(kind), from.into(), below.into(), drawn.draws.into()];
                row.push(drawn.mean().into());
                row.extend(interval_cells(drawn.share().as_ref()));
                row.push(normal_surprise(&drawn).into());
                table.push(row);
            }
        }
        table
    }
}

/// A formula that stays on one line and is read from left to right.
fn formula(text: &str) -> String {
    Phrase::ltr(text.replace(' ', "\u{a0}"))
}

/// Sum of p (1 - p) below which an effect is not given: its interval would be too narrow.
const LEAST_VARIANCE: f64 = 25.0;
/// Below it the number of choices is far from normal.
const LEAST_NORMAL_VARIANCE: f64 = 5.0;

/// z, where the number of choices is near enough to normal for it to say something.
fn normal_surprise(drawn: &Drawn) -> Option<f64> {
    drawn.surprise().filter(|_| drawn.variance >= LEAST_NORMAL_VARIANCE)
}

fn surprise_column() -> Column {
    Column::new("z", Phrase::same("z"), Kind::Number { decimals: 2 })
}

fn title() -> Phrase {
    Phrase::new("What a kind of action changes in the result", "ما يغيّره نوع النقلة في النتيجة")
}
