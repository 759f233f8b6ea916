// The legal actions as ways from a place to a place. A place is a square (`e2`) or a kind in the zone of the side to move (`zone:P`).

// The place in the zone of the piece that an action on the spot brings in, in whatever case the action writes it.
function incoming(action, zoneKinds) {
  const kind = action.choice?.toUpperCase();
  return kind && zoneKinds.includes(kind) ? `zone:${kind}` : null;
}

export class Ways {
  #from = new Map();
  #onTheSpot = new Map();
  // Actions without a place: buttons.
  plain = [];

  constructor(legal, zoneKinds) {
    for (const action of legal) {
      if (action.from === null && action.to === null) this.plain.push(action);
      else if (action.from !== action.to) this.#add(action.from, action.to, action);
      else this.#addOnTheSpot(action, incoming(action, zoneKinds));
    }
  }

  #add(from, to, action) {
    if (!this.#from.has(from)) this.#from.set(from, new Map());
    const targets = this.#from.get(from);
    if (!targets.has(to)) targets.set(to, []);
    targets.get(to).push(action);
  }

  // A piece that is promoted where it stands changes places with one of the zone: either may be chosen first.
  #addOnTheSpot(action, zone) {
    if (!this.#onTheSpot.has(action.from)) this.#onTheSpot.set(action.from, []);
    this.#onTheSpot.get(action.from).push(action);
    if (zone === null) {
      this.#add(action.from, action.to, action);
    } else {
      this.#add(action.from, zone, action);
      this.#add(zone, action.to, action);
    }
  }

  isSource(place) {
    return this.#from.has(place);
  }

  sources() {
    return [...this.#from.keys()];
  }

  // Each place that can be reached, with the actions that lead there.
  targets(place) {
    return this.#from.get(place) ?? new Map();
  }

  onTheSpot(place) {
    return this.#onTheSpot.get(place) ?? [];
  }

  // The only square from which anything can be done, as in a series under way.
  onlySquare() {
    const sources = this.sources();
    return sources.length === 1 && !sources[0].startsWith("zone:") ? sources[0] : null;
  }
}
