/**
 * Changing what others may change as well: the server hears what this page read of it, and refuses what would undo a change that nobody here has seen.
 */
import { call, ClientError, type Operation, type ReplyOf, type RequestOf, signedInAs } from './query.ts';

/** Sends a change, with the members of the request as they were read. Those that somebody changed since are refused; see `readChange`. */
export function change<K extends Operation>(
  operation: K,
  request: RequestOf<K>,
  asRead: { readonly [M in keyof RequestOf<K>]?: RequestOf<K>[M] | undefined },
): Promise<ReplyOf<K>> {
  return call(operation, { ...request, asRead } as RequestOf<K>);
}

/**
 * Sends the members of an object that are other than they were, by a mask, as they are to be and as they were read: in `stored`, where `before` is
 * another form of it.
 */
export function changeMembers<K extends Operation>(
  operation: K,
  address: Partial<RequestOf<K>>,
  member: keyof RequestOf<K> & string,
  before: Members,
  after: Members,
  stored: Members = before,
): Promise<ReplyOf<K>> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !isSame(before[name], after[name]));
  const pick = (from: Members) => Object.fromEntries(names.map((name) => [name, from[name]]));
  const request = { ...address, [member]: pick(after), updateMask: names.join(',') } as RequestOf<K>;
  return change(operation, request, { [member]: pick(stored) } as RequestOf<K>);
}

/** Who was first, and when. */
export interface OtherChange {
  /** Their name; '' where it is not known. */
  readonly by: string;
  /** True if it was the same person, in another window. */
  readonly isOwn: boolean;
  readonly at: string | undefined;
  /** The members that are not as they were read. */
  readonly members: readonly string[];
}

/** Returns who changed what this page was about to change; undefined for every other error. */
export function readChange(error: unknown): OtherChange | undefined {
  if (!(error instanceof ClientError) || error.metadata.changed === undefined) {
    return undefined;
  }
  const { changed = '', changedBy = '', changedById, changedAt } = error.metadata;
  return { by: changedBy, isOwn: changedById !== undefined && changedById === signedInAs(), at: changedAt, members: changed.split(',') };
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Changes what is replaced whole, such as a list. Where somebody was first, the same change is made to what stands then: what one person adds and another
 * takes away both hold. `before` and `after` are members of the request.
 */
export async function changeWhole<K extends Operation>(
  operation: K,
  { address, before, after, readNow }: WholeChange<K>,
  tries = 5,
): Promise<ReplyOf<K>> {
  try {
    return await change(operation, { ...address, ...after } as RequestOf<K>, before);
  } catch (error) {
    if (tries === 0 || readChange(error) === undefined) {
      throw error;
    }
    const now = await readNow();
    return changeWhole(operation, { address, before: now, after: merge(before, after, now) as Partial<RequestOf<K>>, readNow }, tries - 1);
  }
}

/** A change of what is replaced whole. */
interface WholeChange<K extends Operation> {
  /** Members that say what is changed. */
  readonly address: Partial<RequestOf<K>>;
  readonly before: Partial<RequestOf<K>>;
  readonly after: Partial<RequestOf<K>>;
  /** Reads what stands, in the form of the request. */
  readonly readNow: () => Promise<Partial<RequestOf<K>>>;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Makes the change from `before` to `after` to what stands now: member by member, and entry by entry in lists. */
export function merge(before: unknown, after: unknown, now: unknown): unknown {
  if (isSame(before, after)) {
    return now;
  }
  if (Array.isArray(after) && (Array.isArray(now) || now === undefined)) {
    const was: readonly unknown[] = Array.isArray(before) ? before : [];
    const has = (list: readonly unknown[], entry: unknown): boolean => list.some((one) => isSame(one, entry));
    const kept = ((now ?? []) as readonly unknown[]).filter((entry) => has(after, entry) || !has(was, entry));
    return [...kept, ...after.filter((entry) => !has(was, entry) && !has(kept, entry))];
  }
  if (isMembers(after) && isMembers(now)) {
    const was: Members = isMembers(before) ? before : {};
    const names = new Set([...Object.keys(now), ...Object.keys(after), ...Object.keys(was)]);
    const merged = [...names].map((name) => [name, merge(was[name], after[name], now[name])] as const);
    return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  }
  return after;
}
