//! What a trial came to, as tables and a figure.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
    io,
    path::Path,
};

use super::{
    ArmConfig, Trial, TrialError,
    ledger::{Stage, arm_player},
};
use crate::{
    disk::IoError,
    estimate::{Interval, PairCounts, elo_of_score, mean_of_few},
    page::{Bars, Cell, Column, Figure, Kind, Phrase, Plot, Scale, Series, Style, Table},
    pipeline::{
        costs,
        metrics::{Event, SelfplayEvent, read_metrics},
    },
    stats::words::{interval_cells, interval_columns, point},
};

const ELO: Kind = Kind::Number { decimals: 0 };
const SHARE: Kind = Kind::Percent { decimals: 1 };

/// A trial that is read for its results.
#[derive(Clone, Copy)]
pub struct Counted<'a>(pub &'a Trial);

impl<'a> Counted<'a> {
    fn arms(self) -> &'a [ArmConfig] {
        &self.0.config().arm
    }

    fn runs(self) -> impl Iterator<Item = (&'a ArmConfig, u64)> {
        let seeds = self.0.config().seeds.as_slice();
        self.arms().iter().flat_map(move |arm| seeds.iter().map(move |&seed| (arm, seed)))
    }

    /// The score of an arm against a player, for each seed.
    fn scores(self, arm: &ArmConfig, opponent: &str) -> Vec<Interval> {
        let seeds = self.0.config().seeds.iter();
        let found = seeds.filter_map(|&seed| self.0.ledger().find(Stage::End, seed, &arm.name, opponent));
        found.map(|played| played.pairs.score_interval()).collect()
    }

    /// What each arm gains over the first, over seeds.
    pub fn verdicts(self) -> Figure {
        let mut columns = vec![
            arm_column(),
            Column::new("changes", Phrase::new("changes", "التغييرات"), Kind::Text),
            Column::new("seeds", Phrase::new("seeds", "البذور"), Kind::Count),
        ];
        columns.extend(interval_columns("elo", Phrase::new("Elo over the first arm", "إيلو فوق الصيغة الأولى"), ELO));
        columns.push(Column::new("games", Phrase::new("games", "المباريات"), Kind::Count));
        columns.extend(interval_columns("elo_games", Phrase::new("of these networks", "لهذه الشبكات"), ELO));
        columns.push(Column::new("verdict", Phrase::new("verdict", "الحكم"), Kind::Text));
        let note = Phrase::new(
            "Elo of the mean score over seeds, with Student's t interval between seeds: it says what another seed would give. The interval of these networks is \
             over pairs of games alone. An arm is better, or worse, where neither interval holds 0.",
            "إيلو متوسّط النقاط على البذور، وفترة الثقة بتوزيع t بين البذور: ما تعطيه بذرة أخرى. وفترة «لهذه الشبكات» على أزواج المباريات وحدها. \
             والصيغة أفضل، أو أسوأ، إذا لم تشمل أيٌّ من الفترتين الصفر.",
        );
        let title = Phrase::new("Arms against the first", "الصيغ أمام الأولى");
        let mut table = Table::new("verdicts", title.clone(), note.clone(), columns);
        let (mut points, mut labels) = (Vec::new(), Vec::new());
        let reference = arm_player(&self.arms()[0].name);
        for (x, arm) in self.arms().iter().skip(1).enumerate() {
            let scores = self.scores(arm, &reference);
            let means: Vec<f64> = scores.iter().map(|score| score.estimate).collect();
            let between = mean_of_few(&means).map(|(mean, _)| in_elo(&mean));
            let pooled = self.pooled(arm, &reference);
            let mut row: Vec<Cell> =
                vec![arm.name.as_str().into(), arm.set.join(" ").into(), (scores.len() as u64).into()];
            row.extend(interval_cells(between.as_ref()));
            row.push(pooled.map_or(Cell::Empty, |(games, _)| games.into()));
            row.extend(interval_cells(pooled.map(|(_, elo)| elo).as_ref()));
            row.push(Cell::from(self.verdict(arm, between.as_ref(), pooled.map(|(_, elo)| elo).as_ref())));
            table.push(row);
            labels.push(Phrase::same(arm.name.as_str()));
            points.extend(between.map(|elo| point(x as f64, &elo)));
        }
        let name = Phrase::new("Elo over the first arm", "إيلو فوق الصيغة الأولى");
        let series = vec![Series { name: name.clone(), style: Style::Dots, points }];
        let x = Phrase::new("arm", "الصيغة");
        let plot = Plot::Bars(Bars { x, y: name, labels, series, scale: Scale::Number });
        Figure { title, caption: note, plot, data: table }
    }

    fn verdict(self, arm: &ArmConfig, between: Option<&Interval>, games: Option<&Interval>) -> Phrase {
        match sign_of_gain(between, games) {
            _ if self.0.is_given_up(arm) => Phrase::new("given up half-way", "تُركت في المنتصف"),
            Ordering::Greater => Phrase::new("better", "أفضل"),
            Ordering::Less => Phrase::new("worse", "أسوأ"),
            Ordering::Equal => Phrase::new("not told apart", "لا فرق يُتبيّن"),
        }
    }

    /// Games of an arm against a player over all seeds, and the Elo of these networks.
    fn pooled(self, arm: &ArmConfig, opponent: &str) -> Option<(u64, Interval)> {
        let mut pairs = PairCounts::default();
        for &seed in &self.0.config().seeds {
            if let Some(played) = self.0.ledger().find(Stage::End, seed, &arm.name, opponent) {
                pairs.0.iter_mut().zip(played.pairs.0).for_each(|(sum, count)| *sum += count);
            }
        }
        (pairs.pairs() > 0).then(|| (2 * pairs.pairs(), pairs.estimate()))
    }

    /// Every match.
    pub fn matches(self) -> Table {
        let mut columns = vec![
            arm_column(),
            seed_column(),
            Column::new("opponent", Phrase::new("opponent", "الخصم"), Kind::Text),
            Column::new("stage", Phrase::new("when", "متى"), Kind::Text),
            Column::new("games", Phrase::new("games", "المباريات"), Kind::Count),
        ];
        columns.extend(interval_columns("score", Phrase::new("score", "معدّل النقاط"), SHARE));
        columns.extend(interval_columns("elo", Phrase::new("Elo", "إيلو"), ELO));
        let note = Phrase::new(
            "From the arm's point of view. 95%: Wilson's interval for as many trials as the pairs of games are worth.",
            "من جهة الصيغة. فترة الثقة \u{2066}95%\u{2069}: فترة ويلسون لعدد من التجارب بقدر ما تعدله أزواج المباريات.",
        );
        let mut table = Table::new("matches", Phrase::new("Matches", "المباريات"), note, columns);
        let reference = arm_player(&self.arms()[0].name);
        let opponents: Vec<&str> = std::iter::once(reference.as_str())
            .chain(self.0.config().matches.opponents.iter().map(String::as_str))
            .collect();
        for (arm, seed) in self.runs() {
            for &opponent in &opponents {
                for stage in [Stage::Half, Stage::End] {
                    let Some(played) = self.0.ledger().find(stage, seed, &arm.name, opponent) else { continue };
                    let when = match stage {
                        Stage::Half => Phrase::new("half-way", "المنتصف"),
                        Stage::End => Phrase::new("end", "النهاية"),
                    };
                    let mut row: Vec<Cell> = vec![arm.name.as_str().into(), seed.into(), opponent.into(), when.into()];
                    row.push((2 * played.pairs.pairs()).into());
                    row.extend(interval_cells(Some(&played.pairs.score_interval())));
                    row.extend(interval_cells(Some(&played.pairs.estimate())));
                    table.push(row);
                }
            }
        }
        table
    }

    /// What every run cost and came to, from its metrics.
    ///
    /// # Errors
    /// When a run's metrics cannot be read.
    pub fn runs_table(self) -> Result<Table, TrialError> {
        let count = |name: &str, title: Phrase| Column::new(name, title, Kind::Count);
        let number = |name: &str, title: Phrase, decimals| Column::new(name, title, Kind::Number { decimals });
        let columns = vec![
            arm_column(),
            seed_column(),
            number("minutes", Phrase::new("minutes", "الدقائق"), 1),
            number("evaluations", Phrase::new("evaluations, millions", "التقييمات بالملايين"), 2),
            count("generations", Phrase::new("generations", "الأجيال")),
            count("games", Phrase::new("games", "المباريات")),
            number("plies", Phrase::new("plies a game, at the end", "أنصاف نقلات المباراة في النهاية"), 0),
            Column::new("decided", Phrase::new("decided, at the end", "المحسومة في النهاية"), SHARE),
            number("results", Phrase::new("decided a 1000 plies", "المحسومة في كل 1000 نصف نقلة"), 2),
            number("policy_kl", Phrase::new("policy KL", "تباعد السياسة"), 3),
            number("value", Phrase::new("value loss", "خسارة القيمة"), 3),
        ];
        let note = Phrase::new(
            "Minutes of self-play and training, evaluations of self-play. At the end: over the last quarter of the generations. Losses are of the last training.",
            "دقائق اللعب الذاتي والتدريب، وتقييمات اللعب الذاتي. «في النهاية»: في الربع الأخير من الأجيال. والخسائر من آخر تدريب.",
        );
        let mut table = Table::new("runs", Phrase::new("Runs", "التدريبات"), note, columns);
        for (arm, seed) in self.runs() {
            let path = self.0.models(arm, seed).join("metrics.jsonl");
            let run = RunSummary::read(&path).map_err(IoError::at(&path))?;
            let share =
                |part: u64, whole: u64| if whole > 0 { (part as f64 / whole as f64).into() } else { Cell::Empty };
            let loss = |head: &str| run.losses.get(head).map_or(Cell::Empty, |&loss| loss.into());
            table.push(vec![
                arm.name.as_str().into(),
                seed.into(),
                (run.seconds / 60.0).into(),
                (run.evaluations / 1e6).into(),
                run.generations.into(),
                run.games.into(),
                share(run.late_plies, run.late_games),
                share(run.late_decided, run.late_games),
                share(1000 * run.late_decided, run.late_plies),
                loss("policy_kl"),
                loss("value"),
            ]);
        }
        Ok(table)
    }
}

