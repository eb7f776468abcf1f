/**
 * The groups of commands: what the help of the program says of each, and the file it stands in. Only the group that is asked for is loaded,
 * because loading is most of what a short command costs.
 */
import type { Command } from 'commander';
import type { CommandIo } from './io.ts';

/** A group of commands, or a command without subcommands. */
export interface CommandGroup {
  readonly name: string;
  readonly description: string;
  /** Set where it is a command itself, with options. */
  readonly isCommand?: boolean;
  readonly operands?: string;
  /** Loads what adds it to the program, with the description that stands here. */
  readonly load: () => Promise<(program: Command, io: CommandIo) => void>;
}

/** All groups, in the order of the help. */
export const commandGroups: readonly CommandGroup[] = [
  {
    name: 'serve',
    description: 'run the service; on an empty database it makes the first tenant',
    isCommand: true,
    load: async () => (await import('./serve.ts')).addServeCommand,
  },
  {
    name: 'demo',
    description: 'start with a sample company and a running review',
    isCommand: true,
    load: async () => (await import('./demo.ts')).addDemoCommand,
  },
  {
    name: 'samples',
    description: 'the sample company',
    load: async () => (await import('./samples.ts')).addSamplesCommands,
  },
  {
    name: 'migrate',
    description: 'migrate the schema of the database to this release',
    isCommand: true,
    load: async () => (await import('./migrate.ts')).addMigrateCommand,
  },
  {
    name: 'backup',
    description: 'write everything in the database to one file; the server may run meanwhile',
    isCommand: true,
    load: async () => (await import('./backup-local.ts')).addBackupCommand,
  },
  {
    name: 'restore',
    description: 'restore a backup into an empty database or a new data directory',
    isCommand: true,
    operands: '<file>',
    load: async () => (await import('./backup-local.ts')).addRestoreCommand,
  },
  {
    name: 'tenant',
    description: 'tenants of this database',
    load: async () => (await import('./tenant.ts')).addTenantCommands,
  },
  {
    name: 'credential',
    description: 'API credentials',
    load: async () => (await import('./credential.ts')).addCredentialCommands,
  },
  {
    name: 'user',
    description: 'people and their roles',
    load: async () => (await import('./user.ts')).addUserCommands,
  },
  {
    name: 'delegation',
    description: 'who decides reviews in whose place',
    load: async () => (await import('./delegation.ts')).addDelegationCommands,
  },
  {
    name: 'principal',
    description: 'service principals: users of programs',
    load: async () => (await import('./principal.ts')).addPrincipalCommands,
  },
  {
    name: 'search',
    description: 'find people, apps, accounts, entitlements and resources by text',
    isCommand: true,
    operands: '<text...>',
    load: async () => (await import('./search.ts')).addSearchCommand,
  },
  {
    name: 'app',
    description: 'apps, and their owners',
    load: async () => (await import('./app.ts')).addAppCommands,
  },
  {
    name: 'entitlement',
    description: 'entitlements of apps, and their owners',
    load: async () => (await import('./entitlement.ts')).addEntitlementCommands,
  },
  {
    name: 'account',
    description: 'accounts of apps, and their owners',
    load: async () => (await import('./account.ts')).addAccountCommands,
  },
  {
    name: 'grant',
    description: 'who has access to what, since when and until when',
    load: async () => (await import('./grant.ts')).addGrantCommands,
  },
  {
    name: 'identity',
    description: 'leavers, unowned and ambiguous accounts, people without a manager',
    load: async () => (await import('./identity.ts')).addIdentityCommands,
  },
  {
    name: 'import',
    description: 'import people and grants from CSV or Excel files',
    load: async () => (await import('./import.ts')).addImportCommands,
  },
  {
    name: 'sync',
    description: 'the record of each import, and the differences between two',
    load: async () => (await import('./sync.ts')).addSyncCommands,
  },
  {
    name: 'source',
    description: 'the sources of people and grants',
    load: async () => (await import('./source.ts')).addSourceCommands,
  },
  {
    name: 'scim',
    description: 'identity providers that push people and groups',
    load: async () => (await import('./scim.ts')).addScimCommands,
  },
  {
    name: 'review',
    description: 'access reviews, from draft to report',
    load: async () => (await import('./review.ts')).addReviewCommands,
  },
  {
    name: 'task',
    description: 'a reviewer’s tasks: read, decide, pass on',
    load: async () => (await import('./task.ts')).addTaskCommands,
  },
  {
    name: 'template',
    description: 'templates and schedules of access reviews',
    load: async () => (await import('./template.ts')).addTemplateCommands,
  },
  {
    name: 'policy',
    description: 'policies: who decides, and in which order',
    load: async () => (await import('./policy.ts')).addPolicyCommands,
  },
  {
    name: 'conflict',
    description: 'access that nobody should hold together: monitors and alerts',
    load: async () => (await import('./conflict.ts')).addConflictCommands,
  },
  {
    name: 'expression',
    description: 'expressions of reviews, policies and templates',
    load: async () => (await import('./expression.ts')).addExpressionCommands,
  },
  {
    name: 'mail',
    description: 'mails to people',
    load: async () => (await import('./mail.ts')).addMailCommands,
  },
  {
    name: 'revocation',
    description: 'what became of access that was denied',
    load: async () => (await import('./revocation.ts')).addRevocationCommands,
  },
  {
    name: 'delivery',
    description: 'mails, calls of webhooks and other effects outside, and what failed for good',
    load: async () => (await import('./delivery.ts')).addDeliveryCommands,
  },
  {
    name: 'retention',
    description: 'how long reports and events are kept',
    load: async () => (await import('./retention.ts')).addRetentionCommands,
  },
  {
    name: 'event',
    description: 'the system log',
    load: async () => (await import('./event.ts')).addEventCommands,
  },
];
