/**
 * Creating, listing and deleting tenants, for the command line and the first start. Requests never come here: which tenant a
 * request is for is found in find-tenant.ts.
 */
import { randomBytes } from 'node:crypto';
import type { Database } from '../../db/types.ts';
import { AppError, invalidField } from '../../errors.ts';
import { type Logger, type Context, type React, systemActor } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { hostAliases, readHost } from './host.ts';
import {
  findTenantByHosts,
  insertTenant,
  listTenantRows,
  lockTenantHosts,
  removeTenant,
  type Tenant,
  updateIssuedCredentialsAllowed,
} from './store.ts';

/** Work a later module does for a tenant in the transaction that creates or deletes it; app.ts passes the list. */
export type TenantHook = (context: Context, tenant: Tenant) => Promise<void>;

/** Place and time of tenant work. */
export interface TenantWork {
  readonly database: Database;
  readonly now: Date;
  readonly log: Logger;
  readonly react: React;
  readonly hooks: readonly TenantHook[];
}

function systemContext(work: TenantWork, tenantId: string): Context {
  return {
    db: work.database.tenant(tenantId),
    tenantId,
    actor: systemActor(newId(work.now)),
    now: work.now,
    log: work.log,
    react: work.react,
  };
}

/**
 * Creates a tenant with its secret and runs the hooks, all in one transaction. CONFLICT where the host, or a loopback name that
 * would mean the same, is taken; INVALID_ARGUMENT where it is no host.
 */
export async function createTenant(work: TenantWork, input: { host: string; displayName: string }): Promise<Tenant> {
  const host = readHost(input.host);
  if (host === undefined) {
    throw invalidField(
      'host',
      'must be a host name or address, with its port if clients use one, such as reviews.example.com or localhost:8080',
    );
  }
  const displayName = input.displayName.trim() === '' ? host : input.displayName.trim();
  const tenant: Tenant = {
    id: newId(work.now),
    host,
    displayName,
    secret: randomBytes(32),
    issuedCredentialsAllowed: true,
    createdAt: work.now,
  };
  const context = systemContext(work, tenant.id);
  await context.db.transaction(async (db) => {
    await lockTenantHosts(db);
    const holder = await findTenantByHosts(db, hostAliases(host));
    if (holder !== undefined) {
      throw new AppError('CONFLICT', `The host ${host} already belongs to a tenant (${holder.displayName}).`);
    }
    await insertTenant(db, tenant);
    for (const hook of work.hooks) {
      await hook({ ...context, db }, tenant);
    }
  });
  return tenant;
}

/** All tenants by age. */
export function listTenants(database: Database): Promise<Tenant[]> {
  return listTenantRows(database.system());
}

/**
 * Deletes the tenant of a host: the host is free again at once (in other processes within 5 s), nothing is erased. The hooks run
 * in the same transaction, afterwards; NOT_FOUND where there is none.
 */
export async function deleteTenant(work: TenantWork, hostOrAlias: string): Promise<Tenant> {
  const host = readHost(hostOrAlias);
  const tenant = host === undefined ? undefined : await findTenantByHosts(work.database.system(), hostAliases(host));
  if (tenant === undefined) {
    throw new AppError('NOT_FOUND', `No tenant has the host ${hostOrAlias}.`);
  }
  const context = systemContext(work, tenant.id);
  await context.db.transaction(async (db) => {
    await lockTenantHosts(db);
    if (!(await removeTenant(db, tenant.id, work.now))) {
      throw new AppError('NOT_FOUND', `No tenant has the host ${hostOrAlias}.`);
    }
    for (const hook of work.hooks) {
      await hook({ ...context, db }, tenant);
    }
  });
  return tenant;
}

/** Allows or forbids credentials made for others; existing ones stop working within 5 s where forbidden. @internal */
export function allowIssuedCredentials(database: Database, tenantId: string, allowed: boolean): Promise<void> {
  return updateIssuedCredentialsAllowed(database.system(), tenantId, allowed);
}
