//! The results of a study's arms, as tables and figures.

use std::collections::BTreeMap;

use super::{
    PreparedArm, Role, Study,
    tally::{OPENING_PLIES, Tally},
    words::{arm_column, bootstrap, difference_title, games_column, newcombe, sentences, tango, wilson},
};
use crate::{
    estimate::{Interval, elo_of_score},
    game::RESTRICTION,
    page::{Bars, Cell, Column, Figure, Kind, Phrase, Plot, Scale, Series, Style, Table},
    stats::words::{hill_cells, hill_columns, interval_cells, interval_columns, point, reason_name},
};

/// The arms of a study with what they came to, the base first.
#[derive(Clone, Copy)]
pub struct Counted<'a> {
    pub study: &'a Study,
    pub tallies: &'a [Tally],
}

/// One number of every arm, and how it differs from the base.
struct Measure {
    /// Of the table and of its column.
    name: &'static str,
    title: Phrase,
    note: Phrase,
    value: Phrase,
    kind: Kind,
}

const SHARE: Kind = Kind::Percent { decimals: 1 };
const NUMBER: Kind = Kind::Number { decimals: 2 };
const ELO: Kind = Kind::Number { decimals: 0 };

impl<'a> Counted<'a> {
    pub(super) fn arms(self) -> impl Iterator<Item = (&'a PreparedArm, &'a Tally)> {
        self.study.arms().iter().zip(self.tallies)
    }

