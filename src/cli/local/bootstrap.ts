/**
 * Making a tenant with its first administrator and their credential, in one transaction: the first start of `serve`, and
 * `tenant create`. What else every new tenant gets is listed in app.ts.
 */
import { open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { tenantHooks } from '../../app.ts';
import type { Database } from '../../db/types.ts';
import { createCredential } from '../../foundation/credentials/index.ts';
import { createUser } from '../../foundation/directory/index.ts';
import { linkUrl, printedSeconds, printLink } from '../../foundation/sessions/index.ts';
import { createTenant, hostBaseUrl, listTenants, type TenantHook } from '../../foundation/tenants/index.ts';
import { isAppError } from '../../errors.ts';
import { makeFolders } from '../../lib/files/file-reason.ts';
import { fileFailure } from './file-failure.ts';
import type { Logger } from '../../context.ts';
import { reactions } from '../../reactions.ts';

/** First administrator's credential; the secret is nowhere else. */
export interface BootstrapCredential {
  readonly tenantHost: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Signs the first administrator in once, within a day. */
  readonly signInUrl: string;
}

export interface NewTenant {
  readonly host: string;
  readonly displayName: string;
  readonly adminEmail: string;
  readonly secretLabel: string;
  /** URL of its pages, where it does not follow from the host. */
  readonly baseUrl?: string | undefined;
}

interface Work {
  readonly database: Database;
  readonly now: Date;
  readonly log: Logger;
}

/**
 * Creates the tenant. `keep` is called with the credential before the commit: where it throws, nothing was created. CONFLICT where the
 * host is taken.
 */
export async function createTenantWithAdministrator(
  work: Work,
  input: NewTenant,
  keep: (credential: BootstrapCredential) => Promise<void> = async () => undefined,
): Promise<BootstrapCredential> {
  let made: BootstrapCredential | undefined;
  const addAdministrator: TenantHook = async (context, tenant) => {
    const userId = await createUser(context, { email: input.adminEmail, displayName: 'Administrator', roles: ['SUPER_ADMINISTRATOR'] });
    const { row, secret } = await createCredential(context, { userId, displayName: 'First credential', secretLabel: input.secretLabel });
    const { token } = await printLink(context, userId, printedSeconds);
    const signInUrl = linkUrl(input.baseUrl ?? hostBaseUrl(tenant.host), token);
    made = { tenantHost: tenant.host, clientId: row.clientId, clientSecret: secret, signInUrl };
    await keep(made);
  };
  await createTenant(
    { ...work, react: reactions, hooks: [...tenantHooks, addAdministrator] },
    { host: input.host, displayName: input.displayName },
  );
  return made as unknown as BootstrapCredential;
}

/** The same where the database has no tenant yet; undefined, and nothing done, where it has one. */
export async function bootstrapEmptyDatabase(
  work: Work,
  input: NewTenant,
  keep: (credential: BootstrapCredential) => Promise<void>,
): Promise<BootstrapCredential | undefined> {
  if ((await listTenants(work.database)).length > 0) {
    return undefined;
  }
  try {
    return await createTenantWithAdministrator(work, input, keep);
  } catch (error) {
    // Another process starting on the same empty database was faster.
    if (isAppError(error, 'CONFLICT') && (await listTenants(work.database)).length > 0) {
      return undefined;
    }
    throw error;
  }
}

/** Writes the credential into a file that its owner alone can read. FAILED_PRECONDITION with the reason where it cannot be written. */
export function writeBootstrapFile(path: string, credential: BootstrapCredential): Promise<void> {
  return writePrivateFile(path, `${JSON.stringify(credential, null, 2)}\n`).catch((error: unknown) => {
    throw fileFailure(error, path, 'Name a file that can be written with --bootstrap-file and start again: no tenant was made.');
  });
}

/** Writes a file with mode 0600, on disk before it returns, and never half: what was there is replaced at once. */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  await makeFolders(dirname(path));
  const partial = `${path}.${process.pid}.part`;
  try {
    const file = await open(partial, 'w', 0o600);
    try {
      await file.chmod(0o600);
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
  } catch (error) {
    await unlink(partial).catch(() => undefined);
    throw error;
  }
}
