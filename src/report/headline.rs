//! What a reader wants first: how strong the newest network is, and what it took.

use super::{
    Record,
    cost::{costs, tells_time},
    strength,
};
use crate::{
    estimate::Interval,
    page::{Block, Cell, Phrase},
};

/// The headline, and below it the figure of Elo over generations where matches were played.
pub fn blocks(record: &Record) -> Vec<Block> {
    let mut values = vec![last_elo(record)];
    // A session that was killed did not tell of its games; games may be gone from the disk.
    let events = || record.selfplay.values();
    let games = record.stock.games.max(events().map(|event| event.games).sum());
    let plies = record.stock.plies.max(events().map(|event| event.plies).sum());
    values.push((Phrase::new("games", "المباريات"), games.into()));
    values.push((Phrase::new("plies", "أنصاف النقلات"), plies.into()));
    if let Some(seconds) = work(record) {
        values.push((Phrase::new("work (h:mm:ss)", "زمن العمل (س:دد:ثث)"), clock(seconds).into()));
    }
    let mut blocks = vec![Block::Headline(values)];
    blocks.extend(strength::over_generations(record).map(Block::Figure));
    blocks
}

/// Seconds of self-play and training; none where the journal does not say.
pub fn work(record: &Record) -> Option<f64> {
    let seconds = costs(record).into_values().next_back()?.seconds;
    (seconds > 0.0 && tells_time(record)).then_some(seconds)
}

/// The newest network that has a rating, and its rating.
fn last_elo(record: &Record) -> (Phrase, Cell) {
    let players = record.ratings.iter().flat_map(|ratings| &ratings.players);
    match players.filter(|player| player.generation.is_some()).max_by_key(|player| player.generation) {
        Some(newest) => {
            let player = &newest.player;
            let name = Phrase::new(
                format!("Elo of `{player}` above `random`, 95% interval"),
                format!("نقاط إيلو للشبكة `{player}` فوق `random`، فترة 95%"),
            );
            (name, elo_text(&newest.rating()).into())
        }
        None => (Phrase::new("Elo", "نقاط إيلو"), Phrase::new("not measured", "لم تُقس").into()),
    }
}

/// `645 [146, 1144]`, or the one bound that there is.
fn elo_text(rating: &Interval) -> Phrase {
    let Interval { estimate, low, high, .. } = rating;
    if *estimate == f64::INFINITY {
        return Phrase::new(format!("at least {low:.0}"), format!("{low:.0} على الأقل"));
    }
    if *estimate == f64::NEG_INFINITY {
        return Phrase::new(format!("at most {high:.0}"), format!("{high:.0} على الأكثر"));
    }
    Phrase::same(format!("{rating:.0}"))
}

/// `1:02:03`.
pub fn clock(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
