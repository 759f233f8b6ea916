//! What runs came to, where their configurations differ, and the matches between them.

use std::collections::BTreeMap;

use super::Meeting;
use crate::{
    disk::generation_name,
    page::{Cell, Column, Kind, Phrase, Table},
    report::{Record, cost::costs},
};

const ELO: Kind = Kind::Number { decimals: 0 };

/// A row for each run.
pub fn outcomes(records: &[Record]) -> Table {
    let columns = vec![
        Column::new("run", Phrase::new("run", "التجربة"), Kind::Text),
        Column::new("generation", Phrase::new("newest network", "أحدث شبكة"), Kind::Count),
        Column::new("games", Phrase::new("games", "المباريات"), Kind::Count),
        Column::new("evaluations", Phrase::new("evaluations", "التقييمات"), Kind::Number { decimals: 0 }),
        Column::new("minutes", Phrase::new("minutes", "الدقائق"), Kind::Number { decimals: 1 }),
        Column::new("rated", Phrase::new("generation rated last", "آخر جيل قيس"), Kind::Count),
        Column::new("elo", Phrase::new("its Elo", "نقاط إيلو له"), ELO),
        Column::new("elo_low", Phrase::new("95% from", "95% من"), ELO),
        Column::new("elo_high", Phrase::new("to", "إلى"), ELO),
    ];
    let note = Phrase::new(
        "Games and evaluations of self-play, minutes of self-play and training. Elo by the matches of each run and those of the baselines, relative to `random` at 0.",
        "مباريات اللعب الذاتي وتقييماته، ودقائق اللعب الذاتي والتدريب. نقاط إيلو بمواجهات كل تجربة ومواجهات اللاعبين المرجعيين، نسبةً إلى `random` عند 0.",
    );
    let mut table = Table::new("runs", Phrase::new("Runs", "التجارب"), note, columns);
    for record in records {
        let spent = costs(record).into_values().next_back().unwrap_or_default();
        let players = record.ratings.iter().flat_map(|ratings| &ratings.players);
        let rated = players.filter(|player| player.generation.is_some()).max_by_key(|player| player.generation);
        table.push(vec![
            record.name.as_str().into(),
            record.checkpoint.as_ref().map(|checkpoint| checkpoint.generation).into(),
            spent.games.into(),
            spent.evaluations.into(),
            (spent.seconds / 60.0).into(),
            rated.and_then(|player| player.generation).into(),
            rated.and_then(|player| player.elo).into(),
            rated.and_then(|player| player.low).into(),
            rated.and_then(|player| player.high).into(),
        ]);
    }
    table
}

/// A row for each match.
pub fn matches(records: &[Record], matches: &[Meeting]) -> Table {
    let columns = vec![
        Column::new("player", Phrase::new("network", "الشبكة"), Kind::Text),
        Column::new("opponent", Phrase::new("against", "أمام"), Kind::Text),
        Column::new("playouts", Phrase::new("playouts", "محاكيات"), Kind::Count),
        Column::new("games", Phrase::new("games (n)", "المباريات (العدد)"), Kind::Count),
        Column::new("wins", Phrase::new("won", "فوز"), Kind::Count),
        Column::new("draws", Phrase::new("drawn", "تعادل"), Kind::Count),
        Column::new("losses", Phrase::new("lost", "خسارة"), Kind::Count),
        Column::new("elo", Phrase::new("Elo difference", "فرق إيلو"), ELO),
        Column::new("elo_low", Phrase::new("95% from", "95% من"), ELO),
        Column::new("elo_high", Phrase::new("to", "إلى"), ELO),
    ];
    let note = Phrase::new(
        "Newest networks. The intervals are over games: they say how these networks compare, not what another seed of a run would give (`maydan trial` does).",
        "أحدث الشبكات. الفترات على المباريات: هي للمقارنة بين هذه الشبكات، لا لما كانت بذرة أخرى ستعطيه (لذلك `maydan trial`).",
    );
    let title = Phrase::new("Matches between the runs", "مواجهات بين التجارب");
    let mut table = Table::new("matches", title, note, columns);
    for Meeting { runs, report, playouts } in matches {
        let [player, opponent] = runs.map(|run| Cell::from(newest(&records[run])));
        let (total, elo) = (report.total(), report.estimate());
        let [wins, draws, losses] = [total.wins, total.draws, total.losses].map(Cell::from);
        let [estimate, low, high] = [elo.estimate, elo.low, elo.high].map(Cell::from);
        let (playouts, games) = (u64::from(*playouts).into(), total.games().into());
        table.push(vec![player, opponent, playouts, games, wins, draws, losses, estimate, low, high]);
    }
    table
}

fn newest(record: &Record) -> String {
    match &record.checkpoint {
        Some(checkpoint) => format!("{}/{}", record.name, generation_name(checkpoint.generation)),
        None => record.name.clone(),
    }
}

/// A row for each key that the runs do not agree on, a column for each run.
pub fn settings(records: &[Record]) -> Table {
    let mut columns = vec![Column::new("key", Phrase::new("key", "المفتاح"), Kind::Text)];
    columns.extend(records.iter().map(|record| Column::new(&record.name, Phrase::same(&record.name), Kind::Text)));
    let note = Phrase::new(
        "Keys of the resolved configurations whose values differ; nothing where a run has no such key. All others are alike.",
        "مفاتيح الإعدادات الكاملة التي تختلف قيمها؛ والخانة الخالية حيث لا مفتاح كهذا في التجربة. وما عداها واحد.",
    );
    let title = Phrase::new("Settings that differ", "الإعدادات المختلفة");
    let mut table = Table::new("settings", title, note, columns);
    let mut values: BTreeMap<String, Vec<Option<String>>> = BTreeMap::new();
    for (at, record) in records.iter().enumerate() {
        for (key, value) in settings_of(record) {
            values.entry(key).or_insert_with(|| vec![None; records.len()])[at] = Some(value);
        }
    }
    for (key, values) in values.into_iter().filter(|(_, values)| values.iter().any(|value| value != &values[0])) {
        table.push(
            std::iter::once(Some(key)).chain(values).map(|value| value.map_or(Cell::Empty, Cell::from)).collect(),
        );
    }
    table
}

/// Every value of a run's configuration by its key; nothing where there is none.
pub fn settings_of(record: &Record) -> BTreeMap<String, String> {
    let config = record.config.as_deref().and_then(|text| text.parse::<toml::Table>().ok());
    let mut settings = BTreeMap::new();
    leaves("", &config.unwrap_or_default(), &mut |key, value| {
        settings.insert(key, value);
    });
    settings
}

/// Every value of a configuration with its path, as in `selfplay.search.playouts`.
fn leaves(path: &str, table: &toml::Table, set: &mut impl FnMut(String, String)) {
    for (key, value) in table {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match value {
            toml::Value::Table(inner) => leaves(&path, inner, set),
            value => set(path, value.to_string()),
        }
    }
}
