//! The configuration and the ruleset, as the run resolved them.

use super::{Record, missing};
use crate::page::{Block, Phrase, Section};

pub fn section(record: &Record) -> Section {
    let config = match &record.config {
        Some(text) => Block::Code {
            title: Phrase::new("Configuration (`config.toml`)", "الإعدادات (`config.toml`)"),
            text: text.clone(),
        },
        None => {
            let path = record.models.join("config.toml");
            missing(&Phrase::same(format!("`{}`", path.display())))
        }
    };
    let rules = match record.ruleset() {
        Some(ruleset) => Block::Code {
            title: Phrase::new("Ruleset: every option", "القواعد: كل خياراتها"),
            text: format!("game = \"{}\"\nhash = \"{}\"\n\n[options]\n{}", ruleset.game, ruleset.hash, ruleset.options),
        },
        None => missing(&Phrase::new("the ruleset: no checkpoint and no games", "القواعد: لا نقطة حفظ ولا مباريات")),
    };
    Section {
        id: "settings".to_owned(),
        title: Phrase::new("Configuration and ruleset", "الإعدادات والقواعد"),
        blocks: vec![config, rules],
    }
}
