/**
 * Accounts named `DOMAIN\\name`, as directories and databases export them: within one domain the name alone says who it is. In a file of several
 * domains the same name may be two people, so it is only used where a mapping says so.
 */
import type { Columns } from './columns.ts';

/** Domains of a machine itself, in the languages of Windows, whose accounts are no people. */
export const machineDomains = [
  '.',
  'nt authority',
  'nt-autorität',
  'autorite nt',
  'autorité nt',
  'nt service',
  'nt-dienst',
  'service nt',
  'builtin',
  'vordefiniert',
  'integrado',
  'iis apppool',
  'window manager',
  'font driver host',
] as const;

const ofMachine: ReadonlySet<string> = new Set(machineDomains);

/**
 * Way names are taken out of their domain to be matched as user names: not at all; of accounts `DOMAIN\\name`, in a file of one domain; or, where a mapping
 * asks for it, of `DOMAIN/name` and `name@domain`, too.
 */
export type DomainStripping = 'NONE' | 'OF_ONE' | 'ASKED';

/** Notes the domains of one file. */
export interface DomainList {
  see(row: readonly string[], line: number): void;
  /** As the mapping says, else by whether the file has a single domain. */
  strips(asked: string | undefined): DomainStripping;
  /** The first row of a second domain, and both domains; undefined in a file of fewer. */
  several(): { readonly line: number; readonly names: readonly [string, string] } | undefined;
}

/** True if two names may be one domain: `CORP` and `corp.example.com` are. */
function isSameDomain(one: string, other: string): boolean {
  const [first, second] = [one, other].map((name) => name.toLowerCase());
  return first === second || ((!first?.includes('.') || !second?.includes('.')) && first?.split('.')[0] === second?.split('.')[0]);
}

/** An empty list for a file with these columns. */
export function createDomainList({ at }: Columns<string>): DomainList {
  let first: string | undefined;
  let second: { readonly line: number; readonly name: string } | undefined;
  const places = [at.account ?? -1, at.username ?? -1].filter((place) => place >= 0);
  return {
    see(row, line) {
      for (const place of places) {
        const name = row[place] ?? '';
        const end = name.indexOf('\\');
        if (end > 0 && second === undefined) {
          const domain = name.slice(0, end).trim();
          if (ofMachine.has(domain.toLowerCase())) {
            continue;
          }
          first ??= domain;
          if (!isSameDomain(first, domain)) {
            second = { line, name: domain };
          }
        }
      }
    },
    strips: (asked) => (asked === 'STRIP' ? 'ASKED' : asked !== 'KEEP' && first !== undefined && second === undefined ? 'OF_ONE' : 'NONE'),
    several: () => (first === undefined || second === undefined ? undefined : { line: second.line, names: [first, second.name] }),
  };
}
