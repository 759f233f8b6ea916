//! Self-play by generation, from the run's metrics: results, reasons, lengths, kinds of action, and how well its
//! machinery was used.

use std::collections::{BTreeMap, BTreeSet};

use super::{Record, missing_events, training::capital};
use crate::{
    estimate::Interval,
    game::{Outcome, Reason, Ruleset, text_game},
    page::{Block, Column, Figure, Kind, Lines, Phrase, Point, Scale, Section, Series, Style, Table},
    pipeline::metrics::{ChecksEvent, SelfplayEvent},
    stats::{kind_name, reason_name},
};

pub fn section(record: &Record) -> Section {
    let played: Vec<&SelfplayEvent> = record.selfplay.values().collect();
    let blocks = if played.is_empty() {
        vec![missing_events(record, &Phrase::new("self-play", "اللعب الذاتي"))]
    } else {
        let mut blocks = vec![
            Block::Figure(results(&played)),
            Block::Figure(reasons(&played)),
            Block::Figure(lengths(&played)),
            Block::Figure(decided(&played)),
            Block::Figure(few_visits(&played)),
        ];
        blocks.extend(policies(&played).map(Block::Figure));
        blocks.extend([Block::Figure(actions(&played, record.ruleset())), Block::Figure(machinery(&played))]);
        let checks = adjudications(&played);
        if !checks.rows.is_empty() {
            blocks.push(Block::Table(checks));
        }
        blocks
    };
    Section {
        id: "selfplay".to_owned(),
        title: Phrase::new("Self-play by generation", "اللعب الذاتي بحسب الجيل"),
        blocks,
    }
}

/// The lines of a figure over generations.
pub fn over_generations(y: Phrase, scale: Scale, series: Vec<Series>) -> Lines {
    Lines { x: Phrase::new("generation", "الجيل"), y, x_range: None, y_range: None, series, scale }
}

/// How many games stand behind a figure.
pub fn games_note(played: &[&SelfplayEvent]) -> Phrase {
    let games = || played.iter().map(|event| event.games);
    let (least, most) = (games().min().unwrap_or(0), games().max().unwrap_or(0));
    let each = if least == most { least.to_string() } else { format!("{least}-{most}") };
    let (generations, all) = (played.len(), games().sum::<u64>());
    Phrase::new(
        format!(
            "n = {each} games in each of {generations} generations, {all} in all; every game that the run reported."
        ),
        format!("العدد {each} مباراة في كل جيل، والأجيال {generations}، والمجموع {all}؛ كل مباراة أخبرت عنها التجربة."),
    )
}

fn wilson() -> Phrase {
    Phrase::new("95% intervals by Wilson.", "فترات 95% بطريقة ويلسون.")
}

/// A share of the games of each generation, with its interval.
fn share(name: Phrase, played: &[&SelfplayEvent], count: impl Fn(&SelfplayEvent) -> u64) -> Series {
    let point = |event: &&SelfplayEvent| {
        // A journal edited by hand may count more than it has games.
        let interval = Interval::share(count(event).min(event.games), event.games)?;
        let x = event.generation as f64;
        Some(Point { x, y: interval.estimate, low: Some(interval.low), high: Some(interval.high) })
    };
    Series { name, style: Style::Line, points: played.iter().filter_map(point).collect() }
}

fn count(counts: &BTreeMap<String, u64>, name: &str) -> u64 {
    counts.get(name).copied().unwrap_or(0)
}

fn results(played: &[&SelfplayEvent]) -> Figure {
    let [white, draw, black] = Outcome::RESULTS.map(Outcome::name_of);
    let cut_off = |event: &SelfplayEvent| count(&event.reasons, Reason::CutOff.name());
    let mut series = vec![
        share(Phrase::new("White won", "فاز الأبيض"), played, |event| count(&event.results, white)),
        share(Phrase::new("Black won", "فاز الأسود"), played, |event| count(&event.results, black)),
        share(Phrase::new("drawn by the rules", "تعادل بحكم القواعد"), played, |event| {
            count(&event.results, draw).saturating_sub(cut_off(event))
        }),
    ];
    if played.iter().any(|event| cut_off(event) > 0) {
        series.push(share(Phrase::new("cut off", "مقطوعة"), played, cut_off));
    }
    let lines = over_generations(Phrase::new("share of games", "نسبة المباريات"), Scale::Percent, series);
    Figure::of_lines("selfplay_results", Phrase::new("Results", "النتائج"), games_note(played).with(&wilson()), lines)
}

fn reasons(played: &[&SelfplayEvent]) -> Figure {
    let names: BTreeSet<&String> = played.iter().flat_map(|event| event.reasons.keys()).collect();
    let series = names.into_iter().map(|name| share(reason_name(name), played, |event| count(&event.reasons, name)));
    let lines = over_generations(Phrase::new("share of games", "نسبة المباريات"), Scale::Percent, series.collect());
    let title = Phrase::new("Why games end", "لماذا تنتهي المباريات");
    Figure::of_lines("selfplay_reasons", title, games_note(played).with(&wilson()), lines)
}

