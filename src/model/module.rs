//! A network of any architecture, in the file that its maker wrote: a traced module of TorchScript, or an ONNX graph.
//!
//! It takes planes `[B, C, H, W]` in 32-bit floats, and gives `policy` `[B, A]` (logits of all actions), `wdl` `[B, 3]`
//! (logits of win, draw and loss for the side to move) and `moves_left` `[B]` (plies until the end of the game).

use std::{
    fmt,
    io::{Cursor, Read as _},
    path::Path,
    sync::Arc,
};

use serde::{Deserialize, Serialize};
use zip::ZipArchive;

use super::{
    architecture::NetworkShape,
    file::{CheckpointError, read},
    onnx,
};
use crate::game::{FieldError, Ruleset};

/// Name of the note in a file that says what its network plays: a file of that name among the extra files of
/// TorchScript, a property of that name of an ONNX model.
const NOTE: &str = "maydan.json";

/// Bytes beyond which a note is not read.
const NOTE_LIMIT: u64 = 1 << 20;

/// How a module is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModuleFormat {
    /// `torch.jit.save` of a traced module; libtorch computes it.
    TorchScript,
    /// A graph that [rten](https://docs.rs/rten) computes, on the processor in 32 bits.
    Onnx,
}

impl ModuleFormat {
    /// The module's file in the folder of a checkpoint.
    pub fn file_name(self) -> &'static str {
        match self {
            ModuleFormat::TorchScript => "module.pt",
            ModuleFormat::Onnx => "module.onnx",
        }
    }

    /// As files of such networks end.
    pub fn extension(self) -> &'static str {
        match self {
            ModuleFormat::TorchScript => "pt",
            ModuleFormat::Onnx => "onnx",
        }
    }

    /// By what the file begins with.
    fn of(content: &[u8]) -> Result<Self, String> {
        let expected = "expected a traced module of TorchScript (`torch.jit.save`) or an ONNX model";
        if content.starts_with(b"PK") {
            let archive = archive(content)?;
            let has_code = archive.file_names_raw().any(|name| String::from_utf8_lossy(name).contains("/code/"));
            return has_code.then_some(ModuleFormat::TorchScript).ok_or(format!("{expected}, found another archive"));
        }
        if onnx::is_model(content) { Ok(ModuleFormat::Onnx) } else { Err(format!("{expected}, found neither")) }
    }
}

impl fmt::Display for ModuleFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ModuleFormat::TorchScript => "TorchScript",
            ModuleFormat::Onnx => "ONNX",
        })
    }
}

/// What a network plays, by its maker's word: the note in its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModuleNote {
    /// The rules.
    pub ruleset: Ruleset,
    /// Its input and output.
    pub network: NetworkShape,
}

/// The file of a network with what goes in and comes out of it. Only a runtime finds out whether that is so.
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    format: ModuleFormat,
    content: Arc<[u8]>,
    shape: NetworkShape,
}

impl Module {
    /// Bytes beyond which a file is not read.
    pub const LIMIT: u64 = 1 << 30;

    /// The module of a file's content.
    ///
    /// # Errors
    /// When it is neither TorchScript nor ONNX.
    pub fn new(content: Vec<u8>, shape: NetworkShape) -> Result<Self, String> {
        Ok(Module { format: ModuleFormat::of(&content)?, content: content.into(), shape })
    }

    /// Reads the network of a game of this shape.
    ///
    /// # Errors
    /// When it is not there, is neither TorchScript nor ONNX, or says that it is of another shape.
    pub fn read(file: &Path, shape: NetworkShape) -> Result<Self, CheckpointError> {
        let module = Module::new(read(file, Module::LIMIT)?, shape);
        let module = module.map_err(|problem| CheckpointError::mismatch(file, problem))?;
        match module.note().map_err(|problem| CheckpointError::mismatch(file, problem))? {
            Some(note) if note.network != shape => {
                let problem = FieldError::new("network", format!("{shape:?}"), format!("{:?}", note.network));
                Err(CheckpointError::mismatch(file, format!("{NOTE}: {problem}")))
            }
            _ => Ok(module),
        }
    }

    /// Reads a network with the rules that its file says it plays.
    ///
    /// # Errors
    /// When it is not there, is neither TorchScript nor ONNX, or does not say what it plays.
    pub fn read_with_note(file: &Path) -> Result<(Self, Ruleset), CheckpointError> {
        let mismatch = |problem: String| CheckpointError::mismatch(file, problem);
        let content = read(file, Module::LIMIT)?;
        let format = ModuleFormat::of(&content).map_err(mismatch)?;
        let Some(note) = note(format, &content).map_err(mismatch)? else {
            let problem = format!(
                "expected {NOTE} in it, which says what it plays (`maydan.torch.export` writes it), found none"
            );
            return Err(mismatch(problem));
        };
        Ok((Module { format, content: content.into(), shape: note.network }, note.ruleset))
    }

    pub fn format(&self) -> ModuleFormat {
        self.format
    }

    /// The file, byte by byte.
    pub fn content(&self) -> &[u8] {
        &self.content
    }

    pub fn shape(&self) -> &NetworkShape {
        &self.shape
    }

    /// What its file says that it plays; none where it says nothing.
    ///
    /// # Errors
    /// When it says so in words that cannot be read, or that contradict themselves.
    pub fn note(&self) -> Result<Option<ModuleNote>, String> {
        note(self.format, &self.content)
    }
}

fn note(format: ModuleFormat, content: &[u8]) -> Result<Option<ModuleNote>, String> {
    let text = match format {
        ModuleFormat::TorchScript => extra_file(content)?,
        ModuleFormat::Onnx => onnx::property(content, NOTE),
    };
    let Some(text) = text else { return Ok(None) };
    let wrong = |problem: String| format!("{NOTE}: {problem}");
    let note: ModuleNote = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    note.network.validate().map_err(|problem| wrong(format!("network.{problem}")))?;
    let resolved = Ruleset::new(&note.ruleset.game, &note.ruleset.options).hash;
    if resolved != note.ruleset.hash {
        let found = &note.ruleset.hash;
        return Err(wrong(format!("ruleset.hash: expected {resolved} from the options beside it, found {found}")));
    }
    Ok(Some(note))
}

/// TorchScript keeps a user's files in the folder `extra` of the archive's one folder, as they are.
fn extra_file(content: &[u8]) -> Result<Option<String>, String> {
    let mut archive = archive(content)?;
    let end = format!("/extra/{NOTE}");
    let index = archive.file_names_raw().position(|name| name.ends_with(end.as_bytes()));
    let Some(index) = index else { return Ok(None) };
    let damaged = |problem: String| format!("{NOTE}: expected a stored file, found: {problem}");
    let file = archive.by_index(index).map_err(|error| damaged(error.to_string()))?;
    let mut text = String::new();
    file.take(NOTE_LIMIT).read_to_string(&mut text).map_err(|error| damaged(error.to_string()))?;
    Ok(Some(text))
}

fn archive(content: &[u8]) -> Result<ZipArchive<Cursor<&[u8]>>, String> {
    ZipArchive::new(Cursor::new(content)).map_err(|error| format!("expected a whole archive, found: {error}"))
}
