/**
 * Planning what connectors carry out: as a removal begins, it is taken down here; then an effect of the queue reads the kept file of the source, outside of any
 * transaction, and each removal is sent as the connector wrote its grant, waits for a release, or is left to people.
 */
import { create, toBinary } from '@bufbuild/protobuf';
import { type Context, inTransaction } from '../../../context.ts';
import { Task_DeleteResourceTaskSchema } from '../../../gen/c1/connectorapi/baton/v1/baton_pb.js';
import { type EffectKind, enqueueEffects } from '../../../jobs/index.ts';
import { C1zError } from '../../../lib/c1z/c1z-error.ts';
import { findInC1z } from '../../../lib/c1z/find-in-c1z.ts';
import type { FoundInC1z } from '../../../lib/c1z/messages.ts';
import { newId } from '../../../wire/ids.ts';
import { addRemoval, findProvisions } from '../../../inventory/connector-tasks/index.ts';
import { openKeptFile } from '../../../inventory/fetches/index.ts';
import { findRemovalSettings, lockFetchSource, type RemovalSettings } from '../../../inventory/sources/index.ts';
import type { LeftReason } from '../record/index.ts';
import { recordLeft, recordLimited } from './record-left.ts';
import { countRoom } from './store-states.ts';
import { moveSending } from './store.ts';
import { countPassed, insertSendings, listPlanned, type PlannedRow } from './store-plan.ts';

/** The name that the queue knows the effect by; its id is that of the source. */
export const planKind = 'revocations.plan';

/** Removals that are looked for in one reading of the file. */
const perReading = 200;
/** Time of an attempt: a file of 20 GiB takes minutes to expand. */
const timeLimitMs = 30 * 60_000;

/** Takes down which of these removals, which begin now, a connector carries out. */
export async function planSendings(context: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) {
    return;
  }
  const sources = await insertSendings(context, ids);
  if (sources.length > 0) {
    await enqueueEffects(context.db, { tenantId: context.tenantId, ids: sources, kind: planKind, runAt: context.now }, context.now);
  }
}

/** The effect that plans for one source. */
export function createPlanEffect(clock: () => Date): EffectKind {
  return {
    maxAttempts: 5,
    timeLimitMs,
    concurrency: 2,
    tenantConcurrency: 1,
    open: (_context, { id }) =>
      Promise.resolve({
        lastError: '',
        async attempt(context, signal) {
          while (await planSome(context, id, clock)) {
            signal.throwIfAborted();
          }
          return {};
        },
        async record(context, outcome) {
          if (outcome.action === 'give-up') {
            const rows = await listPlanned(context, id, perReading);
            await settle(
              context,
              id,
              rows,
              rows.map(() => undefined),
            );
          }
        },
      }),
  };
}

/** Plans the next removals of a source; false where there are none. */
async function planSome(context: Context, sourceId: string, clock: () => Date): Promise<boolean> {
  const rows = await listPlanned(context, sourceId, perReading);
  if (rows.length === 0) {
    return false;
  }
  const found = await findInFile(context, sourceId, rows);
  await inTransaction({ ...context, now: clock() }, (inside) => settle(inside, sourceId, rows, found));
  return true;
}

/** Finds the grants and accounts in the kept file; none of them where there is no file, or none that can be read. */
async function findInFile(context: Context, sourceId: string, rows: readonly PlannedRow[]): Promise<readonly (FoundInC1z | undefined)[]> {
  const file = await openKeptFile(context, sourceId);
  if (file === undefined) {
    return rows.map(() => undefined);
  }
  try {
    const wanted = rows.map(({ way, account, entitlement }) =>
      way === 'ACCOUNT' ? ({ kind: 'ACCOUNT', account } as const) : ({ kind: 'GRANT', account, entitlement } as const),
    );
    return await findInC1z(file, wanted);
  } catch (error) {
    if (!(error instanceof C1zError)) {
      throw error;
    }
    context.log.warn({ err: error, sourceId }, 'the kept file of a source cannot be read');
    return rows.map(() => undefined);
  }
}

type Provisions = Awaited<ReturnType<typeof findProvisions>>;

/** The reason why a removal is left to people; undefined where its connector can carry it out. */
function findReason(row: PlannedRow, found: FoundInC1z | undefined, provisions: Provisions): LeftReason | undefined {
  if (found === undefined) {
    return 'NOT_IN_FILE';
  }
  if (found.kind === 'GRANT' && !found.isDirect) {
    return 'INHERITED';
  }
  if (found.kind === 'GRANT' && found.isImmutable) {
    return 'IMMUTABLE';
  }
  const [type, capability] =
    found.kind === 'GRANT' ? [row.resourceType, 'CAPABILITY_PROVISION'] : [found.type, 'CAPABILITY_RESOURCE_DELETE'];
  return provisions.get(type)?.has(capability) === true ? undefined : 'NOT_PROVISIONED';
}

function writeTask(row: PlannedRow, found: FoundInC1z) {
  if (found.kind === 'GRANT') {
    return { kind: 'REVOKE', message: found.bytes, resourceType: row.resourceType } as const;
  }
  const { type, id, parentType, parentId } = found;
  const message = create(Task_DeleteResourceTaskSchema, {
    resourceId: { resourceType: type, resource: id },
    ...(parentId !== '' && { parentResourceId: { resourceType: parentType, resource: parentId } }),
  });
  return { kind: 'DELETE', message: toBinary(Task_DeleteResourceTaskSchema, message), resourceType: type } as const;
}

/** Settles each of these removals. */
async function settle(
  context: Context,
  sourceId: string,
  rows: readonly PlannedRow[],
  found: readonly (FoundInC1z | undefined)[],
): Promise<void> {
  // Two at once would both find room below the limits.
  await lockFetchSource(context, sourceId);
  const settings = await findRemovalSettings(context, sourceId);
  if (settings === undefined) {
    return;
  }
  const provisions = await findProvisions(context, sourceId);
  let room = countRoom(settings.hourly, await countPassed(context, sourceId));
  const left = new Map<LeftReason, string[]>();
  const limited: string[] = [];
  for (const [at, row] of rows.entries()) {
    const one = found[at];
    const reason = unusable(settings) ?? findReason(row, one, provisions);
    if (reason !== undefined || one === undefined) {
      const why = reason ?? 'NOT_IN_FILE';
      if (await moveSending(context, row.id, 'LEAVE', { reason: why })) {
        left.set(why, [...(left.get(why) ?? []), row.id]);
      }
      continue;
    }
    const id = newId(context.now);
    const isLimited = room === 0 && !row.hasPassed;
    if (!(await moveSending(context, row.id, isLimited ? 'LIMIT' : 'PASS', { taskId: id }))) {
      continue;
    }
    // What waits for a release has its task already, which nobody gets before it.
    await addRemoval(context, { id, sourceId, ...writeTask(row, one), isHeld: isLimited });
    if (isLimited) {
      limited.push(row.id);
    } else if (!row.hasPassed) {
      room -= 1;
    }
  }
  for (const [reason, ids] of left) {
    await recordLeft(context, settings, reason, ids);
  }
  await recordLimited(context, settings, limited);
}

/** The reason why the connector of a source is not used now; undefined where it is. */
function unusable({ isEnabled, pausedAt, staleSince, deletedAt }: RemovalSettings): LeftReason | undefined {
  if (deletedAt !== null) {
    return 'DELETED';
  }
  if (!isEnabled) {
    return 'OFF';
  }
  return pausedAt !== null ? 'PAUSED' : staleSince !== null ? 'STALE' : undefined;
}
