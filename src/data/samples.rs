//! The rows of a file that have something to teach, decoded and checked, ready to be drawn from.

use std::path::Path;

use arrow_array::{
    Array, BinaryArray, BooleanArray, Float32Array, Int8Array, ListArray, RecordBatch, StringArray, UInt32Array,
    cast::AsArray,
    types::{Float32Type, UInt32Type},
};

use super::{
    DataError, DecisionKind, TrainingBatch, WindowConfig, check_identity,
    column::array,
    read_columns,
    returns::{self, Step, Target},
};
use crate::{
    encode::Rows,
    game::{Layout, NameError, Reason, Ruleset, Side, Wdl},
};

/// The columns read.
const COLUMNS: [&str; 15] = [
    "planes",
    "scalars",
    "legal",
    "policy",
    "value",
    "root_win",
    "root_draw",
    "root_loss",
    "moves_left",
    "decision",
    "mirror",
    "game_index",
    "ply",
    "side",
    "reason",
];

/// Plies of the longest game that self-play can be told to play.
const MOST_PLIES: u32 = 1_000_000;

/// Greatest scalar: those of the games are shares and small counts, and one of another order would be all that a network
/// sees.
const MOST_SCALAR: f32 = 1000.0;

/// The largest departure of a probability vector's sum from 1 that rounding can cause.
const TOLERANCE: f32 = 1e-2;

/// Searched rows of one file, packed. N rows.
#[derive(Clone, Debug)]
pub struct Samples {
    rows: Rows,
    /// Legal actions of all rows, and beside each its policy target.
    legal: Vec<u32>,
    policy: Vec<f32>,
    /// `[N + 1]`: where each row's part of the two above begins.
    offsets: Vec<usize>,
    /// Value targets, for the side to move.
    targets: Vec<Target>,
    moves_left: Vec<f32>,
    /// Whether the rules ended the game.
    ended: Vec<bool>,
    /// Whether the game came to a result, by the rules or not, rather than being cut off.
    has_result: Vec<bool>,
    /// Ply of each row in its game, from 0.
    plies: Vec<u32>,
    /// Whether the policy is to be learnt.
    full: Vec<bool>,
    mirror: Vec<bool>,
}

impl Samples {
    /// Reads the searched rows of a file of games of the given rules and shape. `window` says which of them;
    /// `value_lambda` is the lambda of their value targets, 0 to 1.
    ///
    /// # Errors
    /// When the file cannot be read, is damaged, foreign or of another ruleset, or a row contradicts itself.
    pub fn read(
        path: &Path,
        ruleset: &Ruleset,
        layout: &'static Layout,
        window: &WindowConfig,
        value_lambda: f32,
    ) -> Result<Samples, DataError> {
        let (info, batches) = read_columns(path, &COLUMNS)?;
        check_identity(&info, ruleset, layout.version)?;
        let mut samples = Samples {
            rows: Rows::new(layout),
            legal: Vec::new(),
            policy: Vec::new(),
            offsets: vec![0],
            targets: Vec::new(),
            moves_left: Vec::new(),
            ended: Vec::new(),
            has_result: Vec::new(),
            plies: Vec::new(),
            full: Vec::new(),
            mirror: Vec::new(),
        };
        let error = |row: usize| move |(field, reason): Fault| DataError::row(path, row, field, reason);
        let mut game = OpenGame::default();
        let mut number = 0;
        for batch in &batches {
            let columns = Columns::new(batch);
            for row in 0..batch.num_rows() {
                let (index, ply) = (columns.game_index.value(row), columns.ply.value(row));
                if ply == 0 && game.index.is_none_or(|last| last < index) {
                    samples.close(&mut game, value_lambda);
                    game.index = Some(index);
                }
                if (game.index, game.steps.len()) != (Some(index), ply as usize) {
                    return Err(error(number)((
                        "ply",
                        "the rows are not those of one game after the other".to_owned(),
                    )));
                }
                samples.push(&columns, row, window, &mut game).map_err(error(number))?;
                number += 1;
            }
        }
        samples.close(&mut game, value_lambda);
        Ok(samples)
    }