/// A run in a few numbers.
#[derive(Debug, Default)]
struct RunSummary {
    seconds: f64,
    evaluations: f64,
    generations: u64,
    games: u64,
    late_games: u64,
    late_plies: u64,
    late_decided: u64,
    losses: BTreeMap<String, f64>,
}

impl RunSummary {
    fn read(path: &Path) -> io::Result<RunSummary> {
        let mut run = RunSummary::default();
        let mut played: Vec<SelfplayEvent> = Vec::new();
        let metrics = read_metrics(path)?;
        for cost in costs(metrics.iter().map(|metric| &metric.event)).values() {
            run.seconds += cost.seconds;
            run.evaluations += cost.evaluations;
        }
        for metric in metrics {
            match metric.event {
                Event::Selfplay(event) => {
                    run.games += event.games;
                    played.push(event);
                }
                Event::Train(event) => run.losses = event.losses,
                _ => {}
            }
        }
        let numbers: BTreeSet<u64> = played.iter().map(|event| event.generation).collect();
        run.generations = numbers.len() as u64;
        let late = numbers.iter().copied().nth(numbers.len() - numbers.len().div_ceil(4)).unwrap_or_default();
        for event in played.iter().filter(|event| event.generation >= late) {
            run.late_games += event.games;
            run.late_plies += event.plies;
            run.late_decided += ["white", "black"].iter().filter_map(|side| event.results.get(*side)).sum::<u64>();
        }
        Ok(run)
    }
}

