#!/bin/sh
# The corpora to begin with, made of files of the project.
set -e
cd "$(dirname "$0")"
# What frontends say in the transcripts, for each game and protocol.
mkdir -p corpus/engine_lines
for choice in 0 1 2 3 4 5 6 7 8 9 : ';' '<' = '>' '?' @ A B C; do
    for transcript in ../tests/golden/engine/*.txt; do
        { printf '%s' "$choice"; sed -n 's/^> //p' "$transcript"; } > "corpus/engine_lines/$(basename "$transcript" .txt)-$(printf '%d' "'$choice")"
    done
done
# Every tenth position of the playthroughs; the digits are the games in the order of the registry.
mkdir -p corpus/positions
choice=0
for game in shatara chess shatar omega omega-advanced shatra; do
    sed -n 's/^position: //p' "../tests/golden/playthrough_$game.txt" | sed -n '1~10p' | while read -r position; do
        printf '%s%s' "$choice" "$position" > "corpus/positions/$game-$(printf '%s' "$position" | cksum | cut -d ' ' -f 1)"
    done
    choice=$((choice + 1))
done
# The configurations that come with the project.
mkdir -p corpus/run_configs corpus/study_configs
cp ../configs/*.toml corpus/run_configs
cp ../configs/studies/*.toml corpus/study_configs
