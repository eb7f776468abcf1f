/**
 * A reviewer's queue: their own tasks of a review as slim rows, with what the policy lets them do to each.
 */
import { invalidField } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { refuseDecider, refuseReassigner, refuseTasksState, standsFor, readApprovalAt, rawSteps, type Task } from '../task/index.ts';
import { listQueueRows, type QueueCount, type QueueFilter, type QueueRow, type QueueSection } from './store-queue.ts';
import { listRoutes, type RouteRow } from '../policy-engine/index.ts';
import { getTaskReview } from '../decisions/index.ts';

/** A row of the queue with what the caller may do to it. */
export interface QueueItem extends QueueRow {
  readonly actions: readonly ('APPROVE' | 'DENY' | 'REASSIGN')[];
  readonly requiresApprovalReason: boolean;
  readonly requiresDenialReason: boolean;
}

/** Tasks that are there, to do, closed and staged. */
export type QueueTotals = Pick<QueueCount, 'total' | 'todo' | 'decided' | 'staged'>;

/** A page of the queue; counts and groups on the first one alone. */
export interface QueuePage {
  readonly items: readonly QueueItem[];
  readonly nextKey: readonly string[] | undefined;
  readonly counts: QueueTotals | undefined;
  readonly sections: readonly (QueueTotals & { readonly section: QueueSection })[];
  readonly groups: readonly (QueueTotals & { readonly id: string; readonly name: string })[];
}

const maxRows = 1_000;
const maxGroups = 1_000;
const sectionOrder: readonly QueueSection[] = ['CLOSER', 'NEW', 'CHANGED', 'UNCHANGED', 'OTHER'];

function sum(counts: readonly QueueTotals[]): QueueTotals {
  const of = (member: keyof QueueTotals): number => counts.reduce((all, count) => all + count[member], 0);
  return { total: of('total'), todo: of('todo'), decided: of('decided'), staged: of('staged') };
}

function groupBy<K>(counts: readonly QueueCount[], keyOf: (count: QueueCount) => K): Map<K, QueueCount[]> {
  const groups = new Map<K, QueueCount[]>();
  for (const count of counts) {
    const group = groups.get(keyOf(count));
    if (group === undefined) {
      groups.set(keyOf(count), [count]);
    } else {
      group.push(count);
    }
  }
  return groups;
}

/** The steps of these routes at which delegates are asked, as "route/step". */
export function listDelegable(routes: readonly RouteRow[]): string[] {
  return routes.flatMap(({ routeNo, document }) =>
    rawSteps(document).flatMap((_step, index) => (readApprovalAt(document, index).allowDelegation ? [`${routeNo}/${index}`] : [])),
  );
}

/** A page of the caller's tasks of a review; 404 where they may not know of it. */
export async function readQueue(
  context: Context,
  reviewId: string,
  filter: QueueFilter,
  page: { readonly limit: number; readonly after: readonly string[] | undefined },
): Promise<QueuePage> {
  if (page.limit < 0 || page.limit > maxRows) {
    throw invalidField('limit', `must be 1 to ${maxRows}, or absent for 100`);
  }
  if ((filter.query ?? '').length > 1000) {
    throw invalidField('query', 'must have at most 1000 characters');
  }
  const review = await getTaskReview(context, reviewId);
  const { actor } = context;
  const routes = await listRoutes(context, reviewId);
  const of = { reviewId, userIds: standsFor(actor), delegable: listDelegable(routes) };
  const size = page.limit === 0 ? 100 : page.limit;
  const { rows, counts } = await listQueueRows(context, of, filter, { after: page.after, limit: size + 1 });
  const documents = new Map(routes.map(({ routeNo, document }) => [routeNo, document]));
  const items = rows.slice(0, size).map((row): QueueItem => {
    const policyDocument = documents.get(row.routeNo) ?? null;
    const approval = readApprovalAt(policyDocument, row.step);
    const task: Pick<Task, 'assigneeIds' | 'managerIds' | 'policyDocument' | 'step' | 'userId'> = {
      assigneeIds: row.assigneeIds,
      managerIds: review.managerIds,
      policyDocument,
      step: row.step,
      userId: row.userId,
    };
    const isOpen = row.state === 'OPEN' && refuseTasksState(review.state) === undefined;
    const decides = isOpen && refuseDecider(actor, task) === undefined;
    return {
      ...row,
      actions: [
        ...(decides ? (['APPROVE', 'DENY'] as const) : []),
        ...(isOpen && refuseReassigner(actor, task) === undefined ? (['REASSIGN'] as const) : []),
      ],
      requiresApprovalReason: approval.requireApprovalReason,
      requiresDenialReason: approval.requireDenialReason,
    };
  });
  const last = rows.length > size ? items.at(-1) : undefined;
  const nextKey = last === undefined ? undefined : [last.orderKey, last.appId, last.entitlementId, last.accountId];
  if (page.after !== undefined) {
    return { items, nextKey, counts: undefined, sections: [], groups: [] };
  }
  const bySection = groupBy(counts, ({ section }) => section);
  return {
    items,
    nextKey,
    counts: sum(counts),
    sections: sectionOrder.flatMap((section) => {
      const found = bySection.get(section);
      return found === undefined ? [] : [{ section, ...sum(found) }];
    }),
    groups: [...groupBy(counts, ({ groupId }) => groupId)]
      .map(([id, found]) => ({ id, name: found[0]?.name ?? '', ...sum(found) }))
      .sort((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : left.id < right.id ? -1 : 1))
      .slice(0, maxGroups),
  };
}
