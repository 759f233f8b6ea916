//! A bot and its current position behind an interface of strings, so that protocols are not compiled for every game.

use std::{
    sync::{
        Arc,
        mpsc::{self, Sender},
    },
    thread::{self, JoinHandle},
};

use super::{
    Limits, Options, Thought,
    thinker::{GameLine, Task, Thinker},
    thought::Control,
};
use crate::{
    game::{Game, Outcome, Playable, Ruleset, Side, random::Rng, text_game::TextGameError},
    model::{EvaluatorError, MakeEvaluator},
    search::Crew,
};

/// Whose time the bot thinks on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    Own,
    /// The other side's, until it does what was expected.
    Other,
}

/// A game under way, and the bot that thinks about it on a thread of its own: one task at a time, whose last
/// [`Thought`] is [`Chosen`](Thought::Chosen), [`Counted`](Thought::Counted) or [`Failed`](Thought::Failed).
pub trait Bot {
    /// The rules that it plays by.
    fn ruleset(&self) -> &Ruleset;
    /// What XBoard must know to show the game ([`XBoard::variant_setup`](crate::game::XBoard::variant_setup)).
    fn xboard(&self) -> String;
    /// The position in which every game starts, as a string.
    fn start(&self) -> String;
    /// Begins a game in a position, or where every game starts, and plays these actions.
    ///
    /// # Errors
    /// When the text is no position or an action is not legal; the game then stays as it was.
    fn set_up(&mut self, position: Option<&str>, actions: &[&str]) -> Result<(), TextGameError>;
    /// Plays an action of either side.
    ///
    /// # Errors
    /// When it is not legal.
    fn play(&mut self, action: &str) -> Result<(), TextGameError>;
    /// Takes the last action back, if there is one.
    fn undo(&mut self) -> bool;
    /// Whose turn it is.
    fn side(&self) -> Side;
    /// Plies from the start, by the position's own counters.
    fn ply(&self) -> u32;
    /// The position as a string.
    fn position(&self) -> String;
    /// The position after the first `actions` of this game, as a string; none where it has not so many.
    fn past(&self, actions: usize) -> Option<String>;
    /// The position for a person.
    fn draw(&self) -> String;
    /// Strings of the legal actions.
    fn legal(&self) -> Vec<String>;
    /// The legal actions: string, and string where squares are places on the grid
    /// ([`XBoard::grid_string`](crate::game::XBoard::grid_string)).
    fn on_grid(&self) -> Vec<(String, String)>;
    /// How the game ended, if it did.
    fn outcome(&self) -> Option<Outcome>;
    /// Makes what a search by these options needs, so that the first is not late, and waits until it is there. A failure
    /// is that search's to report.
    ///
    /// # Panics
    /// When the bot is at work.
    fn prepare(&mut self, options: &Options);
    /// Sets a search of the position going.
    ///
    /// # Panics
    /// When the bot is at work, or there is no legal action.
    fn think(&mut self, options: &Options, limits: Limits, turn: Turn);
    /// Sets a count of leaves going, at least one ply deep.
    ///
    /// # Panics
    /// When the bot is at work.
    fn count(&mut self, depth: u32);
    /// Ends the task under way soon.
    fn stop(&self);
    /// The other side did what was expected: limits count from now on.
    fn hit(&self);
    /// Another game begins: forgets the tree.
    ///
    /// # Panics
    /// When the bot is at work.
    fn forget(&mut self);
}

/// The bot of one game.
pub(super) struct GameBot<R: Playable> {
    game: Game<R>,
    line: GameLine<R>,
    control: Arc<Control>,
    /// Closed when the bot goes.
    tasks: Option<Sender<Task<R>>>,
    thinker: Option<JoinHandle<()>>,
}

