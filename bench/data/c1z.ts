/** The made-up company as a c1z: its grants come in the order of entitlements, as connectors list them. */
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import { annotation, type C1zContents, message, struct, writeC1zDatabase } from '../../test/support/c1z.ts';
import { type CompanySize, emailOf, nameOf } from './company.ts';

const perAccount = 10;

function* users(size: CompanySize): Generator<{ type: string; id: string; data: Record<number, Uint8Array | string> }> {
  for (let account = 0; account < size.accounts; account++) {
    const person = account % size.people;
    const trait = {
      1: message({ 1: emailOf(person), 2: true }),
      2: message({ 1: 1 }),
      3: struct({ department: 'Sales', cost_center: `C${person % 40}` }),
      5: 1,
    };
    yield { type: 'user', id: `acct-${account}`, data: { 3: nameOf(person), 4: annotation('UserTrait', trait) } };
  }
}

function* grants(size: CompanySize): Generator<{ of: string; to: readonly [string, string] }> {
  // Each entitlement has every n-th account.
  const holders = Math.floor((size.accounts * perAccount) / size.entitlements);
  for (let entitlement = 0; entitlement < size.entitlements; entitlement++) {
    for (let at = 0; at < holders; at++) {
      yield { of: `group:g${entitlement}:member`, to: ['user', `acct-${(entitlement * 7919 + at * 503) % size.accounts}`] };
    }
  }
}

/** Contents of the company's c1z. */
export function companyContents(size: CompanySize): C1zContents {
  const groups = Array.from({ length: size.entitlements }, (_, no) => `g${no}`);
  return {
    types: [
      { id: 'user', traits: [1] },
      { id: 'group', traits: [2] },
    ],
    resources: (function* () {
      yield* users(size);
      for (const id of groups) {
        yield { type: 'group', id, data: { 4: annotation('GroupTrait') } };
      }
    })(),
    entitlements: groups.map((resource) => ({ type: 'group', resource, slug: 'member', data: { 4: `Is a member of ${resource}`, 7: 1 } })),
    grants: grants(size),
  };
}

/** Writes the company's database, and beside it its c1z. */
export async function writeCompanyC1z(database: string, file: string, size: CompanySize): Promise<void> {
  await rm(database, { force: true });
  writeC1zDatabase(database, companyContents(size));
  const out = createWriteStream(file);
  out.write('C1ZF\0');
  await pipeline(createReadStream(database), createZstdCompress(), out);
}