    /// What an arm is held against: the base of its budget.
    pub(super) fn base_of(self, arm: &PreparedArm) -> &'a Tally {
        &self.tallies[arm.arm.base]
    }

    /// What the arms are: their rules, and who plays.
    pub fn arms_table(self) -> Table {
        let text = |name: &str, title: Phrase| Column::new(name, title, Kind::Text);
        let columns = vec![
            arm_column(),
            text("changes", Phrase::new("changes", "التغييرات")),
            Column::new("playouts", Phrase::new("playouts", "المحاكاة لكل نقلة"), Kind::Count),
            text("network", Phrase::new("network", "الشبكة")),
            text("trained_under", Phrase::new("trained under", "دُرّبت بقواعد")),
            text("ruleset", Phrase::new("ruleset", "بصمة القواعد")),
        ];
        let note = Phrase::new(
            "Changes: what differs from the rules of the base. Trained under: the rules of the network's training, where they are not those of the arm \
             (option: trained / played).",
            "التغييرات: ما يخالف قواعد الأساس. «دُرّبت بقواعد»: قواعد تدريب الشبكة حيث تختلف عن قواعد الصيغة (الخيار: عند التدريب / عند اللعب).",
        );
        let mut table = Table::new("arms", Phrase::new("The arms", "الصيغ"), note, columns);
        let base = self.study.arms()[0].rules.ruleset();
        for prepared in self.study.arms() {
            let ruleset = prepared.rules.ruleset();
            let changes = ruleset.differences(base).into_iter().map(|(name, here, _)| format!("{name} = {here}"));
            let trained = prepared.trained_under.as_ref().map(|trained| {
                let parts = trained.differences(ruleset).into_iter().map(|(name, then, now)| match name {
                    RESTRICTION => format!("{name}: none / played"),
                    _ => format!("{name}: {then} / {now}"),
                });
                parts.collect::<Vec<_>>().join(", ")
            });
            table.push(vec![
                prepared.arm.name.as_str().into(),
                changes.collect::<Vec<_>>().join(", ").into(),
                prepared.arm.playouts.into(),
                prepared.player.as_str().into(),
                trained.into(),
                ruleset.hash.as_str().into(),
            ]);
        }
        table
    }

    /// Shares of games won by White, drawn, won by Black, cut off.
    pub fn outcomes(self) -> Figure {
        let names = [
            ("white", Phrase::new("White wins", "فوز الأبيض")),
            ("draw", Phrase::new("draws", "تعادل")),
            ("black", Phrase::new("Black wins", "فوز الأسود")),
            ("cut_off", Phrase::new("cut off", "مقطوعة")),
        ];
        let mut columns = vec![arm_column(), games_column()];
        columns.extend(names.iter().flat_map(|(name, title)| interval_columns(name, title.clone(), SHARE)));
        let note = sentences(&[
            Phrase::new(
                "A game that is cut off at the study's last ply has no result.",
                "المباراة المقطوعة عند آخر نصف نقلة في الدراسة لا نتيجة لها.",
            ),
            wilson(),
        ]);
        let title = Phrase::new("Outcomes", "النتائج");
        let mut table = Table::new("outcomes", title.clone(), note.clone(), columns);
        let mut series: Vec<Series> = names.map(|(_, name)| Series { name, style: Style::Dots, points: vec![] }).into();
        for (x, (arm, tally)) in self.arms().enumerate() {
            let outcomes = tally.outcomes();
            let mut row: Vec<Cell> = vec![arm.arm.name.as_str().into(), tally.games().into()];
            row.extend(outcomes.iter().flat_map(|outcome| interval_cells(outcome.as_ref())));
            table.push(row);
            for (series, outcome) in series.iter_mut().zip(outcomes) {
                series.points.extend(outcome.map(|outcome| point(x as f64, &outcome)));
            }
        }
        let y = Phrase::new("share of games", "النسبة من المباريات");
        self.bars(title, note, y, Scale::Percent, series, table)
    }

    /// How many games are decided.
    pub fn decisive(self) -> Figure {
        let measure = Measure {
            name: "decisive",
            title: Phrase::new("Decisiveness", "الحسم"),
            note: sentences(&[
                Phrase::new(
                    "Share of all games that one side won.",
                    "نسبة المباريات التي انتهت بفوز أحد الطرفين من كل المباريات.",
                ),
                newcombe(),
            ]),
            value: Phrase::new("decisive games", "المباريات المحسومة"),
            kind: SHARE,
        };
        self.compare(&measure, Tally::decisive, |one, other| Some(one.decisive()?.minus(&other.decisive()?)))
    }

    /// What it is worth to move first, in points.
    pub fn edge(self) -> Figure {
        let measure = Measure {
            name: "edge",
            title: Phrase::new("First-move edge", "أفضلية النقلة الأولى"),
            note: sentences(&[
                Phrase::new(
                    "White's points a game less one half, over games with a result.",
                    "نقاط الأبيض في المباراة ناقص نصف نقطة، في المباريات التي لها نتيجة.",
                ),
                tango(),
            ]),
            value: Phrase::new("White's score - 1/2", "نقاط الأبيض - 1/2"),
            kind: SHARE,
        };
        let edge = |tally: &Tally| tally.score().map(|score| score.map(|score| score - 0.5));
        self.compare(&measure, edge, |one, other| Some(edge(one)?.minus(&edge(other)?)))
    }

    /// What it is worth to move first, in Elo.
    pub fn edge_in_elo(self) -> Figure {
        let measure = Measure {
            name: "edge_elo",
            title: Phrase::new("First-move edge in Elo", "أفضلية النقلة الأولى بنقاط إيلو"),
            note: sentences(&[
                Phrase::new(
                    "White's score s in games with a result as a difference in strength, `400 log10(s / (1 - s))`.",
                    "معدّل نقاط الأبيض s في المباريات التي لها نتيجة مقيسةً بفارق القوة، `400 log10(s / (1 - s))`.",
                ),
                tango(),
            ]),
            value: Phrase::new("Elo", "إيلو"),
            kind: ELO,
        };
        let edge = |tally: &Tally| tally.score().map(|score| score.map(elo_of_score));
        self.compare(&measure, edge, |one, other| Some(edge(one)?.minus(&edge(other)?)))
    }

    /// How long games are.
    pub fn length(self) -> Figure {
        let measure = Measure {
            name: "length",
            title: Phrase::new("Length", "طول المباراة"),
            note: sentences(&[
                Phrase::new(
                    "Mean plies of a game, those cut off at the last ply counted up to there: they would have been longer.",
                    "متوسّط أنصاف النقلات في المباراة، والمقطوعة عند الحدّ الأقصى محسوبة حتى الحدّ: كانت ستطول.",
                ),
                bootstrap(),
            ]),
            value: Phrase::new("plies", "أنصاف النقلات"),
            kind: Kind::Number { decimals: 1 },
        };
        self.compare(&measure, |tally| tally.length.interval(), |one, other| one.length.minus(&other.length))
    }

    /// How many actions are legal.
    pub fn branching(self) -> Figure {
        let measure = Measure {
            name: "branching",
            title: Phrase::new("Branching", "التفرّع"),
            note: sentences(&[
                Phrase::new("Mean legal actions of a decision.", "متوسّط النقلات القانونية في القرار الواحد."),
                bootstrap(),
            ]),
            value: Phrase::new("legal actions", "النقلات القانونية"),
            kind: Kind::Number { decimals: 1 },
        };
        self.compare(&measure, |tally| tally.branching.interval(), |one, other| one.branching.minus(&other.branching))
    }

    /// Why games end.
    pub fn endings(self) -> Figure {
        let mut columns =
            vec![arm_column(), Column::new("reason", Phrase::new("reason", "السبب"), Kind::Text), games_column()];
        columns.extend(interval_columns("share", Phrase::new("share", "النسبة"), SHARE));
        let (title, note) = (Phrase::new("How games end", "كيف تنتهي المباريات"), wilson());
        let mut table = Table::new("endings", title.clone(), note.clone(), columns);
        let mut series: BTreeMap<&str, Series> = BTreeMap::new();
        for (x, (arm, tally)) in self.arms().enumerate() {
            for (reason, &count) in &tally.reasons {
                let share = Interval::share(count, tally.games());
                let name = reason_name(reason);
                let mut row: Vec<Cell> = vec![arm.arm.name.as_str().into(), name.clone().into(), count.into()];
                row.extend(interval_cells(share.as_ref()));
                table.push(row);
                let series = series.entry(reason).or_insert(Series { name, style: Style::Dots, points: vec![] });
                series.points.extend(share.map(|share| point(x as f64, &share)));
            }
        }
        let y = Phrase::new("share of games", "النسبة من المباريات");
        self.bars(title, note, y, Scale::Percent, series.into_values().collect(), table)
    }

    /// How varied openings are.
    pub fn openings(self) -> Table {
        let mut columns = vec![
            arm_column(),
            Column::new("plies", Phrase::new("first plies", "أنصاف النقلات الأولى"), Kind::Count),
            games_column(),
            Column::new("drawn", Phrase::new("moves drawn without search", "نقلات سُحبت دون بحث"), Kind::Count),
            Column::new("searched", Phrase::new("searched", "بالبحث"), Kind::Count),
            Column::new("seen", Phrase::new("openings seen", "افتتاحات ظهرت"), Kind::Count),
            Column::new("coverage", Phrase::new("coverage", "التغطية"), SHARE),
        ];
        columns.extend(hill_columns(NUMBER));
        let note = Phrase::new(
            "Hill numbers of the first plies of games. Orders 0, 1 and 2 are estimates for the games that could have been played, order 0 a lower bound; coverage is the share of those \
             whose opening was seen. Compare arms by the columns of samples of one size, the smallest arm's number of games. Moves drawn from the player's policy without a search vary the \
             openings; how many of the first 4 plies were drawn and how many searched is given. 95% intervals; the one of order 1 is too narrow where coverage is low.",
            "أعداد هيل لأنصاف النقلات الأولى. الرتب 0 و1 و2 تقديرات للمباريات التي كان يمكن أن تُلعب، والرتبة 0 حدّ أدنى؛ والتغطية نسبة ما ظهر افتتاحه منها. تُقارن الصيغ بأعمدة العيّنات ذات الحجم \
             الواحد، وهو عدد مباريات أصغر صيغة. النقلات المسحوبة من سياسة اللاعب دون بحث تنوّع الافتتاحات؛ ويُذكر كم سُحب من أنصاف النقلات الأربعة الأولى وكم اختير بالبحث. فترات ثقة 95%؛ وفترة الرتبة 1 \
             أضيق مما ينبغي حيث تقلّ التغطية.",
        );
        let title = Phrase::new("Opening diversity", "تنوّع الافتتاحات");
        let mut table = Table::new("openings", title, note, columns);
        let size = self.tallies.iter().map(Tally::games).min().unwrap_or_default();
        for (arm, tally) in self.arms() {
            for (plies, hill) in OPENING_PLIES.into_iter().zip(tally.diversity(size)) {
                let Some(hill) = hill else { continue };
                let mut row: Vec<Cell> = vec![
                    arm.arm.name.as_str().into(),
                    plies.into(),
                    tally.games().into(),
                    tally.first_plies.drawn.into(),
                    tally.first_plies.searched.into(),
                    hill.kinds.into(),
                    hill.coverage.into(),
                ];
                row.extend(hill_cells(&hill));
                table.push(row);
            }
        }
        table
    }

    /// One measure of every arm, and its difference to the base.
    fn compare(
        self,
        measure: &Measure,
        of: impl Fn(&Tally) -> Option<Interval>,
        minus: impl Fn(&Tally, &Tally) -> Option<Interval>,
    ) -> Figure {
        let mut columns = vec![arm_column(), games_column()];
        columns.extend(interval_columns(measure.name, measure.value.clone(), measure.kind));
        columns.extend(interval_columns("difference", difference_title(), measure.kind));
        let mut table = Table::new(measure.name, measure.title.clone(), measure.note.clone(), columns);
        let mut points = Vec::new();
        for (x, (arm, tally)) in self.arms().enumerate() {
            let value = of(tally);
            let difference = minus(tally, self.base_of(arm)).filter(|_| arm.arm.role != Role::Base);
            let mut row: Vec<Cell> = vec![arm.arm.name.as_str().into(), tally.games().into()];
            row.extend(interval_cells(value.as_ref()));
            row.extend(interval_cells(difference.as_ref()));
            table.push(row);
            points.extend(value.map(|value| point(x as f64, &value)));
        }
        let scale = if matches!(measure.kind, Kind::Percent { .. }) { Scale::Percent } else { Scale::Number };
        let Measure { title, note, value, .. } = measure;
        let series = Series { name: value.clone(), style: Style::Dots, points };
        self.bars(title.clone(), note.clone(), value.clone(), scale, vec![series], table)
    }

    /// A group of bars for each arm.
    pub(super) fn bars(
        self,
        title: Phrase,
        caption: Phrase,
        y: Phrase,
        scale: Scale,
        series: Vec<Series>,
        data: Table,
    ) -> Figure {
        let labels = self.arms().map(|(arm, _)| Phrase::same(arm.arm.name.as_str())).collect();
        let plot = Plot::Bars(Bars { x: Phrase::new("arm", "الصيغة"), y, labels, series, scale });
        Figure { title, caption, plot, data }
    }
}
