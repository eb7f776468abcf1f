/** `countersign account assign --file`: owners of many accounts of an app at once, from a CSV file of two columns, account and person. */
import { open } from 'node:fs/promises';
import { getCaselessNameKey } from '../../lib/names/same-name.ts';
import { readCsv } from '../../lib/tables/csv.ts';
import type { Client } from '../../client/index.ts';
import type { AppUserJson } from '../../gen/c1/api/app/v1/app_pb.js';
import { AppUserService } from '../../gen/c1/api/app/v1/app_user_service_pb.js';
import { AccountOwnerService } from '../../gen/countersign/v1/identity_pb.js';
import { findAppId, findPersonId } from '../frame/find.ts';
import { CommandFailure } from '../frame/io.ts';
import { listAll } from '../frame/list.ts';

interface Row {
  readonly line: number;
  readonly account: string;
  readonly person: string;
}

interface Assignment {
  readonly account: AppUserJson;
  readonly userId: string;
}

const maxErrorsShown = 20;

/** Sets the owner of each account in the file and returns how many there were; nothing is changed where one of its rows cannot be done. */
export async function assignFromFile(client: Client, app: string, path: string): Promise<number> {
  const appId = await findAppId(client, app);
  const rows = await readRows(path);
  const accounts = await listAll(client.pages(AppUserService.method.search, { appIds: [appId] }));
  const byName = Map.groupBy(
    accounts.flatMap(({ appUser }) => (appUser === undefined ? [] : namesOf(appUser).map((name) => ({ name, appUser })))),
    ({ name }) => name,
  );
  const errors: string[] = [];
  const assignments: Assignment[] = [];
  const people = new Map<string, Promise<string>>();
  for (const row of rows) {
    try {
      const [only, ...more] = byName.get(getCaselessNameKey(row.account)) ?? [];
      if (only === undefined || more.length > 0) {
        throw new CommandFailure(`${only === undefined ? 'there is no account' : 'several accounts are named'} "${row.account}"`);
      }
      const userId = people.get(row.person) ?? (row.person === '' ? Promise.resolve('') : findPersonId(client, row.person));
      people.set(row.person, userId);
      assignments.push({ account: only.appUser, userId: await userId });
    } catch (error) {
      if (!(error instanceof CommandFailure)) {
        throw error;
      }
      errors.push(`line ${row.line}: ${error.message}`);
    }
  }
  if (errors.length > 0) {
    const more = errors.length > maxErrorsShown ? [`and ${errors.length - maxErrorsShown} more`] : [];
    throw new CommandFailure(['nothing was changed:', ...errors.slice(0, maxErrorsShown), ...more].join('\n  '));
  }
  for (const { account, userId } of assignments) {
    await client.call(AccountOwnerService.method.setOwner, { appId, appUserId: account.id ?? '', userId });
  }
  return assignments.length;
}

/** The names of an account, each once. */
function namesOf(account: AppUserJson): string[] {
  const names = [
    account.id ?? '',
    ...(account.usernames ?? []),
    ...(account.emails ?? []),
    account.username ?? '',
    account.displayName ?? '',
  ];
  return [...new Set(names.map(getCaselessNameKey))].filter((name) => name !== '');
}

/** The rows of the file; a first row that says what its columns are is none. */
async function readRows(path: string): Promise<Row[]> {
  const file = await open(path).catch((error: unknown) => {
    throw new CommandFailure(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  });
  const rows: Row[] = [];
  try {
    for await (const batch of readCsv(file.createReadStream({ autoClose: false }), { maxRowBytes: 64 * 1024, batchBytes: 64 * 1024 })) {
      for (const [index, row] of batch.rows.entries()) {
        const line = batch.lines[index] ?? 0;
        const [account = '', person = '', ...others] = row.map((cell) => cell.trim());
        if (account === '' || row.length < 2 || others.some((cell) => cell !== '')) {
          throw new CommandFailure(`line ${line} of ${path} must have two columns: an account, and the mail address or id of its owner`);
        }
        rows.push({ line, account, person });
      }
    }
  } finally {
    await file.close();
  }
  const isHeader = /^(account|user|login|konto|app_user_id)/i.test(rows[0]?.account ?? '') && !(rows[0]?.person ?? '').includes('@');
  return isHeader ? rows.slice(1) : rows;
}
