"""Real clocks for engines that speak UCI: whole games in which nobody may run out of time, how soon `stop` is answered, how soon an engine is ready.

python3 tests/external/engine_clocks.py match "maydan engine uniform:chess" fairy-stockfish --clock 2+0.02 --games 100 --at-once 2
python3 tests/external/engine_clocks.py match "maydan engine uniform:chess" "maydan engine uniform:chess" --clock 40/2
python3 tests/external/engine_clocks.py stop "maydan engine models/shatara-small" --option Threads=2
python3 tests/external/engine_clocks.py speed "maydan engine models/shatara-small" --seconds 5
python3 tests/external/engine_clocks.py first "maydan engine models/shatara-small" --games 10

The first engine knows the rules and says when the game is over. Clocks run from the last byte of `go` to the first of `bestmove`, as the frontend sees it.
"""

import argparse
import concurrent.futures
import random
import shlex
import statistics
import subprocess
import time

LONGEST = 240  # plies


class Engine:
    def __init__(self, command, options=()):
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.say("uci")
        self.hear("uciok")
        for option in options:
            name, value = option.split("=")
            self.say(f"setoption name {name} value {value}")
        self.ready()

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hear(self, word):
        """The lines up to the one that begins with the word."""
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"{self.process.args} ended: {lines[-3:]}")
            lines.append(line.strip())
            if lines[-1].split(" ")[0] == word:
                return lines

    def ready(self):
        self.say("isready")
        self.hear("readyok")

    def quit(self):
        self.say("quit")
        self.process.wait(10)


class Clock:
    """`40/2`: moves in so many seconds; `2+0.02`: seconds for the game and for each move."""

    def __init__(self, text):
        self.period, self.increment = 0, 0.0
        if "/" in text:
            period, base = text.split("/")
            self.period, self.base = int(period), float(base)
        else:
            base, increment = text.split("+")
            self.base, self.increment = float(base), float(increment)
        self.left = [self.base, self.base]
        self.lowest = [self.base, self.base]

    def go(self, move):
        parts = [f"go wtime {1000 * self.left[0]:.0f} btime {1000 * self.left[1]:.0f}"]
        if self.increment:
            parts.append(f"winc {1000 * self.increment:.0f} binc {1000 * self.increment:.0f}")
        if self.period:
            parts.append(f"movestogo {self.period - move % self.period}")
        return " ".join(parts)

    def spend(self, side, seconds, move):
        self.left[side] -= seconds
        self.lowest[side] = min(self.lowest[side], self.left[side])
        self.left[side] += self.increment
        if self.period and (move + 1) % self.period == 0:
            self.left[side] += self.base


def play(number, arguments):
    """One game: lowest clock and seconds of each engine, and the plies."""
    engines = [Engine(command, options) for command, options in zip(arguments.engines, [arguments.option, []])]
    seats = [number % 2, 1 - number % 2]  # engine of White, of Black
    clock, moves, over = Clock(arguments.clock), [], False
    rng = random.Random(number)
    while len(moves) < LONGEST and not over:
        side, move = len(moves) % 2, len(moves) // 2
        engine = engines[seats[side]]
        for each in engines:
            each.say("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        engine.ready()
        # The first plies are off the clock, with a number of playouts that differs from game to game.
        begun = time.perf_counter()
        engine.say(clock.go(move) if moves[3:] else f"go nodes {rng.randrange(1, 40)}")
        lines = engine.hear("bestmove")
        seconds = time.perf_counter() - begun
        over = any("the game is over" in line for line in lines) or "(none)" in lines[-1]
        if not over:
            if moves[3:]:
                clock.spend(side, seconds, move)
            moves.append(lines[-1].split(" ")[1])
    for each in engines:
        each.quit()
    return [clock.lowest[seats.index(engine)] for engine in (0, 1)], len(moves)


def match(arguments):
    lowest, plies = [[], []], []
    with concurrent.futures.ThreadPoolExecutor(arguments.at_once) as pool:
        for clocks, length in pool.map(lambda number: play(number, arguments), range(arguments.games)):
            plies.append(length)
            for engine in (0, 1):
                lowest[engine].append(clocks[engine])
    print(f"{arguments.games} games, {sum(plies)} plies, clock {arguments.clock}, {arguments.at_once} at once")
    for engine, clocks in zip(arguments.engines, lowest):
        lost = sum(clock < 0 for clock in clocks)
        print(f"  {engine}: lost on time {lost}, lowest clock {1000 * min(clocks):.0f} ms")


def stop(arguments):
    engine, answers = Engine(arguments.engines[0], arguments.option), []
    for number in range(arguments.games):
        engine.say("go infinite")
        time.sleep(0.05 + 0.3 * random.Random(number).random())
        begun = time.perf_counter()
        engine.say("stop")
        engine.hear("bestmove")
        answers.append(1000 * (time.perf_counter() - begun))
    engine.quit()
    print(f"{arguments.games} stops: median {statistics.median(answers):.1f} ms, slowest {max(answers):.1f} ms")


def speed(arguments):
    engine = Engine(arguments.engines[0], arguments.option)
    engine.say(f"go movetime {1000 * arguments.seconds}")
    info = [line for line in engine.hear("bestmove") if line.startswith("info depth")][-1].split(" ")
    engine.quit()
    print(f"{info[info.index('nps') + 1]} playouts a second")


def first(arguments):
    """From the start of the program to `readyok`, and from there to the answer of the first search, which has one playout."""
    ready, answers = [], []
    for _ in range(arguments.games):
        begun = time.perf_counter()
        engine = Engine(arguments.engines[0], arguments.option)
        ready.append(time.perf_counter() - begun)
        engine.say("position startpos")
        begun = time.perf_counter()
        engine.say("go nodes 1")
        engine.hear("bestmove")
        answers.append(time.perf_counter() - begun)
        engine.quit()
    for name, seconds in [("ready", ready), ("first answer", answers)]:
        print(f"{name}: median {1000 * statistics.median(seconds):.0f} ms, slowest {1000 * max(seconds):.0f} ms, {arguments.games} starts")


parser = argparse.ArgumentParser()
parser.add_argument("work", choices=["match", "stop", "speed", "first"])
parser.add_argument("engines", nargs="+")
parser.add_argument("--clock", default="2+0.02")
parser.add_argument("--games", type=int, default=100)
parser.add_argument("--at-once", type=int, default=1)
parser.add_argument("--seconds", type=int, default=5)
parser.add_argument("--option", action="append", default=[], help="NAME=VALUE, for the first engine")
arguments = parser.parse_args()
{"match": match, "stop": stop, "speed": speed, "first": first}[arguments.work](arguments)
