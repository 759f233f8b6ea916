//! Searching allocates nothing once its memory has grown to what its games need: counted by the allocator itself.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

use maydan::{
    encode::Rows,
    game::{Game, History, Playable, omega::Omega, random, shatara::Shatara, shatra::Shatra},
    model::{Evaluations, Evaluator, Uniform},
    search::{Cache, Mode, Search, SearchConfig, Step},
};
use toml::Table;

/// The system's allocator, counting.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// Allocations of this thread so far.
fn allocations() -> u64 {
    ALLOCATIONS.with(Cell::get)
}

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller promised.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Plays games of `plies` plies by search, and returns the allocations of all playouts of the last game, with the
/// number of playouts.
fn playouts_of_the_last_game<R: Playable>(game: &Game<R>, config: &SearchConfig, games: usize) -> (u64, u64) {
    const PLIES: usize = 30;
    let (mut search, mut cache) = (Search::new(), Cache::new(256));
    let (mut rows, mut evaluations) = (Rows::new(game.layout()), Evaluations::default());
    let mut uniform = Uniform { batch_size: 1 };
    let (mut taken, mut playouts) = (0, 0);
    for index in 0..games {
        (taken, playouts) = (0, 0);
        // The same game every time: what its search needs once it needs always.
        let mut rng = random::stream("test", 1, 0, 0);
        let mut position = game.start();
        let mut history = History::new(game, &position);
        search.reset();
        for _ in 0..PLIES {
            search.begin(game, config, &position, &history, &mut rng);
            let before = allocations();
            while search.step(game, &mut cache) == Step::Evaluate {
                let pending = search.pending();
                rows.clear();
                rows.push(game, pending.position, pending.repetitions);
                uniform.evaluate(&rows, &mut evaluations).unwrap();
                search.supply_rows(game, &mut cache, &evaluations, 0);
            }
            taken += allocations() - before;
            let result = search.result();
            playouts += u64::from(result.playouts);
            let action = result.best().action;
            game.apply(&mut position, action);
            history.push(game, &position);
            search.advance(action);
        }
        assert!(index > 0 || taken > 0, "the first game finds no memory");
    }
    (taken, playouts)
}

#[test]
fn a_playout_allocates_nothing_in_the_steady_state() {
    let none = Table::new();
    for mode in [Mode::Gumbel, Mode::Puct] {
        let config = SearchConfig { mode, playouts: 32, ..SearchConfig::default() };
        let counted = [
            playouts_of_the_last_game(&Shatara::game(&none).unwrap(), &config, 6),
            playouts_of_the_last_game(&Omega::game(&none).unwrap(), &config, 6),
            playouts_of_the_last_game(&Shatra::game(&none).unwrap(), &config, 6),
        ];
        for (taken, playouts) in counted {
            assert!(playouts >= 900, "{playouts} playouts");
            assert_eq!(taken, 0, "{mode:?}: allocations in {playouts} playouts");
        }
    }
}