impl<R: Playable> GameBot<R> {
    /// A bot at the start of a game, which passes its reports to `report`; the bot ends when `report` returns false.
    ///
    /// # Errors
    /// When there is no evaluator of `network`.
    pub(super) fn new(
        game: Game<R>,
        network: Arc<MakeEvaluator>,
        rng: Rng,
        mut report: impl FnMut(Thought) -> bool + Send + 'static,
    ) -> Result<Self, EvaluatorError> {
        let crew = Crew::new(network, game.layout())?;
        let control = Arc::new(Control::new());
        let (tasks, orders) = mpsc::channel();
        let mut thinker = Thinker::new(game.clone(), crew, rng);
        let watched = Arc::clone(&control);
        let thread = thread::spawn(move || {
            for task in orders {
                thinker.work(task, &watched, &mut |thought| {
                    if !report(thought) {
                        watched.stop();
                    }
                });
            }
        });
        let line = GameLine::new(&game, game.start());
        Ok(GameBot { game, line, control, tasks: Some(tasks), thinker: Some(thread) })
    }

    fn order(&self, task: Task<R>) {
        let tasks = self.tasks.as_ref().expect("a bot that has not gone");
        tasks.send(task).expect("a thinker that waits for tasks");
    }

    fn actions(&self) -> Vec<R::Action> {
        let mut legal = Vec::new();
        self.game.legal_actions(self.line.position(), &mut legal);
        legal
    }
}

impl<R: Playable> Bot for GameBot<R> {
    fn ruleset(&self) -> &Ruleset {
        self.game.ruleset()
    }

    fn xboard(&self) -> String {
        self.game.rules().variant_setup()
    }

    fn start(&self) -> String {
        self.game.start().to_string()
    }

    fn set_up(&mut self, position: Option<&str>, actions: &[&str]) -> Result<(), TextGameError> {
        let start = position.map_or_else(|| Ok(self.game.start()), |text| self.game.parse_position(text))?;
        let mut line = GameLine::new(&self.game, start);
        for action in actions {
            let action = self.game.parse_action(line.position(), action)?;
            line.push(&self.game, action);
        }
        self.line = line;
        Ok(())
    }

    fn play(&mut self, action: &str) -> Result<(), TextGameError> {
        let action = self.game.parse_action(self.line.position(), action)?;
        self.line.push(&self.game, action);
        Ok(())
    }

    fn undo(&mut self) -> bool {
        self.line.pop()
    }

    fn side(&self) -> Side {
        self.game.side_to_move(self.line.position())
    }

    fn ply(&self) -> u32 {
        self.game.ply(self.line.position())
    }

    fn position(&self) -> String {
        self.line.position().to_string()
    }

    fn past(&self, actions: usize) -> Option<String> {
        self.line.positions.get(actions).map(|position| position.to_string())
    }

    fn draw(&self) -> String {
        self.game.rules().draw(self.line.position())
    }

    fn legal(&self) -> Vec<String> {
        self.actions().iter().map(ToString::to_string).collect()
    }

    fn on_grid(&self) -> Vec<(String, String)> {
        let (game, position) = (&self.game, self.line.position());
        let both = |action: R::Action| (action.to_string(), game.rules().grid_string(position, action));
        self.actions().into_iter().map(both).collect()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.line.history.outcome(&self.game, self.line.position(), &self.actions())
    }

    fn prepare(&mut self, options: &Options) {
        let (ready, prepared) = mpsc::channel();
        self.order(Task::Prepare { options: *options, ready });
        // A thinker that is gone says so at the next task.
        let _ = prepared.recv();
    }

    fn think(&mut self, options: &Options, limits: Limits, turn: Turn) {
        match turn {
            Turn::Own => self.control.think(),
            Turn::Other => self.control.ponder(),
        }
        self.order(Task::Search { line: self.line.clone(), options: *options, limits });
    }

    fn count(&mut self, depth: u32) {
        self.control.think();
        self.order(Task::Count { position: *self.line.position(), depth });
    }

    fn stop(&self) {
        self.control.stop();
    }

    fn hit(&self) {
        self.control.hit();
    }

    fn forget(&mut self) {
        self.order(Task::Forget);
    }
}

/// The thinker ends before its evaluator goes.
impl<R: Playable> Drop for GameBot<R> {
    fn drop(&mut self) {
        self.control.stop();
        self.tasks = None;
        // The panic of the search thread has been reported.
        let _ = self.thinker.take().map(JoinHandle::join);
    }
}