    /// Memory of a row with so many legal actions, in bytes.
    pub fn row_bytes(layout: &Layout, actions: usize) -> usize {
        let of_action = size_of::<u32>() + size_of::<f32>();
        let of_row =
            size_of::<usize>() + size_of::<Target>() + size_of::<f32>() + size_of::<u32>() + 4 * size_of::<bool>();
        layout.words() * size_of::<u64>() + layout.scalars.len() * size_of::<f32>() + actions * of_action + of_row
    }

    /// Number of rows N.
    pub fn len(&self) -> usize {
        self.moves_left.len()
    }

    pub fn is_empty(&self) -> bool {
        self.moves_left.is_empty()
    }

    /// Whether row `i` may be seen in a mirror.
    pub fn mirror_applies(&self, i: usize) -> bool {
        self.mirror[i]
    }

    /// Adds row `i` to a batch, mirrored where `mirror_actions` (the mirrored index of every action index) is given.
    pub fn add_to(&self, batch: &mut TrainingBatch, i: usize, mirror_actions: Option<&[u32]>) {
        batch.rows.push_packed(self.rows.bits(i), self.rows.scalars(i)).expect("a row of the same layout");
        if mirror_actions.is_some() {
            batch.rows.mirror(batch.rows.len() - 1);
        }
        let entries = self.offsets[i]..self.offsets[i + 1];
        let legal = self.legal[entries.clone()].iter();
        batch.legal.extend(legal.map(|&action| mirror_actions.map_or(action, |mirrored| mirrored[action as usize])));
        batch.policy.extend_from_slice(&self.policy[entries]);
        batch.offsets.push(batch.legal.len());
        batch.wdl.push(self.targets[i].result);
        batch.search_wdl.push(self.targets[i].lambda_return);
        batch.moves_left.push(self.moves_left[i]);
        batch.moves_left_mask.push(f32::from(self.ended[i]));
        batch.policy_mask.push(f32::from(self.full[i]));
        batch.has_result.push(self.has_result[i]);
        batch.plies.push(self.plies[i]);
    }

    /// Ends a game: its rows get their value targets.
    fn close(&mut self, game: &mut OpenGame, value_lambda: f32) {
        let targets = returns::targets(&game.steps, game.result, value_lambda);
        self.targets.extend(game.searched.iter().map(|&step| targets[step]));
        *game = OpenGame::default();
    }

