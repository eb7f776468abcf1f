/**
 * Credentials by which the connector of a source signs in. They belong to the source and to nobody, give no role, and open BatonService alone.
 * The caller has checked who asks for one, and that the source is there.
 */
import { AppError } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { recordEvent } from '../../audit/index.ts';
import { type CredentialRow, findCredential, listCredentials, lockCredential, removeCredential } from '../record/index.ts';
import { type CreatedCredential, insertPair } from './create-credential.ts';

/** The one in use and the one that takes its place. */
const maxLive = 2;

/** The source of a connector, locked by the caller where something changes. */
export interface ConnectorOf {
  readonly sourceId: string;
  readonly appId: string;
}

/** The credentials of a source that are neither revoked nor expired, the oldest first. */
export async function listConnectorCredentials(context: Context, sourceId: string): Promise<CredentialRow[]> {
  const filter = { kind: 'CONNECTOR', userIds: undefined, query: undefined, sourceId } as const;
  const rows = await listCredentials(context, filter, '', 1_000);
  return rows.filter(({ expiresAt }) => expiresAt === null || expiresAt > context.now);
}

/** A credential of this source that was not revoked; NOT_FOUND otherwise. */
export async function getConnectorCredential(context: Context, sourceId: string, id: string): Promise<CredentialRow> {
  return requireIts(sourceId, await findCredential(context, 'CONNECTOR', id));
}

function requireIts(sourceId: string, row: CredentialRow | undefined): CredentialRow {
  if (row === undefined || row.sourceId !== sourceId) {
    throw new AppError('NOT_FOUND', 'There is no such credential of this source.');
  }
  return row;
}

/**
 * Makes a credential at `host`; its secret is never seen again. The one before ends a day after the first use of this one. FAILED_PRECONDITION
 * where two are live: nobody can know which of them the connector uses.
 */
export async function createConnectorCredential(
  context: Context,
  { sourceId, appId }: ConnectorOf,
  { host, displayName, secretLabel }: { host: string; displayName: string; secretLabel: string },
): Promise<CreatedCredential> {
  return inTransaction(context, async (inside) => {
    if ((await listConnectorCredentials(inside, sourceId)).length >= maxLive) {
      throw new AppError('FAILED_PRECONDITION', 'This source has two live credentials. Revoke the one that its connector no longer uses.');
    }
    const made = await insertPair(inside, host, secretLabel, {
      kind: 'CONNECTOR',
      userId: '',
      sourceId,
      issuerId: '',
      displayName,
      scopedRoles: [],
      allowSourceCidr: [],
      expiresAt: null,
    });
    const data = { appId, credentialId: made.row.id, clientId: made.row.clientId };
    await recordEvent(inside, { kind: 'connector.credential_created', targetId: sourceId, data });
    return made;
  });
}

/** Revokes it: its tokens stop within 5 s in every process. NOT_FOUND for none. */
export function revokeConnectorCredential(context: Context, { sourceId, appId }: ConnectorOf, id: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { clientId } = requireIts(sourceId, await lockCredential(inside, 'CONNECTOR', id));
    await removeCredential(inside, id);
    await recordEvent(inside, {
      kind: 'connector.credential_revoked',
      targetId: sourceId,
      data: { appId, credentialId: id, clientId },
    });
  });
}
