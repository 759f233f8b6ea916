//! Words of the results in both languages.

use crate::page::{Column, Kind, Phrase};

pub fn arm_column() -> Column {
    Column::new("arm", Phrase::new("arm", "الصيغة"), Kind::Text)
}

pub fn restriction_column() -> Column {
    Column::new("restriction", Phrase::new("restriction", "القيد"), Kind::Text)
}

pub fn games_column() -> Column {
    Column::new("games", Phrase::new("games", "المباريات"), Kind::Count)
}

pub fn difference_title() -> Phrase {
    Phrase::new("less the base", "الفرق عن الأساس")
}

/// A sentence followed by another, in both languages.
pub fn sentences(parts: &[Phrase]) -> Phrase {
    let join = |of: fn(&Phrase) -> &str| parts.iter().map(of).collect::<Vec<_>>().join(" ");
    Phrase::new(join(|part| &part.en), join(|part| &part.ar))
}

/// How shares get their interval.
pub fn wilson() -> Phrase {
    Phrase::new("95%: Wilson's score interval.", "فترة الثقة \u{2066}95%\u{2069}: فترة ويلسون.")
}

/// How shares and their differences get their interval.
pub fn newcombe() -> Phrase {
    Phrase::new(
        "95%: Wilson's score interval; of a difference, Newcombe's, the arms taken as independent.",
        "فترة الثقة \u{2066}95%\u{2069}: فترة ويلسون للنسب، وللفروق فترة نيوكومب باعتبار الصيغ مستقلّة.",
    )
}

/// How scores and their differences get their interval.
pub fn tango() -> Phrase {
    Phrase::new(
        "95%: Tango's score interval (Wilson's where there are no draws); of a difference, by MOVER, the arms taken as independent.",
        "فترة الثقة \u{2066}95%\u{2069}: فترة تانغو للنقاط (وهي فترة ويلسون إن لم يكن تعادل)، وللفروق بطريقة MOVER باعتبار الصيغ مستقلّة.",
    )
}

/// How ratios get their interval.
pub fn bootstrap() -> Phrase {
    Phrase::new(
        "95%: percentiles of 200 Poisson bootstrap replicates over games.",
        "فترة الثقة \u{2066}95%\u{2069}: مئينات 200 عيّنة بإعادة المعاينة البواسونية على مستوى المباريات.",
    )
}
