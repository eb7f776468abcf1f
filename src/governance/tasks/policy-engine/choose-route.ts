/**
 * Choosing the routes of tasks by a frozen policy, as things are now: where an escalation replaces their policy.
 */
import { orThrow } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import type { Plans, Turn } from '../../policies/index.ts';
import { holdForTasks } from './evaluate.ts';
import { readVersion } from './routes.ts';
import { listRoutes, type RouteRow } from './store-routes.ts';
import type { Task } from '../task/index.ts';

/** The first turn whose conditions all hold. Each rule is tried once, and none behind one that does not hold. */
export async function findTurn(
  turns: readonly Turn[],
  holds: (condition: number, rule: string) => Promise<boolean>,
): Promise<Turn | undefined> {
  const known = new Map<string, boolean>();
  for (const turn of turns) {
    let matches = true;
    for (const [at, condition] of turn.conditions.entries()) {
      const rule = turn.rules[at] ?? '';
      matches &&= known.get(rule) ?? (await holds(condition, rule));
      known.set(rule, known.get(rule) ?? matches);
      if (!matches) {
        break;
      }
    }
    if (matches) {
      return turn;
    }
  }
  return undefined;
}

/** The first turn for each task whose conditions all hold for it, as things are now; each condition is evaluated once for all that get to it. */
async function findTurns(context: Context, plans: Plans, policyId: string, tasks: readonly Task[]): Promise<Map<string, Turn>> {
  const found = new Map<string, Turn>();
  const known = new Map<string, boolean>();
  for (const turn of plans.turns.get(policyId) ?? []) {
    let left = tasks.filter(({ id }) => !found.has(id));
    for (const condition of turn.conditions) {
      const asked = left.filter(({ id }) => !known.has(`${condition}/${id}`));
      const holds = asked.length === 0 ? [] : await holdForTasks(context, asked, plans.conditions[condition] ?? '', 'POLICY_CONDITION');
      for (const [at, { id }] of asked.entries()) {
        known.set(`${condition}/${id}`, holds[at] === true);
      }
      left = left.filter(({ id }) => known.get(`${condition}/${id}`));
    }
    for (const { id } of left) {
      found.set(id, turn);
    }
  }
  return found;
}

/** The routes that a policy of a review has for tasks of it, in their order; FAILED_PRECONDITION where the review did not freeze that policy. */
export async function chooseRoutes(
  context: Context,
  reviewId: string,
  policyId: string,
  tasks: readonly Task[],
): Promise<readonly RouteRow[]> {
  const routes = await listRoutes(context, reviewId);
  const versionOf = new Map(routes.map(({ routeNo, version }) => [routeNo, version]));
  const chosen = new Map<string, RouteRow>();
  for (const [version, group] of Map.groupBy(tasks, ({ routeNo }) => versionOf.get(routeNo) ?? 0)) {
    for (const [id, route] of await chooseOfVersion(context, reviewId, { version, policyId, routes }, group)) {
      chosen.set(id, route);
    }
  }
  return tasks.map(({ id }) => {
    return orThrow(chosen.get(id), 'FAILED_PRECONDITION', `The review has no policy ${policyId} to go on with.`);
  });
}

/** The routes that a policy has for tasks in a version of the policies of their review, by task; none where the version lacks the policy. */
export async function chooseOfVersion(
  context: Context,
  reviewId: string,
  { version, policyId, routes }: { readonly version: number; readonly policyId: string; readonly routes: readonly RouteRow[] },
  tasks: readonly Task[],
): Promise<Map<string, RouteRow>> {
  const plans = await readVersion(context, reviewId, version);
  const turns = await findTurns(context, plans, policyId, tasks);
  // A version has its routes one behind the other, by their numbers in its plans.
  const own = routes.filter((route) => route.version === version);
  const chosen = new Map<string, RouteRow>();
  for (const { id } of tasks) {
    const route = own[turns.get(id)?.route ?? -1];
    if (route !== undefined) {
      chosen.set(id, route);
    }
  }
  return chosen;
}
