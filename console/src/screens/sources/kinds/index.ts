/** The kinds of sources that are set up in the console, in the order in which they are offered. A kind is added here (kind.ts says how). */
import { baton } from './baton.ts';
import { entra } from './entra.ts';
import { folder } from './folder.ts';
import { https } from './https.ts';
import type { KindOfSource } from './kind.ts';
import { ldap } from './ldap.ts';
import { s3 } from './s3.ts';
import { sql } from './sql.ts';

export const kindsOfSources: readonly KindOfSource[] = [entra, ldap, sql, baton, folder, https, s3];

/** Returns the kind of a source, such as `SOURCE_KIND_LDAP` or `LDAP`; undefined where the console sets none up. */
export function findKind(name: string | undefined): KindOfSource | undefined {
  return kindsOfSources.find(({ id }) => id === name?.replace('SOURCE_KIND_', ''));
}