fn lengths(played: &[&SelfplayEvent]) -> Figure {
    let points = played.iter().map(|event| Point::new(event.generation as f64, event.game_length));
    let name = Phrase::new("mean length", "متوسّط الطول");
    let series = vec![Series { name, style: Style::Line, points: points.collect() }];
    let lines = over_generations(Phrase::new("plies", "أنصاف نقلات"), Scale::Number, series);
    let note = Phrase::new(
        "A mean, cut-off games at the length at which they were cut; the run does not record its spread, so there is no interval.",
        "متوسّط، والمباريات المقطوعة بطولها عند القطع؛ لا تخبر التجربة بتشتّته، فلا فترة ثقة.",
    );
    let title = Phrase::new("Length of games", "طول المباريات");
    Figure::of_lines("selfplay_game_length", title, games_note(played).with(&note), lines)
}

fn decided(played: &[&SelfplayEvent]) -> Figure {
    let points = played.iter().map(|event| Point::new(event.generation as f64, event.decided_per_1000_plies));
    let name = Phrase::new("games won in 1,000 plies", "مباريات محسومة في كل 1000 نصف نقلة");
    let series = vec![Series { name: name.clone(), style: Style::Line, points: points.collect() }];
    let lines = over_generations(Phrase::default(), Scale::Number, series);
    let note = Phrase::new(
        "Games that one side won: how much self-play says of who wins, for its length.",
        "مباريات فاز فيها أحد الجانبين: كم يقول اللعب الذاتي عمّن يفوز، بحسب طوله.",
    );
    Figure::of_lines("selfplay_decided", capital(&name), games_note(played).with(&note), lines)
}

fn few_visits(played: &[&SelfplayEvent]) -> Figure {
    let points = played.iter().map(|event| Point::new(event.generation as f64, event.mass_on_few_visits));
    let name = Phrase::new("policy targets on few visits", "أهداف السياسة على زيارات قليلة");
    let series = vec![Series { name: name.clone(), style: Style::Line, points: points.collect() }];
    let lines = over_generations(Phrase::new("share", "نسبة"), Scale::Percent, series);
    let note = Phrase::new(
        "Mean share of a full search's policy target on actions of at most two visits, of which it knows little.",
        "متوسّط حصّة هدف السياسة في البحث الكامل الواقعة على نقلات زيرت مرّتين على الأكثر، وهي نقلات لا يعرف البحث عنها إلا قليلًا.",
    );
    Figure::of_lines("selfplay_few_visits", capital(&name), games_note(played).with(&note), lines)
}

/// How far searches move the policy, and how open it is; none of a run that reported nothing of it.
fn policies(played: &[&SelfplayEvent]) -> Option<Figure> {
    let series = |name: Phrase, pick: fn(&SelfplayEvent) -> Option<f64>| {
        let points = played.iter().filter_map(|event| Some(Point::new(event.generation as f64, pick(event)?)));
        Series { name, style: Style::Line, points: points.collect() }
    };
    let series = vec![
        series(Phrase::new("KL of search from prior", "تباعد KL بين البحث والسابق"), |event| {
            event.policy_kl
        }),
        series(Phrase::new("entropy of priors", "إنتروبيا السوابق"), |event| event.prior_entropy),
        series(Phrase::new("entropy of targets", "إنتروبيا الأهداف"), |event| event.target_entropy),
    ];
    if series.iter().all(|series| series.points.is_empty()) {
        return None;
    }
    let lines = over_generations(Phrase::new("nats", "بالنات"), Scale::Number, series);
    let searches: u64 = played.iter().map(|event| event.full_searches).sum();
    let note = Phrase::new(
        format!(
            "Means over n = {searches} full searches in all. The prior is the network's policy before the search, the target what the search makes of it. Positions of one game depend on each other: there is no interval."
        ),
        format!(
            "متوسّطات على {searches} بحثًا كاملًا في المجموع. السابق سياسة الشبكة قبل البحث، والهدف ما يصنعه البحث منها. وضعيات المباراة الواحدة غير مستقلة: لا فترة ثقة."
        ),
    );
    let title = Phrase::new("Policy before and after search", "السياسة قبل البحث وبعده");
    Some(Figure::of_lines("selfplay_policy", title, note, lines))
}

