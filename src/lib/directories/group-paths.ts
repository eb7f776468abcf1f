/** Ways by which members of a group are members of others: groups in groups, upwards. */

const maxSteps = 20;
const maxPathsToGroup = 16;

/** A group that a group lies in, and the way there. */
export interface GroupPath {
  readonly target: number;
  /** Groups from the one that holds the member up to the one below the target. */
  readonly steps: readonly number[];
}

/** Ways up from a group. */
export interface GroupPaths {
  readonly paths: readonly GroupPath[];
  /** True if some way led back to the group itself. */
  readonly isCyclic: boolean;
  /** True if there are more than 16 ways to a group, or one of more than 20 steps. */
  readonly isCut: boolean;
}

/** Returns the ways from a group to all it lies in, without turning in a circle. `parentsOf` gives the groups that a group is a member of. */
export function findGroupPaths(start: number, parentsOf: (group: number) => readonly number[]): GroupPaths {
  const paths: GroupPath[] = [];
  const counts = new Map<number, number>();
  let isCyclic = false;
  let isCut = false;
  // The shortest ways first, so that those are the ones that stay.
  const open: (readonly number[])[] = [[start]];
  for (let steps = open.shift(); steps !== undefined; steps = open.shift()) {
    for (const target of parentsOf(steps.at(-1) as number)) {
      const count = counts.get(target) ?? 0;
      if (steps.includes(target)) {
        isCyclic ||= target === start;
      } else if (count >= maxPathsToGroup || steps.length > maxSteps) {
        isCut = true;
      } else {
        counts.set(target, count + 1);
        paths.push({ target, steps });
        open.push([...steps, target]);
      }
    }
  }
  return { paths, isCyclic, isCut };
}