    /// Checks a row and keeps it if it is to be trained on.
    fn push(
        &mut self,
        columns: &Columns<'_>,
        row: usize,
        window: &WindowConfig,
        game: &mut OpenGame,
    ) -> Result<(), Fault> {
        let kind: DecisionKind = columns.decision.value(row).parse().map_err(unknown)?;
        let value = match columns.value.value(row) {
            1 => Wdl::WIN,
            0 => Wdl::DRAW,
            -1 => Wdl::LOSS,
            value => return Err(("value", format!("expected -1, 0 or 1, found {value}"))),
        };
        let side: Side = columns.side.value(row).parse().map_err(unknown)?;
        let reason: Reason = columns.reason.value(row).parse().map_err(unknown)?;
        game.result = (reason != Reason::CutOff).then_some(value);
        if !kind.is_searched() {
            game.steps.push(Step { side, root: None });
            return Ok(());
        }
        let root = [0, 1, 2].map(|i| if columns.root[i].is_null(row) { f32::NAN } else { columns.root[i].value(row) });
        check_distribution("root_win", &root)?;
        let root = Wdl::from(root);
        if kind == DecisionKind::Cheap && !window.cheap_rows {
            game.steps.push(Step { side, root: Some(root) });
            return Ok(());
        }

        let layout = self.rows.layout();
        let legal = columns.legal.value(row);
        let legal = legal.as_primitive::<UInt32Type>().values();
        let policy = columns.policy.value(row);
        let policy = policy.as_primitive::<Float32Type>().values();
        if policy.len() != legal.len() {
            return Err(("policy", format!("expected {} entries, found {}", legal.len(), policy.len())));
        }
        if let Some(action) = legal.iter().find(|&&action| action as usize >= layout.actions()) {
            return Err(("legal", format!("expected indices below {}, found {action}", layout.actions())));
        }
        check_distribution("policy", policy)?;
        let moves_left = columns.moves_left.value(row);
        if !(1..=MOST_PLIES).contains(&moves_left) {
            return Err(("moves_left", format!("expected 1 to {MOST_PLIES}, found {moves_left}")));
        }

        let (words, rest) = columns.planes.value(row).as_chunks();
        if !rest.is_empty() {
            return Err(("planes", format!("expected whole words of 8 bytes, found {} bytes besides", rest.len())));
        }
        let words: Vec<u64> = words.iter().map(|&word| u64::from_le_bytes(word)).collect();
        let scalars = columns.scalars.value(row);
        let scalars = scalars.as_primitive::<Float32Type>().values();
        if let Some(scalar) = scalars.iter().find(|scalar| scalar.abs() > MOST_SCALAR) {
            return Err(("scalars", format!("expected -{MOST_SCALAR} to {MOST_SCALAR}, found {scalar}")));
        }
        self.rows.push_packed(&words, scalars).map_err(|e| ("planes", e.to_string()))?;
        self.legal.extend_from_slice(legal);
        self.policy.extend_from_slice(policy);
        self.offsets.push(self.legal.len());
        game.searched.push(game.steps.len());
        game.steps.push(Step { side, root: Some(root) });
        self.moves_left.push(moves_left as f32);
        self.ended.push(reason.is_by_rules());
        self.has_result.push(game.result.is_some());
        self.plies.push(columns.ply.value(row));
        self.full.push(kind == DecisionKind::Full);
        self.mirror.push(columns.mirror.value(row));
        Ok(())
    }
}

/// The game whose rows are being read.
#[derive(Debug, Default)]
struct OpenGame {
    /// None before the first.
    index: Option<u32>,
    steps: Vec<Step>,
    /// The steps that are samples.
    searched: Vec<usize>,
    /// Result for the side to move in the last row read; `None` when the game was cut off.
    result: Option<Wdl>,
}

/// A column and what is wrong with it.
type Fault = (&'static str, String);

fn unknown(error: NameError) -> Fault {
    (error.field, error.to_string())
}

fn check_distribution(field: &'static str, values: &[f32]) -> Result<(), Fault> {
    let sum: f32 = values.iter().sum();
    if values.iter().all(|&p| p >= 0.0) && (sum - 1.0).abs() <= TOLERANCE {
        Ok(())
    } else {
        Err((field, format!("expected probabilities that add up to 1, found a sum of {sum}")))
    }
}

/// The columns of one record batch by type; the reader has checked the schema.
struct Columns<'a> {
    planes: &'a BinaryArray,
    scalars: &'a ListArray,
    legal: &'a ListArray,
    policy: &'a ListArray,
    value: &'a Int8Array,
    root: [&'a Float32Array; 3],
    moves_left: &'a UInt32Array,
    decision: &'a StringArray,
    mirror: &'a BooleanArray,
    game_index: &'a UInt32Array,
    ply: &'a UInt32Array,
    side: &'a StringArray,
    reason: &'a StringArray,
}

impl<'a> Columns<'a> {
    fn new(batch: &'a RecordBatch) -> Self {
        Columns {
            planes: array(batch, "planes"),
            scalars: array(batch, "scalars"),
            legal: array(batch, "legal"),
            policy: array(batch, "policy"),
            value: array(batch, "value"),
            root: ["root_win", "root_draw", "root_loss"].map(|name| array(batch, name)),
            moves_left: array(batch, "moves_left"),
            decision: array(batch, "decision"),
            mirror: array(batch, "mirror"),
            game_index: array(batch, "game_index"),
            ply: array(batch, "ply"),
            side: array(batch, "side"),
            reason: array(batch, "reason"),
        }
    }
}
