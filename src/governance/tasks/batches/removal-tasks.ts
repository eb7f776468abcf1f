/**
 * Tasks of removals: made for those that are requested, on the route that their policy has for them. What becomes of a removal is for the module that
 * keeps it; how its task goes from step to step is in removal-steps.ts.
 */
import type { ProvisionPolicyJson } from '../../../gen/c1/api/policy/v1/provision_pb.js';
import { canonicalJson } from '../../../lib/log/canonical-json.ts';
import type { Context } from '../../../context.ts';
import { newId } from '../../../wire/ids.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { ensureRevokePolicy, flattenPolicies, listPlanProblems, listReachedDocuments, removalDocument } from '../../policies/index.ts';
import { enterSteps, chooseOfVersion, findOrInsertVersion, lockPolicyVersions, listRoutes, type RouteRow } from '../policy-engine/index.ts';
import { readApprovalAt, listTasksByIds, type Task } from '../task/index.ts';
import {
  insertRemovalBatch,
  insertRemovalTasks,
  type NewRemovalTask,
  type RemovalPlace,
  updateRemovalPlaces,
} from './store-removal-tasks.ts';

/** Access to remove, and by which policy (empty for the tenant's starting one); `own` says how its entitlement is provisioned, null for nothing. */
export interface RemovalItem extends Omit<NewRemovalTask, 'id'> {
  readonly own: ProvisionPolicyJson | null;
}

/** The task of a removal as it was made. */
export interface OpenedTask {
  readonly taskId: string;
  /** True if somebody is asked to remove the access; else whether it may be removed. */
  readonly isProvision: boolean;
  /** Reason its policy alone refuses the removal; undefined where it does not. */
  readonly refusal?: string;
}

/** The version of a policy that a batch keeps, and under which policy its routes are; undefined where the policy cannot be carried out. */
async function keepPolicy(
  context: Context,
  batchId: string,
  rootId: string,
  own: ProvisionPolicyJson | undefined,
): Promise<{ version: number; policyId: string } | { problems: readonly string[] }> {
  const documents = Object.fromEntries(
    [...(await listReachedDocuments(context, rootId))].map(([id, document]) => [id, { ...removalDocument(document, own), id }]),
  );
  const plans = flattenPolicies(new Map(Object.entries(documents)), [rootId]);
  const problems = listPlanProblems(plans, { mayDecideAlone: true });
  return problems.length > 0
    ? { problems }
    : { version: await findOrInsertVersion(context, batchId, { rootId, documents }, plans), policyId: rootId };
}

/** The same, by the tenant's starting policy where the one that is asked for cannot be carried out, which is an event. */
async function keepUsablePolicy(
  context: Context,
  batchId: string,
  policyId: string,
  own: ProvisionPolicyJson | undefined,
): Promise<{ version: number; policyId: string }> {
  const wanted = policyId === '' ? undefined : await keepPolicy(context, batchId, policyId, own);
  if (wanted !== undefined && 'version' in wanted) {
    return wanted;
  }
  const starting = await ensureRevokePolicy(context);
  if (wanted !== undefined) {
    const data = { batchId, policyId, usedPolicyId: starting.id, problems: wanted.problems };
    await recordEvent(context, { kind: 'revocations.policy_unusable', targetId: policyId, data });
  }
  const found = await keepPolicy(context, batchId, starting.id, own);
  // Its steps may have been taken away since: then nobody is asked but by the chain of those who always are.
  return 'version' in found ? found : { version: await keepNothing(context, batchId, starting.id), policyId: starting.id };
}

function keepNothing(context: Context, batchId: string, policyId: string): Promise<number> {
  const documents = { [policyId]: { ...removalDocument({ policySteps: { revoke: { steps: [] } } }, undefined), id: policyId } };
  const plans = flattenPolicies(new Map(Object.entries(documents)), [policyId]);
  return findOrInsertVersion(context, batchId, { rootId: policyId, documents }, plans);
}

/** The route of each task by the policy of its item, by its id. */
async function chooseRemovalRoutes(
  context: Context,
  batchId: string,
  items: readonly (RemovalItem & { readonly task: Task })[],
): Promise<Map<string, RouteRow>> {
  const chosen = new Map<string, RouteRow>();
  for (const group of Map.groupBy(items, ({ policyId, own }) => `${policyId}/${canonicalJson(own)}`).values()) {
    const [first] = group;
    if (first !== undefined) {
      const { version, policyId } = await keepUsablePolicy(context, batchId, first.policyId, first.own ?? undefined);
      const routes = await listRoutes(context, batchId);
      const tasks = group.map(({ task }) => task);
      for (const [id, route] of await chooseOfVersion(context, batchId, { version, policyId, routes }, tasks)) {
        chosen.set(id, route);
      }
    }
  }
  return chosen;
}

/** Makes the tasks of these removals in a batch that has their snapshot, in a number of statements that does not grow with them. In their order. */
export async function openRemovalTasks(
  context: Context,
  batch: { readonly id: string; readonly managerIds: readonly string[] },
  items: readonly RemovalItem[],
): Promise<OpenedTask[]> {
  await insertRemovalBatch(context, batch.id, batch.managerIds);
  await lockPolicyVersions(context, batch.id);
  const made = items.map(({ own: _own, ...item }) => ({ ...item, id: newId(context.now) }));
  await insertRemovalTasks(context, batch.id, made);
  const rows = await listTasksByIds(
    context,
    made.map(({ id }) => id),
  );
  const routes = await chooseRemovalRoutes(
    context,
    batch.id,
    items.flatMap((item, at) => (rows[at] === undefined ? [] : [{ ...item, task: rows[at] }])),
  );
  const tasks = rows.map((task) => {
    const route = routes.get(task.id);
    return { ...task, routeNo: route?.routeNo ?? 0, policyId: route?.policyId ?? '', policyDocument: route?.document ?? null };
  });
  const entered = await enterSteps(
    context,
    tasks.map((task) => ({ task, index: 0 })),
  );
  const places: RemovalPlace[] = [];
  const opened = tasks.map((task, at): OpenedTask => {
    const where = entered[at];
    const common = { taskId: task.id, routeNo: task.routeNo, policyId: task.policyId };
    if (where?.state === 'OPEN') {
      places.push({ ...common, step: where.step, assignmentId: where.assignmentId });
      return { taskId: task.id, isProvision: readApprovalAt(task.policyDocument, where.step).isProvision };
    }
    places.push({ ...common, step: 0, assignmentId: null });
    return { taskId: task.id, isProvision: false, refusal: where?.byPolicy?.message ?? '' };
  });
  await updateRemovalPlaces(context, places);
  return opened;
}
