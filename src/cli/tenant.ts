/** `countersign tenant create|list|delete`: on the database itself, since a tenant's own API knows of no other. */
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { createTenantWithAdministrator } from './bootstrap.ts';
import { recordTenantDeleted } from '../domains/audit/index.ts';
import { stopDeliveries } from '../domains/deliveries/index.ts';
import { reactions } from '../reactions.ts';
import { deleteTenant, listDeletedTenants, listTenants } from '../domains/tenants/index.ts';
import { eraseTenant } from '../db/erase-tenant.ts';
import type { Database } from '../db/types.ts';
import { withJson } from './connect.ts';
import { CommandFailure, type CommandIo, formatTable, writeJson, writeLines } from './io.ts';
import { type LocalOptions, withDatabase, withLocalDatabase } from './local-database.ts';

/** Adds the `tenant` commands. */
export function addTenantCommands(program: Command, io: CommandIo): void {
  const group = program.command('tenant').description('tenants of this database');

  withDatabase(withJson(group.command('create').description('create a tenant with its first administrator and print their credential')))
    .argument('<host>', 'host under which clients reach it, with its port if they use one')
    .option('--name <name>', 'display name (default: the host)')
    .option('--admin-email <email>', 'mail address of the first administrator', 'admin@localhost')
    .option('--secret-label <label>', 'issuer label inside the client secret', io.env['COUNTERSIGN_SECRET_LABEL'] || 'conductorone.com')
    .action(async (host: string, options: LocalOptions & { name?: string; adminEmail: string; secretLabel: string }) => {
      const made = await withLocalDatabase(io, options, (database, log) =>
        createTenantWithAdministrator({ database, now: new Date(), log }, { host, displayName: options.name ?? '', ...options }),
      );
      if (options.json === true) {
        writeJson(io.stdout, made);
        return;
      }
      writeLines(
        io.stdout,
        `tenant         ${made.tenantHost}`,
        `administrator  ${options.adminEmail}`,
        `client id      ${made.clientId}`,
        `client secret  ${made.clientSecret}`,
        `sign in        ${made.signInUrl}`,
        'The secret and the link are shown only once. The link works once, within a day.',
      );
    });

  withDatabase(withJson(group.command('list').description('list the tenants')))
    .option('--deleted', 'those that are out of service and not erased')
    .action(async (options: LocalOptions & { deleted?: boolean }) => {
      if (options.deleted === true) {
        await listDeleted(io, options);
        return;
      }
      const tenants = await withLocalDatabase(io, options, (database) => listTenants(database));
      if (options.json === true) {
        writeJson(
          io.stdout,
          tenants.map(({ id, host, displayName, createdAt }) => ({ id, host, displayName, createdAt })),
        );
        return;
      }
      const rows = tenants.map((tenant) => [tenant.id, tenant.host, tenant.createdAt.toISOString(), tenant.displayName]);
      writeLines(io.stdout, formatTable(['ID', 'HOST', 'CREATED', 'NAME'], rows));
    });

  withDatabase(withJson(group.command('delete').description('end all access to a tenant; its data stays in the database')))
    .argument('<host>', 'host of the tenant')
    .option('--yes', 'confirm the deletion')
    .action(async (host: string, options: LocalOptions & { yes?: boolean }) => {
      if (options.yes !== true) {
        throw new CommandFailure(`this ends all access to ${host} at once; repeat it with --yes`);
      }
      const tenant = await withLocalDatabase(io, options, (database, log) =>
        deleteTenant({ database, now: new Date(), log, react: reactions, hooks: [recordTenantDeleted, stopDeliveries] }, host),
      );
      if (options.json === true) {
        writeJson(io.stdout, { id: tenant.id, host: tenant.host });
        return;
      }
      writeLines(io.stdout, `${tenant.host} is out of service.`);
    });

  addErase(group, io);
}

async function listDeleted(io: CommandIo, options: LocalOptions): Promise<void> {
  const tenants = await withLocalDatabase(io, options, (database) => listDeletedTenants(database.system()));
  if (options.json === true) {
    writeJson(io.stdout, tenants);
    return;
  }
  writeLines(
    io.stdout,
    formatTable(
      ['ID', 'HOST', 'DELETED'],
      tenants.map(({ id, host, deletedAt }) => [id, host, deletedAt.toISOString()]),
    ),
  );
}

function addErase(group: Command, io: CommandIo): void {
  withDatabase(withJson(group.command('erase').description('erase all data of a deleted tenant for good, and keep a receipt')))
    .argument('<tenant>', 'id of the tenant, or the host it had')
    .option('--yes', 'confirm the erasure')
    .option('--by <name>', 'who erases it, for the receipt (default: the account of the system)')
    .action(async (tenant: string, options: LocalOptions & { yes?: boolean; by?: string }) => {
      if (options.yes !== true) {
        throw new CommandFailure(`this erases everything of ${tenant} for good, its events included; repeat it with --yes`);
      }
      const who = options.by ?? userInfo().username;
      const receipt = await withLocalDatabase(io, options, async (database) =>
        eraseTenant(database, await findErasable(database, tenant), { who, now: () => new Date() }),
      );
      if (options.json === true) {
        writeJson(io.stdout, receipt);
        return;
      }
      const rows = Object.values(receipt.counts).reduce((sum, count) => sum + count, 0);
      writeLines(
        io.stdout,
        `${receipt.host} (${receipt.tenantId}) is erased: ${rows} rows of ${Object.keys(receipt.counts).length} tables.`,
        `by ${receipt.erasedBy}, from ${receipt.begunAt.toISOString()} to ${receipt.finishedAt.toISOString()}`,
        `receipt sha256 ${receipt.hash}`,
      );
    });
}

/** A host may have had several tenants, one after the other: then the id says which is meant. */
async function findErasable(database: Database, tenant: string): Promise<string> {
  const named = await listDeletedTenants(database.system(), tenant.toLowerCase());
  if (named.length > 1) {
    throw new CommandFailure(
      `${tenant} was the host of ${named.length} deleted tenants: name one by its id (${named.map(({ id }) => id).join(', ')})`,
    );
  }
  const inService = (await listTenants(database)).find(({ host }) => host === tenant.toLowerCase());
  return named[0]?.id ?? inService?.id ?? tenant;
}
