/**
 * Figure: fetching a directory of 20,000 people and 300 groups in each other over LDAP, people and grants as rows, beside ldapsearch that reads the same
 * entries in pages of the same size. Both read OpenLDAP's slapd on this machine; without it the figure fails.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { openSpool } from '../../src/inventory/syncs/index.ts';
import { openLdap } from '../../src/lib/ldap/open-ldap.ts';
import { usualSettings } from '../../test/support/fetch-directory.ts';
import { adminDn, adminPassword, baseDn, groupDn, personDn, type Slapd, startSlapd, writeDirectory } from '../../test/support/slapd.ts';
import { atMost, type Figure, median, seconds } from '../figure.ts';

const run = promisify(execFile);
const people = 20_000;
const groupCount = 300;
const rounds = 5;

/** The members of each group: 5,000 of the first, 60 of each other, which lies in the one of half its number. */
function nestGroups(): string[][] {
  return Array.from({ length: groupCount }, (_, group) => {
    const members = Array.from({ length: group === 0 ? 5_000 : 60 }, (_none, n) => personDn((group * 61 + n) % people));
    return [...members, ...[2 * group + 1, 2 * group + 2].filter((inner) => inner < groupCount).map(groupDn)];
  });
}

async function search({ url }: Slapd): Promise<number> {
  const begun = performance.now();
  const how = ['-LLL', '-E', 'pr=500/noprompt', '-x', '-H', url, '-D', adminDn, '-w', adminPassword, '-b', baseDn];
  await run('ldapsearch', [...how, '(|(objectClass=person)(objectClass=groupOfNames))', '*', '+'], { maxBuffer: 1e9 });
  return (performance.now() - begun) / 1000;
}

async function fetch({ url }: Slapd): Promise<number> {
  const begun = performance.now();
  const parts = { rules: { allowed: [], allowsLocal: true }, signal: new AbortController().signal, openSpool, now: () => new Date() };
  const directory = await openLdap({ ...usualSettings, url }, { bindPassword: adminPassword }, parts);
  try {
    for (const { batches } of [directory.people, directory.grants]) {
      for await (const batch of batches) {
        if (batch.length === 0) {
          throw new Error('an empty batch');
        }
      }
    }
  } finally {
    await directory.close();
  }
  return (performance.now() - begun) / 1000;
}

/** At most twice ldapsearch. */
export const measureDirectory: Figure = async () => {
  const slapd = await startSlapd(writeDirectory(people, nestGroups()));
  try {
    const times: { ours: number; peer: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      times.push({ peer: await search(slapd), ours: await fetch(slapd) });
    }
    const [ours, peer] = [median(times.map((time) => time.ours)), median(times.map((time) => time.peer))];
    const title = `LDAP: ${people.toLocaleString('en')} people, ${groupCount} groups`;
    return [atMost(2, { title, ours: seconds(ours), peer: `${seconds(peer)} ldapsearch`, ratio: ours / peer })];
  } finally {
    await slapd.close();
  }
};
