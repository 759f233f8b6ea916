//! Elo over generations, games and time, and the matches that it comes from.

use super::{
    Record,
    cost::{Axis, costs, tells_time},
    missing_events,
};
use crate::{
    page::{Block, Cell, Column, Figure, Kind, Lines, Phrase, Plot, Point, Scale, Section, Series, Style, Table},
    pipeline::metrics::{FitEvent, MatchEvent, RatedPlayer, RatingsEvent},
};

const ELO: Kind = Kind::Number { decimals: 0 };

pub fn section(record: &Record) -> Section {
    let mut blocks = Vec::new();
    match &record.ratings {
        Some(ratings) => {
            blocks.push(Block::Figure(over_costs(record, ratings)));
            blocks.push(Block::Table(players(ratings)));
            if let Some(fit) = &ratings.fit {
                blocks.push(Block::Table(misfits(fit)));
            }
        }
        None => blocks.push(missing_events(record, &Phrase::new("ratings", "تقديرات القوة"))),
    }
    if record.matches.is_empty() {
        blocks.push(missing_events(record, &Phrase::new("matches", "المواجهات")));
    } else {
        blocks.push(Block::Table(matches(&record.matches)));
    }
    Section { id: "strength".to_owned(), title: Phrase::new("Strength", "القوة"), blocks }
}

fn games(event: &MatchEvent) -> u64 {
    event.wins + event.draws + event.losses
}

/// Pairs of games in all matches: each is one of both its players.
fn pairs(ratings: &RatingsEvent) -> u64 {
    ratings.players.iter().map(|player| player.pairs).sum::<u64>() / 2
}

fn note(ratings: &RatingsEvent) -> Phrase {
    let pairs = pairs(ratings);
    Phrase::new(
        format!(
            "n = {pairs} pairs of games in all matches, those between the baselines included. 95% intervals by the model of Bradley and Terry, relative to `random` at 0: they say how far from `random`. Whether a network differs from the one measured before is in the table."
        ),
        format!(
            "العدد {pairs} من أزواج المباريات في كل المواجهات، ومنها ما بين اللاعبين المرجعيين. فترات 95% بنموذج برادلي وتيري نسبةً إلى `random` عند 0: هي للبعد عن `random`. أما الفرق بين شبكة والتي قيست قبلها ففي الجدول."
        ),
    )
}

/// The networks in order of generation, then the baselines.
fn ordered(ratings: &RatingsEvent) -> Vec<&RatedPlayer> {
    let mut players: Vec<&RatedPlayer> = ratings.players.iter().collect();
    players.sort_by(|a, b| {
        let key = |player: &RatedPlayer| (player.generation.is_none(), player.generation);
        let elo = |player: &RatedPlayer| player.rating().estimate;
        key(a).cmp(&key(b)).then(elo(a).total_cmp(&elo(b)))
    });
    players
}

/// Elo over generations; none without a match.
pub fn over_generations(record: &Record) -> Option<Figure> {
    let ratings = record.ratings.as_ref()?;
    let pairs = pairs(ratings);
    let note = Phrase::new(
        format!("95% intervals, relative to `random` at 0; n = {pairs} pairs of games."),
        format!("فترات 95% نسبةً إلى `random` عند 0؛ العدد {pairs} من أزواج المباريات."),
    );
    let lines =
        curve(ratings, &record.matches, Phrase::new("generation", "الجيل"), |generation| Some(generation as f64));
    let title = Phrase::new("Elo over generations", "نقاط إيلو عبر الأجيال");
    Some(Figure::of_lines("elo", title, note, lines))
}

