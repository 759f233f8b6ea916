"""A network that is not ours, in the loop: attention between the squares of the board.

    python python/examples/transformer.py new transformer.pt shatara

writes a fresh network. With `[model] module = "transformer.pt"` a run begins with it, and with
`[train] command = ["python", "python/examples/transformer.py"]` it calls this program to train it.
"""

import sys

import torch
import torch.nn.functional as F
from torch import nn

import maydan
from maydan.torch import MOVES_LEFT_SCALE, export, losses
from maydan.training import Order


class Block(nn.Module):
    """Attention between all squares, and a hidden layer on each."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.project, self.join = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.hidden = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x):
        parts = self.project(self.before(x)).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(parts[0], parts[1], parts[2])
        x = x + self.join(seen.transpose(1, 2).flatten(2))
        return x + self.hidden(self.between(x))


class Transformer(nn.Module):
    """From planes `[B, C, H, W]` to policy logits `[B, A]`, logits of win, draw and loss `[B, 3]`, plies left `[B]`."""

    def __init__(self, game, width=48, blocks=2, heads=4):
        super().__init__()
        channels, rows, columns = game.planes_shape
        self.embed = nn.Conv2d(channels, width, 1)
        self.places = nn.Parameter(0.1 * torch.randn(rows * columns, width))
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(blocks)))
        self.end = nn.LayerNorm(width)
        self.policy = nn.Linear(width, len(game.action_planes))
        self.value = nn.Linear(width, 4)

    def forward(self, planes):
        x = self.embed(planes).flatten(2).transpose(1, 2) + self.places
        x = self.end(self.blocks(x))
        value = self.value(x.mean(dim=1))
        return self.policy(x).transpose(1, 2).flatten(1), value[:, :3], F.softplus(value[:, 3]) * MOVES_LEFT_SCALE


def main():
    if sys.argv[1:2] == ["new"]:
        torch.manual_seed(1)
        game = maydan.Game(sys.argv[3])
        export(Transformer(game), sys.argv[2], game)
        return
    order = Order.from_arguments()
    game = order.run.game
    network = Transformer(game)
    # The network that played knows its weights by the same names.
    network.load_state_dict(torch.jit.load(order.network).state_dict())
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-3, weight_decay=0.01)
    kept = order.state / f"gen-{order.generation:06}.pt"
    if kept.exists():
        optimiser.load_state_dict(torch.load(kept))
    for step, batch in enumerate(order.dataset().torch(), 1):
        policy, value, moves_left = losses(network, batch)
        optimiser.zero_grad()
        (policy + value + 0.1 * moves_left).backward()
        norm = nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimiser.step()
        if step % 50 == 0 or step == order.steps:
            order.report(step, policy=policy, value=value, moves_left=moves_left, gradient_norm=norm.item())
    torch.save(optimiser.state_dict(), order.state / f"gen-{order.generation + 1:06}.pt")
    export(network, order.output, game)


if __name__ == "__main__":
    main()
