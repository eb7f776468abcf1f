/**
 * Accounts named `DOMAIN\\name`, as directories and databases export them: within one domain the name alone says who it is. In a file of several
 * domains the same name may be two people, so it is only used where a mapping says so.
 */
import type { Columns } from './columns.ts';

/** Domains of a machine itself, whose accounts are no people. */
const ownDomains: ReadonlySet<string> = new Set([
  'nt authority',
  'nt service',
  'builtin',
  'iis apppool',
  'window manager',
  'font driver host',
]);

/** Notes the domains of one file. */
export interface DomainList {
  see(row: readonly string[]): void;
  /** True if names are taken out of their domain: as the mapping says, else in a file of a single one. */
  strips(asked: string | undefined): boolean;
}

/** An empty list for a file with these columns. */
export function createDomainList({ at }: Columns<string>): DomainList {
  const found = new Set<string>();
  const places = [at.account ?? -1, at.username ?? -1].filter((place) => place >= 0);
  return {
    see(row) {
      for (const place of places) {
        const name = row[place] ?? '';
        const end = name.indexOf('\\');
        if (end > 0 && found.size < 2) {
          const domain = name.slice(0, end).toLowerCase();
          if (!ownDomains.has(domain)) {
            found.add(domain);
          }
        }
      }
    },
    strips: (asked) => asked === 'STRIP' || (asked !== 'KEEP' && found.size === 1),
  };
}
