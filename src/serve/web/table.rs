//! The current game of a session, and the bot that plays it.

use std::{sync::Arc, time::Duration};

use tokio::sync::mpsc::{self, UnboundedReceiver};

use super::{
    Offer, ServerConfig,
    check::checked_king,
    messages::{ActionInfo, MarkInfo, Move, Past, PieceInfo, Refusal, Reply, Sight, State, Zones},
};
use crate::{
    game::{
        Outcome, Reason,
        gesture::{Gesture, Origin},
        random::Rng,
        record::{Record, RecordedMove, write_record},
        text_game::{LegalAction, Scene},
    },
    serve::{Bot, Limits, Options, Thought, Turn},
};

/// Actions of a game, from its start, that a bot draws by chance where variety is wanted.
const VARIED: u32 = 16;
/// How often a search reports its progress.
const PACE: Duration = Duration::from_millis(100);

/// A game under way.
pub(super) struct Table {
    config: Arc<ServerConfig>,
    /// Number of the bot.
    offer: usize,
    bot: Box<dyn Bot + Send>,
    /// Reports of this bot only. The number that wait is bounded by the time of one search.
    thoughts: UnboundedReceiver<Thought>,
    start: String,
    /// Number of the first turn.
    turn: u32,
    moves: Vec<Move>,
    work: Option<Work>,
}

/// The search under way.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Work {
    For(Purpose),
    /// Not wanted any more: it ends soon, and then the next begins.
    Unwanted(Option<Order>),
}

/// A search to begin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Order {
    pub purpose: Purpose,
    pub playouts: u32,
    pub candidates: u32,
    /// After which it ends, whatever its playouts.
    pub time: Duration,
}

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Purpose {
    Move {
        /// Temperature at which the first actions of a game are drawn.
        variety: f32,
    },
    Analysis,
}

impl Table {
    /// A game against a bot by its number, from a position or where every game starts, in which these actions were
    /// played.
    ///
    /// # Errors
    /// When there is no such bot or position, or an action is not legal.
    pub fn new(
        config: Arc<ServerConfig>,
        offer: usize,
        rng: Rng,
        position: Option<&str>,
        actions: &[&str],
    ) -> Result<Self, Refusal> {
        let (sender, thoughts) = mpsc::unbounded_channel();
        let bot = config.offer(offer)?.bot(rng, move |thought| sender.send(thought).is_ok());
        let mut bot = bot.map_err(|error| Refusal::new("evaluator", error))?;
        bot.set_up(position, &[]).map_err(|error| Refusal::new("position", error))?;
        let (start, turn) = (bot.position(), bot.ply() / 2 + 1);
        let mut table = Table { config, offer, bot, thoughts, start, turn, moves: Vec::new(), work: None };
        for (i, action) in actions.iter().enumerate() {
            table.play(action).map_err(|refusal| refusal.at(&format!("action {}", i + 1)))?;
        }
        Ok(table)
    }

    /// The game of a record, against that bot or, where its rules are others, the first whose rules they are.
    ///
    /// # Errors
    /// When it is no record of a game by the rules of a bot.
    pub fn load(config: Arc<ServerConfig>, offer: usize, rng: Rng, text: &str) -> Result<Self, Refusal> {
        let reads = |offer: &Offer| Record::read(text, offer.rules().ruleset(), config.bounds.actions).is_ok();
        let own = reads(config.offer(offer)?);
        let offer = config.offers.iter().position(reads).filter(|_| !own).unwrap_or(offer);
        let record = Record::read(text, config.offer(offer)?.rules().ruleset(), config.bounds.actions)
            .map_err(|error| Refusal::new("record", error))?;
        let table = Table::new(config, offer, rng, Some(record.start), &record.actions)?;
        let result = table.bot.outcome().map(|outcome| outcome.to_string());
        match record.result {
            Some(claimed) if result.as_deref() != Some(claimed) && !(result.is_none() && goes_on(claimed)) => {
                let result = result.unwrap_or("a game that goes on".to_owned());
                Err(Refusal::new("record", format!("result: the moves lead to {result}, found `{claimed}`")))
            }
            _ => Ok(table),
        }
    }

