//! A game, its searches and its data, behind one interface.

use std::{fmt, path::Path, sync::Arc};

use maydan::{
    data::{DataError, ReplayBuffer, Sampler, SamplerConfig, replay},
    encode::{layout_table, mirror_actions},
    evaluate::{Batcher, Job, run_searches},
    game::{
        Game, Layout, Outcome, Playable, PositionError, RulesError, Ruleset, picture,
        random::stream,
        registry::{GameVisitor, with_ruleset},
        text_game::AsText,
    },
    model::{Evaluator, EvaluatorError},
    search::{Proof, Search, SearchConfig},
};

use crate::{
    line::{ActionFacts, AnyLine, Line},
    positions::{AnyPositions, Positions},
};

/// What a search found of one legal action, for the side to move.
#[derive(Clone, Debug)]
pub struct FoundAction {
    pub facts: ActionFacts,
    pub prior: f32,
    pub visits: u32,
    pub q: f32,
    pub policy: f32,
    pub proof: Proof,
}

/// What a search found, for the side to move.
#[derive(Clone, Debug)]
pub struct Found {
    /// In the game's order.
    pub actions: Vec<FoundAction>,
    /// Place of the action to play.
    pub best: usize,
    pub wdl: [f32; 3],
    pub raw_wdl: [f32; 3],
    pub moves_left: f32,
    pub proof: Proof,
    pub playouts: u32,
    pub evaluations: u32,
    /// Strings of the principal variation, which begins with the action to play.
    pub variation: Vec<String>,
}

/// A game of a run as it was played.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    pub generation: u64,
    /// Index within the generation.
    pub index: u64,
    pub start: String,
    pub actions: Vec<String>,
    pub outcome: Outcome,
}

/// How searches run.
pub struct SearchOrder<'a> {
    pub config: &'a SearchConfig,
    pub seed: u64,
    /// Positions that one search may wait for at once.
    pub leaves: usize,
    pub evaluator: Box<dyn Evaluator>,
}

/// A game whose type is known only at run time.
pub trait AnyGame: Send + Sync + fmt::Debug {
    fn ruleset(&self) -> &Ruleset;
    fn layout(&self) -> &'static Layout;
    fn action_kinds(&self) -> &'static [&'static str];
    /// Letters of the kinds of pieces that a zone holds.
    fn zone_kinds(&self) -> &'static str;
    /// The rules in words.
    fn rules_text(&self) -> &'static str;
    /// The planes and actions in words.
    fn planes_text(&self) -> String;
    /// A position as an SVG document.
    ///
    /// # Errors
    /// When the text is no position.
    fn picture(&self, position: &str) -> Result<String, PositionError>;
    /// The mirrored index of every action index, `[A]`.
    fn mirror_actions(&self) -> Vec<u32>;
    /// A game that begins where every game starts, or at a position.
    ///
    /// # Errors
    /// When the text is no position.
    fn line(&self, start: Option<&str>) -> Result<Box<dyn AnyLine>, PositionError>;
    /// So many games at their start.
    fn positions(&self, games: usize, seed: u64) -> Box<dyn AnyPositions>;
    /// Searches the last positions of games of this type, each of which has a legal action.
    ///
    /// # Errors
    /// When the evaluator fails.
    ///
    /// # Panics
    /// When a line is of another game.
    fn search(&self, lines: &[&dyn AnyLine], order: SearchOrder<'_>) -> Result<Vec<Found>, EvaluatorError>;
    /// The games of a file, held against the rules.
    ///
    /// # Errors
    /// When the file is damaged, foreign, or contradicts the rules.
    fn replay(&self, path: &Path) -> Result<Vec<PlayedGame>, DataError>;
    /// What draws batches from a window; `None` where it has no row.
    fn sampler(
        &self,
        buffer: &ReplayBuffer,
        config: SamplerConfig,
        batch_size: usize,
        seed: u64,
        generation: u64,
    ) -> Option<Sampler>;
}

