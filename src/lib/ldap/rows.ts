/** The rows of a directory that was read whole: people, then accounts with what they are members of. */
import type { FetchedTable } from '../tables/fetched-table.ts';
import { findGroupPaths, type GroupPath } from '../directories/group-paths.ts';
import { inBatches, readLines, type Spool, writeStep } from '../directories/spooled-lines.ts';
import type { Gathered, Group, GroupLine, Line } from './gather.ts';
import type { AccountKeys } from './index-accounts.ts';
import { normalizeDn } from './dn.ts';
import type { Account } from './read-account.ts';

const personColumns = [
  ...['email', 'display_name', 'manager_email', 'department', 'job_title', 'employment_status', 'employee_id', 'username'],
] as const;
const grantColumns = [
  ...['account', 'email', 'account_type', 'account_status', 'resource_type', 'resource', 'entitlement', 'granted_at', 'last_used_at'],
  ...['username', 'employee_id', 'display_name', 'granted_via', 'resource_name', 'resource_description', 'linked_from'],
  ...['account_created_at', 'account_used_at', 'dn', 'locked', 'password_expired', 'unresolved'],
] as const;
type GrantColumn = (typeof grantColumns)[number];
type Cells = Partial<Record<GrantColumn, string>>;

/** Findings while rows were made, for the warnings of the fetch. */
export interface Findings {
  unnamedPeople: number;
  sharedAddresses: number;
  cyclicGroups: number;
  cutGroups: number;
}

/** Names of the columns of further attributes, beside those that are there. */
function nameOthers(attributes: readonly string[], columns: readonly string[]): string[] {
  return attributes.map((name) => (columns.includes(name.toLowerCase()) ? `ldap.${name}` : name));
}

/** Returns the table of people. */
export function makePeopleTable(
  gather: () => Promise<Gathered>,
  spool: Spool,
  attributes: readonly string[],
  findings: Findings,
): FetchedTable {
  async function* rows(): AsyncGenerator<string[][]> {
    const { accounts } = await gather();
    for await (const line of readLines<Line>(spool)) {
      if (!('account' in line)) {
        return;
      }
      const { account, number, isPerson } = line;
      if (!isPerson) {
        continue;
      }
      const isNameless = account.mail === '' && account.employeeId === '';
      const isSecond = account.mail !== '' && !accounts.standsForAddress(number);
      findings.unnamedPeople += isNameless ? 1 : 0;
      findings.sharedAddresses += isSecond ? 1 : 0;
      if (!isNameless && !isSecond) {
        const manager = account.manager === '' ? undefined : accounts.get(accounts.find(normalizeDn(account.manager)) ?? -1);
        const status = account.isDisabled ? 'TERMINATED' : 'ACTIVE';
        const { mail, displayName, department, jobTitle, employeeId, username, others } = account;
        yield [[mail, displayName, manager?.mail ?? '', department, jobTitle, status, employeeId, username, ...others]];
      }
    }
  }
  return { kind: 'PEOPLE', columns: [...personColumns, ...nameOthers(attributes, personColumns)], batches: inBatches(rows()) };
}

/** Returns the table of accounts and grants. */
export function makeGrantsTable(
  gather: () => Promise<Gathered>,
  spool: Spool,
  attributes: readonly string[],
  findings: Findings,
): FetchedTable {
  const noOthers = attributes.map(() => '');
  const makeRow = (cells: Cells, others: readonly string[] = noOthers): string[] => [
    ...grantColumns.map((column) => cells[column] ?? ''),
    ...others,
  ];
  async function* rows(): AsyncGenerator<string[][]> {
    const gathered = await gather();
    const written = new Set<number>();
    for await (const line of readLines<Line>(spool)) {
      if ('account' in line) {
        yield [makeRow(accountCells(line.account), line.account.others)];
        continue;
      }
      if (written.size === 0) {
        yield gathered.others.filter(({ isOutside }) => isOutside).map(({ dn }) => makeRow({ ...outsideCells(dn), unresolved: 'true' }));
      }
      const isFirst = !written.has(line.group);
      written.add(line.group);
      yield* groupRows(gathered, line, isFirst, makeRow, findings);
    }
  }
  return { kind: 'GRANTS', columns: [...grantColumns, ...nameOthers(attributes, grantColumns)], batches: inBatches(rows()) };
}

function accountCells(account: Account): Cells {
  const { username, employeeId, displayName, createdAt, usedAt, dn, isLocked, isPasswordOver } = account;
  return {
    ...keyCells(account),
    ...{ username, employee_id: employeeId, display_name: displayName, account_created_at: createdAt, account_used_at: usedAt, dn },
    locked: isLocked ? 'true' : '',
    password_expired: isPasswordOver ? 'true' : '',
  };
}

/** Cells in which all rows of an account must agree; they are the first of the row. */
function keyCells({ key, mail, isDisabled, isService }: AccountKeys) {
  const [type, status] = [isService ? 'SERVICE_ACCOUNT' : 'USER', isDisabled ? 'DISABLED' : 'ENABLED'];
  return { account: key, email: mail, account_type: type, account_status: status } as const;
}

const outsideCells = (dn: string) => keyCells({ key: dn, mail: '', isDisabled: false, isService: false });

const groupColumns = ({ key }: Group) => ({ resource_type: 'group', resource: key, entitlement: 'member' }) as const;
const stepOf = ({ key }: Group): string => writeStep('group', key, 'member');

/** The group itself and the groups in it; then its members, each with what it is a member of by that. */
function* groupRows(
  { accounts, groups, others, parents }: Gathered,
  line: GroupLine,
  isFirst: boolean,
  makeRow: (cells: Cells) => string[],
  findings: Findings,
): Generator<string[][]> {
  const group = groups[line.group] as Group;
  const own = groupColumns(group);
  const { paths, isCyclic, isCut } = findGroupPaths(line.group, (one) => parents.get(one) ?? []);
  const about: string[][] = [];
  if (isFirst) {
    findings.cyclicGroups += isCyclic ? 1 : 0;
    findings.cutGroups += isCut ? 1 : 0;
    about.push(makeRow({ ...own, resource_name: group.name, resource_description: group.description }));
  }
  const outside: string[] = [];
  for (const place of line.others) {
    const { dn, group: inner, isOutside } = others[place] as Gathered['others'][number];
    if (inner !== undefined) {
      about.push(makeRow({ ...own, linked_from: stepOf(groups[inner] as Group) }));
    } else if (isOutside) {
      outside.push(dn);
    }
  }
  yield about;
  const ways = paths.map(({ target, steps }: GroupPath) =>
    makeRow({ ...groupColumns(groups[target] as Group), granted_via: steps.map((step) => stepOf(groups[step] as Group)).join(' > ') }),
  );
  // There are many of these: each is a copy of what is alike for all members, with the first cells filled in.
  const held = [makeRow(own), ...ways];
  const fill = ({ account, email, account_type, account_status }: ReturnType<typeof keyCells>): string[][] =>
    held.map((alike) => {
      const row = alike.slice();
      row[0] = account;
      row[1] = email;
      row[2] = account_type;
      row[3] = account_status;
      return row;
    });
  for (const number of line.accounts) {
    yield fill(keyCells(accounts.get(number) as AccountKeys));
  }
  if (isFirst) {
    const direct = new Set(line.accounts);
    for (const number of accounts.inPrimaryGroup(group.sid)) {
      if (!direct.has(number)) {
        yield fill(keyCells(accounts.get(number) as AccountKeys));
      }
    }
  }
  for (const dn of outside) {
    yield fill(outsideCells(dn));
  }
}
