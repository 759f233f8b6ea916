//! Games in progress, and the loop in which one thread plays several of them.

use super::{Batcher, Contender, GameRecord, MatchConfig, Player, Thought, Turn};
use crate::{
    game::{
        Encode, Game, History, Outcome, Playable, Reason, Side,
        random::{Rng, stream},
    },
    model::EvaluatorError,
};

/// One game in progress.
pub(super) struct Table<R: Encode> {
    number: u64,
    start: R::Position,
    position: R::Position,
    history: History,
    legal: Vec<R::Action>,
    /// Plies of the opening, then those of the players.
    actions: Vec<R::Action>,
    opening_plies: usize,
    max_plies: usize,
    /// The two contenders' players and random streams, in the match's order.
    opponents: [Opponent<R>; 2],
    /// Why a player could not go on.
    note: Option<String>,
    /// The contender that waits for evaluations, and the first of its rows.
    waiting: Option<(usize, usize)>,
}

struct Opponent<R: Encode> {
    player: Box<dyn Player<R>>,
    rng: Rng,
}

impl<R: Playable> Table<R> {
    pub(super) fn new(
        game: &Game<R>,
        number: u64,
        contenders: [&Contender; 2],
        start: R::Position,
        opening: Vec<R::Action>,
        config: &MatchConfig,
    ) -> Self {
        let opponent = |i: usize| Opponent {
            player: contenders[i].player(),
            rng: stream(["match.first", "match.second"][i], config.seed, 0, number),
        };
        let mut table = Table {
            number,
            start,
            position: start,
            history: History::new(game, &start),
            legal: Vec::new(),
            actions: Vec::new(),
            opening_plies: opening.len(),
            max_plies: config.max_plies,
            opponents: [opponent(0), opponent(1)],
            note: None,
            waiting: None,
        };
        game.legal_actions(&start, &mut table.legal);
        opening.into_iter().for_each(|action| table.play(game, action));
        table
    }

    /// The first contender's side: White in games of even number.
    pub(super) fn first_side(&self) -> Side {
        if self.number.is_multiple_of(2) { Side::White } else { Side::Black }
    }

    fn play(&mut self, game: &Game<R>, action: R::Action) {
        game.apply(&mut self.position, action);
        self.history.push(game, &self.position);
        self.actions.push(action);
        self.opponents.iter_mut().for_each(|opponent| opponent.player.observe(action));
        game.legal_actions(&self.position, &mut self.legal);
    }

    fn outcome(&self, game: &Game<R>) -> Option<Outcome> {
        self.history
            .outcome(game, &self.position, &self.legal)
            .or_else(|| (self.actions.len() >= self.max_plies).then_some(Outcome::draw(Reason::MaxPlies)))
    }

    /// Plays on until the game or the match is over or a player waits, be it for the evaluations of its rows or for
    /// room to add some.
    fn advance(&mut self, game: &Game<R>, batchers: &mut [Batcher<R>; 2], over: &impl Fn() -> bool) -> Option<Outcome> {
        while self.waiting.is_none() && !over() {
            if let Some(outcome) = self.outcome(game) {
                return Some(outcome);
            }
            let contender = usize::from(game.side_to_move(&self.position) != self.first_side());
            let (opponent, batcher) = (&mut self.opponents[contender], &mut batchers[contender]);
            if !batcher.has_room() {
                break;
            }
            let turn = Turn { game, position: &self.position, history: &self.history, legal: &self.legal };
            let first = batcher.rows.len();
            match opponent.player.think(&turn, &mut opponent.rng, batcher) {
                Thought::Chosen(choice) => self.play(game, choice.action),
                Thought::Forfeit(reason) => {
                    self.note = Some(reason);
                    return Some(Outcome::win(!game.side_to_move(&self.position), Reason::Forfeit));
                }
                Thought::Waiting => self.waiting = Some((contender, first)),
            }
        }
        None
    }

    /// Hands over the evaluations that `contender`'s batcher made, if they were waited for.
    fn receive(&mut self, game: &Game<R>, contender: usize, batcher: &mut Batcher<R>) {
        if let Some((_, first)) = self.waiting.take_if(|(waiting_for, _)| *waiting_for == contender) {
            self.opponents[contender].player.receive(game, batcher, first);
        }
    }

    pub(super) fn record(self, game: &Game<R>, names: [&str; 2], outcome: Outcome) -> GameRecord {
        let mut moves: Vec<String> = self.actions.iter().map(ToString::to_string).collect();
        let played = moves.split_off(self.opening_plies);
        let first = self.first_side().index();
        GameRecord {
            game: self.number,
            white: names[first].to_owned(),
            black: names[1 - first].to_owned(),
            start: (self.start != game.start()).then(|| self.start.to_string()),
            opening: moves,
            moves: played,
            result: outcome.result_name().to_owned(),
            reason: outcome.reason,
            note: self.note,
        }
    }
}

/// Plays the games that `take` gives, several but never more than `most` at a time, until it gives no more, `finished`
/// says to stop, or the match is `over`; games under way are then lost.
///
/// As many games are under way as fill a batch of each batcher with a row a game. Each waits at one of two batchers, so
/// one batcher is full whenever none can go on, and it is the fuller batcher that evaluates: batches are full until
/// games run out.
///
/// # Errors
/// When an evaluator fails.
pub(super) fn run_tables<R: Playable>(
    game: &Game<R>,
    contenders: [&Contender; 2],
    batch_size: usize,
    most: usize,
    take: impl Fn() -> Option<Table<R>>,
    finished: impl Fn(Table<R>, Outcome) -> bool,
    over: &impl Fn() -> bool,
) -> Result<(), EvaluatorError> {
    let mut batchers = [contenders[0].batcher(game, batch_size)?, contenders[1].batcher(game, batch_size)?];
    let networks = batchers.iter().filter(|batcher| batcher.batch_size() > 0).count();
    let width = batch_size.saturating_mul(networks).clamp(1, most);
    let mut tables: Vec<Table<R>> = Vec::new();
    loop {
        let mut going = Vec::with_capacity(width);
        let mut under_way = tables.into_iter();
        while going.len() < width {
            if over() {
                return Ok(());
            }
            let Some(mut table) = under_way.next().or_else(&take) else { break };
            match table.advance(game, &mut batchers, over) {
                None => going.push(table),
                Some(outcome) if finished(table, outcome) => {}
                Some(_) => return Ok(()),
            }
        }
        tables = going;
        if tables.is_empty() {
            return Ok(());
        }
        let fuller = usize::from(batchers[1].rows.len() > batchers[0].rows.len());
        let batcher = &mut batchers[fuller];
        batcher.evaluate()?;
        tables.iter_mut().for_each(|table| table.receive(game, fuller, batcher));
        batcher.rows.clear();
    }
}
