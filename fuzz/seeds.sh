#!/bin/sh
# What frontends say in the transcripts, for each game and protocol: the corpus to begin with.
set -e
cd "$(dirname "$0")"
mkdir -p corpus/engine_lines
for choice in 0 1 2 3 4 5 6 7 8 9 : ';' '<' = '>' '?' @ A B C; do
    for transcript in ../tests/golden/engine/*.txt; do
        { printf '%s' "$choice"; sed -n 's/^> //p' "$transcript"; } > "corpus/engine_lines/$(basename "$transcript" .txt)-$(printf '%d' "'$choice")"
    done
done
