/** The rows of a directory that was read whole: people, then accounts with what they hold. */
import { findGroupPaths } from '../directories/group-paths.ts';
import { inBatches, readLines, type Spool, writeStep } from '../directories/spooled-lines.ts';
import type { FetchedTable } from '../tables/fetched-table.ts';
import type { AccountKeys, Directory, Entitlement } from './directory.ts';
import type { Findings, HolderLine, Line } from './gather.ts';
import type { Account } from './read-objects.ts';

const personColumns = [
  ...[
    'email',
    'display_name',
    'manager_email',
    'department',
    'job_title',
    'employment_status',
    'employee_id',
    'username',
    'employment_type',
  ],
] as const;
const grantColumns = [
  ...([
    'account',
    'email',
    'account_type',
    'account_status',
    'granted_at',
    'expires_at',
    'resource_type',
    'resource',
    'entitlement',
  ] as const),
  ...(['last_used_at', 'username', 'employee_id', 'display_name', 'granted_via', 'resource_name', 'resource_description'] as const),
  ...(['entitlement_name', 'entitlement_description', 'purpose', 'linked_from', 'account_created_at', 'account_used_at'] as const),
  ...(['user_type', 'app_id'] as const),
] as const;
type Cells = Partial<Record<(typeof grantColumns)[number], string>>;

/** Reads the directory at the first call, and answers the same one from then on. */
export type Gather = () => Promise<Directory>;

/** Names of the columns of further properties, beside those that are there. */
function nameOthers(attributes: readonly string[], columns: readonly string[]): string[] {
  return attributes.map((name) => (columns.includes(name.toLowerCase()) ? `entra.${name}` : name));
}

/** Returns the table of people. */
export function makePeopleTable(gather: Gather, spool: Spool, attributes: readonly string[], findings: Findings): FetchedTable {
  async function* rows(): AsyncGenerator<string[][]> {
    const directory = await gather();
    for await (const line of readLines<Line>(spool)) {
      if (!('account' in line)) {
        return;
      }
      const { account, number } = line;
      if (account.isService) {
        continue;
      }
      const isNameless = account.mail === '' && account.employeeId === '';
      const isSecond = account.mail !== '' && !directory.standsForAddress(number);
      findings.unnamedPeople += isNameless ? 1 : 0;
      findings.sharedAddresses += isSecond ? 1 : 0;
      if (!isNameless && !isSecond) {
        yield [personRow(account, directory.getAccount(directory.findAccount(account.manager) ?? -1)?.reference ?? '')];
      }
    }
  }
  return { kind: 'PEOPLE', columns: [...personColumns, ...nameOthers(attributes, personColumns)], batches: inBatches(rows()) };
}

function personRow(account: Account, manager: string): string[] {
  const { mail, displayName, department, jobTitle, isDisabled, employeeId, username, employeeType, others } = account;
  const status = isDisabled ? 'TERMINATED' : 'ACTIVE';
  return [mail, displayName, manager, department, jobTitle, status, employeeId, username, employeeType, ...others];
}

/** Returns the table of accounts and grants. */
export function makeGrantsTable(gather: Gather, spool: Spool, attributes: readonly string[], findings: Findings): FetchedTable {
  const noOthers = attributes.map(() => '');
  const makeRow = (cells: Cells, others: readonly string[] = noOthers): string[] => [
    ...grantColumns.map((column) => cells[column] ?? ''),
    ...others,
  ];
  async function* rows(): AsyncGenerator<string[][]> {
    const directory = await gather();
    let isBehindAccounts = false;
    for await (const line of readLines<Line>(spool)) {
      if ('account' in line) {
        yield [makeRow(accountCells(line.account), line.account.others)];
        continue;
      }
      if (!isBehindAccounts) {
        isBehindAccounts = true;
        yield* entitlementRows(directory, makeRow, findings);
      }
      yield* holderRows(directory, line, makeRow);
    }
    if (!isBehindAccounts) {
      yield* entitlementRows(directory, makeRow, findings);
    }
  }
  return { kind: 'GRANTS', columns: [...grantColumns, ...nameOthers(attributes, grantColumns)], batches: inBatches(rows()) };
}

