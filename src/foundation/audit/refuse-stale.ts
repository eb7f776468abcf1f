/**
 * Refusing a change of what its client did not see: two people edit one thing, and the later save must not undo the earlier one in silence. A client
 * says in `asRead` what it read; one that does not is served as ever.
 */
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { EventKind } from '../../events/index.ts';
import { isJsonObject } from '../../lib/json.ts';
import { auditSlot } from './slots.ts';
import { listChanges } from './store-changes.ts';

/** A change that is about to be made, its row locked. */
export interface PlannedChange {
  /** Member of the request that holds what is changed; absent where the request's own members are that. */
  readonly member?: string;
  /** What the client read, where it is kept in another form than it is sent in; see `asReadBy`. */
  readonly read?: JsonObject | undefined;
  readonly targetId: string;
  /** Kinds of events by which it changes. */
  readonly kinds: readonly EventKind[];
  /** What stands now, by member, as on the wire. */
  readonly before: Readonly<Record<string, unknown>>;
  /** Members that change; all of `before` where absent. */
  readonly fields?: readonly string[];
  /** True if lists are kept in no order of their own. */
  readonly isSet?: boolean;
}

/** Reads what the client read in the form in which it is kept; undefined where it does not say. */
export function asReadBy(context: Context, keep: (asRead: JsonObject) => JsonObject): JsonObject | undefined {
  return context.asRead === undefined ? undefined : keep(context.asRead);
}

/** Events of whoever waited for the same lock may be a moment ahead of this request. */
const ahead = 3_600_000;

/**
 * Throws CONFLICT where a member that changes is not what the client read; the error says which, and who changed it when. To be called in the
 * transaction of the change, once the row is locked: of two requests at once one waits here for the other.
 */
export async function refuseStale(context: Context, change: PlannedChange): Promise<void> {
  const { member, targetId, kinds, before, fields, isSet = false } = change;
  const read = change.read ?? (member === undefined ? context.asRead : context.asRead?.[member]);
  if (!isJsonObject(read)) {
    return;
  }
  const said = (value: unknown) => orAbsent(bare(value, isSet));
  const stale = (fields ?? Object.keys(before)).filter((name) => !isDeepStrictEqual(said(read[name]), said(before[name])));
  if (stale.length === 0) {
    return;
  }
  const until = new Date(context.now.getTime() + ahead);
  const [last] = await listChanges(context, { reviewId: '', reviewKinds: [], targetIds: [targetId], targetKinds: kinds, until }, 1);
  const by = last === undefined ? undefined : (await auditSlot.get().listWordsAt(context, [{ id: last.actorId, at: until }]))[0];
  const who = by === undefined || by.displayName === '' ? 'Somebody' : by.displayName;
  const when = last === undefined ? '' : ` at ${last.occurredAt.toISOString()}`;
  throw new AppError('CONFLICT', `${who} changed ${stale.join(', ')}${when}, after you read it. Read it again, then change it.`, {
    metadata: {
      changed: stale.join(','),
      ...(last === undefined ? {} : { changedAt: last.occurredAt.toISOString(), changedById: last.actorId }),
      ...(by === undefined ? {} : { changedBy: by.displayName }),
    },
  });
}

/** A member without anything in it is one that was never set. Further within, that it is there may be what it says. */
function orAbsent(value: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(value) && Object.keys(value).length === 0 ? undefined : value;
}

/** The value without what says nothing: unset members may be absent, or there with their defaults. */
function bare(value: unknown, isSet: boolean): JsonValue | undefined {
  if (Array.isArray(value)) {
    const items = value.map((item) => bare(item, isSet) ?? null);
    return items.length === 0
      ? undefined
      : isSet
        ? items.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
        : items;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).flatMap(([name, one]) => {
      const rest = bare(one, isSet);
      return rest === undefined ? [] : [[name, rest] as const];
    });
    return Object.fromEntries(members) as JsonObject;
  }
  const isDefault = value === null || value === '' || value === 0 || value === false || /(^|_)UNSPECIFIED$/.test(String(value));
  return isDefault ? undefined : (value as JsonValue | undefined);
}
