"""Many visitors of `maydan serve` at once, for a long time: does the server keep its memory, its descriptors and its pace?

python3 tests/external/serve_soak.py "target/release/maydan serve models/shatara.maydan models/shatra.maydan" --visitors 200 --minutes 30 --out soak.csv

Starts the server on a free port of 127.0.0.1, with a session for each visitor. Visitors play against its bots with few playouts, look back, analyse,
send what is no message, go without a word, and come again. Each minute becomes a line of the CSV: the server's memory, descriptors and threads, and the
times of its answers. Answers that need no search are told apart from the bot's moves. Needs Linux and nothing but Python 3.11.
"""

import argparse
import asyncio
import base64
import csv
import json
import os
import random
import shlex
import signal
import statistics
import subprocess
import time

# What a visitor may be told that is no fault of the server.
EXPECTED = {"message", "limit", "action", "game", "over", "position", "record", "bot", "full"}


class Closed(Exception):
    """The server has ended the conversation."""


class Socket:
    """A WebSocket (RFC 6455), as far as this needs it."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    @staticmethod
    async def open(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
        key = base64.b64encode(random.randbytes(16)).decode()
        head = f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        writer.write(f"{head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode())
        try:
            answer = await reader.readuntil(b"\r\n\r\n")
        except (OSError, asyncio.IncompleteReadError):
            answer = b""
        if b" 101 " not in answer.split(b"\r\n")[0]:
            writer.transport.abort()
            raise Closed(answer)
        return Socket(reader, writer)

    def send(self, payload, opcode=1):
        length = len(payload)
        head = bytes([0x80 | opcode])
        if length < 126:
            head += bytes([0x80 | length])
        elif length < 1 << 16:
            head += bytes([0x80 | 126]) + length.to_bytes(2)
        else:
            head += bytes([0x80 | 127]) + length.to_bytes(8)
        # The mask of zeros is one, too, and leaves the payload as it is.
        self.writer.write(head + bytes(4) + payload)

    async def receive(self):
        """The next text; answers pings on the way."""
        while True:
            try:
                first, second = await self.reader.readexactly(2)
                length = second & 0x7F
                if length >= 126:
                    length = int.from_bytes(await self.reader.readexactly(2 if length == 126 else 8))
                payload = await self.reader.readexactly(length)
            except (OSError, asyncio.IncompleteReadError):
                raise Closed from None
            opcode = first & 0x0F
            if opcode == 1:
                return json.loads(payload)
            if opcode == 8:
                raise Closed
            if opcode == 9:
                self.send(payload, 10)

    def abort(self):
        self.writer.transport.abort()


class Counts:
    """What happened within a minute."""

    def __init__(self):
        self.answers, self.moves, self.happened = [], [], {}

    def note(self, what):
        self.happened[what] = self.happened.get(what, 0) + 1


class Soak:
    def __init__(self, arguments, port):
        self.arguments, self.port = arguments, port
        self.end = time.monotonic() + 60 * arguments.minutes
        self.counts, self.faults = Counts(), []

    async def ask(self, socket, request, kind):
        """Sends a request and gives the answer, or None where it is refused."""
        begun = time.perf_counter()
        socket.send(json.dumps(request).encode())
        while True:
            answer = await asyncio.wait_for(socket.receive(), 120)
            if answer["type"] == "error":
                self.counts.note(f"error {answer['id']}")
                if answer["id"] not in EXPECTED:
                    self.faults.append(f"{request}: {answer}")
                return None
            if answer["type"] == kind:
                searched = request["type"] in ("move", "analyse")
                times = self.counts.moves if searched else self.counts.answers
                times.append(1000 * (time.perf_counter() - begun))
                return answer

    async def visit(self, rng):
        """One conversation, which ends in one of many ways."""
        socket = await Socket.open(self.port)
        self.counts.note("visit")
        try:
            hello = await asyncio.wait_for(socket.receive(), 120)
            if hello["type"] != "hello":
                return self.counts.note(f"error {hello.get('id')}")
            for _ in range(rng.randrange(1, 6)):
                if time.monotonic() >= self.end or not await self.play(socket, rng, len(hello["bots"])):
                    return None
        finally:
            socket.abort()

    async def play(self, socket, rng, bots):
        """A game, or a part of it; False where the visitor goes in the middle."""
        state = await self.ask(socket, {"type": "new", "bot": rng.randrange(bots)}, "state")
        while state and not state["outcome"] and len(state["moves"]) < 200 and time.monotonic() < self.end:
            await asyncio.sleep(rng.expovariate(1 / self.arguments.pause))
            # A visitor and the bot in turn, and now and then something else.
            moves, chance = len(state["moves"]), rng.random()
            if chance < 0.01:
                socket.send(json.dumps({"type": "analyse", "playouts": 100_000}).encode())
                await asyncio.sleep(rng.random())
                self.counts.note("gone in a search")
                return False
            if chance < 0.02:
                await self.talk_rubbish(socket, rng)
                return False
            if chance < 0.06:
                await self.ask(socket, {"type": "look", "after": rng.randrange(moves + 1)}, "past")
            elif chance < 0.09:
                await self.ask(socket, {"type": "analyse", "playouts": rng.randrange(8, 33), "candidates": 8}, "idle")
            elif chance < 0.11:
                state = await self.ask(socket, {"type": "undo", "plies": rng.randrange(3)}, "state")
            elif chance < 0.13:
                await self.ask(socket, {"type": "play", "action": rng.choice(["", "e9e9", "\x1b[2J" * 99])}, "state")
            elif moves % 2:
                order = {"type": "move", "playouts": rng.randrange(8, 33), "variety": 1.0}
                state = await self.ask(socket, order, "state")
            else:
                action = rng.choice(state["legal"])["action"]
                state = await self.ask(socket, {"type": "play", "action": action}, "state")
        self.counts.note("game")
        return state is not None

    async def talk_rubbish(self, socket, rng):
        self.counts.note("rubbish")
        kind = rng.randrange(5)
        if kind == 0:
            for _ in range(30):
                socket.send(rng.choice([b"{", b"[" * 1000, b'{"type":"new","bot":-1}', b'{"type":"dance"}', b"null"]))
        elif kind == 1:
            socket.send(b"x" * (1 << 17))
        elif kind == 2:
            socket.send(b"\xff\xfe\xfd")
        elif kind == 3:
            socket.send(rng.randbytes(100), 2)
        else:
            socket.writer.write(rng.randbytes(1000))
        await asyncio.sleep(rng.random())

    async def knock(self, rng):
        """Somebody who speaks no HTTP, or stops in the middle of it."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(rng.choice([b"GET / HTTP/1.1\r\nHost: ", rng.randbytes(300), b"\r\n" * 50, b""]))
        await asyncio.sleep(rng.random())
        writer.transport.abort()
        self.counts.note("knock")

    async def stay(self, number):
        """A visitor: conversations until the end."""
        rng = random.Random(number)
        await asyncio.sleep(10 * rng.random())
        while time.monotonic() < self.end:
            try:
                if rng.random() < 0.1:
                    await self.knock(rng)
                await self.visit(rng)
            except Closed:
                self.counts.note("closed by the server")
            except TimeoutError:
                self.faults.append(f"visitor {number}: no answer within 120 s")
            except OSError as error:
                self.faults.append(f"visitor {number}: {error}")
            await asyncio.sleep(rng.random())


