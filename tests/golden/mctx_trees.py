"""Search trees of mctx on small two-player problems, for `tests/it/search/golden.rs`.

    pip install mctx==0.0.71 jax==0.10.2
    python tests/golden/mctx_trees.py > tests/golden/mctx_trees.json

A problem is a full tree drawn from a seed: each position has logits, a value and a side to move, each action an end of the game or a
next position. An action's discount is -1 where the side changes, 1 where the same side moves again, and 0 at an end, whose
reward is the result for the side that moved. The JSON holds what mctx visited, in its order, with what it made of it:

  nodes[i].index       the node's number in mctx (the simulation that opened it); ends opened again below themselves are left out
  nodes[i].side        0 or 1, who is to move
  nodes[i].result      at an end, its value for that side, and nothing else; otherwise null
  nodes[i].raw_value, value, visits                    v(s), mean value, N(s)
  nodes[i].logits, children, child_visits, child_q     by action; children hold mctx's numbers, -1 where unvisited
"""

import functools
import json

import jax
import jax.numpy as jnp
import mctx
import numpy as np

SCALE = {"rescaled": dict(rescale_values=True, value_scale=0.1), "plain": dict(rescale_values=False, value_scale=1.0)}
PUCT = dict(pb_c_init=1.25, pb_c_base=19652.0)
FPU_REDUCTION = 0.3


def problem(seed, branching, depth, ends, again):
    """Tables over the positions of a full tree: `ends` of them finish the game, in `again` of them the side that moved moves again."""
    random = np.random.default_rng(seed)
    count = sum(branching**d for d in range(depth + 1))
    first_leaf = count - branching**depth
    side = np.zeros(count, np.int32)
    for child in range(1, count):
        parent = (child - 1) // branching
        side[child] = side[parent] if random.random() < again else 1 - side[parent]
    is_end = random.random(count) < ends
    is_end[0] = False
    is_end[first_leaf:] = True
    result = random.choice([-1.0, 0.0, 1.0], count).astype(np.float32)
    logits = random.normal(0, 1.5, (count, branching)).astype(np.float32).round(3)
    value = random.uniform(-0.9, 0.9, count).astype(np.float32).round(3)
    return dict(side=side, is_end=is_end, result=result, logits=logits, value=value, branching=branching)


def recurrent_fn(tables, _key, action, position):
    """mctx's model: an end of the game leads to itself, worth nothing more."""
    branching = tables["logits"].shape[1]
    at_end = tables["is_end"][position]
    child = jnp.where(at_end, position, position * branching + 1 + action)
    ends = tables["is_end"][child]
    same_side = tables["side"][child] == tables["side"][position]
    turn = jnp.where(same_side, 1.0, -1.0)
    output = mctx.RecurrentFnOutput(
        reward=jnp.where(ends & ~at_end, turn * tables["result"][child], 0.0),
        discount=jnp.where(ends, 0.0, turn),
        prior_logits=tables["logits"][child],
        value=jnp.where(ends, 0.0, tables["value"][child]),
    )
    return output, child


def first_play_urgency(tree, node):
    """Our q of unvisited actions under PUCT: the node's value less a share that grows with the priors already visited."""
    visited = tree.children_visits[node] > 0
    priors = jax.nn.softmax(tree.children_prior_logits[node])
    unvisited = tree.node_values[node] - FPU_REDUCTION * jnp.sqrt(jnp.sum(jnp.where(visited, priors, 0.0)))
    return jnp.where(visited, tree.qvalues(node), unvisited)


def short(x):
    """The shortest decimal that reads back as the same 32-bit float."""
    return float(str(np.float32(x)))


def record(name, config, tables, legal, noise, policy):
    tree = jax.tree.map(lambda x: np.asarray(x)[0], policy.search_tree.replace(extra_data=None))
    visits, position = tree.node_visits, tree.embeddings
    nodes = []
    for i in range(len(visits)):
        if visits[i] == 0 or (i > 0 and tables["is_end"][position[tree.parents[i]]]):
            continue
        p = position[i]
        ended = bool(tables["is_end"][p])
        node = dict(index=i, side=int(tables["side"][p]), result=int(tables["result"][p]) if ended else None)
        if not ended:
            q = tree.children_rewards[i] + tree.children_discounts[i] * tree.children_values[i]
            node |= dict(
                visits=int(visits[i]),
                raw_value=short(tree.raw_values[i]),
                value=short(tree.node_values[i]),
                logits=[short(x) for x in tables["logits"][p]],
                children=tree.children_index[i].tolist(),
                child_visits=tree.children_visits[i].tolist(),
                child_q=[short(x) for x in q],
            )
        nodes.append(node)
    return dict(
        name=name,
        config=config,
        legal=legal,
        noise=[short(x) for x in noise],
        action=int(policy.action[0]),
        action_weights=[short(x) for x in policy.action_weights[0]],
        nodes=nodes,
    )


