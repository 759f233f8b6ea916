# make demo  sets up and trains a small network on Shatara Arena (GAME=chess for another game)
# make test  sets up and runs every test
# make check sets up and makes the checks beside the tests: formatting, lints, documentation, the oldest Rust promised
# make setup only fetches libtorch
GAME ?= shatara
RUN ?= $(GAME)-demo

.PHONY: demo test check setup clean-demo

setup:
	@.ci/setup

demo: setup
	cargo run --release -- train configs/$(GAME)-demo.toml --run $(RUN)

clean-demo:
	rm -rf data/$(RUN) models/$(RUN)

test: setup
	cargo test --no-fail-fast
	cargo test --no-default-features --features engine --no-fail-fast

check: setup
	@.ci/check
