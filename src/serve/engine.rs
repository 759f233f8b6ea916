//! The engine's loop: it opens the protocol, then handles input lines and reports of the search one after the other.

use std::{
    collections::VecDeque,
    io::{self, BufRead, Write},
    sync::{
        Arc,
        mpsc::{self, Receiver, SyncSender},
    },
    thread,
};

use thiserror::Error;

use super::{
    Bot, ProtocolName, Thought,
    bot::GameBot,
    protocol::{Flow, Protocol, WrongGame},
    uci::Uci,
    ushi::Ushi,
    xboard::Xboard,
};
use crate::{
    console::{Line, Lines},
    game::{Game, Playable, Ruleset, random::Rng},
    model::MakeEvaluator,
};

/// Capacity of the queue of events; a sender waits while it is full.
const WAITING: usize = 64;

/// Lines that are held while a search stops; the others are passed over.
const HELD: usize = 256;

/// Why an engine stopped before its frontend said so.
#[derive(Debug, Error)]
pub enum EngineError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Game(#[from] WrongGame),
    #[error("{0}")]
    Evaluator(String),
}

/// What happens to an engine.
enum Event {
    Line(Line),
    /// The input ended.
    End,
    Thought(Thought),
}

/// Plays `game` with `network` for the frontend behind `input` and `out`, in the protocol given or guessed from its
/// first line, until it says `quit` or its lines end; a search under way then is stopped and still answered. `rng`
/// draws actions where a temperature is set.
///
/// # Errors
/// When `out` is closed, or the evaluator fails.
pub fn serve<R: Playable>(
    game: Game<R>,
    network: Arc<MakeEvaluator>,
    name: &str,
    protocol: Option<ProtocolName>,
    rng: Rng,
    input: impl BufRead + Send + 'static,
    out: &mut impl Write,
) -> Result<(), EngineError> {
    let (sender, events) = mpsc::sync_channel(WAITING);
    let thoughts = sender.clone();
    let report = move |thought| thoughts.send(Event::Thought(thought)).is_ok();
    let bot = GameBot::new(game, network, rng, report);
    let mut bot = bot.map_err(|error| EngineError::Evaluator(error.to_string()))?;
    // It waits for a line when the engine ends, and goes with the program.
    thread::spawn(move || listen(input, &sender));
    converse(events, &mut bot, name, protocol, out)
}

/// Answers event after event. When it returns, the channel of events is closed, so that a bot at work need not wait to
/// tell one.
fn converse(
    events: Receiver<Event>,
    bot: &mut dyn Bot,
    name: &str,
    protocol: Option<ProtocolName>,
    out: &mut impl Write,
) -> Result<(), EngineError> {
    let open = |known: ProtocolName, bot: &dyn Bot| open(known, name, bot.ruleset());
    let mut protocol = protocol.map(|known| open(known, bot)).transpose()?;
    // What came while a search stops: it is for after its answer, which some frontends do not wait for.
    let mut held = VecDeque::new();
    let mut has_ended = false;
    loop {
        let stops = protocol.as_ref().is_some_and(|dialect| dialect.is_stopping());
        let event = match if stops { None } else { held.pop_front() } {
            Some(event) => event,
            None => match events.recv() {
                Ok(event) => event,
                Err(_) => break,
            },
        };
        match (event, &mut protocol) {
            (Event::Thought(Thought::Failed(message)), _) => return Err(EngineError::Evaluator(message)),
            (Event::Thought(thought), Some(dialect)) => {
                // The work that the end of the input stopped; what the protocol would begin now has no reader.
                let is_last = has_ended && !matches!(thought, Thought::Report(_));
                dialect.thought(thought, bot, out)?;
                if is_last {
                    out.flush()?;
                    break;
                }
            }
            (Event::Line(_), _) if stops && held.len() >= HELD => {}
            (event, _) if stops => held.push_back(event),
            (Event::Line(Line::Text(line)), protocol) => {
                let dialect = match protocol {
                    Some(dialect) => dialect,
                    None => protocol.insert(open(ProtocolName::guess(&line), bot)?),
                };
                if dialect.line(&line, bot, out)? == Flow::Quit {
                    break;
                }
            }
            (Event::End, _) => {
                bot.stop();
                has_ended = true;
            }
            (Event::Line(Line::TooLong(_)), Some(dialect)) => dialect.too_long(out)?,
            // The frontend has sent nothing yet.
            (Event::Line(Line::TooLong(_)) | Event::Thought(_), None) => {}
        }
        out.flush()?;
        if has_ended && !protocol.as_ref().is_some_and(|dialect| dialect.is_at_work()) {
            break;
        }
    }
    Ok(())
}

/// The protocol of that name, for a bot called `name` that plays by `ruleset`.
///
/// # Errors
/// When the protocol is not for that game.
fn open(protocol: ProtocolName, name: &str, ruleset: &Ruleset) -> Result<Box<dyn Protocol>, EngineError> {
    Ok(match protocol {
        ProtocolName::Uci => Box::new(Uci::new(name)),
        ProtocolName::Xboard => Box::new(Xboard::new(name)),
        ProtocolName::Ushi => Box::new(Ushi::new(name, ruleset)?),
    })
}

/// Hands lines on until they end or the receiver is gone.
fn listen(input: impl BufRead, sender: &SyncSender<Event>) {
    for line in Lines::new(input).map_while(Result::ok) {
        if sender.send(Event::Line(line)).is_err() {
            return;
        }
    }
    // A closed channel needs no report.
    let _ = sender.send(Event::End);
}
