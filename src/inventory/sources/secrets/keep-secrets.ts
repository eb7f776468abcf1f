/** Sealing, removing and opening secrets of a source. They go in, and come out to fetchers alone. */
import { AppError, orThrow } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { openText, sealText } from '../../../lib/log/seal-text.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { findTenantHost, findTenantKey, hostNameOf, takeTenantKey } from '../../../foundation/tenants/index.ts';
import { maxSecrets, type NewSecret } from './rules.ts';
import { readSecretFile } from './secret-files.ts';
import { listSourceSecrets, removeSourceSecrets, type SourceSecretRow, upsertSourceSecret } from './store.ts';

/** Source a secret belongs to. */
interface SecretSource {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
}

const purpose = 'secret of a source';

function aboutSecret(tenantId: string, sourceId: string, name: string): string {
  return JSON.stringify([tenantId, sourceId, name]);
}

/**
 * Keeps a secret, sealed, or the name of the operator's file that holds it. The source is locked. FAILED_PRECONDITION where this installation has
 * no key to seal it with, or the source has too many.
 */
export async function putSecret(context: Context, { id, appId, displayName }: SecretSource, secret: NewSecret): Promise<void> {
  const others = (await listSourceSecrets(context, id)).filter(({ name }) => name !== secret.name);
  if (others.length >= maxSecrets) {
    throw new AppError('FAILED_PRECONDITION', `A source has at most ${maxSecrets} secrets.`);
  }
  await upsertSourceSecret(context, id, await sealSecret(context, id, secret));
  const { name, fromFile } = secret;
  await recordEvent(context, { kind: 'connector.secret_set', targetId: id, data: { appId, displayName, name, fromFile } });
}

async function sealSecret(context: Context, sourceId: string, { name, value, fromFile }: NewSecret): Promise<SourceSecretRow> {
  if (fromFile !== '') {
    return { name, keyNo: null, sealed: '', fromFile };
  }
  const { no, key } = await takeTenantKey(context);
  return { name, keyNo: no, sealed: sealText(key, purpose, aboutSecret(context.tenantId, sourceId, name), value), fromFile: '' };
}

/** Removes a secret of a source, or all where no name is given, and returns whether one was there. The source is locked. */
export async function dropSecrets(context: Context, { id, appId, displayName }: SecretSource, name?: string): Promise<boolean> {
  const names = await removeSourceSecrets(context, id, name);
  if (names.length > 0) {
    await recordEvent(context, { kind: 'connector.secrets_removed', targetId: id, data: { appId, displayName, names } });
  }
  return names.length > 0;
}

/**
 * Opens the secrets of a source, for its fetcher: name to text. FAILED_PRECONDITION where this process lacks the key that sealed one, or a file of
 * the operator. Nothing of it may be logged, stored or answered.
 */
export async function openSecrets(context: Context, sourceId: string): Promise<Readonly<Record<string, string>>> {
  const opened: [string, string][] = [];
  for (const row of await listSourceSecrets(context, sourceId)) {
    opened.push([row.name, await openSecret(context, sourceId, row)]);
  }
  return Object.fromEntries(opened);
}

async function openSecret(context: Context, sourceId: string, { name, keyNo, sealed, fromFile }: SourceSecretRow): Promise<string> {
  const { db, tenantId } = context;
  if (keyNo === null) {
    return readSecretFile(db.vault.secretsDir, hostNameOf((await findTenantHost(db, tenantId)) ?? ''), fromFile);
  }
  const text = openText(await findTenantKey(context, keyNo), purpose, aboutSecret(tenantId, sourceId, name), sealed);
  return orThrow(text, 'FAILED_PRECONDITION', `The secret ${JSON.stringify(name)} of this source cannot be opened. Set it again.`);
}
