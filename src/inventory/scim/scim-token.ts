/**
 * The tokens that identity providers send: made, rotated, taken away, checked. A token is shown once; what is kept is its digest.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { isId, newId } from '../../wire/ids.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { requireLockedApp } from '../catalog/index.ts';
import { isSourceAllowed } from '../../foundation/credentials/index.ts';
import { insertScimSource, updateTokenHash } from '../sources/index.ts';
import type { ScimSource } from './source.ts';
import { findScimSource, findScimSourceOf } from './store-source.ts';

const tokenPattern = /^scim_([0-9A-Za-z]{27})\.([A-Za-z0-9_-]{43})$/;

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** A token and the source it is for. */
export interface MadeToken {
  readonly sourceId: string;
  readonly token: string;
}

/** Makes a token for the app's SCIM source, which is made where there is none; the former token is good no more. NOT_FOUND for no such app. */
export function createToken(context: Context, appId: string): Promise<MadeToken> {
  return inTransaction(context, async (inside) => {
    await requireLockedApp(inside, appId);
    const found = await findScimSourceOf(inside, appId);
    const sourceId = found?.id ?? newId(inside.now);
    if (found === undefined) {
      await insertScimSource(inside, sourceId, appId);
    }
    const token = `scim_${sourceId}.${randomBytes(32).toString('base64url')}`;
    await updateTokenHash(inside, sourceId, digestOf(token));
    await recordEvent(inside, {
      kind: 'connector.scim_token_created',
      targetId: sourceId,
      data: { appId, connectorMade: found === undefined, replaced: (found?.tokenHash ?? null) !== null },
    });
    return { sourceId, token };
  });
}

/** Takes the token away; fine where there is none. NOT_FOUND for no such app, and where it has no SCIM source. */
export function revokeToken(context: Context, appId: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    await requireLockedApp(inside, appId);
    const found = await findScimSourceOf(inside, appId);
    if (found === undefined) {
      throw new AppError('NOT_FOUND', 'The app has no SCIM source. Make a token first: countersign scim token.');
    }
    if (found.tokenHash === null) {
      return;
    }
    await updateTokenHash(inside, found.id, null);
    await recordEvent(inside, { kind: 'connector.scim_token_revoked', targetId: found.id, data: { appId } });
  });
}

/** The id of the source a token says it is for; '' where it is no token of this kind. Nothing is proven by it. */
export function sourceIdIn(token: string): string {
  const id = tokenPattern.exec(token)?.[1] ?? '';
  return isId(id) ? id : '';
}

/**
 * The source whose token this is; undefined where it is not valid. UNAUTHENTICATED from an address that the session settings keep
 * sources out from, UNAVAILABLE where the source is paused.
 */
export async function checkToken(context: Context, token: string): Promise<ScimSource | undefined> {
  const sourceId = sourceIdIn(token);
  const found = sourceId === '' ? undefined : await findScimSource(context, sourceId);
  const hash = found?.tokenHash ?? Buffer.alloc(32);
  const isEqual = timingSafeEqual(digestOf(token), hash);
  if (found === undefined || found.tokenHash === null || !isEqual) {
    return undefined;
  }
  if (!(await isSourceAllowed(context, 'connectorSource'))) {
    throw new AppError(
      'UNAUTHENTICATED',
      'The token may not be used from this address: the session settings (connectorSource) do not allow it.',
    );
  }
  if (found.pausedAt !== null) {
    throw new AppError('UNAVAILABLE', 'An administrator paused the source. Try again later.', { retryAfterSeconds: 300 });
  }
  return { id: found.id, appId: found.appId, sourceNo: found.sourceNo, displayName: found.displayName };
}
