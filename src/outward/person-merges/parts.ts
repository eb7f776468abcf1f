/** Parts of a person that become another's, or end, as replies show them. */
import type { Context } from '../../context.ts';
import { listCredentialNames } from '../../foundation/credentials/index.ts';
import { findRole, listSuspensions, type PersonFacts, type SuspensionKind, type UserRow } from '../../foundation/directory/index.ts';

/** Most names told of a part. */
export const maxNamed = 20;
/** Most suspended things that are looked at for a reply; more are not counted. */
const maxSuspended = 1_000;

/** Kind of a part (`PersonPartKind`). */
export type PartKind =
  | 'RECORDS'
  | 'ACCOUNTS'
  | 'REVIEW_ITEMS'
  | 'OWNERSHIPS'
  | 'REVIEWS'
  | 'TEMPLATES'
  | 'REPORTS'
  | 'ROLES'
  | 'CREDENTIALS'
  | 'DELEGATIONS';

/** A number of things of one kind, with the first of them by name. */
export interface Part {
  readonly kind: PartKind;
  readonly count: number;
  readonly names: readonly string[];
}

/** A fact that becomes another one. */
export interface FactChange {
  readonly name: Exclude<keyof PersonFacts, 'source'>;
  readonly before: string;
  readonly after: string;
}

/** Result of a merge or a split. */
export interface Outcome {
  /** The person whom another was merged into, or who was split off. */
  readonly userId: string;
  readonly moved: readonly Part[];
  readonly ended: readonly Part[];
  readonly changes: readonly FactChange[];
}

/** Leaves out kinds of which there is nothing. */
export function listParts(parts: Partial<Record<PartKind, Omit<Part, 'kind'>>>): Part[] {
  return Object.entries(parts).flatMap(([kind, { count, names }]) => (count > 0 ? { kind: kind as PartKind, count, names } : []));
}

const kindOf: Readonly<Record<SuspensionKind, PartKind>> = { ROLE: 'ROLES', CREDENTIAL: 'CREDENTIALS', DELEGATION: 'DELEGATIONS' };

/** Lists what a person held and does not hold any more, since they are not there. */
export async function listEnded(context: Context, userId: string): Promise<Part[]> {
  const rows = await listSuspensions(context, userId, undefined, maxSuspended);
  const credentials = await listCredentialNames(
    context,
    rows.flatMap(({ kind, objectId }) => (kind === 'CREDENTIAL' ? objectId : [])),
  );
  const nameOf = ({ kind, objectId, otherName }: (typeof rows)[number]): string =>
    kind === 'ROLE' ? (findRole(objectId)?.displayName ?? objectId) : (credentials.get(objectId)?.displayName ?? otherName);
  return [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, ofKind]) => ({
    kind: kindOf[kind],
    count: ofKind.length,
    names: ofKind.slice(0, maxNamed).map(nameOf),
  }));
}

/** Lists the facts in which a person differs from what they become. */
export function listChanges(before: UserRow, after: PersonFacts): FactChange[] {
  return (['displayName', 'email', 'username', 'employeeId', 'employmentStatus', 'status'] as const).flatMap((name) =>
    before[name] === after[name] ? [] : { name, before: before[name], after: after[name] },
  );
}
