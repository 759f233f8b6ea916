// The game and all that was tried beside it: positions as nodes, each reached by a move from the one before.

// More would not fit into what the browser keeps for a page.
const MOST = 3000;

function node(parent, move) {
  const turns = move?.side === "white" && parent.move?.side !== "white" ? 1 : 0;
  return { parent, move, children: [], depth: parent ? parent.depth + 1 : 0, row: parent ? Math.max(parent.row + turns, 1) : 0, value: null };
}

function pack({ move, children, value }) {
  return { move, value, children: children.map(pack) };
}

export class Tree {
  root = node(null, null);
  // Goes up with every move that comes or goes.
  version = 0;
  #size = 0;

  // The node that these moves of the server lead to; those that are not there yet are added.
  follow(moves) {
    let at = this.root;
    for (const move of moves) {
      const known = at.children.find((child) => child.move.action === move.action);
      at = known ?? this.#add(at, move);
    }
    return at;
  }

  #add(parent, move) {
    const added = node(parent, move);
    parent.children.push(added);
    this.#size += 1;
    this.version += 1;
    return added;
  }

  // The node that these actions lead to, if they were all played once.
  find(actions) {
    let at = this.root;
    for (const action of actions) {
      at = at.children.find((child) => child.move.action === action);
      if (!at) return null;
    }
    return at;
  }

  // The nodes that lead to one, the root first.
  path(node) {
    const path = [];
    for (let at = node; at; at = at.parent) path.unshift(at);
    return path;
  }

  // The actions that lead to a node.
  line(node) {
    return this.path(node).slice(1).map(({ move }) => move.action);
  }

  get branches() {
    const count = (node) => Math.max(node.children.length - 1, 0) + node.children.reduce((sum, child) => sum + count(child), 0);
    return count(this.root);
  }

  // Forgets what is beside these moves.
  prune(moves) {
    let at = this.root;
    for (const { action } of moves) {
      at.children = at.children.filter(({ move }) => move.action === action);
      at = at.children[0];
    }
    at.children = [];
    this.version += 1;
  }

  evaluate(node, value) {
    if (node.value && node.value.playouts > value.playouts) return;
    node.value = value;
  }

  // What brings the tree back; null where it is too large to be kept.
  keep() {
    return this.#size > MOST ? null : pack(this.root);
  }

  static restore(kept) {
    const tree = new Tree();
    const fill = (parent, { children, value }) => {
      parent.value = value ?? null;
      for (const child of children) fill(tree.#add(parent, child.move), child);
    };
    if (kept) fill(tree.root, kept);
    return tree;
  }
}