def run(name, seed, *, branching, depth, simulations, ends, again=0.0, legal=None, considered=None, scale=None, dirichlet=None, flat=False):
    tables = problem(seed, branching, depth, ends, again)
    if flat:
        tables |= dict(logits=0 * tables["logits"], value=0 * tables["value"], result=0 * tables["result"])
    legal = list(range(branching)) if legal is None else legal
    invalid = np.ones((1, branching), bool)
    invalid[0, legal] = False
    root = mctx.RootFnOutput(
        prior_logits=jnp.array(tables["logits"][:1]),
        value=jnp.array(tables["value"][:1]),
        embedding=jnp.zeros(1, jnp.int32),
    )
    arguments = dict(
        params=jax.tree.map(jnp.array, {k: v for k, v in tables.items() if k != "branching"}),
        rng_key=jax.random.PRNGKey(seed),
        root=root,
        recurrent_fn=recurrent_fn,
        num_simulations=simulations,
        invalid_actions=jnp.array(invalid),
    )
    config = dict(simulations=simulations, c_visit=50.0)
    if considered is not None:
        config |= dict(mode="gumbel", considered_actions=considered, c_scale=SCALE[scale]["value_scale"])
        config |= dict(rescale_values=SCALE[scale]["rescale_values"])
        qtransform = functools.partial(mctx.qtransform_completed_by_mix_value, maxvisit_init=50.0, **SCALE[scale])
        policy = mctx.gumbel_muzero_policy(max_num_considered_actions=considered, gumbel_scale=0.0 if flat else 1.0, qtransform=qtransform, **arguments)
        noise = policy.search_tree.extra_data.root_gumbel[0]
    else:
        config |= dict(mode="puct", c_puct_init=PUCT["pb_c_init"], c_puct_base=PUCT["pb_c_base"], fpu_reduction=FPU_REDUCTION)
        config |= dict(dirichlet_fraction=dirichlet)
        policy = mctx.muzero_policy(
            qtransform=first_play_urgency, dirichlet_fraction=dirichlet, dirichlet_alpha=0.3, **PUCT, **arguments
        )
        # The policy splits its key in three and draws the noise from the second.
        key = jax.random.split(arguments["rng_key"], 3)[1]
        noise = jax.random.dirichlet(key, alpha=jnp.full([branching], 0.3), shape=(1,))[0]
    return record(name, config, tables, legal, noise, policy)


def main():
    problems = []
    for scale in SCALE:
        gumbel = functools.partial(run, scale=scale)
        problems += [
            gumbel(f"tiny, {scale}", 1, branching=3, depth=3, simulations=4, ends=0.0, considered=3),
            gumbel(f"one visit each, {scale}", 2, branching=8, depth=4, simulations=8, ends=0.1, considered=8),
            gumbel(f"no ends in reach, {scale}", 3, branching=6, depth=6, simulations=20, ends=0.0, considered=4),
            gumbel(f"more considered than actions, {scale}", 4, branching=5, depth=5, simulations=32, ends=0.1, considered=16),
            gumbel(f"illegal root actions, {scale}", 5, branching=10, depth=4, simulations=40, ends=0.1, considered=4, legal=[0, 2, 3, 5, 6, 8, 9]),
            gumbel(f"many ends, {scale}", 6, branching=4, depth=5, simulations=48, ends=0.35, considered=4),
            gumbel(f"sides that move twice, {scale}", 7, branching=4, depth=6, simulations=50, ends=0.1, again=0.4, considered=4),
            gumbel(f"deep and narrow, {scale}", 8, branching=2, depth=10, simulations=64, ends=0.05, again=0.2, considered=2),
            gumbel(f"one considered, {scale}", 9, branching=4, depth=6, simulations=12, ends=0.1, considered=1),
            gumbel(f"all actions alike, {scale}", 13, branching=5, depth=5, simulations=30, ends=0.1, considered=4, flat=True),
            gumbel(f"fewer simulations than considered, {scale}", 10, branching=9, depth=3, simulations=5, ends=0.1, considered=8),
        ]
    # mctx's rescaling ranges over illegal actions too, which shows once every legal one is visited; so these are plain.
    plain = functools.partial(run, scale="plain", branching=4, depth=6, ends=0.1)
    problems += [
        plain("one legal action", 11, simulations=10, legal=[2], considered=4),
        plain("all legal root actions considered", 12, simulations=30, legal=[0, 2, 3], considered=4),
    ]
    problems += [
        run("puct, small", 21, branching=4, depth=5, simulations=16, ends=0.1, dirichlet=0.0),
        run("puct, noise", 22, branching=6, depth=5, simulations=40, ends=0.0, dirichlet=0.25),
        run("puct, sides that move twice", 23, branching=4, depth=6, simulations=64, ends=0.03, again=0.4, dirichlet=0.25),
        run("puct, illegal root actions", 24, branching=7, depth=4, simulations=30, ends=0.03, legal=[1, 2, 4], dirichlet=0.0),
    ]
    out = json.dumps(problems, separators=(",", ":"))
    print(out.replace('{"index"', '\n{"index"').replace('{"name"', '\n{"name"').replace("}]}", "}\n]}"))


main()