def status(pid):
    """Resident memory in MB, descriptors, threads."""
    with open(f"/proc/{pid}/status") as lines:
        fields = dict(line.split(":", 1) for line in lines)
    return int(fields["VmRSS"].split()[0]) / 1024, len(os.listdir(f"/proc/{pid}/fd")), int(fields["Threads"])


def summary(times):
    """Median, 99th percentile and maximum in milliseconds."""
    if len(times) < 2:
        return [""] * 3
    return [f"{x:.1f}" for x in (statistics.median(times), statistics.quantiles(times, n=100)[98], max(times))]


COLUMNS = ["minute", "rss_mb", "descriptors", "threads", "answers", "median_ms", "p99_ms", "max_ms"]
COLUMNS += ["searches", "search_median_ms", "search_p99_ms", "search_max_ms", "happened"]


async def watch(soak, pid, out):
    """A line for each minute."""
    rows, begun = csv.writer(out), time.monotonic()
    rows.writerow(COLUMNS)
    minute = 0
    while time.monotonic() < soak.end:
        minute += 1
        await asyncio.sleep(max(0, begun + 60 * minute - time.monotonic()))
        counts, soak.counts = soak.counts, Counts()
        rss, descriptors, threads = status(pid)
        row = [minute, f"{rss:.0f}", descriptors, threads, len(counts.answers), *summary(counts.answers)]
        row += [len(counts.moves), *summary(counts.moves)]
        row.append("; ".join(f"{what} {times}" for what, times in sorted(counts.happened.items())))
        rows.writerow(row)
        out.flush()
        print(*row, sep="\t", flush=True)


async def run(arguments):
    command = [*shlex.split(arguments.server), "--port", "0", "--sessions", str(arguments.visitors)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        port = int(server.stdout.readline().strip().rstrip("/").rsplit(":", 1)[1])
        soak = Soak(arguments, port)
        print(*COLUMNS, sep="\t")
        print("before", *(f"{number:.0f}" for number in status(server.pid)), sep="\t", flush=True)
        with open(arguments.out, "w", newline="") as out:
            visitors = [soak.stay(number) for number in range(arguments.visitors)]
            await asyncio.gather(watch(soak, server.pid, out), *visitors)
        await asyncio.sleep(15)
        print("after", *(f"{number:.0f}" for number in status(server.pid)), sep="\t")
        print(f"{len(soak.faults)} faults", *soak.faults[:20], sep="\n")
        server.send_signal(signal.SIGINT)
        print(f"the server ended with {server.wait(30)}")
    finally:
        server.kill()


parser = argparse.ArgumentParser()
parser.add_argument("server", help="the command `maydan serve` with its bots, without port and sessions")
parser.add_argument("--visitors", type=int, default=200)
parser.add_argument("--minutes", type=float, default=30)
parser.add_argument("--pause", type=float, default=10.0, help="mean seconds before each request of a visitor")
parser.add_argument("--out", default="soak.csv")
asyncio.run(run(parser.parse_args()))
