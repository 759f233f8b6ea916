//! Floor 6: training: losses, optimiser, schedules, the moving average that plays.
