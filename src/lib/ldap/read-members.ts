/** Members of a group, also where the server gives them in parts (`member;range=0-1499`, Active Directory). */
import { type Entry, textsOf } from './entry.ts';
import { FetchFault } from '../tables/fetch-fault.ts';
import type { Session } from './session.ts';

const memberAttributes = ['member', 'uniquemember'] as const;
const range = /^(?<name>[a-z]+);range=(?<from>\d+)-(?<to>\d+|\*)$/;

/** Members that follow those of an entry. */
export interface MissingMembers {
  readonly dn: string;
  readonly attribute: string;
  readonly from: number;
}

interface Part {
  readonly from: number;
  /** Place of the last one; undefined where nothing follows. */
  readonly to: number | undefined;
  readonly values: readonly string[];
}

function findPart(entry: Entry, name: string): Part | undefined {
  for (const attribute of entry.attributes.keys()) {
    const parts = range.exec(attribute)?.groups;
    if (parts?.name === name) {
      const to = parts.to === '*' ? undefined : Number(parts.to);
      return { from: Number(parts.from), to, values: textsOf(entry, attribute) };
    }
  }
  return undefined;
}

/** Returns the names of members that a group's entry has, and what it lacks of them. */
export function membersIn(group: Entry): { readonly names: readonly string[]; readonly missing: readonly MissingMembers[] } {
  const names: string[] = [];
  const missing: MissingMembers[] = [];
  for (const attribute of memberAttributes) {
    const part = findPart(group, attribute);
    for (const value of [...textsOf(group, attribute), ...(part?.values ?? [])]) {
      names.push(attribute === 'uniquemember' ? stripIdentifier(value) : value);
    }
    if (part?.to !== undefined) {
      missing.push({ dn: group.dn, attribute, from: part.to + 1 });
    }
  }
  return { names, missing };
}

/** Yields the members that an entry lacked, part by part to the last. No search may be under way. */
export async function* readMissing(session: Session, { dn, attribute, from }: MissingMembers): AsyncGenerator<readonly string[]> {
  for (let next: number | undefined = from; next !== undefined; ) {
    const attributes = [`${attribute};range=${next}-*`];
    const query = { task: 'Reading the members of a group', base: dn, scope: 'base', filter: '(objectClass=*)', attributes } as const;
    let part: Part | undefined;
    for await (const entries of session.search(query)) {
      part = entries.map((entry) => findPart(entry, attribute)).find((found) => found !== undefined) ?? part;
    }
    if (part === undefined || part.from !== next || (part.to !== undefined && part.to < part.from)) {
      throw new FetchFault('UNREACHED', `Reading the members of ${dn} failed: the server did not give those from number ${next} on.`);
    }
    yield part.values;
    next = part.to === undefined ? undefined : part.to + 1;
  }
}

/** A name of `uniqueMember` may have an identifier behind it: `cn=a#'0101'B`. */
function stripIdentifier(value: string): string {
  return value.replace(/#'[01]*'B$/, '');
}
