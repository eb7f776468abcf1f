/**
 * Making, changing, pausing and deleting sources.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { AppError, invalidField } from '../../errors.ts';
import { type ConnectorJson, ConnectorSchema } from '../../gen/c1/api/app/v1/connector_pb.js';
import { compareDocuments } from '../../lib/compare-documents.ts';
import { inTransaction, type Context } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { applyUpdate } from '../../wire/mask.ts';
import { recordEvent, refuseStale } from '../../foundation/audit/index.ts';
import { insertOwners, replaceOwners, requireLockedApp, requireUsers } from '../catalog/index.ts';
import { endDelivered, takeRevision } from '../ledger/index.ts';
import { contentAsSent, sourceContent, removalShares } from './content.ts';
import { ownedSource, requireSourceOf, requireLockedSourceOf, requireLockedSource, requireSource } from './require.ts';
import { dropSecrets, placeOfSettings } from './secrets/index.ts';
import { requireSourceRunner } from './stand-to-source.ts';
import { type SourceRow, findTakenName, getNextNumber, insertSource, removeSource, updateSource, updatePause } from './store.ts';
import { countDelivered, getOtherSourcesSql } from './store-delivered.ts';

/** As many numbers as fit beside a grant. */
const maxPerApp = 1000;

async function refuseTakenName(context: Context, appId: string, displayName: string, exceptId: string): Promise<void> {
  if ((await findTakenName(context, appId, displayName, exceptId)) !== undefined) {
    throw new AppError('CONFLICT', `The app has a source named ${JSON.stringify(displayName)} already.`);
  }
}

/**
 * Makes a source of an app and returns it; one without a name gets one by its number, and one without people
 * belongs to whoever makes it. NOT_FOUND for no such app, INVALID_ARGUMENT for
 * people who are not there, CONFLICT where another source of the app has the name in any case.
 */
export function createSource(context: Context, appId: string, sent: ConnectorJson): Promise<SourceRow> {
  return inTransaction(context, async (inside) => {
    await requireLockedApp(inside, appId);
    const number = await getNextNumber(inside, appId);
    if (number > maxPerApp) {
      throw new AppError('FAILED_PRECONDITION', `An app has at most ${maxPerApp} sources, deleted ones included.`);
    }
    const name = (sent.displayName ?? '').trim();
    const said = sourceContent({ ...sent, displayName: name === '' ? `Source ${number}` : name }, '', {
      kind: undefined,
      removalShare: removalShares.usual,
    });
    await requireUsers(inside, said.userIds, 'userIds');
    const content = said.userIds.length === 0 ? { ...said, userIds: [inside.actor.userId] } : said;
    await refuseTakenName(inside, appId, content.displayName, '');
    const id = newId(inside.now);
    await insertSource(inside, id, appId, number, content);
    await insertOwners(inside, ownedSource(appId, id).of, content.userIds);
    await recordEvent(inside, {
      kind: 'connector.created',
      targetId: id,
      data: { appId, displayName: content.displayName, userIds: [...content.userIds] },
    });
    return requireSourceOf(inside, appId, id);
  });
}

/** Changes the members the mask names, or those that were sent where there is none. NOT_FOUND for none, INVALID_ARGUMENT for a bad mask or value. */
export function changeSource(
  context: Context,
  appId: string,
  id: string,
  sent: ConnectorJson,
  mask: readonly string[] | undefined,
): Promise<SourceRow> {
  return inTransaction(context, async (inside) => {
    const row = await requireLockedSourceOf(inside, appId, id);
    const before = contentAsSent(row);
    const content = sourceContent(applyUpdate(ConnectorSchema, before, sent, mask), 'connector.', row);
    const after = contentAsSent(content);
    const { fields, from, to } = compareDocuments(before, after);
    if (fields.length > 0) {
      await refuseStale(inside, { member: 'connector', targetId: id, kinds: ['connector.updated'], before, fields });
      // Who has gone since they were named does not keep everything else from being changed.
      if (fields.includes('userIds')) {
        await requireUsers(inside, content.userIds, 'connector.userIds');
      }
      await refuseTakenName(inside, appId, content.displayName, id);
      await updateSource(inside, id, content);
      // A secret is never sent to another place than the one it was entered for.
      if (placeOfSettings(row.config) !== placeOfSettings(content.config)) {
        await dropSecrets(inside, row);
      }
      await replaceOwners(inside, ownedSource(appId, id).of, content.userIds);
      await recordEvent(inside, {
        kind: 'connector.updated',
        targetId: id,
        data: { appId, fields, from: withoutConfig(from), to: withoutConfig(to) },
      });
    }
    return requireSourceOf(inside, appId, id);
  });
}

