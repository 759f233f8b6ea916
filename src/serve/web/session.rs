//! The session of one client: a message in, messages out. It knows no socket, and never waits for the bot.

use std::{sync::Arc, time::Duration};

use super::{
    ServerConfig,
    messages::{Refusal, Reply, Request},
    table::{Order, Purpose, Table},
};
use crate::{
    game::random::{Rng, stream},
    serve::{Thought, options::HOTTEST},
};

/// Candidates of a search where the client asks for no other number.
const SHOWN: u32 = 5;

/// A conversation.
pub(super) struct Session {
    config: Arc<ServerConfig>,
    number: u64,
    /// Games begun.
    games: u64,
    table: Option<Table>,
}

impl Session {
    pub(super) fn new(config: Arc<ServerConfig>, number: u64) -> Self {
        Session { config, number, games: 0, table: None }
    }

    /// The first message.
    pub(super) fn hello(&self) -> Reply {
        Reply::Hello(self.config.hello())
    }

    /// Answers a message.
    pub(super) fn answer(&mut self, text: &str) -> Vec<Reply> {
        let request = serde_json::from_str(text).map_err(|error| Refusal::new("message", error));
        let reply = request.and_then(|request| self.follow(request));
        reply.unwrap_or_else(|refusal| Some(refusal.into())).into_iter().collect()
    }

    /// The next thought of the bot; waits for ever while there is none.
    pub(super) async fn thought(&mut self) -> Thought {
        match &mut self.table {
            Some(table) => table.thought().await,
            None => std::future::pending().await,
        }
    }

    /// Passes on what the bot thinks.
    pub(super) fn handle_thought(&mut self, thought: Thought) -> Vec<Reply> {
        self.table.as_mut().map_or_else(Vec::new, |table| table.handle_thought(thought))
    }

    fn follow(&mut self, request: Request) -> Result<Option<Reply>, Refusal> {
        match request {
            Request::New { bot, position, actions } => {
                let most = self.config.bounds.actions;
                if actions.len() > most {
                    let found = actions.len();
                    return Err(Refusal::new("limit", format!("actions: expected at most {most}, found {found}")));
                }
                let actions: Vec<&str> = actions.iter().map(String::as_str).collect();
                let rng = self.rng();
                self.table = Some(Table::new(Arc::clone(&self.config), bot, rng, position.as_deref(), &actions)?);
            }
            Request::Load { bot, record } => {
                let table = Table::load(Arc::clone(&self.config), bot, self.rng(), &record);
                self.table = Some(table.map_err(|refusal| refusal.at("record"))?);
            }
            Request::Play { action } => self.table()?.play(&action)?,
            Request::Undo { plies, after } => {
                let table = self.table()?;
                table.undo(after.map_or(plies, |after| table.actions().saturating_sub(after)));
            }
            Request::Look { after } => return self.table()?.past(after).map(Some),
            Request::Move { playouts, seconds, variety } => {
                if !(0.0..=HOTTEST).contains(&variety) {
                    let expected = format!("variety: expected 0 to {HOTTEST}, found {variety}");
                    return Err(Refusal::new("limit", expected));
                }
                let thinking = self.config.bounds.thinking;
                let time = seconds.map(|seconds| {
                    let time =
                        Duration::try_from_secs_f32(seconds).ok().filter(|time| !time.is_zero() && *time <= thinking);
                    let expected =
                        || format!("seconds: expected more than 0, at most {}, found {seconds}", thinking.as_secs());
                    time.ok_or_else(|| Refusal::new("limit", expected()))
                });
                let time = time.transpose()?;
                let playouts = playouts.or(time.map(|_| self.config.bounds.playouts));
                self.order(Purpose::Move { variety }, playouts, None, time)?;
                return Ok(None);
            }
            Request::Analyse { playouts, candidates } => {
                self.order(Purpose::Analysis, playouts, candidates, None)?;
                return Ok(None);
            }
            Request::Stop => {
                self.table.iter_mut().for_each(Table::stop);
                return Ok(None);
            }
        }
        Ok(Some(self.table()?.state()))
    }

