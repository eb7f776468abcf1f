/**
 * The key by which a browser seals what a person has not submitted. It is derived whenever it is asked for and stored nowhere, so that it is the same
 * on another day and on another device, and no session that has ended can have it.
 */
import { hkdfSync } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { orThrow } from '../../../errors.ts';
import { isIssuedSession, requireSession } from '../../authority/index.ts';
import { findTenant } from '../../tenants/index.ts';

/**
 * Returns 32 bytes in base64url. Whoever came by a link that somebody else made gets a key of the two: what the person wrote in sessions of their own stays closed
 * to whoever prints links. PERMISSION_DENIED for all that came without a session.
 */
export async function getDraftKey(context: Context): Promise<string> {
  const { actor, tenantId } = context;
  requireSession(actor);
  const tenant = orThrow(await findTenant(context.db, tenantId), 'NOT_FOUND', 'This tenant is not there any more.');
  const issuerId = isIssuedSession(actor) ? actor.issuerId : '';
  const about = `countersign draft key ${JSON.stringify([tenantId, actor.userId, issuerId])}`;
  return Buffer.from(hkdfSync('sha256', tenant.secret, '', about, 32)).toString('base64url');
}