/** Events say that the config is another, not what it is. */
function withoutConfig({ config: _config, ...rest }: JsonObject): JsonObject {
  return rest;
}

/**
 * Pauses a source, whose files are refused from then on, or resumes it; fine where it is so already. PERMISSION_DENIED for whoever reads it and does
 * not run it.
 */
export function setPaused(context: Context, appId: string, id: string, isPaused: boolean): Promise<void> {
  return inTransaction(context, async (inside) => {
    await requireSourceRunner(inside, id);
    const { pausedAt, displayName } = await requireLockedSourceOf(inside, appId, id);
    if ((pausedAt !== null) === isPaused) {
      return;
    }
    await updatePause(inside, id, isPaused ? inside.now : null);
    await recordEvent(inside, {
      kind: isPaused ? 'connector.paused' : 'connector.resumed',
      targetId: id,
      data: { appId, displayName },
    });
  });
}

/**
 * Deletes a source. What it delivered would never be brought up to date again, so it ends with it: its grants, and its accounts, but for
 * those that hold something from elsewhere. History keeps it all. NOT_FOUND for none.
 */
export function deleteSource(context: Context, appId: string, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { sourceNo, displayName } = await requireLockedSourceOf(inside, appId, id);
    const delivered = await countDelivered(inside, appId, sourceNo);
    const isEmpty = delivered.grants + delivered.accounts === 0;
    const revision = isEmpty ? null : await takeRevision(inside, appId, 'MANUAL');
    if (revision !== null) {
      await endDelivered(inside, { appId, revision }, sourceNo, getOtherSourcesSql(inside, appId, sourceNo));
    }
    await dropSecrets(inside, { id, appId, displayName });
    await removeSource(inside, id);
    await recordEvent(inside, {
      kind: 'connector.deleted',
      targetId: id,
      data: { appId, displayName, revision, grantsEnded: delivered.grants, accounts: delivered.accounts },
    });
  });
}

/** Deletes a source of people that reports nobody any more. NOT_FOUND for none. */
export function deleteEmptySource(context: Context, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { appId, displayName } = await requireLockedSource(inside, id);
    await dropSecrets(inside, { id, appId, displayName });
    await removeSource(inside, id);
    await recordEvent(inside, {
      kind: 'connector.deleted',
      targetId: id,
      data: { appId, displayName, revision: null, grantsEnded: 0, accounts: 0 },
    });
  });
}

/** Sets the share, in percent, above which a file that takes more away is refused. NOT_FOUND for no such source. */
export function setRemovalShare(context: Context, id: string, share: number): Promise<SourceRow> {
  if (share < 0 || share > 100) {
    throw invalidField('removalShare', 'must be a share in percent, from 0 to 100');
  }
  return inTransaction(context, async (inside) => {
    const row = await requireLockedSource(inside, id);
    if (row.removalShare !== share) {
      const before = { removalShare: row.removalShare };
      await refuseStale(inside, { targetId: id, kinds: ['connector.removal_share_changed'], before });
      await updateSource(inside, id, { ...row, removalShare: share });
      await recordEvent(inside, {
        kind: 'connector.removal_share_changed',
        targetId: id,
        data: { appId: row.appId, displayName: row.displayName, from: row.removalShare, to: share },
      });
    }
    return requireSource(inside, id);
  });
}
