"""An engine whose time management is taken away, to hold it against the same engine with it.

maydan match "uci:maydan engine NETWORK" "uci:python3 tests/external/even_time.py maydan engine NETWORK" --game GAME --clock 2+0.03

Passes all lines on, but turns `go` with a clock into `go movetime` of an even share of it, which is what `maydan engine` gives a move whose choice is neither settled nor
open: a thirtieth of what is left and three quarters of the increment.
"""

import subprocess
import sys
import threading

OVERHEAD = 30  # milliseconds, the default of `Move Overhead`
HORIZON = 30  # moves


def even_share(line, black):
    words = line.split()
    value = lambda name: int(float(words[words.index(name) + 1])) if name in words else 0
    left, increment = (value("btime"), value("binc")) if black else (value("wtime"), value("winc"))
    usable = max(left - OVERHEAD, 0)
    return max(1, int(min(usable / HORIZON + 0.75 * increment, 0.8 * usable)))


def main():
    engine = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, text=True, bufsize=1)
    threading.Thread(target=lambda: (engine.wait(), sys.stdin.close()), daemon=True).start()
    black = False
    for line in sys.stdin:
        if line.startswith("position"):
            # Whose clock counts, in games in which the sides take turns: not in Altai Shatra, where one may move twice.
            moves = line.split(" moves ")[1].split() if " moves " in line else []
            to_move = line.split(" fen ")[1].split()[1] == "b" if " fen " in line else False
            black = to_move != (len(moves) % 2 == 1)
        if line.startswith("go") and "time" in line and "movetime" not in line:
            # The engine itself keeps the overhead back from a time for a move.
            line = f"go movetime {even_share(line, black) + OVERHEAD}\n"
        engine.stdin.write(line)
        engine.stdin.flush()
        if line.startswith("quit"):
            break
    engine.stdin.close()
    engine.wait()


main()
