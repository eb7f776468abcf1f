/**
 * Access a person holds and held, with the decisions about it: for those who read the inventory, and for the person. Who decided, and what running
 * reviews ask, is for those who read all tasks.
 */
import { orThrow } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { readsInventory, requireOwnOrInventory } from '../../../inventory/catalog/index.ts';
import { findUser } from '../../../foundation/directory/index.ts';
import { seesAllTasks } from '../task/index.ts';
import {
  countPersonGrants,
  findLastDecision,
  type GrantDecisionRow,
  listGrantDecisions,
  listPersonGrants,
  type PersonGrantRow,
  type PersonGrantTotals,
} from './store-person-grants.ts';

const maxDecisions = 10;
const noSuchUser = 'There is no such user.';

/** A grant with what was decided about it, the newest first, and the task by which a running review asks about it. */
export interface PersonGrant extends PersonGrantRow {
  readonly decisions: readonly GrantDecisionRow[];
  readonly open: GrantDecisionRow | undefined;
}

/** A person's grants counted, and the last decision about any. */
export type PersonTotals = PersonGrantTotals & { readonly lastDecidedAt: Date | undefined };

/** Refuses callers who may not know what this person holds, and people who are not there: both NOT_FOUND. */
export async function requirePersonGrants(context: Context, userId: string): Promise<void> {
  requireOwnOrInventory(context, userId, noSuchUser);
  orThrow(await findUser(context, userId), 'NOT_FOUND', noSuchUser);
}

/** A page of a person's grants; `requirePersonGrants` comes first. */
export function listHeld(
  context: Context,
  of: { readonly userId: string; readonly includeEnded: boolean },
  after: readonly string[] | undefined,
  limit: number,
): Promise<PersonGrantRow[]> {
  return listPersonGrants(context, { ...of, withConflicts: readsInventory(context) }, after, limit);
}

const keyOf = ({ appId, entitlementId, accountId }: Pick<PersonGrantRow, 'appId' | 'entitlementId' | 'accountId'>): string =>
  `${appId}/${entitlementId}/${accountId}`;

/** True if a decision is of this life of a grant, which may have ended and begun again since. */
function isOfLife({ createdAt, endedAt }: PersonGrantRow, { decidedAt }: GrantDecisionRow): boolean {
  if (decidedAt === null) {
    return endedAt === null;
  }
  return decidedAt >= createdAt && (endedAt === null || decidedAt <= endedAt);
}

const byNobody = { decidedById: null, decidedBy: null, decidedIssuerId: null, decidedIssuer: null } as const;

/** These grants with their decisions. */
export async function withDecisions(context: Context, rows: readonly PersonGrantRow[]): Promise<PersonGrant[]> {
  const seesAll = seesAllTasks(context.actor);
  const unique = (ids: readonly string[]): string[] => [...new Set(ids)];
  const found =
    rows.length === 0
      ? []
      : await listGrantDecisions(context, unique(rows.map((row) => row.accountId)), unique(rows.map((row) => row.entitlementId)), seesAll);
  const byGrant = new Map<string, GrantDecisionRow[]>();
  for (const decision of found) {
    const list = byGrant.get(keyOf(decision)) ?? [];
    byGrant.set(keyOf(decision), [...list, decision]);
  }
  return rows.map((row) => {
    const own = (byGrant.get(keyOf(row)) ?? []).filter((decision) => isOfLife(row, decision));
    const decided = own.filter(({ state }) => state === 'CLOSED').slice(0, maxDecisions);
    return {
      ...row,
      decisions: seesAll ? decided : decided.map((decision) => ({ ...decision, ...byNobody })),
      open: own.find(({ state }) => state === 'OPEN'),
    };
  });
}

/** Counts what a person holds and held. */
export async function countHeld(context: Context, userId: string): Promise<PersonTotals> {
  const totals = await countPersonGrants(context, userId);
  return { ...totals, lastDecidedAt: await findLastDecision(context, userId, seesAllTasks(context.actor)) };
}
