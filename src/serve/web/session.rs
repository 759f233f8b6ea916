//! One visitor's conversation: a message in, messages out. It knows no socket, and never waits for the bot.

use std::{sync::Arc, time::Duration};

use tokio::sync::mpsc::{self, UnboundedReceiver};

use super::{
    House,
    messages::{ActionInfo, Hello, LimitsInfo, ManInfo, MarkInfo, Move, Reply, Request, State, VERSION, Zones},
    record::{self, Record},
};
use crate::{
    game::{
        Outcome, Spoken,
        gesture::{Gesture, Origin},
        random::stream,
    },
    serve::{Bot, Limits, Options, Thought, Turn, protocol::Plain},
};

/// Candidates that come with the bot's own moves.
const SHOWN: u32 = 5;
/// How often a search tells how far it got.
const PACE: Duration = Duration::from_millis(100);

/// A conversation.
pub(super) struct Session {
    house: Arc<House>,
    number: u64,
    /// Games begun.
    games: u64,
    table: Option<Table>,
}

/// A game under way.
struct Table {
    /// Number of the bot.
    offer: usize,
    bot: Box<dyn Bot + Send>,
    /// A table's own: what another table's bot thought is never heard. What waits is bounded by the time of one search.
    thoughts: UnboundedReceiver<Thought>,
    /// Where the game began: position and number of the turn.
    start: (String, u32),
    moves: Vec<Move>,
    work: Option<Work>,
}

/// The search under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    Move,
    Analysis,
    /// Not wanted any more: it ends soon, and then the next begins.
    Unwanted(Option<Order>),
}

/// A search to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Order {
    purpose: Purpose,
    simulations: u32,
    candidates: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Move,
    Analysis,
}

