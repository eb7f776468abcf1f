/** Ways through a function: at each fork that only a run of the program decides, one way is taken, and the others in runs of their own. */

/** Takes a way at each fork. */
export class Choices {
  /** Forks in the order in which they were come to, and how many ways each has. */
  readonly met = new Map<string, number>();
  private readonly taken: ReadonlyMap<string, number>;

  constructor(taken: ReadonlyMap<string, number>) {
    this.taken = taken;
  }

  /** Returns which of the ways is taken; the same at each fork of the same id. */
  choose(id: string, ways: number): number {
    if (!this.met.has(id)) {
      this.met.set(id, ways);
    }
    return Math.min(this.taken.get(id) ?? 0, ways - 1);
  }
}

/** Runs until each way of each fork was taken once, as far as `most` runs go. */
export function runAll(run: (choices: Choices) => void, most = 120): void {
  const seen = new Set<string>();
  const open: ReadonlyMap<string, number>[] = [new Map()];
  for (let count = 0; count < most; count++) {
    const taken = open.shift();
    if (taken === undefined) {
      return;
    }
    const choices = new Choices(taken);
    run(choices);
    for (const [id, ways] of choices.met) {
      for (let way = 0; way < ways; way++) {
        if (way !== (taken.get(id) ?? 0) && !seen.has(`${id}=${way}`)) {
          open.push(new Map([...taken, [id, way]]));
        }
        seen.add(`${id}=${way}`);
      }
    }
  }
}
