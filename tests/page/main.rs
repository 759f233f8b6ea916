//! Tests of the page of `maydan serve` in Chromium. Each is skipped, with a line that says so, where Chromium is not
//! installed.

mod browser;
mod games;
mod hand;
mod panel;
mod report;
mod review;
mod sizes;
mod whole_games;
