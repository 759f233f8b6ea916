//! Names that a run's files use, in both languages.

use crate::page::Phrase;

/// A head of the network, as its loss is called.
pub fn head(name: &str) -> Phrase {
    named(
        name,
        match name {
            "total" => "المجموع",
            "policy" => "السياسة",
            "value" => "القيمة",
            "moves_left" => "النقلات الباقية",
            "policy_kl" => "تباعد KL للسياسة",
            "policy_entropy" => "إنتروبيا السياسة",
            _ => "",
        },
    )
}

/// Why a game ended.
pub fn reason(name: &str) -> Phrase {
    named(
        name,
        match name {
            "checkmate" => "كش مات",
            "stalemate" => "جمود",
            "king_captured" => "أسر الملك",
            "no_action" => "لا حركة متاحة",
            "no_progress" => "لا تقدّم",
            "insufficient" => "قطع غير كافية",
            "repetition" => "تكرار الوضع",
            "max_plies" => "بلوغ حدّ النقلات",
            "resignation" => "استسلام",
            "agreement" => "اتفاق على التعادل",
            "cut_off" => "مقطوعة",
            _ => "",
        },
    )
}

/// A kind of action.
pub fn action(name: &str) -> Phrase {
    named(
        name,
        match name {
            "quiet" => "نقلة هادئة",
            "capture" => "أسر",
            "castling" => "تبييت",
            "en_passant" => "أسر بالتجاوز",
            "promotion" => "ترقية جندي",
            "reinforcement" => "تعزيز",
            "ladder" => "ترقية في السلّم",
            "placing" => "إنزال",
            _ => "",
        },
    )
}

/// A name as people write it, with its Arabic where there is one.
fn named(name: &str, arabic: &str) -> Phrase {
    let english = name.replace('_', " ");
    if arabic.is_empty() { Phrase::same(english) } else { Phrase::new(english, arabic) }
}
