//! How an action changes a position.

use super::{
    Action, Bitboard, Kind, Position, Square, action::ActionKind, jumps::Jumper, lines, movegen, position::Progress,
    series::Series,
};

impl Position {
    /// Plays a legal action.
    pub(super) fn apply(&mut self, action: Action) {
        match action.kind() {
            ActionKind::Quiet => self.step(action),
            ActionKind::Jump => self.jump(action),
            ActionKind::Placing => self.place(action),
            ActionKind::Stop => {
                self.count(Progress::None);
                self.end_series();
            }
        }
    }

    /// §4.
    fn step(&mut self, action: Action) {
        let (side, from, to) = (self.side_to_move(), action.from(), action.to());
        let kind = self.carry(action);
        self.count(if kind == Kind::Shatra { Progress::of_step(side, from, to) } else { Progress::None });
        self.set_passed(None);
        self.pass_turn();
        let middle = lines::between(from, to);
        if kind == Kind::Shatra && middle.any() {
            let passed = middle.first();
            self.set_passed(Some(passed).filter(|&passed| movegen::en_passant_is_legal(self, passed)));
        }
    }

    /// §5. A piece leaves its initial reserve.
    fn place(&mut self, action: Action) {
        let initial = self.in_reserve(action.from());
        self.carry(action);
        self.count(if initial { Progress::Made } else { Progress::None });
        self.set_passed(None);
        self.pass_turn();
    }

    /// §6: one jump, and the end of the series when it cannot go on.
    fn jump(&mut self, action: Action) {
        let (side, from, to) = (self.side_to_move(), action.from(), action.to());
        let over = self.jumped_by(action);
        let takes_king = self.pieces().kind(Kind::Biy).has(over);
        self.carry(action);
        let series = self.series().copied().unwrap_or(Series::new(from));
        self.set_series(Some(series.after_jump(over, to)));
        self.set_passed(None);
        self.count(Progress::Made);
        let (_, kind) = self.pieces().at(to).expect("the piece that jumped");
        if takes_king || !Jumper::new(self, side, kind, to).can_jump() {
            self.end_series();
        }
    }

    /// The square of the piece that a jump captures.
    pub(super) fn jumped_by(&self, action: Action) -> Square {
        let between = lines::between(action.from(), action.to());
        let enemies = between & self.pieces().side(!self.side_to_move());
        // No enemy between: a shatra captures en passant the one that has passed.
        if enemies.any() { enemies.first() } else { self.stepped(between.first()) }
    }

    /// Moves the piece of an action, lets it become another (§7) and leave its initial reserve (§3). Gives its kind
    /// before.
    fn carry(&mut self, action: Action) -> Kind {
        let (side, from, to) = (self.side_to_move(), action.from(), action.to());
        let (_, kind) = self.pieces().at(from).expect("a piece acts");
        self.toggle(side, kind, from);
        let becomes = action.promotion().unwrap_or(kind);
        self.toggle(side, becomes, to);
        if let Some(i) = action.promotion().and_then(Kind::stock_index) {
            self.set_stock(side, i, self.stock(side)[i] - 1);
        }
        if self.in_reserve(from) {
            self.toggle_reserve(from);
            if Bitboard::home(side).has(to) {
                self.toggle_reserve(to);
            }
        }
        kind
    }

    /// All jumped pieces leave the board at once, then waiting shatras of their side become what their stock has now,
    /// then the turn passes (§6, §7).
    fn end_series(&mut self) {
        let Some(series) = self.series().copied() else { return self.pass_turn() };
        let loser = !self.side_to_move();
        self.set_series(None);
        for square in series.jumped() {
            let Some((side, kind)) = self.pieces().at(square) else { continue };
            self.toggle(side, kind, square);
            if self.in_reserve(square) {
                self.toggle_reserve(square);
            }
            if let Some(i) = kind.stock_index() {
                self.set_stock(loser, i, self.stock(loser)[i] + 1);
            }
        }
        for square in self.waiting(loser) {
            let stock = self.stock(loser);
            let Some(i) = (0..stock.len()).find(|&i| stock[i] > 0) else { break };
            self.set_stock(loser, i, stock[i] - 1);
            self.toggle(loser, Kind::Shatra, square);
            self.toggle(loser, Kind::STOCK[i], square);
        }
        self.pass_turn();
    }
}