/// What a visitor cannot have, and why.
type Refusal = (&'static str, String);

impl Session {
    pub(super) fn new(house: Arc<House>, number: u64) -> Self {
        Session { house, number, games: 0, table: None }
    }

    /// The first message.
    pub(super) fn hello(&self) -> Reply {
        let bounds = &self.house.bounds;
        Reply::Hello(Hello {
            version: VERSION,
            program: concat!("maydan ", env!("CARGO_PKG_VERSION")),
            bots: self.house.offers.iter().map(|offer| offer.info()).collect(),
            limits: LimitsInfo {
                simulations: bounds.simulations,
                seconds: bounds.thinking.as_secs_f32(),
                candidates: bounds.candidates,
                actions: bounds.actions,
                message_bytes: bounds.message_bytes,
            },
        })
    }

    /// Answers a message.
    pub(super) fn answer(&mut self, text: &str) -> Vec<Reply> {
        let request = serde_json::from_str(text).map_err(|error| ("message", error.to_string()));
        match request.and_then(|request| self.follow(request)) {
            Ok(replies) => replies,
            Err((id, message)) => vec![refusal(id, message)],
        }
    }

    /// The next thought of the bot; waits for ever while there is none.
    pub(super) async fn thought(&mut self) -> Thought {
        if let Some(table) = &mut self.table
            && let Some(thought) = table.thoughts.recv().await
        {
            return thought;
        }
        std::future::pending().await
    }

    /// Passes on what the bot thinks.
    pub(super) fn tell(&mut self, thought: Thought) -> Vec<Reply> {
        let Some(table) = &mut self.table else { return Vec::new() };
        match thought {
            Thought::Report(report) => match table.work {
                Some(Work::Move | Work::Analysis) => vec![Reply::Thought(report.into())],
                _ => Vec::new(),
            },
            Thought::Chosen(decision) => match table.work.take() {
                Some(Work::Move) => match table.play(&decision.action) {
                    Ok(()) => vec![self.state()],
                    Err((id, message)) => vec![refusal(id, message)],
                },
                Some(Work::Unwanted(Some(order))) => {
                    table.begin(order, &self.house);
                    Vec::new()
                }
                _ => vec![Reply::Idle],
            },
            Thought::Failed(message) => {
                table.work = None;
                vec![refusal("evaluator", message), Reply::Idle]
            }
            Thought::Counted(_) => Vec::new(),
        }
    }

    fn follow(&mut self, request: Request) -> Result<Vec<Reply>, Refusal> {
        match request {
            Request::New { bot, position, actions } => {
                let actions: Vec<&str> = actions.iter().map(String::as_str).collect();
                let table = self.sit_down(bot, position.as_deref(), &actions)?;
                self.table = Some(table);
            }
            Request::Load { bot, record } => {
                let table = self.load(bot, &record).map_err(|(id, message)| (id, format!("record: {message}")))?;
                self.table = Some(table);
            }
            Request::Play { action } => {
                let most = self.house.bounds.actions;
                let table = self.table()?;
                table.check_room(most)?;
                table.play(&action)?;
                table.drop_work(None);
            }
            Request::Undo { plies } => {
                let table = self.table()?;
                table.drop_work(None);
                for _ in 0..plies.min(table.moves.len()) {
                    table.bot.undo();
                    table.moves.pop();
                }
            }
            Request::Move { simulations } => return self.order(Purpose::Move, simulations, SHOWN),
            Request::Analyse { simulations, candidates } => {
                return self.order(Purpose::Analysis, simulations, candidates.unwrap_or(SHOWN));
            }
            Request::Stop => {
                if let Some(table) = &mut self.table {
                    table.stop();
                }
                return Ok(Vec::new());
            }
        }
        Ok(vec![self.state()])
    }

    fn table(&mut self) -> Result<&mut Table, Refusal> {
        self.table.as_mut().ok_or_else(|| ("game", "expected a game to be begun first".to_owned()))
    }

    /// A game at a table of its own, once every action was checked.
    fn sit_down(&mut self, bot: usize, position: Option<&str>, actions: &[&str]) -> Result<Table, Refusal> {
        let house = Arc::clone(&self.house);
        let bots = house.offers.len();
        let offer =
            house.offers.get(bot).ok_or_else(|| ("bot", format!("bot: expected 0 to {}, found {bot}", bots - 1)))?;
        if actions.len() > house.bounds.actions {
            let message = format!("actions: expected at most {}, found {}", house.bounds.actions, actions.len());
            return Err(("limit", message));
        }
        let rng = stream("serve", house.seed, self.number, self.games);
        self.games += 1;
        let (sender, thoughts) = mpsc::unbounded_channel();
        let seated = offer.seat(rng, move |thought| sender.send(thought).is_ok());
        let mut seated = seated.map_err(|error| ("evaluator", error.to_string()))?;
        seated.set_up(position, &[]).map_err(|error| ("position", error.to_string()))?;
        let start = (seated.position(), seated.ply() / 2 + 1);
        let mut table = Table { offer: bot, bot: seated, thoughts, start, moves: Vec::new(), work: None };
        for (i, action) in actions.iter().enumerate() {
            table.play(action).map_err(|(id, message)| (id, format!("action {}: {message}", i + 1)))?;
        }
        Ok(table)
    }

    fn load(&mut self, bot: usize, text: &str) -> Result<Table, Refusal> {
        let house = Arc::clone(&self.house);
        let Some(offer) = house.offers.get(bot) else { return self.sit_down(bot, None, &[]) };
        let read = Record::read(text, offer.rules().ruleset(), house.bounds.actions);
        let record = read.map_err(|message| ("record", message))?;
        let table = self.sit_down(bot, Some(record.start), &record.actions)?;
        let result = table.bot.outcome().map(|outcome| outcome.to_string());
        match record.result {
            Some(told) if result.as_deref() != Some(told) => {
                let result = result.unwrap_or("a game that goes on".to_owned());
                Err(("record", format!("result: the moves lead to {result}, found `{told}`")))
            }
            _ => Ok(table),
        }
    }

    fn order(&mut self, purpose: Purpose, simulations: Option<u32>, candidates: u32) -> Result<Vec<Reply>, Refusal> {
        let house = Arc::clone(&self.house);
        let bounds = &house.bounds;
        let table = self.table()?;
        let simulations = simulations.unwrap_or(house.offers[table.offer].simulations().min(bounds.simulations));
        for (name, found, most) in
            [("simulations", simulations, bounds.simulations), ("candidates", candidates, bounds.candidates)]
        {
            if !(1..=most).contains(&found) {
                return Err(("limit", format!("{name}: expected 1 to {most}, found {found}")));
            }
        }
        table.check_open()?;
        if purpose == Purpose::Move {
            table.check_room(bounds.actions)?;
        }
        let order = Order { purpose, simulations, candidates };
        if table.work.is_some() {
            table.drop_work(Some(order));
        } else {
            table.begin(order, &house);
        }
        Ok(Vec::new())
    }

    /// The game as it stands.
    ///
    /// # Panics
    /// When there is none.
    fn state(&self) -> Reply {
        let table = self.table.as_ref().expect("a game under way");
        Reply::State(Box::new(table.state(self.house.offers[table.offer].rules())))
    }
}

impl Table {
    fn outcome(&self) -> Option<Outcome> {
        self.bot.outcome()
    }

    fn check_open(&self) -> Result<(), Refusal> {
        match self.outcome() {
            Some(outcome) => Err(("over", format!("the game is over: {outcome}"))),
            None => Ok(()),
        }
    }

    fn check_room(&self, most: usize) -> Result<(), Refusal> {
        if self.moves.len() < most {
            return Ok(());
        }
        Err(("limit", format!("a game has at most {most} actions here")))
    }

    fn play(&mut self, action: &str) -> Result<(), Refusal> {
        self.check_open()?;
        let side = self.bot.side();
        self.bot.play(action).map_err(|error| ("action", error.to_string()))?;
        self.moves.push(Move { action: action.to_owned(), side });
        Ok(())
    }

    fn begin(&mut self, order: Order, house: &House) {
        let Order { purpose, simulations, candidates } = order;
        let hash = house.bounds.memory;
        let options = Options { simulations, multi_pv: candidates, hash, pace: Some(PACE), ..Options::default() };
        let limits = Limits { time: Some(house.bounds.thinking), ..Limits::default() };
        self.bot.think(&options, limits, Turn::Own);
        self.work = Some(match purpose {
            Purpose::Move => Work::Move,
            Purpose::Analysis => Work::Analysis,
        });
    }

    /// Ends the search under way, whatever it was for; then `next` begins.
    fn drop_work(&mut self, next: Option<Order>) {
        if self.work.is_some() {
            self.bot.stop();
            self.work = Some(Work::Unwanted(next));
        }
    }

    /// Ends the search under way; an analysis still tells how far it got.
    fn stop(&mut self) {
        match self.work {
            Some(Work::Analysis) => self.bot.stop(),
            _ => self.drop_work(None),
        }
    }

    fn state(&self, rules: &dyn Spoken) -> State {
        let position = self.bot.position();
        let scene = rules.scene(&position).expect("the position of a game under way");
        let outcome = self.outcome();
        let legal = if outcome.is_some() { Vec::new() } else { scene.legal };
        let [white, black] = scene.zones;
        let (start, number) = &self.start;
        State {
            bot: self.offer,
            ply: self.bot.ply(),
            side: scene.side,
            men: scene.men.into_iter().map(ManInfo::from).collect(),
            zones: Zones { white, black },
            marks: scene.marks.into_iter().map(|(square, mark)| MarkInfo { square, mark: mark.name() }).collect(),
            legal: legal.into_iter().map(ActionInfo::from).collect(),
            last: self.moves.last().map_or_else(Vec::new, |last| squares(&last.action)),
            moves: self.moves.clone(),
            outcome: outcome.map(Into::into),
            record: record::write(rules.ruleset(), start, &self.moves, *number, outcome),
            position,
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

/// A refusal, fit to be shown.
pub(super) fn refusal(id: &'static str, message: impl std::fmt::Display) -> Reply {
    Reply::Error { message: Plain(message).to_string(), id }
}