/// Elo over what each network took.
fn over_costs(record: &Record, ratings: &RatingsEvent) -> Figure {
    let costs = costs(record);
    let mut axes = vec![Axis::games()];
    let time = if tells_time(record) {
        axes.push(Axis::hours());
        Phrase::new(
            "Hours are hours of work: the seconds of self-play and training that each event tells, added up. Matches and the time between sessions do not count.",
            "الساعات ساعات عمل: مجموع ثواني اللعب الذاتي والتدريب كما يذكرها كل حدث. ولا تُعدّ المواجهات ولا ما بين الجلسات.",
        )
    } else {
        Phrase::new(
            "An older version wrote this journal, which does not tell how long training took: no hours.",
            "كتبت هذا السجلَّ نسخة أقدم لا تذكر زمن التدريب: فلا ساعات.",
        )
    };
    let note = Phrase::new(
        "What was spent before each network was there, as the journal says.",
        "ما أُنفق قبل وجود كل شبكة، كما يقول السجل.",
    );
    let panels = axes.iter().map(|axis| {
        let place = |generation| costs.get(&generation).map(axis.place);
        let x_range = axis.range(costs.values());
        Plot::Lines(Lines { x_range, ..curve(ratings, &record.matches, axis.title.clone(), place) })
    });
    let plot = Plot::Panels(panels.collect());
    let mut columns = vec![Column::new("generation", Phrase::new("generation", "الجيل"), Kind::Count)];
    columns.extend(axes.iter().map(Axis::column));
    columns.extend([
        Column::new("elo", Phrase::new("Elo", "نقاط إيلو"), ELO),
        Column::new("elo_low", Phrase::new("95% from", "95% من"), ELO),
        Column::new("elo_high", Phrase::new("to", "إلى"), ELO),
    ]);
    let title = Phrase::new("Elo over games and time", "نقاط إيلو مقابل المباريات والزمن");
    let mut data = Table::new("elo_over_costs", title.clone(), Phrase::default(), columns);
    for player in ordered(ratings) {
        let Some((generation, cost)) = player.generation.and_then(|of| Some((of, costs.get(&of)?))) else { continue };
        let mut row = vec![generation.into()];
        row.extend(axes.iter().map(|axis| Cell::from((axis.place)(cost))));
        row.extend([player.elo, player.low, player.high].map(Cell::from));
        data.push(row);
    }
    Figure { title, caption: note.with(&time), plot, data }
}

/// The networks, each where `place` has its generation, and those baselines that they met.
fn curve(ratings: &RatingsEvent, matches: &[MatchEvent], x: Phrase, place: impl Fn(u64) -> Option<f64>) -> Lines {
    let players = ordered(ratings);
    let networks = players.iter().filter_map(|player| {
        let (x, y) = (place(player.generation?)?, player.elo?);
        Some(Point { x, y, low: player.low, high: player.high })
    });
    let networks: Vec<Point> = networks.collect();
    let ends = [networks.first(), networks.last()].map(|point| point.map_or(0.0, |point| point.x));
    let mut series =
        vec![Series { name: Phrase::new("network", "الشبكة"), style: Style::Line, points: networks }];
    let met = |player: &&&RatedPlayer| matches.iter().any(|event| event.opponent == player.player);
    for player in players.iter().filter(|player| player.generation.is_none()).filter(met) {
        let Some(elo) = player.elo else { continue };
        let points = ends.map(|x| Point::new(x, elo)).to_vec();
        series.push(Series { name: Phrase::same(&player.player), style: Style::Dashed, points });
    }
    Lines { x, y: Phrase::new("Elo", "نقاط إيلو"), x_range: None, y_range: None, series, scale: Scale::Number }
}

fn players(ratings: &RatingsEvent) -> Table {
    let columns = vec![
        Column::new("player", Phrase::new("player", "اللاعب"), Kind::Text),
        Column::new("generation", Phrase::new("generation", "الجيل"), Kind::Count),
        Column::new("elo", Phrase::new("Elo", "نقاط إيلو"), ELO),
        Column::new("elo_low", Phrase::new("95% from", "95% من"), ELO),
        Column::new("elo_high", Phrase::new("to", "إلى"), ELO),
        Column::new("pairs", Phrase::new("pairs (n)", "الأزواج (العدد)"), Kind::Count),
        Column::new("gain", Phrase::new("Elo over the one before", "إيلو فوق التي قبلها"), ELO),
        Column::new("gain_low", Phrase::new("95% from", "95% من"), ELO),
        Column::new("gain_high", Phrase::new("to", "إلى"), ELO),
    ];
    let mut table = Table::new("ratings", Phrase::new("Ratings", "تقديرات القوة"), note(ratings), columns);
    for player in ordered(ratings) {
        table.push(vec![
            player.player.as_str().into(),
            player.generation.into(),
            player.elo.into(),
            player.low.into(),
            player.high.into(),
            player.pairs.into(),
            player.gain.into(),
            player.gain_low.into(),
            player.gain_high.into(),
        ]);
    }
    table
}

