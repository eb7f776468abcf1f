/** Trust in a log: the keys of logs, those of witnesses, and how many witnesses must have cosigned. Read from policy files (C2SP tlog-policy). */
import { isUtf8 } from 'node:buffer';
import { NoteError, type NoteKey, readVkey } from './signed-note.ts';

/** The logs and witnesses that are known, and the rule for cosignatures. */
export interface LogPolicy {
  readonly logs: readonly NoteKey[];
  readonly witnesses: readonly NoteKey[];
  /** True if these witnesses together are enough. */
  isQuorum(cosigners: ReadonlySet<NoteKey>): boolean;
}

/** A group of witnesses and other groups, of which so many must agree. */
interface Group {
  readonly threshold: number;
  readonly members: readonly string[];
}

/** Definitions in the lines read so far; a name is a witness or a group. */
interface Definitions {
  readonly logs: NoteKey[];
  readonly names: Map<string, NoteKey | Group>;
  readonly grouped: Set<string>;
  quorum: string | undefined;
}

const maxPolicyBytes = 1_000_000;
const readers: ReadonlyMap<string, (found: Definitions, words: readonly string[]) => void> = new Map([
  ['log', readLog],
  ['witness', readWitness],
  ['group', readGroup],
  ['quorum', readQuorum],
]);

/** The policy that accepts these logs without any witness. */
export function trustLogs(logs: readonly NoteKey[]): LogPolicy {
  return { logs, witnesses: [], isQuorum: () => true };
}

/** The policy in a file. Throws a NoteError that names the line. */
export function readLogPolicy(file: Buffer): LogPolicy {
  // Each byte one character: names are compared byte by byte, whatever they spell.
  const text = file.toString('latin1');
  if (file.length > maxPolicyBytes || !/^[\t\n -~\u0080-\u00ff]*$/.test(text) || !text.endsWith('\n')) {
    throw new NoteError(`A policy has at most ${maxPolicyBytes} bytes, no control characters, and a line feed after each line.`);
  }
  const found: Definitions = { logs: [], names: new Map(), grouped: new Set(), quorum: undefined };
  for (const [index, line] of text.split('\n').entries()) {
    const words = line.split(/[ \t]+/).filter((word) => word !== '');
    if (words.length > 0 && !words[0]!.startsWith('#')) {
      try {
        readDefinition(found, words);
      } catch (error) {
        throw error instanceof NoteError ? new NoteError(`Policy, line ${index + 1}: ${error.message}`) : error;
      }
    }
  }
  const { logs, names, quorum } = found;
  if (quorum === undefined) {
    throw new NoteError('The policy has no quorum line.');
  }
  const witnesses = [...names.values()].filter((defined) => 'vkey' in defined);
  return { logs, witnesses, isQuorum: (cosigners) => quorum === 'none' || agreed(names, cosigners).has(quorum) };
}

function readDefinition(found: Definitions, [keyword = '', ...words]: readonly string[]): void {
  const read = readers.get(keyword);
  if (read === undefined) {
    throw new NoteError('a line begins with log, witness, group or quorum.');
  }
  read(found, words);
}

function readLog({ logs }: Definitions, words: readonly string[]): void {
  if (words.length < 1 || words.length > 2) {
    throw new NoteError('a log has a key and perhaps an address.');
  }
  logs.push(readNewKey(logs, 'note', words[0]!));
}

function readWitness({ names }: Definitions, words: readonly string[]): void {
  if (words.length < 2 || words.length > 3) {
    throw new NoteError('a witness has a name, a key and perhaps an address.');
  }
  const witnesses = [...names.values()].filter((defined) => 'vkey' in defined);
  names.set(readNewName(names, words[0]!), readNewKey(witnesses, 'cosignature', words[1]!));
}

function readGroup({ names, grouped }: Definitions, [name = '', count = '', ...members]: readonly string[]): void {
  readNewName(names, name);
  const threshold = count === 'all' ? members.length : count === 'any' ? 1 : /^[1-9]\d{0,6}$/.test(count) ? Number(count) : 0;
  if (threshold < 1 || threshold > members.length) {
    throw new NoteError('a group has a name, then all, any or a number up to that of its members, then its members.');
  }
  for (const member of members) {
    if (!names.has(member)) {
      throw new NoteError(`no line before defines ${spell(member)}.`);
    }
    if (grouped.has(member)) {
      throw new NoteError(`${spell(member)} is a member already; a witness counts in one way only.`);
    }
    grouped.add(member);
  }
  names.set(name, { threshold, members });
}

function readQuorum(found: Definitions, words: readonly string[]): void {
  const [name = ''] = words;
  if (words.length !== 1 || found.quorum !== undefined) {
    throw new NoteError('a policy has one quorum line, with one name.');
  }
  if (name !== 'none' && !found.names.has(name)) {
    throw new NoteError(`no line before defines ${spell(name)}.`);
  }
  found.quorum = name;
}

function readNewName(names: ReadonlyMap<string, unknown>, name: string): string {
  if (name === 'none' || names.has(name)) {
    throw new NoteError(`the name ${spell(name)} is taken.`);
  }
  return name;
}

function readNewKey(known: readonly NoteKey[], kind: NoteKey['kind'], word: string): NoteKey {
  const bytes = Buffer.from(word, 'latin1');
  if (!isUtf8(bytes)) {
    throw new NoteError('a key is UTF-8 text.');
  }
  const key = readVkey(bytes.toString());
  if (key.kind !== kind) {
    throw new NoteError(
      `the key of ${key.name} is not of type ${kind === 'note' ? '0x01, which logs have' : '0x04, which witnesses have'}.`,
    );
  }
  if (known.some(({ publicKey }) => publicKey.equals(key.publicKey))) {
    throw new NoteError(`the key of ${key.name} is there already.`);
  }
  return key;
}

/** A name as its author wrote it. */
function spell(name: string): string {
  return Buffer.from(name, 'latin1').toString();
}

/** The witnesses that cosigned, and the groups of which enough did. Members stand before their group, so one pass finds all. */
function agreed(names: ReadonlyMap<string, NoteKey | Group>, cosigners: ReadonlySet<NoteKey>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [name, defined] of names) {
    const isAgreed =
      'vkey' in defined ? cosigners.has(defined) : defined.members.filter((member) => found.has(member)).length >= defined.threshold;
    if (isAgreed) {
      found.add(name);
    }
  }
  return found;
}
