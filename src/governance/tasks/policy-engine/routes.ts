/**
 * The routes of a review: made when its policies are frozen, read again whenever items are put on them.
 */
import type { Context } from '../../../context.ts';
import { flattenPolicies, type Plans } from '../../policies/index.ts';
import { readPlans } from '../../snapshots/index.ts';
import { readStepAt } from '../task/index.ts';
import { findPolicies } from './store-policy-versions.ts';
import { insertRoutes } from './store-routes.ts';

/** Reads a version of the policies of a review; the same for every reading. */
export async function readVersion(context: Context, reviewId: string, version: number): Promise<Plans> {
  if (version === 0) {
    return readPlans(context, reviewId);
  }
  const kept = await findPolicies(context, reviewId, version);
  return flattenPolicies(new Map(Object.entries(kept?.documents ?? {})), kept === undefined ? [] : [kept.rootId]);
}

/** The numbers of the routes that begin with a step which asks nobody, by what that does. */
export interface MachineRoutes {
  readonly accept: readonly number[];
  readonly reject: readonly number[];
  readonly wait: readonly number[];
}

/** The routes of plans that begin with a machine's step. */
export function listMachineRoutes({ routes }: Plans): MachineRoutes {
  const of = (kind: keyof MachineRoutes) =>
    routes.flatMap(({ document }, number) => (readStepAt(document, 0)?.kind === kind ? [number] : []));
  return { accept: of('accept'), reject: of('reject'), wait: of('wait') };
}

/** Keeps the routes of a review, which has none yet. */
export function keepRoutes(context: Context, reviewId: string, plans: Plans): Promise<void> {
  return insertRoutes(context, reviewId, plans.routes, 0);
}