    /// The next thought of the bot; waits for ever when it has none any more.
    pub async fn thought(&mut self) -> Thought {
        match self.thoughts.recv().await {
            Some(thought) => thought,
            None => std::future::pending().await,
        }
    }

    /// The next thought of the bot, if it has one.
    #[cfg(test)]
    pub fn hear(&mut self) -> Option<Thought> {
        self.thoughts.try_recv().ok()
    }

    /// Passes on what the bot thinks, and plays what it chose.
    pub fn handle_thought(&mut self, thought: Thought) -> Vec<Reply> {
        match thought {
            Thought::Report(report) if matches!(self.work, Some(Work::For(_))) => vec![Reply::Thought(report.into())],
            Thought::Report(_) | Thought::Counted(_) => Vec::new(),
            Thought::Chosen(decision) => match self.work.take() {
                Some(Work::For(Purpose::Move { .. })) => match self.play(&decision.action) {
                    Ok(()) => vec![self.state()],
                    Err(refusal) => vec![refusal.into()],
                },
                Some(Work::Unwanted(Some(next))) => {
                    self.begin(next);
                    Vec::new()
                }
                _ => vec![Reply::Idle],
            },
            Thought::Failed(message) => {
                self.work = None;
                vec![Refusal::new("evaluator", message).into(), Reply::Idle]
            }
        }
    }

    /// Plays an action for the side to move.
    ///
    /// # Errors
    /// When it is not legal, the game is over, or it is too long.
    pub fn play(&mut self, action: &str) -> Result<(), Refusal> {
        self.check_open()?;
        self.check_room()?;
        let before = self.scene(&self.bot.position());
        self.bot.play(action).map_err(|error| Refusal::new("action", error))?;
        let position = self.bot.position();
        let after = self.scene(&position);
        let check = checked_king(self.offer().rules(), &position, &after).is_some();
        self.moves.push(Move::new(action, &before, &after, check));
        self.drop_work(None);
        Ok(())
    }

    /// How many actions were played.
    pub fn actions(&self) -> usize {
        self.moves.len()
    }

    /// Takes so many actions back, or all there are.
    pub fn undo(&mut self, plies: usize) {
        self.drop_work(None);
        for _ in 0..plies.min(self.moves.len()) {
            self.bot.undo();
            self.moves.pop();
        }
    }

    /// Has the bot search, once the search under way has ended.
    ///
    /// # Errors
    /// When there is nothing to search.
    pub fn order(&mut self, order: Order) -> Result<(), Refusal> {
        self.check_open()?;
        if let Purpose::Move { .. } = order.purpose {
            self.check_room()?;
        }
        match self.work {
            Some(_) => self.drop_work(Some(order)),
            None => self.begin(order),
        }
        Ok(())
    }

    /// Ends the search under way; an analysis still reports its last result.
    pub fn stop(&mut self) {
        match self.work {
            Some(Work::For(Purpose::Analysis)) => self.bot.stop(),
            _ => self.drop_work(None),
        }
    }

    /// The game as it stands.
    pub fn state(&self) -> Reply {
        let outcome = self.bot.outcome();
        let (sight, legal) = self.sight(self.bot.position(), self.moves.len());
        let legal = if outcome.is_some() { Vec::new() } else { legal };
        Reply::State(Box::new(State {
            bot: self.offer,
            ply: self.bot.ply(),
            sight,
            legal: legal.into_iter().map(ActionInfo::from).collect(),
            moves: self.moves.clone(),
            outcome: outcome.map(Into::into),
            record: self.record(outcome),
        }))
    }

