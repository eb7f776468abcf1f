/**
 * The groups of commands: what the help of the program says of each, and the file it stands in. Only the group that is asked for is loaded,
 * because loading is most of what a short command costs.
 */
import type { Commands } from './frame/commands.ts';

/** A group of commands, or a command without subcommands. */
export interface CommandGroup {
  readonly name: string;
  readonly description: string;
  /** Set where it is a command itself, with options. */
  readonly isCommand?: boolean;
  readonly operands?: string;
  /** Loads what adds its commands to it, or to the program where it is a command itself. */
  readonly load: () => Promise<(group: Commands) => void>;
}

/** All groups, in the order of the help. */
export const commandGroups: readonly CommandGroup[] = [
  {
    name: 'serve',
    description: 'run the service; on an empty database it makes the first tenant',
    isCommand: true,
    load: async () => (await import('./local/serve.ts')).addServeCommand,
  },
  {
    name: 'demo',
    description: 'start with a sample company and a running review',
    isCommand: true,
    load: async () => (await import('./local/demo.ts')).addDemoCommand,
  },
  {
    name: 'samples',
    description: 'the sample company',
    load: async () => (await import('./inventory/samples.ts')).addSamplesCommands,
  },
  {
    name: 'migrate',
    description: 'migrate the schema of the database to this release',
    isCommand: true,
    load: async () => (await import('./local/migrate.ts')).addMigrateCommand,
  },
  {
    name: 'backup',
    description: 'write everything in the database to one file; the server may run meanwhile',
    isCommand: true,
    load: async () => (await import('./local/backup.ts')).addBackupCommand,
  },
  {
    name: 'restore',
    description: 'restore a backup into an empty database or a new data directory',
    isCommand: true,
    operands: '<file>',
    load: async () => (await import('./local/backup.ts')).addRestoreCommand,
  },
  {
    name: 'tenant',
    description: 'tenants of this database',
    load: async () => (await import('./local/tenant.ts')).addTenantCommands,
  },
  {
    name: 'login',
    description: 'sign in with a browser, and keep a credential for the other commands',
    isCommand: true,
    operands: '[url]',
    load: async () => (await import('./sign-in/login.ts')).addLoginCommand,
  },
  {
    name: 'logout',
    description: 'revoke the credential of the last login, and forget it',
    isCommand: true,
    operands: '[url]',
    load: async () => (await import('./sign-in/login.ts')).addLogoutCommand,
  },
  {
    name: 'credential',
    description: 'API credentials',
    load: async () => (await import('./people/credential.ts')).addCredentialCommands,
  },
  {
    name: 'user',
    description: 'people and their roles',
    load: async () => (await import('./people/user.ts')).addUserCommands,
  },
  {
    name: 'delegation',
    description: 'who decides reviews in whose place',
    load: async () => (await import('./people/delegation.ts')).addDelegationCommands,
  },
  {
    name: 'principal',
    description: 'service principals: users of programs',
    load: async () => (await import('./people/principal.ts')).addPrincipalCommands,
  },
  {
    name: 'search',
    description: 'find people, apps, accounts, entitlements and resources by text',
    isCommand: true,
    operands: '<text...>',
    load: async () => (await import('./inventory/search.ts')).addSearchCommand,
  },
  {
    name: 'app',
    description: 'apps, and their owners',
    load: async () => (await import('./inventory/app.ts')).addAppCommands,
  },
  {
    name: 'entitlement',
    description: 'entitlements of apps, and their owners',
    load: async () => (await import('./inventory/app.ts')).addEntitlementCommands,
  },
  {
    name: 'account',
    description: 'accounts of apps, and their owners',
    load: async () => (await import('./inventory/account.ts')).addAccountCommands,
  },
  {
    name: 'grant',
    description: 'who has access to what, since when and until when',
    load: async () => (await import('./inventory/grant.ts')).addGrantCommands,
  },
  {
    name: 'identity',
    description:
      'leavers, what is suspended, unowned and ambiguous accounts, look-alikes, people without a manager, and whose records of people are',
    load: async () => (await import('./inventory/identity.ts')).addIdentityCommands,
  },
  {
    name: 'import',
    description: 'import people and grants from CSV or Excel files',
    load: async () => (await import('./imports/import.ts')).addImportCommands,
  },
  {
    name: 'sync',
    description: 'the record of each import, and the differences between two',
    load: async () => (await import('./imports/sync.ts')).addSyncCommands,
  },
  {
    name: 'source',
    description: 'the sources of people and grants',
    load: async () => (await import('./inventory/source.ts')).addSourceCommands,
  },
  {
    name: 'connector',
    description: 'Baton connectors beside the systems that they read',
    load: async () => (await import('./operation/connector.ts')).addConnectorCommands,
  },
  {
    name: 'scim',
    description: 'identity providers that push people and groups',
    load: async () => (await import('./inventory/scim.ts')).addScimCommands,
  },
  {
    name: 'claim',
    description: 'what identity providers ask to change of people, and wait for',
    load: async () => (await import('./inventory/claim.ts')).addClaimCommands,
  },
  {
    name: 'review',
    description: 'access reviews, from draft to report',
    load: async () => (await import('./reviews/review.ts')).addReviewCommands,
  },
  {
    name: 'task',
    description: 'a reviewer’s tasks: read, decide, pass on',
    load: async () => (await import('./tasks/task.ts')).addTaskCommands,
  },
  {
    name: 'template',
    description: 'templates and schedules of access reviews',
    load: async () => (await import('./reviews/template.ts')).addTemplateCommands,
  },
  {
    name: 'policy',
    description: 'policies: who decides, and in which order',
    load: async () => (await import('./policies/policy.ts')).addPolicyCommands,
  },
  {
    name: 'conflict',
    description: 'access that nobody should hold together: monitors and alerts',
    load: async () => (await import('./policies/conflict.ts')).addConflictCommands,
  },
  {
    name: 'expression',
    description: 'expressions of reviews, policies and templates',
    load: async () => (await import('./policies/expression.ts')).addExpressionCommands,
  },
  {
    name: 'mail',
    description: 'mails to people',
    load: async () => (await import('./operation/mail.ts')).addMailCommands,
  },
  {
    name: 'revocation',
    description: 'what became of access that was denied',
    load: async () => (await import('./tasks/revocation.ts')).addRevocationCommands,
  },
  {
    name: 'delivery',
    description: 'mails, calls of webhooks and other effects outside, and what failed for good',
    load: async () => (await import('./operation/delivery.ts')).addDeliveryCommands,
  },
  {
    name: 'retention',
    description: 'how long reports and events are kept',
    load: async () => (await import('./operation/retention.ts')).addRetentionCommands,
  },
  {
    name: 'hold',
    description: 'legal holds',
    load: async () => (await import('./operation/hold.ts')).addHoldCommands,
  },
  {
    name: 'request',
    description: 'what waits for a second Super Administrator',
    load: async () => (await import('./operation/request.ts')).addRequestCommands,
  },
  {
    name: 'coverage',
    description: 'on which days access was held that a person had certified, and what requirements ask of it',
    load: async () => (await import('./operation/coverage.ts')).addCoverageCommands,
  },
  {
    name: 'log',
    description: 'the event log as a tree: checkpoints, proofs, and whether it is as it was sealed',
    load: async () => (await import('./local/log.ts')).addLogCommands,
  },
  {
    name: 'verify',
    description:
      'verify an evidence bundle offline; exit code 0 if it holds, 1 if not, 2 if it cannot be read, 3 if it holds on keys of its own',
    isCommand: true,
    operands: '<bundle>',
    load: async () => (await import('./operation/verify.ts')).addVerifyCommand,
  },
  {
    name: 'event',
    description: 'the system log',
    load: async () => (await import('./operation/event.ts')).addEventCommands,
  },
];