/// Whether an arm gains or loses, by its Elo with the interval between seeds and with that over games: neither may hold
/// 0. A few seeds agree by chance now and then, more closely than their games can tell.
fn sign_of_gain(between: Option<&Interval>, games: Option<&Interval>) -> Ordering {
    match (between, games) {
        (Some(between), Some(games)) if between.low > 0.0 && games.low > 0.0 => Ordering::Greater,
        (Some(between), Some(games)) if between.high < 0.0 && games.high < 0.0 => Ordering::Less,
        _ => Ordering::Equal,
    }
}

/// Elo of an interval of scores that may end beyond 0 or 1.
fn in_elo(score: &Interval) -> Interval {
    score.map(|score| elo_of_score(score.clamp(0.0, 1.0)))
}

fn arm_column() -> Column {
    Column::new("arm", Phrase::new("arm", "الصيغة"), Kind::Text)
}

fn seed_column() -> Column {
    Column::new("seed", Phrase::new("seed", "البذرة"), Kind::Count)
}

#[cfg(test)]
mod tests {
    use rand::Rng as _;

    use super::*;
    use crate::{estimate::score_of_elo, game::random::stream};

    /// How often an arm is called better, and how often worse, in 1,000 trials of three seeds with 100 pairs of games each:
    /// its networks are `gain` Elo stronger on average, and `spread` Elo apart between seeds (standard deviation).
    fn verdicts(gain: f64, spread: f64) -> [u32; 2] {
        let mut counts = [0; 2];
        for trial in 0..1000 {
            let mut rng = stream("trial.placebo", gain as u64, spread as u64, trial);
            let (mut scores, mut all) = (Vec::new(), PairCounts::default());
            for _ in 0..3 {
                // The sum of twelve uniform numbers less 6 is nearly normal.
                let normal = (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
                let win = score_of_elo(gain + spread * normal) - 0.15;
                let mut pairs = PairCounts::default();
                for _ in 0..100 {
                    let half_points = |roll: f64| if roll < win { 2 } else { usize::from(roll < win + 0.3) };
                    pairs.add(half_points(rng.random()) + half_points(rng.random()));
                }
                scores.push(pairs.score());
                all.0.iter_mut().zip(pairs.0).for_each(|(sum, count)| *sum += count);
            }
            let between = mean_of_few(&scores).map(|(mean, _)| in_elo(&mean));
            match sign_of_gain(between.as_ref(), Some(&all.estimate())) {
                Ordering::Greater => counts[0] += 1,
                Ordering::Less => counts[1] += 1,
                Ordering::Equal => {}
            }
        }
        counts
    }

    /// The placebo: arms that are alike are told apart in at most 5% of trials, whether runs differ by their seed or not;
    /// a large gain is found more often than not.
    #[test]
    fn arms_that_are_alike_are_seldom_told_apart() {
        for spread in [0.0, 40.0] {
            let [better, worse] = verdicts(0.0, spread);
            assert!(better + worse <= 50, "{spread}: {better} {worse}");
        }
        let [better, worse] = verdicts(150.0, 40.0);
        assert!(better > 600 && worse == 0, "{better} {worse}");
    }
}