    /// The position after the first `after` actions; the game stays as it is.
    ///
    /// # Errors
    /// When there are not so many.
    pub fn past(&self, after: usize) -> Result<Reply, Refusal> {
        let most = self.moves.len();
        let position = self.bot.past(after);
        let position =
            position.ok_or_else(|| Refusal::new("limit", format!("after: expected 0 to {most}, found {after}")))?;
        let (sight, _) = self.sight(position, after);
        Ok(Reply::Past(Box::new(Past { after, sight })))
    }

    /// A position of this game, which so many actions led to, and what is legal there.
    fn sight(&self, position: String, after: usize) -> (Sight, Vec<LegalAction>) {
        let scene = self.scene(&position);
        let check = checked_king(self.offer().rules(), &position, &scene);
        let [white, black] = scene.zones;
        let last = after.checked_sub(1).map(|last| squares(&self.moves[last].action));
        let sight = Sight {
            side: scene.side,
            position,
            pieces: scene.pieces.into_iter().map(PieceInfo::from).collect(),
            zones: Zones { white, black },
            marks: scene.marks.into_iter().map(|(square, mark)| MarkInfo { square, mark: mark.to_string() }).collect(),
            last: last.unwrap_or_default(),
            check,
        };
        (sight, scene.legal)
    }

    /// What there is to see of a position of this game.
    fn scene(&self, position: &str) -> Scene {
        self.offer().rules().scene(position).expect("a position of a game under way")
    }

    fn offer(&self) -> &Offer {
        &self.config.offers[self.offer]
    }

    /// Playouts that the bot's maker suggests, as far as they are allowed.
    pub fn suggestion(&self) -> u32 {
        self.offer().playouts().min(self.config.bounds.playouts)
    }

    fn record(&self, outcome: Option<Outcome>) -> String {
        let moves =
            self.moves.iter().map(|Move { action, side, .. }| RecordedMove { action, side: *side, value: None });
        let result = outcome.map(|outcome| outcome.to_string());
        write_record(self.offer().rules().ruleset(), &self.start, moves, self.turn, result.as_deref())
    }

    fn check_open(&self) -> Result<(), Refusal> {
        match self.bot.outcome() {
            Some(outcome) => Err(Refusal::new("over", format!("the game is over: {outcome}"))),
            None => Ok(()),
        }
    }

    fn check_room(&self) -> Result<(), Refusal> {
        let most = self.config.bounds.actions;
        if self.moves.len() < most {
            return Ok(());
        }
        Err(Refusal::new("limit", format!("a game has at most {most} actions here")))
    }

    fn begin(&mut self, Order { purpose, playouts, candidates, time }: Order) {
        let hash = self.config.bounds.memory;
        let temperature = match purpose {
            Purpose::Move { variety } => variety,
            Purpose::Analysis => 0.0,
        };
        let options = Options {
            playouts,
            multi_pv: candidates,
            hash,
            temperature,
            temperature_plies: VARIED,
            pace: Some(PACE),
            ..Options::default()
        };
        let limits = Limits { time: Some(time), ..Limits::default() };
        self.bot.think(&options, limits, Turn::Own);
        self.work = Some(Work::For(purpose));
    }

    /// Ends the search under way, whatever it was for; then `next` begins.
    fn drop_work(&mut self, next: Option<Order>) {
        if self.work.is_some() {
            self.bot.stop();
            self.work = Some(Work::Unwanted(next));
        }
    }
}

/// The squares that an action touches, as its string names them.
fn squares(action: &str) -> Vec<String> {
    let Some(gesture) = Gesture::of(action) else { return Vec::new() };
    match gesture.from {
        Origin::Square(from) if from != gesture.to => vec![from.to_owned(), gesture.to.to_owned()],
        _ => vec![gesture.to.to_owned()],
    }
}

/// Whether a result that is claimed is none of the rules', which let the game go on.
fn goes_on(claimed: &str) -> bool {
    claimed.parse().is_ok_and(|Outcome { reason, .. }| !reason.is_by_rules() && reason != Reason::Forfeit)
}