fn actions(played: &[&SelfplayEvent], ruleset: Option<&Ruleset>) -> Figure {
    // Of rules that this program does not know, the words of the journal are all there is.
    let rules = ruleset.and_then(|ruleset| text_game(&ruleset.game, &ruleset.options).ok());
    let name = |kind: &str| rules.as_ref().map_or_else(|| Phrase::same(kind), |rules| kind_name(rules.words(), kind));
    let mut totals: BTreeMap<&String, u64> = BTreeMap::new();
    for (name, &count) in played.iter().flat_map(|event| &event.actions) {
        *totals.entry(name).or_default() += count;
    }
    let greatest = totals.iter().max_by_key(|(_, count)| **count).map(|(name, _)| *name);
    let rare = totals.keys().filter(|name| Some(**name) != greatest);
    let series = rare.map(|kind| {
        let points = played.iter().map(|event| {
            let share = event.action_shares.get(*kind).copied().unwrap_or(0.0);
            Point::new(event.generation as f64, share)
        });
        Series { name: name(kind), style: Style::Line, points: points.collect() }
    });
    let lines = over_generations(Phrase::new("share of plies", "نسبة أنصاف النقلات"), Scale::Percent, series.collect());
    let greatest = greatest.map_or_else(Phrase::default, |kind| name(kind));
    let note = Phrase::new(
        format!(
            "Shares of all plies; the most frequent kind (\u{201c}{}\u{201d}) is the rest. Plies of one game depend on each other: there is no interval here.",
            greatest.en
        ),
        format!(
            "نسب من كل أنصاف النقلات؛ والباقي للنوع الأكثر («{}»). أنصاف نقلات المباراة الواحدة غير مستقلة: لا فترة ثقة هنا.",
            greatest.ar
        ),
    );
    let title = Phrase::new("Kinds of action", "أنواع النقلات");
    Figure::of_lines("selfplay_actions", title, games_note(played).with(&note), lines)
}

fn machinery(played: &[&SelfplayEvent]) -> Figure {
    let series = |name: Phrase, pick: fn(&SelfplayEvent) -> f64| {
        let points = played.iter().map(|event| Point::new(event.generation as f64, pick(event))).collect();
        Series { name, style: Style::Line, points }
    };
    let series = vec![
        series(Phrase::new("batch filled", "امتلاء الدفعات"), |event| event.batch_fill),
        series(Phrase::new("time in the network", "الزمن في الشبكة"), |event| event.evaluation_share),
        series(Phrase::new("cache hits", "إصابات الذاكرة المخبئية"), |event| event.cache_hits),
    ];
    let lines = Lines { y_range: Some((0.0, 1.0)), ..over_generations(Phrase::default(), Scale::Percent, series) };
    let title = capital(&Phrase::new("batches, cache and network", "الدفعات والذاكرة المخبئية والشبكة"));
    Figure::of_lines("selfplay_machinery", title, games_note(played), lines)
}

/// What is taken from a generation.
type Pick = fn(&SelfplayEvent) -> ChecksEvent;

/// Ends by agreement or resignation that were played out, to see how often they are wrong.
fn adjudications(played: &[&SelfplayEvent]) -> Table {
    let percent = Kind::Percent { decimals: 1 };
    let columns = vec![
        Column::new("end", Phrase::new("end", "النهاية"), Kind::Text),
        Column::new("games", Phrase::new("games played out (n)", "مباريات أُكملت (العدد)"), Kind::Count),
        Column::new("wrong", Phrase::new("other result", "نتيجة أخرى"), Kind::Count),
        Column::new("share", Phrase::new("share", "النسبة"), percent),
        Column::new("share_low", Phrase::new("95% from", "95% من"), percent),
        Column::new("share_high", Phrase::new("to", "إلى"), percent),
    ];
    let mut table = Table::new(
        "adjudications",
        Phrase::new("Adjudications that were played out", "أحكام أُكملت مبارياتها"),
        Phrase::new(
            "Games that would have been adjudicated, all generations.",
            "مباريات كان سيُحكم فيها، في كل الأجيال.",
        )
        .with(&wilson()),
        columns,
    );
    let kinds: [(&str, Pick); 2] =
        [("resignation", |event| event.resignations), ("agreement", |event| event.agreements)];
    for (name, pick) in kinds {
        let sum = |count: fn(ChecksEvent) -> u64| played.iter().map(|event| count(pick(event))).sum::<u64>();
        let (games, wrong) = (sum(|checks| checks.games), sum(|checks| checks.wrong));
        if let Some(share) = Interval::share(wrong.min(games), games) {
            let [estimate, low, high] = [share.estimate, share.low, share.high];
            table.push(vec![name.into(), games.into(), wrong.into(), estimate.into(), low.into(), high.into()]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_were_cut_off_are_no_draws_here() {
        let counts = |counts: &[(&str, u64)]| counts.iter().map(|&(name, count)| (name.to_owned(), count)).collect();
        let event = SelfplayEvent {
            generation: 3,
            games: 10,
            results: counts(&[("white", 3), ("draw", 7)]),
            reasons: counts(&[("checkmate", 3), ("cut_off", 6), ("repetition", 1)]),
            ..SelfplayEvent::default()
        };
        let text = results(&[&event]).data.to_text(9);
        assert!(text.contains("30.0%") && text.contains("10.0%") && text.contains("60.0%"), "{text}");
        assert_eq!(reasons(&[&event]).data.columns.len(), 1 + 3 * 3);
    }

    #[test]
    fn odd_counts_are_no_panic() {
        let results_of = |results: &[(&str, u64)]| SelfplayEvent {
            results: results.iter().map(|&(name, count)| (name.to_owned(), count)).collect(),
            resignations: ChecksEvent { games: 1, wrong: 5 },
            ..SelfplayEvent::default()
        };
        let event = results_of(&[("white", 3)]);
        assert!(results(&[&event]).data.rows.is_empty(), "no games, no shares");
        assert_eq!(adjudications(&[&event]).rows.len(), 1);
    }
}