/// The matches that the ratings explain worst, under the test of all of them.
fn misfits(fit: &FitEvent) -> Table {
    let percent = Kind::Percent { decimals: 1 };
    let columns = vec![
        Column::new("player", Phrase::new("player", "اللاعب"), Kind::Text),
        Column::new("opponent", Phrase::new("opponent", "الخصم"), Kind::Text),
        Column::new("games", Phrase::new("games (n)", "المباريات (العدد)"), Kind::Count),
        Column::new("score", Phrase::new("score", "النتيجة"), percent),
        Column::new("expected", Phrase::new("expected", "المتوقَّعة"), percent),
    ];
    let FitEvent { deviance, freedom, p, .. } = fit;
    let (english, arabic) = match fit.is_bad() {
        true => (
            "One rating a player does not explain these matches: differences between players who did not meet are doubtful",
            "تقدير واحد لكل لاعب لا يفسّر هذه المواجهات: فالفروق بين لاعبين لم يتقابلوا مشكوك فيها",
        ),
        false => (
            "One rating a player explains these matches as far as they tell",
            "تقدير واحد لكل لاعب يفسّر هذه المواجهات بقدر ما تدلّ",
        ),
    };
    let note = Phrase::new(
        format!(
            "{english}: p = {p:.3}, deviance {deviance:.1} with {freedom} degrees of freedom. The matches that fit worst."
        ),
        format!(
            "{arabic}: الاحتمال p = {p:.3}، والانحراف {deviance:.1} بدرجات حرية عددها {freedom}. أسوأ المواجهات مطابقةً."
        ),
    );
    let title = Phrase::new("Test of fit of the ratings", "اختبار مطابقة التقديرات");
    let mut table = Table::new("ratings_fit", title, note, columns);
    for misfit in &fit.misfits {
        table.push(vec![
            misfit.player.as_str().into(),
            misfit.opponent.as_str().into(),
            misfit.games.into(),
            misfit.score.into(),
            misfit.expected.into(),
        ]);
    }
    table
}

fn matches(matches: &[MatchEvent]) -> Table {
    let count = |name: &str, title: Phrase| Column::new(name, title, Kind::Count);
    let columns = vec![
        Column::new("player", Phrase::new("player", "اللاعب"), Kind::Text),
        Column::new("opponent", Phrase::new("opponent", "الخصم"), Kind::Text),
        count("games", Phrase::new("games (n)", "المباريات (العدد)")),
        count("wins", Phrase::new("won", "فوز")),
        count("draws", Phrase::new("drawn", "تعادل")),
        count("losses", Phrase::new("lost", "خسارة")),
        Column::new("score", Phrase::new("score", "النتيجة"), Kind::Percent { decimals: 1 }),
        Column::new("elo", Phrase::new("Elo difference", "فرق إيلو"), ELO),
        Column::new("elo_low", Phrase::new("95% from", "95% من"), ELO),
        Column::new("elo_high", Phrase::new("to", "إلى"), ELO),
    ];
    let note = Phrase::new(
        "From the player's side. The two games of a pair share an opening with colours swapped, so the 95% intervals count pairs. Where every point was won, the difference is at least its lower end.",
        "من جهة اللاعب. مباراتا الزوج لهما افتتاحية واحدة يتبادلان فيها اللونين، ففترات 95% تعدّ الأزواج. حيث رُبحت كل النقاط فالفرق لا يقلّ عن حدّه الأدنى.",
    );
    let mut table = Table::new("matches", Phrase::new("Matches", "المواجهات"), note, columns);
    for event in matches {
        let n = games(event);
        let score = (n > 0).then(|| (event.wins as f64 + event.draws as f64 / 2.0) / n as f64);
        let row = [event.player.as_str().into(), event.opponent.as_str().into()];
        let counts = [n, event.wins, event.draws, event.losses].map(Cell::from);
        // The journal has no number where there is no bound.
        let numbers = [score, event.elo, event.elo_low, event.elo_high].map(Cell::from);
        table.push(row.into_iter().chain(counts).chain(numbers).collect());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unbounded_match_has_its_lower_end_alone() {
        let event =
            MatchEvent { wins: 20, elo_low: Some(130.2), player: "gen-000008".to_owned(), ..MatchEvent::default() };
        let table = matches(&[event, MatchEvent::default()]);
        let text = table.to_text(9);
        assert!(text.contains("100.0%") && text.contains(" 130") && !text.contains("inf"), "{text}");
    }

    #[test]
    fn networks_come_before_baselines() {
        let player = |player: &str, generation, elo| RatedPlayer {
            player: player.to_owned(),
            generation,
            elo: Some(elo),
            low: Some(elo),
            ..RatedPlayer::default()
        };
        let players = vec![
            player("b", None, 9.0),
            player("two", Some(2), 1.0),
            player("a", None, 5.0),
            player("one", Some(1), 7.0),
        ];
        let ratings = RatingsEvent { generation: 2, players, fit: None };
        let names: Vec<&str> = ordered(&ratings).iter().map(|player| player.player.as_str()).collect();
        assert_eq!(names, ["one", "two", "a", "b"]);
    }
}
