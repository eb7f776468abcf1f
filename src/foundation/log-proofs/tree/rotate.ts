/** Changes of a log's key and of its tree: the next key from the operator's file, and the next epoch after a log was cut, changed or restored. */
import { AppError, invalidField, orThrow } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { emptyRoot } from '../../../lib/log/merkle.ts';
import {
  findKeyStanding,
  insertNextEpoch,
  listEntries,
  listEpochs,
  listKeys,
  lockLog,
  makeNextKey,
  noteKeyOf,
  recordEvent,
} from '../../audit/index.ts';
import { findTenantHost } from '../../tenants/index.ts';
import { sealAndFind } from './checkpoint.ts';
import { findCheckpoint } from './store-checkpoints.ts';

/**
 * Brings the key of the operator's file into use where another one still is; the former signs beside it for 30 days. FAILED_PRECONDITION where the
 * log is signed with a key that this process has no secret of, or had one put in its place.
 */
export async function settleKey(context: Context): Promise<'settled' | 'rotated'> {
  const standing = await findKeyStanding(context);
  if (standing === 'fits') {
    return 'settled';
  }
  if (standing === 'foreign') {
    const host = (await findTenantHost(context.db, context.tenantId)) ?? context.tenantId;
    throw new AppError(
      'FAILED_PRECONDITION',
      `The event log of ${host} is signed with a key of another log secret file. Give that file with --log-secret-file; to change the secret, write the new one above the one in use. If it is lost: \`countersign log restart --reason\`.`,
    );
  }
  // A tenant that was made before the first start has no epoch yet.
  const { origin } = await sealAndFind(context, 0);
  await inTransaction(context, async (inside) => {
    const { former, next } = await makeNextKey(inside);
    await recordEvent(inside, {
      kind: 'log.key_rotated',
      targetId: inside.tenantId,
      data: {
        generation: next.generation,
        source: next.source,
        formerKey: former === undefined ? '' : noteKeyOf(former, origin).vkey,
        key: noteKeyOf(next, origin).vkey,
      },
    });
  });
  return 'rotated';
}

const maxReasonLength = 1_000;

/**
 * Begins the next epoch of the log, a tree of its own behind the last position there ever was, and names both heads in its first event. Also the way
 * out where the secret of the key is lost: the next epoch has the key of this process.
 */
export async function restartLog(context: Context, reason: string): Promise<{ readonly epoch: number; readonly origin: string }> {
  if (reason.trim() === '' || reason.length > maxReasonLength) {
    throw invalidField('reason', `must have 1 to ${maxReasonLength} characters`);
  }
  return inTransaction(context, async (inside) => {
    const log = orThrow(await lockLog(inside), 'CONFLICT', 'The log has not begun, or is being sealed at this moment. Try again.');
    const former = (await listEpochs(inside)).find(({ epoch }) => epoch === log.epoch);
    const largest = await findCheckpoint(inside, log.epoch);
    const host = (await findTenantHost(inside.db, inside.tenantId)) ?? 'deleted.invalid';
    const origin = `${host}/log/${inside.tenantId}/${log.epoch + 1}`;
    const base = log.base + Math.max(log.size, largest?.size ?? 0, await countLeaves(inside, log.base));
    await insertNextEpoch(inside, log, { origin, base, root: emptyRoot });
    if ((await findKeyStanding(inside)) !== 'fits') {
      await makeNextKey(inside);
    }
    const [key] = await listKeys(inside);
    await recordEvent(inside, {
      kind: 'log.restarted',
      targetId: inside.tenantId,
      data: {
        reason,
        former: { origin: log.origin, size: log.size, root: (former?.root ?? emptyRoot).toString('base64') },
        checkpointSize: largest?.size ?? 0,
        checkpointRoot: largest?.root.toString('base64') ?? '',
        epoch: log.epoch + 1,
        origin,
        base,
        key: key === undefined ? '' : noteKeyOf(key, origin).vkey,
      },
    });
    return { epoch: log.epoch + 1, origin };
  });
}

/** Leaves from a position on, those behind the size that the log says included. */
async function countLeaves(context: Context, base: number): Promise<number> {
  let end = base;
  for (;;) {
    const rows = await listEntries(context, end, 2_000);
    const last = rows.at(-1);
    if (last === undefined) {
      return end - base;
    }
    end = last.position + 1;
  }
}
