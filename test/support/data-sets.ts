/**
 * Files to import in tests: the published data sets where the folder COUNTERSIGN_TEST_DATA (or `data` beside the clone) holds them, and
 * files of the same form made here where it does not, so that every test runs on a fresh clone.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';

/** A person of a people file. */
export interface PersonRecord {
  readonly email: string;
  readonly display_name: string;
  readonly manager_email: string;
  readonly department: string;
  readonly job_title: string;
  readonly employment_status: string;
}

/** A grant of a grants file. */
export interface GrantRecord {
  readonly account: string;
  readonly email: string;
  readonly account_type: string;
  readonly account_status: string;
  readonly resource_type: string;
  readonly resource: string;
  readonly entitlement: string;
  readonly granted_at: string;
  readonly last_used_at: string;
}

/** A data set: the files as they are, and what they hold. */
export interface DataSet {
  readonly peopleCsv: Buffer;
  readonly grantsCsv: Buffer;
  readonly people: readonly PersonRecord[];
  readonly grants: readonly GrantRecord[];
}

/** The data set `name` (domino, americas_small, ...); a stand-in of the size of domino where its files are not there. */
export function readDataSet(name: string): DataSet {
  return findDataSet(name) ?? makeStandIn();
}

/** The published data set `name`; undefined where its files are not there. */
export function findDataSet(name: string): DataSet | undefined {
  const folder = dataFolders().find((candidate) => existsSync(join(candidate, `${name}.people.csv`)));
  return folder === undefined
    ? undefined
    : parsed(readFileSync(join(folder, `${name}.people.csv`)), gunzipSync(readFileSync(join(folder, `${name}.grants.csv.gz`))));
}

function parsed(peopleCsv: Buffer, grantsCsv: Buffer): DataSet {
  return {
    peopleCsv,
    grantsCsv,
    people: parse<PersonRecord>(peopleCsv, { columns: true }),
    grants: parse<GrantRecord>(grantsCsv, { columns: true }),
  };
}

function dataFolders(): string[] {
  const given = process.env['COUNTERSIGN_TEST_DATA'];
  const clone = resolve(import.meta.dirname, '../..');
  return [...(given === undefined ? [] : [given]), join(clone, '../data'), join(clone, '../shared/data')];
}

/** 79 people in a tree of eight to a manager, and 730 grants, some of them of service accounts and of accounts nobody owns. */
export function makeStandIn(): DataSet {
  const mail = (number: number): string => `u${number}@standin.example`;
  const people = ['email,display_name,manager_email,department,job_title,employment_status'];
  for (let number = 1; number <= 79; number += 1) {
    const manager = number === 1 ? '' : mail(Math.floor((number - 2) / 8) + 1);
    people.push(
      `${mail(number)},User ${number},${manager},${number % 2 === 0 ? 'Sales' : 'Legal'},${number <= 10 ? 'Manager' : 'Clerk'},${number % 26 === 0 ? 'TERMINATED' : 'ACTIVE'}`,
    );
  }
  const grants = ['account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at'];
  for (let number = 0; number < 730; number += 1) {
    const user = (number % 79) + 1;
    const isService = user % 20 === 0;
    const used = number % 3 === 0 ? '' : '2025-11-02T00:00:00Z';
    grants.push(
      `u${user},${user % 33 === 0 ? '' : mail(user)},${isService ? 'SERVICE_ACCOUNT' : 'USER'},${user % 17 === 0 ? 'DISABLED' : 'ENABLED'},permission,permission ${Math.floor(number / 79) * 3 + (number % 3) + 1},assigned,2023-05-04T00:00:00Z,${used}`,
    );
  }
  return parsed(Buffer.from(`${people.join('\n')}\n`), Buffer.from(`${grants.join('\n')}\n`));
}
