//! A game with a clock on its rules, to see where self-play spends its time.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use super::{
    ActionError, Adjudication, Encode, Game, Layout, Mark, Outcome, PositionError, RowMut, Ruleset, Side, SquareInfo,
};

/// Time spent in the rules and in encoding, by all threads.
#[derive(Debug, Default)]
pub struct Clocks {
    rules: Clock,
    encode: Clock,
}

impl Clocks {
    /// Time in legal actions, applying and ends of games.
    pub fn rules(&self) -> Duration {
        self.rules.read()
    }

    /// Time in encoding.
    pub fn encode(&self) -> Duration {
        self.encode.read()
    }
}

#[derive(Debug, Default)]
struct Clock {
    nanoseconds: AtomicU64,
    calls: AtomicU64,
}

impl Clock {
    fn time<T>(&self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.nanoseconds.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        self.calls.fetch_add(1, Ordering::Relaxed);
        result
    }

    /// The time, less what looking at the clock takes.
    fn read(&self) -> Duration {
        const LOOKS: u32 = 10_000;
        let start = Instant::now();
        for _ in 0..LOOKS {
            std::hint::black_box(Instant::now());
        }
        let looking = start.elapsed().as_nanos() as u64 * self.calls.load(Ordering::Relaxed) / u64::from(LOOKS);
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed).saturating_sub(looking))
    }
}

/// A game that plays like the one in it and keeps `clocks`.
#[derive(Clone, Debug)]
pub struct Timed<G> {
    game: G,
    clocks: Arc<Clocks>,
}

impl<G> Timed<G> {
    pub fn new(game: G) -> Self {
        Timed { game, clocks: Arc::default() }
    }

    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }
}

impl<G: Game> Game for Timed<G> {
    type Position = G::Position;
    type Action = G::Action;

    const ACTION_KINDS: &'static [&'static str] = G::ACTION_KINDS;
    const ZONE_KINDS: &'static str = G::ZONE_KINDS;
    const RESERVE_KINDS: &'static [&'static str] = G::RESERVE_KINDS;
    const RULES_TEXT: &'static str = G::RULES_TEXT;

    fn ruleset(&self) -> &Ruleset {
        self.game.ruleset()
    }
    fn adjudication(&self) -> Adjudication {
        self.game.adjudication()
    }
    fn start(&self) -> G::Position {
        self.game.start()
    }
    fn parse_position(&self, text: &str) -> Result<G::Position, PositionError> {
        self.game.parse_position(text)
    }
    fn position_string(&self, position: &G::Position) -> String {
        self.game.position_string(position)
    }
    fn action_string(&self, position: &G::Position, action: G::Action) -> String {
        self.game.action_string(position, action)
    }
    fn xboard(&self) -> String {
        self.game.xboard()
    }
    fn grid_string(&self, position: &G::Position, action: G::Action) -> String {
        self.game.grid_string(position, action)
    }
    fn parse_action(&self, position: &G::Position, text: &str) -> Result<G::Action, ActionError> {
        self.game.parse_action(position, text)
    }
    fn side_to_move(&self, position: &G::Position) -> Side {
        self.game.side_to_move(position)
    }
    fn legal_actions(&self, position: &G::Position, out: &mut Vec<G::Action>) {
        self.clocks.rules.time(|| self.game.legal_actions(position, out));
    }
    fn count_legal_actions(&self, position: &G::Position) -> u64 {
        self.clocks.rules.time(|| self.game.count_legal_actions(position))
    }
    fn apply(&self, position: &mut G::Position, action: G::Action) {
        self.clocks.rules.time(|| self.game.apply(position, action));
    }
    fn outcome(&self, position: &G::Position, legal: &[G::Action]) -> Option<Outcome> {
        self.clocks.rules.time(|| self.game.outcome(position, legal))
    }
    fn repetition_key(&self, position: &G::Position) -> u64 {
        self.game.repetition_key(position)
    }
    fn key(&self, position: &G::Position) -> u64 {
        self.game.key(position)
    }
    fn reversible_plies(&self, position: &G::Position) -> u32 {
        self.game.reversible_plies(position)
    }
    fn counts_for_repetition(&self, position: &G::Position) -> bool {
        self.game.counts_for_repetition(position)
    }
    fn ply(&self, position: &G::Position) -> u32 {
        self.game.ply(position)
    }
    fn action_kind(&self, position: &G::Position, action: G::Action) -> usize {
        self.game.action_kind(position, action)
    }
    fn zone(&self, position: &G::Position, side: Side) -> Vec<u8> {
        self.game.zone(position, side)
    }
    fn reserve(&self, position: &G::Position, side: Side) -> u32 {
        self.game.reserve(position, side)
    }
    fn material(&self, position: &G::Position) -> i32 {
        self.game.material(position)
    }
    fn draw(&self, position: &G::Position) -> String {
        self.game.draw(position)
    }
    fn square(&self, row: usize, column: usize) -> Option<SquareInfo> {
        self.game.square(row, column)
    }
    fn marks(&self, position: &G::Position) -> Vec<(String, Mark)> {
        self.game.marks(position)
    }
}

impl<G: Encode> Encode for Timed<G> {
    fn layout(&self) -> &'static Layout {
        self.game.layout()
    }
    fn encode(&self, position: &G::Position, repetitions: u32, row: RowMut<'_>) {
        self.clocks.encode.time(|| self.game.encode(position, repetitions, row));
    }
    fn action_index(&self, position: &G::Position, action: G::Action) -> usize {
        self.game.action_index(position, action)
    }
    fn mirror_applies(&self, position: &G::Position) -> bool {
        self.game.mirror_applies(position)
    }
    fn mirror_action(&self, index: usize) -> usize {
        self.game.mirror_action(index)
    }
}
