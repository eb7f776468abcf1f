/** `credential create --local --for EMAIL`: a credential made on the database itself, for whoever lost their last one. */
import { createCredential } from '../../foundation/credentials/index.ts';
import '../../slots.ts';
import { findUserByEmail } from '../../foundation/directory/index.ts';
import { createTenantFinder, listTenants, type Tenant } from '../../foundation/tenants/index.ts';
import type { Database } from '../../db/types.ts';
import { type Context, systemActor } from '../../context.ts';
import { reactions } from '../../reactions.ts';
import { newId } from '../../wire/ids.ts';
import { CommandFailure, type CommandIo } from '../frame/io.ts';
import { type LocalOptions, withLocalDatabase } from './database.ts';

export interface LocalCredential {
  readonly email: string;
  /** May be absent where the database has one tenant. */
  readonly tenantHost: string | undefined;
  readonly displayName: string;
  readonly allowSourceCidr: readonly string[];
  readonly expiresInSeconds: number | undefined;
}

/** Makes the credential, with all roles its owner holds, and returns its ids and secret. */
export function createLocalCredential(
  io: CommandIo,
  options: LocalOptions,
  wanted: LocalCredential,
): Promise<{ id: string; clientId: string; clientSecret: string; expiresTime: string | undefined }> {
  return withLocalDatabase(io, options, async (database, log) => {
    const tenant = await chooseTenant(database, wanted.tenantHost);
    const now = new Date();
    const context: Context = {
      db: database.tenant(tenant.id),
      tenantId: tenant.id,
      actor: systemActor(newId(now)),
      now,
      log,
      react: reactions,
    };
    const person = await findUserByEmail(context, wanted.email);
    if (person === undefined) {
      throw new CommandFailure(`no person in ${tenant.host} has the mail address ${wanted.email}`);
    }
    const { row, secret } = await createCredential(context, {
      userId: person.id,
      displayName: wanted.displayName,
      allowSourceCidr: wanted.allowSourceCidr,
      expiresInSeconds: wanted.expiresInSeconds,
      secretLabel: io.env['COUNTERSIGN_SECRET_LABEL'] || 'conductorone.com',
    });
    return { id: row.id, clientId: row.clientId, clientSecret: secret, expiresTime: row.expiresAt?.toISOString() };
  });
}

/** The tenant with this host, or the only one; CommandFailure where that is none or several. */
export async function chooseTenant(database: Database, host: string | undefined): Promise<Tenant> {
  if (host !== undefined) {
    const tenant = await createTenantFinder(database).findByHost(host);
    if (tenant === undefined) {
      throw new CommandFailure(`no tenant has the host ${host}`);
    }
    return tenant;
  }
  const tenants = await listTenants(database);
  const [only, ...others] = tenants;
  if (only === undefined) {
    throw new CommandFailure('there is no tenant in this database yet');
  }
  if (others.length > 0) {
    throw new CommandFailure(
      `there are ${tenants.length} tenants: choose one with --tenant-host (${tenants.map((tenant) => tenant.host).join(', ')})`,
    );
  }
  return only;
}
