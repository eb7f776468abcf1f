/** `countersign tenant create|list|delete|purge`: on the database itself, since a tenant's own API knows of no other. */
import { userInfo } from 'node:os';
import { type Commands, formatFacts } from '../frame/commands.ts';
import { createTenantWithAdministrator } from './bootstrap.ts';
import { recordTenantDeleted } from '../../foundation/audit/index.ts';
import { stopDeliveries } from '../../foundation/deliveries/index.ts';
import { reactions } from '../../reactions.ts';
import { refuseHeldTenant } from '../../foundation/holds/index.ts';
import { deleteTenant, listDeletedTenants, listTenants } from '../../foundation/tenants/index.ts';
import { findReceipt } from '../../db/erase-tenant.ts';
import { askTenantPurge, purgeTenant } from './purge-tenant.ts';
import type { Database } from '../../db/types.ts';
import { CommandFailure, formatTable, UsageError } from '../frame/io.ts';
import { onDatabase, withLocalDatabase } from './database.ts';

/** Adds the `tenant` commands. */
export function addTenantCommands(group: Commands): void {
  group.run('create', {
    description: 'create a tenant with its first administrator and print their credential',
    shared: onDatabase,
    operands: { '<host>': 'host under which clients reach it, with its port if they use one' },
    options: {
      '--name <name>': 'display name (default: the host)',
      '--admin-email <email>': { text: 'mail address of the first administrator', fallback: 'admin@localhost' },
      '--secret-label <label>': {
        text: 'issuer label inside the client secret',
        fallback: group.io.env['COUNTERSIGN_SECRET_LABEL'] || 'conductorone.com',
      },
    },
    act: async (given, { io }) => {
      const made = await withLocalDatabase(
        io,
        given,
        (database, log) => createTenantWithAdministrator({ database, now: new Date(), log }, { ...given, displayName: given.name ?? '' }),
        'EMPTY',
      );
      const facts = {
        tenant: made.tenantHost,
        administrator: given.adminEmail,
        'client id': made.clientId,
        'client secret': made.clientSecret,
        'sign in': made.signInUrl,
      };
      const note = 'The secret and the link are shown only once. The link works once, within a day.';
      return { json: made, text: [...formatFacts(facts), note] };
    },
  });

  group.run('list', {
    description: 'list the tenants',
    shared: onDatabase,
    options: { '--deleted': 'those that are out of service and not erased' },
    act: async (given, { io }) => {
      if (given.deleted === true) {
        const deleted = await withLocalDatabase(io, given, (database) => listDeletedTenants(database.system()));
        const rows = deleted.map(({ id, host, deletedAt }) => [id, host, deletedAt.toISOString()]);
        return { json: deleted, text: formatTable(['ID', 'HOST', 'DELETED'], rows) };
      }
      const tenants = await withLocalDatabase(io, given, (database) => listTenants(database));
      return {
        json: tenants.map(({ id, host, displayName, createdAt }) => ({ id, host, displayName, createdAt })),
        text: formatTable(
          ['ID', 'HOST', 'CREATED', 'NAME'],
          tenants.map((tenant) => [tenant.id, tenant.host, tenant.createdAt.toISOString(), tenant.displayName]),
        ),
      };
    },
  });

  group.run('delete', {
    description: 'end all access to a tenant; its data stays in the database',
    shared: onDatabase,
    operands: { '<host>': 'host of the tenant' },
    options: { '--yes': 'confirm the deletion' },
    act: async (given, { io }) => {
      if (given.yes !== true) {
        throw new CommandFailure(`this ends all access to ${given.host} at once; repeat it with --yes`);
      }
      const { id, host } = await withLocalDatabase(io, given, (database, log) =>
        deleteTenant(
          { database, now: new Date(), log, react: reactions, hooks: [refuseHeldTenant, recordTenantDeleted, stopDeliveries] },
          given.host,
        ),
      );
      return { json: { id, host }, text: `${host} is out of service.` };
    },
  });

  group.run('purge', {
    description: 'export and erase a tenant that was deleted 30 days ago: one operator asks, another confirms',
    shared: onDatabase,
    operands: { '<tenant>': 'id of the tenant, or the host it had' },
    options: {
      '--export <dir>': { text: 'folder for its log and the files of its reports; with --confirm', fallback: '' },
      '--confirm': 'confirm what another operator asked for, and do it',
      '--by <name>': 'who you are, for the log and the receipt (default: the account of the system)',
    },
    act: async (given, { io }) => {
      const by = given.by ?? userInfo().username;
      if (given.confirm !== true) {
        const asked = await withLocalDatabase(io, given, async (database, log) =>
          askTenantPurge(database, { ...(await requireDeleted(database, given.tenant)), by, folder: given.export }, log),
        );
        const until = asked.expiresAt.toISOString();
        return {
          json: { id: asked.id, askedBy: asked.askedById, expiresAt: until },
          text: `${by} asked for the purge. Another operator confirms it before ${until}: countersign tenant purge ${given.tenant} --confirm --export DIR`,
        };
      }
      if (given.export === '') {
        throw new UsageError('--confirm needs --export DIR, where the log and the reports are written first');
      }
      const receipt = await withLocalDatabase(io, given, async (database, log) => {
        const purged = await findReceipt(database.system(), given.tenant);
        return purged ?? purgeTenant(database, { ...(await requireDeleted(database, given.tenant)), by, folder: given.export }, log);
      });
      const rows = Object.values(receipt.counts).reduce((sum, count) => sum + count, 0);
      return {
        json: receipt,
        text: [
          `${receipt.host} (${receipt.tenantId}) is erased: ${rows} rows of ${Object.keys(receipt.counts).length} tables.`,
          `by ${receipt.erasedBy}, from ${receipt.begunAt.toISOString()} to ${receipt.finishedAt.toISOString()}`,
          `exported to ${given.export}: manifest sha256 ${receipt.exportSha256}`,
          `receipt sha256 ${receipt.hash}`,
        ],
      };
    },
  });
}

/**
 * The deleted tenant of this id or host, with when it was deleted. A host may have had several tenants, one after the other: then the id says which is
 * meant.
 */
async function requireDeleted(database: Database, tenant: string): Promise<{ tenantId: string; deletedAt: Date }> {
  const named = await listDeletedTenants(database.system(), tenant.toLowerCase());
  if (named.length > 1) {
    throw new CommandFailure(
      `${tenant} was the host of ${named.length} deleted tenants: name one by its id (${named.map(({ id }) => id).join(', ')})`,
    );
  }
  const found = named[0] ?? (await listDeletedTenants(database.system())).find(({ id }) => id === tenant);
  if (found === undefined) {
    throw new CommandFailure(`${tenant} is no deleted tenant: countersign tenant list --deleted names them`);
  }
  return { tenantId: found.id, deletedAt: found.deletedAt };
}