/// The game called `id` under these options.
///
/// # Errors
/// Names an unknown game or option.
pub fn open(id: &str, options: &toml::Table) -> Result<Arc<dyn AnyGame>, RulesError> {
    struct Opened;
    impl GameVisitor for Opened {
        type Output = Arc<dyn AnyGame>;

        fn visit<R: Playable>(self, game: Game<R>) -> Self::Output {
            Arc::new(TypedGame(Arc::new(game)))
        }
    }
    with_ruleset(id, options, Opened)
}

#[derive(Debug)]
struct TypedGame<R: Playable>(Arc<Game<R>>);

impl<R: Playable> AnyGame for TypedGame<R> {
    fn ruleset(&self) -> &Ruleset {
        self.0.ruleset()
    }

    fn layout(&self) -> &'static Layout {
        self.0.layout()
    }

    fn action_kinds(&self) -> &'static [&'static str] {
        R::ACTION_KINDS
    }

    fn zone_kinds(&self) -> &'static str {
        R::ZONE_KINDS
    }

    fn rules_text(&self) -> &'static str {
        R::RULES_TEXT
    }

    fn planes_text(&self) -> String {
        layout_table(self.0.layout())
    }

    fn picture(&self, position: &str) -> Result<String, PositionError> {
        picture(&AsText::new((*self.0).clone()), position)
    }

    fn mirror_actions(&self) -> Vec<u32> {
        mirror_actions(&self.0)
    }

    fn line(&self, start: Option<&str>) -> Result<Box<dyn AnyLine>, PositionError> {
        let start = start.map_or_else(|| Ok(self.0.start()), |text| self.0.parse_position(text))?;
        Ok(Box::new(Line::new(self.0.clone(), start)))
    }

    fn positions(&self, games: usize, seed: u64) -> Box<dyn AnyPositions> {
        Box::new(Positions::new(self.0.clone(), games, seed))
    }

    fn search(&self, lines: &[&dyn AnyLine], order: SearchOrder<'_>) -> Result<Vec<Found>, EvaluatorError> {
        let line = |line: &&dyn AnyLine| line.as_any().downcast_ref::<Line<R>>().expect("a line of this game").clone();
        let lines: Vec<Line<R>> = lines.iter().map(line).collect();
        let job = |(i, line): (usize, &Line<R>)| Job {
            config: *order.config,
            position: *line.now(),
            history: line.history().clone(),
            rng: stream("python.search", order.seed, 0, i as u64),
        };
        let jobs = lines.iter().enumerate().map(job).collect();
        let mut batcher = Batcher::new(&self.0, Some(order.evaluator)).with_leaves(order.leaves);
        let results = run_searches(&self.0, &mut batcher, jobs, |search: &Search<R>| {
            let result = search.result();
            let line = search.tree().principal_variation(Some(result.best));
            let variation: Vec<String> = line.map(|(_, edge)| edge.action.to_string()).collect();
            (result, variation)
        })?;
        let found = lines.iter().zip(results).map(|(line, (result, variation))| Found {
            actions: (line.legal().into_iter().zip(&result.actions))
                .map(|(facts, action)| FoundAction {
                    facts,
                    prior: action.prior,
                    visits: action.visits,
                    q: action.q,
                    policy: action.policy,
                    proof: action.proof,
                })
                .collect(),
            best: result.best,
            wdl: result.wdl.to_array(),
            raw_wdl: result.raw_wdl.to_array(),
            moves_left: result.moves_left,
            proof: result.proof,
            playouts: result.playouts,
            evaluations: result.evaluations,
            variation,
        });
        Ok(found.collect())
    }

    fn replay(&self, path: &Path) -> Result<Vec<PlayedGame>, DataError> {
        let games = replay(&self.0, path)?;
        let played = games.into_iter().map(|game| PlayedGame {
            generation: game.generation,
            index: game.index,
            start: game.start.to_string(),
            actions: game.actions.iter().map(ToString::to_string).collect(),
            outcome: game.outcome,
        });
        Ok(played.collect())
    }

    fn sampler(
        &self,
        buffer: &ReplayBuffer,
        config: SamplerConfig,
        batch_size: usize,
        seed: u64,
        generation: u64,
    ) -> Option<Sampler> {
        Sampler::new(&self.0, buffer, config, batch_size, seed, generation)
    }
}
