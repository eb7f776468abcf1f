/** `countersign tenant create|list|delete`: on the database itself, since a tenant's own API knows of no other. */
import type { Command } from 'commander';
import { createTenantWithAdministrator } from './bootstrap.ts';
import { recordTenantDeleted } from '../domains/audit/index.ts';
import { reactions } from '../reactions.ts';
import { deleteTenant, listTenants } from '../domains/tenants/index.ts';
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
        'The secret is shown only once.',
      );
    });

  withDatabase(withJson(group.command('list').description('list the tenants'))).action(async (options: LocalOptions) => {
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
        deleteTenant({ database, now: new Date(), log, react: reactions, hooks: [recordTenantDeleted] }, host),
      );
      if (options.json === true) {
        writeJson(io.stdout, { id: tenant.id, host: tenant.host });
        return;
      }
      writeLines(io.stdout, `${tenant.host} is out of service.`);
    });
}
