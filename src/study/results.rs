//! The results of a study's arms, as tables and figures.

use std::collections::BTreeMap;

use super::{
    PreparedArm, Role, Study,
    network::differences,
    price::Price,
    tally::{OPENING_PLIES, Tally},
    words::{arm_column, bootstrap, difference_title, games_column, newcombe, sentences, tango, wilson},
};
use crate::{
    estimate::{Interval, elo_of_score},
    game::RESTRICTION,
    page::{Bars, Cell, Column, Figure, Kind, Phrase, Plot, Scale, Series, Style, Table},
    stats::words::{hill_cells, hill_columns, interval_cells, interval_columns, kind_name, point, reason_name},
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
    fn arms(self) -> impl Iterator<Item = (&'a PreparedArm, &'a Tally)> {
        self.study.arms().iter().zip(self.tallies)
    }

    /// What the arms are: their rules, and who plays.
    pub fn arms_table(self) -> Table {
        let text = |name: &str, title: Phrase| Column::new(name, title, Kind::Text);
        let columns = vec![
            arm_column(),
            text("changes", Phrase::new("changes", "التغييرات")),
            Column::new("playouts", Phrase::new("playouts", "المحاكاة لكل حركة"), Kind::Count),
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
            let changes = differences(ruleset, base).into_iter().map(|(name, here, _)| format!("{name} = {here}"));
            let trained = prepared.trained_under.as_ref().map(|trained| {
                let mut differences = differences(trained, ruleset);
                differences.retain(|(name, ..)| *name != RESTRICTION);
                let parts: Vec<String> =
                    differences.iter().map(|(name, then, now)| format!("{name}: {then} / {now}")).collect();
                parts.join(", ")
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

    /// Shares of games won by White, drawn, won by Black.
    pub fn outcomes(self) -> Figure {
        let names = [
            ("white", Phrase::new("White wins", "فوز الأبيض")),
            ("draw", Phrase::new("draws", "تعادل")),
            ("black", Phrase::new("Black wins", "فوز الأسود")),
        ];
        let mut columns = vec![arm_column(), games_column()];
        columns.extend(names.iter().flat_map(|(name, title)| interval_columns(name, title.clone(), SHARE)));
        let note = sentences(&[
            Phrase::new(
                "Games cut off at the last ply count as draws.",
                "المباراة المقطوعة عند الحدّ الأقصى تُحسب تعادلًا.",
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
                Phrase::new("Share of games that one side won.", "نسبة المباريات التي انتهت بفوز أحد الطرفين."),
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
                Phrase::new("White's points a game less one half.", "نقاط الأبيض في المباراة ناقص نصف نقطة."),
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
                    "White's score s as a difference in strength, `400 log10(s / (1 - s))`.",
                    "معدّل نقاط الأبيض s مقيسةً بفارق القوة، `400 log10(s / (1 - s))`.",
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
                Phrase::new("Mean legal actions of a decision.", "متوسّط الحركات القانونية في القرار الواحد."),
                bootstrap(),
            ]),
            value: Phrase::new("legal actions", "الحركات القانونية"),
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

    /// How the reserve is used; nothing in a game without one.
    pub fn reserve(self) -> Option<Figure> {
        let kinds: Vec<&str> = self.tallies.first()?.uses.iter().map(|usage| usage.kind).collect();
        if kinds.is_empty() {
            return None;
        }
        let mut columns =
            vec![arm_column(), Column::new("kind", Phrase::new("kind", "النوع"), Kind::Text), games_column()];
        columns.extend(interval_columns("games_share", Phrase::new("games with it", "المباريات التي وقع فيها"), SHARE));
        columns.extend(interval_columns("difference", difference_title(), SHARE));
        let of_plies = Phrase::new("of all plies", "من كل أنصاف النقلات");
        columns.extend(interval_columns("plies_share", of_plies, Kind::Percent { decimals: 2 }));
        let first = Phrase::new("ply of the first", "نصف النقلة الأولى له");
        columns.extend(interval_columns("first_ply", first, Kind::Number { decimals: 1 }));
        let note = sentences(&[
            Phrase::new(
                "Games in which either side uses the reserve so, share of all plies that do, and the mean ply of the first use, over games in which there is \
                 one.",
                "المباريات التي استعمل فيها أيّ من الطرفين الاحتياطي على هذا النحو، ونسبة ذلك من كل أنصاف النقلات، ومتوسّط موضع أول استعمال في المباريات التي وقع فيها.",
            ),
            Phrase::new("Of games", "لنسب المباريات:"),
            newcombe(),
            Phrase::new("Of plies", "ولأنصاف النقلات:"),
            bootstrap(),
        ]);
        let title = Phrase::new("Use of the reserve", "استعمال الاحتياطي");
        let mut table = Table::new("reserve", title.clone(), note.clone(), columns);
        let words = self.study.arms()[0].rules.words();
        let mut series: Vec<Series> = kinds
            .iter()
            .map(|kind| Series { name: kind_name(words, kind), style: Style::Dots, points: vec![] })
            .collect();
        let base = &self.tallies[0];
        for (x, (arm, tally)) in self.arms().enumerate() {
            for ((usage, in_base), series) in tally.uses.iter().zip(&base.uses).zip(&mut series) {
                let share = Interval::share(usage.games, tally.games());
                let difference = share
                    .zip(Interval::share(in_base.games, base.games()))
                    .filter(|_| arm.arm.role != Role::Base)
                    .map(|(one, other)| one.minus(&other));
                let mut row: Vec<Cell> =
                    vec![arm.arm.name.as_str().into(), kind_name(words, usage.kind).into(), tally.games().into()];
                for interval in [share, difference, usage.share.share(), usage.first.interval()] {
                    row.extend(interval_cells(interval.as_ref()));
                }
                table.push(row);
                series.points.extend(share.map(|share| point(x as f64, &share)));
            }
        }
        let y = Phrase::new("games with it", "المباريات التي وقع فيها");
        Some(self.bars(title, note, y, Scale::Percent, series, table))
    }

    /// What restrictions cost; nothing in a study without any.
    pub fn prices(self) -> Option<Figure> {
        let named = &self.study.config().restriction;
        if named.is_empty() {
            return None;
        }
        let mut columns = vec![
            Column::new("restriction", Phrase::new("restriction", "القيد"), Kind::Text),
            Column::new("pairs", Phrase::new("pairs", "الأزواج"), Kind::Count),
        ];
        let score = Phrase::new("score of the restricted side", "نقاط الطرف المقيَّد");
        columns.extend(interval_columns("score", score, SHARE));
        columns.extend(interval_columns("elo_lost", Phrase::new("Elo lost", "إيلو المفقود"), ELO));
        columns.extend(interval_columns("as_white", Phrase::new("score as White", "نقاطه بالأبيض"), SHARE));
        columns.extend(interval_columns("as_black", Phrase::new("score as Black", "نقاطه بالأسود"), SHARE));
        let note = Phrase::new(
            "Points a game of the side that is restricted, against the same player without the restriction; both know of it. A pair is one game in which White \
             is restricted and one in which Black is, with the same random numbers. 95%: by pairs, Wilson's interval with the variance of pairs; of one \
             colour, Tango's.",
            "نقاط المباراة للطرف المقيَّد أمام اللاعب نفسه بلا قيد، وكلاهما يعلم بالقيد. الزوج مباراتان قُيّد الأبيض في إحداهما والأسود في الأخرى بالأعداد العشوائية نفسها. \
             فترة الثقة \u{2066}95%\u{2069}: على مستوى الأزواج بفترة ويلسون مع تباين الأزواج، ولكل لون بفترة تانغو.",
        );
        let title = Phrase::new("The price of a restriction", "ثمن القيد");
        let mut table = Table::new("restrictions", title.clone(), note.clone(), columns);
        let mut points = Vec::new();
        for (x, restriction) in named.iter().enumerate() {
            let halves: Vec<&Tally> = self
                .arms()
                .filter(|(arm, _)| matches!(arm.arm.role, Role::Restriction { of, .. } if of == x))
                .map(|(_, tally)| tally)
                .collect();
            let &[white, black] = halves.as_slice() else { continue };
            let price = Price::of(white, black);
            let lost = price.elo_lost();
            let mut row: Vec<Cell> = vec![restriction.name.as_str().into(), price.pairs.pairs().into()];
            for interval in [Some(price.score()), Some(lost), price.sides[0], price.sides[1]] {
                row.extend(interval_cells(interval.as_ref()));
            }
            table.push(row);
            points.push(point(x as f64, &lost));
        }
        let name = Phrase::new("Elo lost", "إيلو المفقود");
        let plot = Bars {
            x: Phrase::new("restriction", "القيد"),
            y: name.clone(),
            labels: named.iter().map(|restriction| Phrase::same(restriction.name.as_str())).collect(),
            series: vec![Series { name, style: Style::Dots, points }],
            scale: Scale::Number,
        };
        Some(Figure { title, caption: note, plot: Plot::Bars(plot), data: table })
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
            let difference = minus(tally, &self.tallies[0]).filter(|_| arm.arm.role != Role::Base);
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
    fn bars(self, title: Phrase, caption: Phrase, y: Phrase, scale: Scale, series: Vec<Series>, data: Table) -> Figure {
        let labels = self.arms().map(|(arm, _)| Phrase::same(arm.arm.name.as_str())).collect();
        let plot = Plot::Bars(Bars { x: Phrase::new("arm", "الصيغة"), y, labels, series, scale });
        Figure { title, caption, plot, data }
    }
}