    fn table(&mut self) -> Result<&mut Table, Refusal> {
        self.table.as_mut().ok_or_else(|| Refusal::new("game", "expected a game to be begun first"))
    }

    /// The random numbers of another game.
    fn rng(&mut self) -> Rng {
        self.games += 1;
        stream("serve", self.config.seed, self.number, self.games)
    }

    fn order(
        &mut self,
        purpose: Purpose,
        playouts: Option<u32>,
        candidates: Option<u32>,
        time: Option<Duration>,
    ) -> Result<(), Refusal> {
        let bounds = self.config.bounds;
        let table = self.table()?;
        let playouts = playouts.unwrap_or(table.suggestion());
        let candidates = candidates.unwrap_or(SHOWN.min(bounds.candidates));
        for (name, found, most) in
            [("playouts", playouts, bounds.playouts), ("candidates", candidates, bounds.candidates)]
        {
            if !(1..=most).contains(&found) {
                return Err(Refusal::new("limit", format!("{name}: expected 1 to {most}, found {found}")));
            }
        }
        table.order(Order { purpose, playouts, candidates, time: time.unwrap_or(bounds.thinking) })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        game::{record::Record, shatara::Shatara, shatra::Shatra},
        model::Uniform,
        serve::web::{Bounds, Offer},
    };

    /// Longest answer to anything: a state, or the bots with their rules.
    const LONGEST: usize = 1 << 17;

    fn config() -> Arc<ServerConfig> {
        let rules = toml::Table::new();
        let offers = vec![
            Offer::new("one", Shatara::game(&rules).unwrap(), Uniform::make(), 10),
            Offer::new("two", Shatra::game(&rules).unwrap(), Uniform::make(), 10),
        ];
        let bounds = Bounds { playouts: 30, actions: 40, memory: 1, candidates: 4, ..Bounds::default() };
        Arc::new(ServerConfig { offers, pages: axum::Router::new(), bounds, names: Vec::new(), seed: 0 })
    }

