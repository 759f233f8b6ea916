# make demo  sets up and trains a small network on Shatara Arena (GAME=chess for another game)
# make test  sets up and runs every test, and those of tests/it (but of the rules) once more without libtorch
# make python builds the Python package in .venv and runs its tests
# make check sets up and makes the checks beside the tests: formatting, lints, documentation, licences of dependencies,
#            the oldest Rust promised
# make dist  writes an archive of the program without libtorch, to copy to other machines, into dist/
# make setup only fetches libtorch
GAME ?= shatara
RUN ?= $(GAME)-demo

.PHONY: demo test python check dist setup clean-demo

setup:
	@.ci/setup

demo: setup
	cargo run --release -- train configs/$(GAME)-demo.toml --run $(RUN)

clean-demo:
	rm -rf data/$(RUN) models/$(RUN)

test: setup
	@.ci/nats
	@.ci/python build
	MAYDAN_PYTHON=$(CURDIR)/.venv/bin/python cargo test --features cloud --no-fail-fast
	@.ci/python test
	cargo test --no-default-features --features engine --no-fail-fast --test it -- --skip games::

python: setup
	cargo build
	@.ci/python build
	@.ci/python test

check: setup
	@.ci/check

dist:
	@.ci/dist
