/**
 * A made-up company as import files, the same at every run: one app, ten grants an account, two accounts a person, twenty-five people a
 * manager. Written as streams, so that a million rows take no memory here.
 */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const grantsPerAccount = 10;
const accountsPerPerson = 2;
const peoplePerManager = 25;
const levels = ['read', 'write', 'admin', 'owner', 'audit'];

/** Counts for a company. */
export interface CompanySize {
  readonly grants: number;
  readonly accounts: number;
  readonly people: number;
  readonly entitlements: number;
}

/** The company with so many grants: a million are 100,000 accounts of 50,000 people and 5,000 entitlements. */
export function sizeOf(grants: number): CompanySize {
  const accounts = Math.max(40, Math.ceil(grants / grantsPerAccount));
  const entitlements = Math.max(50, Math.ceil(grants / 200 / levels.length) * levels.length);
  return { grants: accounts * grantsPerAccount, accounts, people: Math.ceil(accounts / accountsPerPerson), entitlements };
}

/** The mail address of a person by number; person 0 leads, and n's manager is (n - 1) / 25. */
export const emailOf = (person: number): string => `person${person}@company.example`;

const givenNames = ['José', 'Anna', 'Jürgen', 'Wei', 'Olga', 'Søren', 'Peter', 'Maria', 'Łukasz', 'Zoë', 'François', 'Ibrahim', 'Chloé'];
const familyNames = ['Núñez', 'Smith', 'García', 'Lindström', "O'Neil", 'Ivanova', 'Nguyễn', 'Kowalski', 'Dvořák', 'Martin', 'Müller'];

/** The name of a person by number: one of 143, and the number. */
export const nameOf = (person: number): string =>
  `${givenNames[person % givenNames.length]} ${familyNames[Math.floor(person / 7) % familyNames.length]} ${person}`;

const departments = ['Engineering', 'Finance', 'Legal', 'Operations', 'People', 'Sales'];

function* peopleLines(size: CompanySize): Generator<string> {
  yield 'email,display_name,manager_email,department,job_title,employment_status\n';
  for (let person = 0; person < size.people; person++) {
    const manager = person === 0 ? '' : emailOf(Math.floor((person - 1) / peoplePerManager));
    yield `${emailOf(person)},${nameOf(person)},${manager},${departments[person % departments.length]},Specialist ${person % 40},ACTIVE\n`;
  }
}

/** The lines of a file of grants, some at a time. */
export function* grantLines(size: CompanySize, isReversed: boolean): Generator<string> {
  yield 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at\n';
  for (let number = 0; number < size.accounts; number++) {
    const account = isReversed ? size.accounts - 1 - number : number;
    const holder = `acct-${account},${emailOf(account % size.people)},USER,ENABLED`;
    const lines: string[] = [];
    for (let grant = 0; grant < grantsPerAccount; grant++) {
      // A prime stride: ten different ones for each account.
      const entitlement = (account * 7919 + grant * 503) % size.entitlements;
      const resource = Math.floor(entitlement / levels.length);
      const day = String(1 + ((account + grant) % 28)).padStart(2, '0');
      lines.push(
        `${holder},group,resource-${resource},${levels[entitlement % levels.length]},2024-03-${day}T08:00:00Z,2026-05-${day}T17:30:00Z\n`,
      );
    }
    yield lines.join('');
  }
}

/** Joins lines into pieces a disk likes. */
function* inPieces(lines: Iterable<string>): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length > 65_536) {
      yield piece;
      piece = '';
    }
  }
  yield piece;
}

/** Writes the people of a company. */
export function writePeople(path: string, size: CompanySize): Promise<void> {
  return pipeline(Readable.from(inPieces(peopleLines(size))), createWriteStream(path));
}

/** Writes the grants of a company; reversed, the same ones in another order. */
export function writeGrants(path: string, size: CompanySize, isReversed = false): Promise<void> {
  return pipeline(Readable.from(inPieces(grantLines(size, isReversed))), createWriteStream(path));
}
