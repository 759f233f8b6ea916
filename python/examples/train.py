"""Our learner in PyTorch: `[train] command = ["python", "python/examples/train.py"]`.

The same network, losses, optimiser and moving average as `maydan train` has without a command.
"""

import math

import torch

from maydan.torch import Network, losses
from maydan.training import Order


def learning_rate(config, step, rows, progress):
    """Climbs over the first steps, then falls along half a cosine."""
    climb = min((step + 1) / (config["warmup_steps"] + 1), 1.0)
    progress = min(rows / config["decay_samples"] if progress is None else progress, 1.0)
    final = config["decay_final"]
    return config["learning_rate"] * climb * (final + (1 - final) * (1 + math.cos(math.pi * progress)) / 2)


def main():
    order = Order.from_arguments()
    config = order.run.config["train"]
    checkpoint = order.run.folder / f"gen-{order.generation:06}"
    network, playing = Network.load(checkpoint), Network.load(checkpoint)
    shrinks = [p for p in network.parameters() if p.dim() > 1]
    keeps = [p for p in network.parameters() if p.dim() == 1]
    optimiser = torch.optim.AdamW(
        [{"params": shrinks, "weight_decay": config["weight_decay"]}, {"params": keeps, "weight_decay": 0.0}],
        betas=(config["momentum"], config["adam_beta2"]),
    )
    kept = order.state / f"gen-{order.generation:06}.pt"
    if kept.exists():
        state = torch.load(kept)
        network.load_state_dict(state["network"])
        optimiser.load_state_dict(state["optimiser"])
    weights = [config["policy_loss_weight"], config["value_loss_weight"], config["moves_left_loss_weight"]]
    sums = torch.zeros(3)
    for step, batch in enumerate(order.dataset().torch(), 1):
        before = order.steps_before + step - 1
        rate = learning_rate(config, before, before * order.batch_size, order.progress)
        for group in optimiser.param_groups:
            group["lr"] = rate
        parts = losses(network, batch, config["value_mix"])
        optimiser.zero_grad()
        sum(weight * loss for weight, loss in zip(weights, parts, strict=True)).backward()
        norm = torch.nn.utils.clip_grad_norm_(network.parameters(), config["gradient_clip"] or math.inf)
        optimiser.step()
        keep = min(config["ema_decay"], (1 + before) / (10 + before))
        with torch.no_grad():
            for slow, fast in zip(playing.parameters(), network.parameters(), strict=True):
                slow.lerp_(fast, 1 - keep)
        sums += torch.stack(parts).detach()
        if step % 50 == 0 or step == order.steps:
            policy, value, moves_left = (sums / ((step - 1) % 50 + 1)).tolist()
            order.report(
                step, policy=policy, value=value, moves_left=moves_left, learning_rate=rate, gradient_norm=norm.item()
            )
            sums.zero_()
    state = {"network": network.state_dict(), "optimiser": optimiser.state_dict()}
    torch.save(state, order.state / f"gen-{order.generation + 1:06}.pt")
    order.finish(playing.weights())


if __name__ == "__main__":
    main()
