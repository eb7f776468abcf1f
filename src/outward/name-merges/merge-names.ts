/**
 * Making what was kept apart because its name was written in two ways one: resource types, resources, entitlements and accounts. A job of each tenant that
 * has any, called for by the upgrade: piece by piece, each in one transaction with its place, so that it goes on after a kill. An import that comes before
 * it does the same for its app first. Nothing makes such things any more.
 */
import { isAppError } from '../../errors.ts';
import { type Context, inTransaction, systemActor } from '../../context.ts';
import type { JobKind } from '../../jobs/index.ts';
import { requireLockedApp } from '../../inventory/catalog/index.ts';
import { lockMatching } from '../../inventory/identity/index.ts';
import { type Merge, takeRevision, type TwinRow } from '../../inventory/ledger/index.ts';
import { type Kind, kinds, listTwinsOf, mergeKind, updateKeysOf } from './kinds.ts';

/** The kind of the job; its subject is the tenant. Migrations call for it by this name. */
export const mergeNamesKind = 'names.merge';

/** Twins of one transaction. */
const perChunk = 200;

/** A place among the twins of a kind. */
interface Place {
  readonly appId: string;
  readonly id: string;
}

const start: Place = { appId: '', id: '' };

/** Merges what is left, kind by kind and app by app: what stands in resource types and resources falls together by that of those. */
export const mergeNamesJob: JobKind = {
  // Giving up would leave two things of one name, of which imports know one.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const [first] = kinds;
    const begun = kinds.find((one) => one === job.cursor.kind);
    const kind = begun ?? first;
    const after = begun === undefined ? start : { appId: String(job.cursor.appId ?? ''), id: String(job.cursor.id ?? '') };
    const { appId } = (await listTwinsOf(context, kind, after, 1))[0] ?? {};
    if (appId === undefined) {
      const next = kinds[kinds.indexOf(kind) + 1];
      return next === undefined ? 'finished' : { cursor: { kind: next, ...start }, done: job.done, total: 0 };
    }
    const { last, count } = await mergePiece(context, kind, appId, after);
    // Those of a deleted app are passed over, and so is an app none of whose is left.
    const id = last ?? (after.appId === appId ? after.id : '');
    return { cursor: { kind, appId, id }, done: job.done + count, total: 0 };
  },
};

/** Merges all there is in one app, before an import of it knows one of each: in transactions of its own, as the program. */
export async function mergeNamesOf(context: Context, appId: string): Promise<void> {
  for (const kind of kinds) {
    let after: Place = { appId, id: '' };
    while ((await listTwinsOf(context, kind, after, 1))[0]?.appId === appId) {
      const place = after;
      const piece = await inTransaction({ ...context, actor: systemActor(context.actor.requestId) }, (inside) =>
        mergePiece(inside, kind, appId, place),
      );
      after = { appId, id: piece.last ?? '\u007f' };
    }
  }
}

/** Merges the next twins of an app behind a place. Found anew behind the lock: somebody may have ended some meanwhile. */
async function mergePiece(
  context: Context,
  kind: Kind,
  appId: string,
  after: Place,
): Promise<{ readonly last: string | undefined; readonly count: number }> {
  const isThere = await isAppThere(context, appId);
  const twins = (await listTwinsOf(context, kind, after, perChunk)).filter((one) => one.appId === appId);
  if (isThere && twins.length > 0) {
    await mergeTwins(context, kind, appId, twins);
  }
  return { last: twins.at(-1)?.id, count: twins.length };
}

function isAppThere(context: Context, appId: string): Promise<boolean> {
  return requireLockedApp(context, appId).then(
    () => true,
    (error: unknown) => {
      if (isAppError(error, 'NOT_FOUND')) {
        return false;
      }
      throw error;
    },
  );
}

/** Pairs of a thing and the oldest of its name. Of an oldest one that is a twin itself, who has the key goes on as it. */
function pairTwins(twins: readonly TwinRow[]): Merge[] {
  const into = new Map<string, string>();
  for (const { id, keptId, holderId } of twins) {
    if (id !== keptId) {
      into.set(id, keptId);
    }
    if (holderId !== null && holderId !== keptId) {
      into.set(holderId, keptId);
    }
  }
  return [...into].map(([fromId, intoId]) => ({ fromId, intoId }));
}

async function mergeTwins(context: Context, kind: Kind, appId: string, twins: readonly TwinRow[]): Promise<void> {
  const merges = pairTwins(twins);
  if (merges.length === 0) {
    // Alone of their names by now: they have the keys, so that imports find them.
    await updateKeysOf(context, kind, appId, twins);
    return;
  }
  await lockMatching(context, false);
  const revision = await takeRevision(context, appId, 'MANUAL');
  await mergeKind(context, kind, { appId, revision }, merges, twins);
}