    /// A message that may well be one, or nearly.
    fn message() -> impl Strategy<Value = String> {
        let number = prop_oneof![0u64..6, Just(30), any::<u64>()].prop_map(|number| number.to_string());
        let action = prop_oneof![
            prop::sample::select(vec!["e2e4", "e7e5", "d5d6", "b1c3", "c3c3b", "P@e2", "0000", "d4@d6"])
                .prop_map(str::to_owned),
            "[a-h][1-8][a-h][1-8]",
            "\\PC{0,20}",
        ];
        let text = prop_oneof![
            Just("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Pp] w KQkq - - 0 1".to_owned()),
            Just("6k1/5ppp/8/8/8/8/8/R3K3[] w - - - 0 1".to_owned()),
            Just("[maydan 1]\n[game shatara]\n[ruleset a92979a0e63d9b47]\n[start x]\n\n1. e2e4".to_owned()),
            "(\\[[a-z]{0,8} ?[a-z0-9*/]{0,8}\\]?\n){0,4}\\PC{0,60}",
            "[pnbrqkPNBRQK1-8/]{0,60}(\\[[pnbrqPNBRQ]{0,9}\\])?( [wb-]){0,3}( [0-9a-h-]{0,4}){0,4}",
        ];
        let quoted = |text: String| serde_json::to_string(&text).expect("text serialises");
        prop_oneof![
            6 => action.clone().prop_map(move |action| format!(r#"{{"type":"play","action":{}}}"#, quoted(action))),
            2 => number.clone().prop_map(|bot| format!(r#"{{"type":"new","bot":{bot}}}"#)),
            2 => (number.clone(), text.clone(), prop::collection::vec(action, 0..5)).prop_map(move |(bot, text, actions)| {
                let actions = serde_json::to_string(&actions).expect("texts serialise");
                format!(r#"{{"type":"new","bot":{bot},"position":{},"actions":{actions}}}"#, quoted(text))
            }),
            2 => (number.clone(), text).prop_map(move |(bot, text)| format!(r#"{{"type":"load","bot":{bot},"record":{}}}"#, quoted(text))),
            2 => number.clone().prop_map(|plies| format!(r#"{{"type":"undo","plies":{plies}}}"#)),
            1 => number.clone().prop_map(|after| format!(r#"{{"type":"undo","after":{after}}}"#)),
            2 => number.clone().prop_map(|after| format!(r#"{{"type":"look","after":{after}}}"#)),
            3 => (number.clone(), -1.0..11f32).prop_map(|(n, t)| format!(r#"{{"type":"move","playouts":{n},"variety":{t}}}"#)),
            2 => (number.clone(), number).prop_map(|(n, k)| format!(r#"{{"type":"analyse","playouts":{n},"candidates":{k}}}"#)),
            2 => Just(r#"{"type":"stop"}"#.to_owned()),
            1 => "\\PC{0,60}",
            1 => (0usize..2000).prop_map(|depth| "[".repeat(depth)),
            1 => (0usize..2000).prop_map(|depth| r#"{"type":"#.repeat(depth)),
        ]
    }

    /// Hears what the bot has said so far.
    fn listen(session: &mut Session) -> Vec<Reply> {
        let mut replies = Vec::new();
        while let Some(thought) = session.table.as_mut().and_then(|table| table.hear()) {
            replies.extend(session.handle_thought(thought));
        }
        replies
    }

    proptest! {
        #[test]
        fn whatever_is_said_is_answered_within_bounds(messages in prop::collection::vec(message(), 1..40), turns: u64) {
            let mut session = Session::new(config(), 0);
            for (i, message) in messages.iter().enumerate() {
                let mut replies = session.answer(message);
                prop_assert!(replies.len() <= 1, "{message}");
                if turns >> (i % 64) & 1 == 1 {
                    replies.extend(listen(&mut session));
                }
                for reply in replies {
                    let text = serde_json::to_string(&reply).unwrap();
                    prop_assert!(text.len() <= LONGEST, "{} bytes after {message}", text.len());
                    if let Reply::Error { message, .. } = &reply {
                        prop_assert!(message.chars().count() <= 210 && !message.contains(char::is_control), "{message}");
                    }
                }
                if let Some(table) = &session.table {
                    let Reply::State(state) = table.state() else { unreachable!("a state") };
                    prop_assert!(state.moves.len() <= 40);
                    let rules = session.config.offers[state.bot].rules();
                    let record = Record::read(&state.record, rules.ruleset(), 40).unwrap();
                    let mut position = record.start.to_owned();
                    for action in record.actions {
                        position = rules.after(&position, action).unwrap();
                    }
                    prop_assert_eq!(position, state.sight.position);
                }
            }
        }
    }

    #[test]
    fn a_search_that_is_replaced_gives_way_to_the_next() {
        let mut session = Session::new(config(), 0);
        let say = |session: &mut Session, text: &str| session.answer(text);
        assert!(matches!(say(&mut session, r#"{"type":"new","bot":0}"#)[..], [Reply::State(_)]));
        assert!(say(&mut session, r#"{"type":"analyse","playouts":30}"#).is_empty());
        assert!(say(&mut session, r#"{"type":"move","playouts":2}"#).is_empty());
        let mut replies = Vec::new();
        while !replies.iter().any(|reply| matches!(reply, Reply::State(_))) {
            let table = session.table.as_mut().unwrap();
            let Some(thought) = table.hear() else { continue };
            replies.extend(session.handle_thought(thought));
        }
        // The first search ends without a word: it is the second that the client waits for.
        assert!(!replies.iter().any(|reply| matches!(reply, Reply::Idle)));
        let Some(Reply::State(state)) = replies.last() else { unreachable!("the last of them") };
        assert_eq!(state.moves.len(), 1);
    }
}
