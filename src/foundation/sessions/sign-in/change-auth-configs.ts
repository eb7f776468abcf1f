/** Adding, changing and removing the identity providers of a tenant. Their client secrets go in, and never come out again. */
import { type TenantAuthConfigJson, TenantAuthConfigSchema } from '../../../gen/c1/api/auth_config/v1/auth_config_pb.js';
import { AppError, type FieldViolation, refuseInvalid } from '../../../errors.ts';
import { type Context, inTransaction } from '../../../context.ts';
import { compareDocuments } from '../../../lib/compare-documents.ts';
import { openText, sealText } from '../../../lib/log/seal-text.ts';
import { newId } from '../../../wire/ids.ts';
import { applyUpdate } from '../../../wire/mask.ts';
import { recordEvent, refuseStale } from '../../audit/index.ts';
import { readTenantSecret } from '../../tenants/index.ts';
import { findProblems, isUsable, providerSettings, splitSecret } from './auth-config.ts';
import { maxNamed } from './end-sessions.ts';
import { endSessionsOfProvider } from '../session/index.ts';
import {
  type AuthConfigRow,
  findAuthConfig,
  insertAuthConfig,
  lockAuthConfig,
  removeAuthConfig,
  updateAuthConfig,
} from './store-auth-configs.ts';

const purpose = 'client secret';

/** The client secret of a provider; empty for none. */
export function openClientSecret(tenantSecret: Uint8Array, row: Pick<AuthConfigRow, 'id' | 'clientSecret'>): string {
  return row.clientSecret === '' ? '' : (openText(tenantSecret, purpose, row.id, row.clientSecret) ?? '');
}

async function seal(context: Context, id: string, secret: string): Promise<string> {
  return secret === '' ? '' : sealText(await readTenantSecret(context), purpose, id, secret);
}

function refuse(violations: readonly FieldViolation[]): void {
  refuseInvalid(violations);
}

/** Names where people are sent and as which client: a secret is for both. */
function audienceOf(document: TenantAuthConfigJson): string {
  const { issuer, clientId } = providerSettings(document);
  return JSON.stringify([issuer, clientId]);
}

/** The provider; NOT_FOUND for none. */
export async function requireAuthConfig(context: Context, id: string): Promise<AuthConfigRow> {
  return requireRow(await findAuthConfig(context, id));
}

function requireRow(row: AuthConfigRow | undefined): AuthConfigRow {
  if (row === undefined) {
    throw new AppError('NOT_FOUND', 'There is no such identity provider.');
  }
  return row;
}

/** Ends the sessions that began with a provider which nobody is to sign in by any more: what their event says of it. */
async function endItsSessions(context: Context, id: string): Promise<{ endedSessions: number; sessionIds: string[] }> {
  const ended = await endSessionsOfProvider(context, id);
  return { endedSessions: ended.length, sessionIds: ended.slice(0, maxNamed) };
}

/** Adds a provider. INVALID_ARGUMENT with all that is wrong with it. */
export function createAuthConfig(context: Context, sent: TenantAuthConfigJson, allowsLocal: boolean): Promise<AuthConfigRow> {
  return inTransaction(context, async (inside) => {
    const document = applyUpdate(TenantAuthConfigSchema, {}, sent, undefined);
    refuse(findProblems(document, '', allowsLocal));
    const { kept, secret } = splitSecret({ ...document, status: document.status ?? 'AUTH_CONFIG_STATUS_ACTIVE' });
    const id = newId(inside.now);
    await insertAuthConfig(inside, { id, document: kept, clientSecret: await seal(inside, id, secret) });
    const { issuer } = providerSettings(kept);
    const data = { displayName: String(kept.displayName), issuer, hasSecret: secret !== '' };
    await recordEvent(inside, { kind: 'auth_config.created', targetId: id, data });
    return requireAuthConfig(inside, id);
  });
}

/**
 * Changes a provider by a mask. An empty secret keeps the stored one, but not for another issuer or client: it would be sent to whoever that
 * is. One that is disabled ends the sessions that began with it. INVALID_ARGUMENT with all that is wrong.
 */
export function changeAuthConfig(
  context: Context,
  id: string,
  change: { sent: TenantAuthConfigJson; mask: readonly string[] | undefined },
  allowsLocal: boolean,
): Promise<AuthConfigRow> {
  return inTransaction(context, async (inside) => {
    const row = requireRow(await lockAuthConfig(inside, id));
    const document = applyUpdate(TenantAuthConfigSchema, row.document, change.sent, change.mask);
    const problems = findProblems(document, 'authConfig.', allowsLocal);
    const { kept, secret } = splitSecret(document);
    if (problems.length === 0 && row.clientSecret !== '' && secret === '' && audienceOf(kept) !== audienceOf(row.document)) {
      problems.push({
        field: 'authConfig.providerConfig.oidcClientSecret',
        description: 'must be sent again when the issuer or the client changes',
      });
    }
    refuse(problems);
    const { fields, from, to } = compareDocuments(row.document, kept);
    if (fields.length === 0 && secret === '') {
      return row;
    }
    await refuseStale(inside, { member: 'authConfig', targetId: id, kinds: ['auth_config.updated'], before: row.document, fields });
    const clientSecret = secret === '' ? row.clientSecret : await seal(inside, id, secret);
    await updateAuthConfig(inside, { id, document: kept, clientSecret });
    const ended = isUsable(row.document) && !isUsable(kept) ? await endItsSessions(inside, id) : {};
    await recordEvent(inside, {
      kind: 'auth_config.updated',
      targetId: id,
      data: { fields, from, to, newSecret: secret !== '', ...ended },
    });
    return requireAuthConfig(inside, id);
  });
}

/** Removes a provider and ends the sessions that began with it. NOT_FOUND for none. */
export function deleteAuthConfig(context: Context, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const row = requireRow(await lockAuthConfig(inside, id));
    await removeAuthConfig(inside, id);
    const ended = await endItsSessions(inside, id);
    const data = { displayName: String(row.document.displayName), issuer: providerSettings(row.document).issuer, ...ended };
    await recordEvent(inside, { kind: 'auth_config.deleted', targetId: id, data });
  });
}