/** Cells in which all rows of an account must agree; they are the first of the row. */
function keyCells({ key, mail, isService, isDisabled }: Pick<AccountKeys, 'key' | 'mail' | 'isService' | 'isDisabled'>) {
  const [type, status] = [isService ? 'SERVICE_ACCOUNT' : 'USER', isDisabled ? 'DISABLED' : 'ENABLED'];
  return { account: key, email: mail, account_type: type, account_status: status } as const;
}

function accountCells(account: Account): Cells {
  const { username, employeeId, displayName, createdAt, usedAt, userType, appId } = account;
  return {
    ...keyCells(account),
    ...{ username, employee_id: employeeId, display_name: displayName, account_created_at: createdAt, account_used_at: usedAt },
    ...{ user_type: userType, app_id: appId },
  };
}

const placeCells = ({ resourceType, resource, entitlement }: Entitlement): Cells => ({
  resource_type: resourceType,
  resource,
  entitlement,
});
const stepOf = ({ resourceType, resource, entitlement }: Entitlement): string => writeStep(resourceType, resource, entitlement);

/** Every entitlement with what is shown of it, and the memberships whose holders hold it by that. */
function* entitlementRows(directory: Directory, makeRow: (cells: Cells) => string[], findings: Findings): Generator<string[][]> {
  for (let number = 0; number < directory.entitlementCount(); number++) {
    const one = directory.getEntitlement(number);
    yield [
      makeRow({
        ...placeCells(one),
        ...{ resource_name: one.resourceName, resource_description: one.resourceDescription, purpose: one.purpose },
        ...{ entitlement_name: one.name, entitlement_description: one.description },
      }),
    ];
    if (directory.isMembership(number)) {
      const { isCyclic, isCut } = pathsOf(directory, number);
      findings.cyclicGroups += isCyclic ? 1 : 0;
      findings.cutGroups += isCut ? 1 : 0;
      const link = stepOf(one);
      // A group may be a member of itself, which passes on nothing.
      const targets = directory.linksOf(number).filter((target) => target !== number);
      yield targets.map((target) => makeRow({ ...placeCells(directory.getEntitlement(target)), linked_from: link }));
    }
  }
}

function pathsOf(directory: Directory, membership: number) {
  return findGroupPaths(membership, (group) => directory.linksOf(group).filter((target) => directory.isMembership(target)));
}

/** Those who hold an entitlement, each with what is held by that. What is given to a group reaches its direct members alone. */
function* holderRows(directory: Directory, line: HolderLine, makeRow: (cells: Cells) => string[]): Generator<string[][]> {
  const held = directory.getEntitlement(line.entitlement);
  const nameStep = (number: number): string => stepOf(directory.getEntitlement(number));
  const alike = [makeRow(placeCells(held))];
  if (directory.isMembership(line.entitlement)) {
    const given = directory.linksOf(line.entitlement).filter((target) => !directory.isMembership(target));
    const ways = [...pathsOf(directory, line.entitlement).paths, ...given.map((target) => ({ target, steps: [line.entitlement] }))];
    for (const { target, steps } of ways) {
      alike.push(makeRow({ ...placeCells(directory.getEntitlement(target)), granted_via: steps.map(nameStep).join(' > ') }));
    }
  }
  for (const [index, number] of line.accounts.entries()) {
    const { account, email, account_type, account_status } = keyCells(directory.getAccount(number) as AccountKeys);
    const [from = '', until = ''] = line.times?.[index] ?? [];
    // There are many of these: each is a copy of what is alike for all holders, with the first cells filled in.
    yield alike.map((cells, place) => {
      const row = cells.slice();
      row[0] = account;
      row[1] = email;
      row[2] = account_type;
      row[3] = account_status;
      if (place === 0) {
        row[4] = from;
        row[5] = until;
      }
      return row;
    });
  }
}
