//! A game whose moves were judged, as tables and a page.

use super::analysis::{Fault, JudgedMove};
use crate::{
    game::{Ruleset, Side},
    page::{Block, Cell, Column, Figure, Kind, Lines, Page, Phrase, Point, Scale, Section, Series, Style, Table},
};

/// The page of a game by these rules that began at `start`: the chances over the game, the faults of either side, and
/// every move.
pub fn annotated(ruleset: &Ruleset, start: &str, moves: &[JudgedMove]) -> Page {
    let blocks = vec![
        Block::Code { title: Phrase::new("Start", "البداية"), text: start.to_owned() },
        Block::Figure(chances(moves)),
        Block::Table(sides(moves)),
        Block::Table(judged(moves)),
    ];
    Page {
        title: Phrase::new("A game, move by move", "مباراة نقلة بنقلة"),
        subtitle: Phrase::same(ruleset.to_string()),
        lead: Vec::new(),
        sections: vec![Section { id: "game".to_owned(), title: Phrase::new("The game", "المباراة"), blocks }],
    }
}

/// Win less loss for White after each move.
fn chances(moves: &[JudgedMove]) -> Figure {
    let white = |judged: &JudgedMove| match judged.side {
        Side::White => judged.after.value(),
        Side::Black => -judged.after.value(),
    };
    let points = (1..).zip(moves).map(|(ply, judged)| Point::new(f64::from(ply), f64::from(white(judged)))).collect();
    let lines = Lines {
        x: Phrase::new("Ply", "النقلة"),
        y: Phrase::new("Win less loss for White", "الفوز ناقص الخسارة للأبيض"),
        x_range: None,
        y_range: Some((-1.0, 1.0)),
        series: vec![Series { name: Phrase::new("Value", "القيمة"), style: Style::Line, points }],
        scale: Scale::Number,
    };
    let caption = Phrase::new(
        "What the search expects after each move: 1 is a win for White, -1 one for Black.",
        "ما يتوقعه البحث بعد كل نقلة: 1 فوز للأبيض، و-1 فوز للأسود.",
    );
    Figure::of_lines("chances", Phrase::new("The chances over the game", "الفرص عبر المباراة"), caption, lines)
}

fn fault_name(fault: Fault) -> Phrase {
    match fault {
        Fault::Inaccuracy => Phrase::new("inaccuracy", "عدم دقة"),
        Fault::Mistake => Phrase::new("mistake", "خطأ"),
        Fault::Blunder => Phrase::new("blunder", "خطأ فادح"),
    }
}

fn side_name(side: Side) -> Phrase {
    match side {
        Side::White => Phrase::new("white", "الأبيض"),
        Side::Black => Phrase::new("black", "الأسود"),
    }
}

/// What either side gave away.
fn sides(moves: &[JudgedMove]) -> Table {
    let columns = vec![
        Column::new("side", Phrase::new("Side", "الجانب"), Kind::Text),
        Column::new("moves", Phrase::new("Moves", "النقلات"), Kind::Count),
        Column::new(
            "lost",
            Phrase::new("Points lost a move", "النقاط المفقودة في النقلة"),
            Kind::Number { decimals: 3 },
        ),
        Column::new("inaccuracies", Phrase::new("Inaccuracies", "عدم الدقة"), Kind::Count),
        Column::new("mistakes", Phrase::new("Mistakes", "الأخطاء"), Kind::Count),
        Column::new("blunders", Phrase::new("Blunders", "الأخطاء الفادحة"), Kind::Count),
    ];
    let note = Phrase::new(
        "A move loses the expected points (win 1, draw 1/2) before it less those after it, unless it is the one that the search would have played. \
         From 0.1 it is an inaccuracy, from 0.2 a mistake, from 0.3 a blunder.",
        "تخسر النقلة فرق النقاط المتوقعة (الفوز 1 والتعادل 1/2) قبلها وبعدها، إلا إذا كانت هي ما كان البحث ليلعبه. من 0.1 عدم دقة، ومن 0.2 خطأ، ومن 0.3 خطأ فادح.",
    );
    let title = Phrase::new("What either side gave away", "ما فرّط فيه كل جانب");
    let mut table = Table::new("sides", title, note, columns);
    for side in Side::ALL {
        let of: Vec<&JudgedMove> = moves.iter().filter(|judged| judged.side == side).collect();
        let lost: f32 = of.iter().map(|judged| judged.lost).sum();
        let faults = |fault| Cell::Count(of.iter().filter(|judged| judged.fault == Some(fault)).count() as u64);
        table.push(vec![
            Cell::Words(side_name(side)),
            Cell::Count(of.len() as u64),
            Cell::Number(f64::from(lost) / of.len().max(1) as f64),
            faults(Fault::Inaccuracy),
            faults(Fault::Mistake),
            faults(Fault::Blunder),
        ]);
    }
    table
}

fn judged(moves: &[JudgedMove]) -> Table {
    let value = Kind::Number { decimals: 2 };
    let columns = vec![
        Column::new("ply", Phrase::new("Ply", "النقلة"), Kind::Count),
        Column::new("side", Phrase::new("Side", "الجانب"), Kind::Text),
        Column::new("action", Phrase::new("Move", "الحركة"), Kind::Text),
        Column::new("before", Phrase::new("Value before", "القيمة قبلها"), value),
        Column::new("after", Phrase::new("Value after", "القيمة بعدها"), value),
        Column::new("lost", Phrase::new("Points lost", "النقاط المفقودة"), value),
        Column::new("fault", Phrase::new("Fault", "العيب"), Kind::Text),
        Column::new("best", Phrase::new("The search plays", "يلعب البحث"), Kind::Text),
    ];
    let note = Phrase::new(
        "Values are win less loss for the side that moves.",
        "القيم هي الفوز ناقص الخسارة للجانب الذي يتحرك.",
    );
    let mut table = Table::new("moves", Phrase::new("Every move", "كل النقلات"), note, columns);
    for (ply, judged) in (1..).zip(moves) {
        table.push(vec![
            Cell::Count(ply),
            Cell::Words(side_name(judged.side)),
            Cell::Text(judged.action.clone()),
            Cell::Number(f64::from(judged.before.value())),
            Cell::Number(f64::from(judged.after.value())),
            Cell::Number(f64::from(judged.lost)),
            judged.fault.map_or(Cell::Empty, |fault| Cell::Words(fault_name(fault))),
            Cell::Text(judged.best.clone()),
        ]);
    }
    table
}
