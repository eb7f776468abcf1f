/** Fetches a directory in a test, and returns its rows by the names of their columns. */
import { openSpool } from '../../src/inventory/syncs/index.ts';
import { type DirectoryParts, openLdap } from '../../src/lib/ldap/open-ldap.ts';
import type { LdapSettings } from '../../src/lib/ldap/settings.ts';
import { adminDn, adminPassword, baseDn } from './slapd.ts';

type Row = Readonly<Record<string, string>>;

/** Settings that leave everything to us. */
export const usualSettings: LdapSettings = {
  ...{ url: '', baseDn, bindDn: adminDn, ca: '', userFilter: '', groupFilter: '', serviceFilter: '', attributes: [], disabledWhen: [] },
};

/** Fetches everything. */
export async function fetchDirectory(changes: Partial<LdapSettings>, password = adminPassword, parts: Partial<DirectoryParts> = {}) {
  const settings = { ...usualSettings, ...changes };
  const usual = { rules: { allowed: [], allowsLocal: true }, signal: new AbortController().signal, openSpool, now: () => new Date() };
  const directory = await openLdap(settings, { bindPassword: password }, { ...usual, ...parts });
  try {
    const read: Row[][] = [];
    for (const { columns, batches } of [directory.people, directory.grants]) {
      const rows: Row[] = [];
      for await (const batch of batches) {
        rows.push(...batch.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] as string]))));
      }
      read.push(rows);
    }
    const [people = [], grants = []] = read;
    return { people, grants, facts: directory.facts() };
  } finally {
    await directory.close();
  }
}

/** Rows as `account resource via`, by names where they are known. */
export function describeGrants(grants: readonly Row[]): string[] {
  const names = new Map<string, string>();
  for (const { account, username, resource, resource_name: name } of grants) {
    names.set(account ?? '', names.get(account ?? '') || username || '');
    names.set(resource ?? '', names.get(resource ?? '') || name || '');
  }
  const named = (text = ''): string => text.replace(/[^/>\s]+/g, (part) => names.get(part) || part);
  return grants
    .filter(({ resource }) => resource !== '')
    .map(({ account, resource, granted_via: via, linked_from: link }) =>
      [link ? `[${named(link)}]` : named(account) || '-', named(resource), named(via)].join(' ').trim(),
    );
}
