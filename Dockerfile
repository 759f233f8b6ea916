# maydan in an image. `docker build -t maydan .` makes one without libtorch, to play and to study;
# `docker build -t maydan-train --target train .` one with libtorch, to train. docs/install.md has how to run them.
ARG RUST=1.89

FROM rust:${RUST}-bookworm AS source
RUN apt-get update && apt-get install --yes --no-install-recommends python3 python3-pip
WORKDIR /build
COPY . .

FROM source AS build-play
RUN cargo build --release --locked --no-default-features --features engine
RUN .ci/licences x86_64-unknown-linux-gnu --no-default-features --features engine > licences.txt

FROM source AS build-train
RUN make setup
# For coordinators and workers of a fleet too (docs/fleet.md).
RUN .ci/nats
RUN cargo build --release --locked --features cloud
RUN .ci/licences x86_64-unknown-linux-gnu --features cloud > licences.txt

FROM debian:bookworm-slim AS base
RUN useradd maydan && install --directory --owner=maydan /runs
WORKDIR /maydan
COPY models models
COPY configs configs
COPY LICENSE-MIT LICENSE-APACHE ./
USER maydan
ENTRYPOINT ["maydan"]

FROM base AS train
# Where the program looks for libtorch.
COPY --from=build-train /build/.libtorch/torch/lib /build/.libtorch/torch/lib
COPY --from=build-train /build/.libtorch/nvidia /build/.libtorch/nvidia
COPY --from=build-train /build/licences.txt licences.txt
COPY --from=build-train /build/.nats-server/bin/nats-server /usr/local/bin/nats-server
COPY --from=build-train /build/target/release/maydan /usr/local/bin/maydan

FROM base AS play
COPY --from=build-play /build/licences.txt licences.txt
COPY --from=build-play /build/target/release/maydan /usr/local/bin/maydan
