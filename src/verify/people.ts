/** People, and what they wrote: commitments stand where names would, and the salt and the name beside them show what they stand for. */
import { commitment } from '../lib/log/commitment.ts';
import type { Digests } from './digests.ts';
import { eachText } from './each-line.ts';
import { type Fields, readFields } from './fields.ts';
import { KeyTable } from './key-table.ts';
import type { Bundle } from './members.ts';

/** People of a bundle by their ids, as far as somebody signed or decided. */
export interface People {
  readonly count: number;
  readonly erased: number;
  /** Number of a person, from 1 on; 0 for nobody. */
  readonly numberOf: (id: string) => number;
  /** True if this is a commitment to the person. */
  readonly isCommitted: (id: string, hex: string) => boolean;
  /** Names of those who signed. */
  readonly names: ReadonlyMap<string, string>;
  /** Names that signers print, by their id and the commitment that they signed with. */
  readonly printedNames: ReadonlyMap<string, string>;
}

const [peopleFile, detailsFile, reviewersFile, signersFile] = [
  'people.jsonl',
  'people-details.jsonl',
  'reviewers.jsonl',
  'signers.jsonl',
] as const;

/** Checks that each person's details are those that they are committed to, and passes them on. Keeps the names of those who are `wanted`. */
export function checkPeople(
  bundle: Bundle,
  digests: Digests,
  wanted: ReadonlySet<string>,
  onPerson: (id: string, person: Fields) => void,
): People {
  const { findings } = bundle;
  const numbers = new KeyTable();
  const commitments: Buffer[] = [];
  eachText(bundle, peopleFile, (bytes, line) => {
    digests.add(peopleFile, bytes, line);
    const person = readFields(bytes.toString());
    const committed = Buffer.from(person?.text('commitment') ?? '', 'hex');
    commitments.push(committed);
    const before = numbers.set(person?.text('id') ?? '', line);
    if (person === undefined || committed.length !== 32 || before !== 0) {
      findings.add(peopleFile, 'It is no person with a commitment, or one who is there twice.', { line });
    }
  });
  const names = new Map<string, string>();
  const shown = new Uint8Array(commitments.length + 1);
  let erased = 0;
  eachText(bundle, detailsFile, (bytes, line) => {
    const said = readFields(bytes.toString());
    const id = said?.text('id') ?? '';
    const number = numbers.get(id);
    if (said === undefined || number === 0 || shown[number] === 1) {
      findings.add(detailsFile, `${id || 'This line'} is nobody in ${peopleFile}, or there twice.`, { line, from: [peopleFile] });
      return;
    }
    shown[number] = 1;
    if (said.raw['erased'] === true) {
      erased += 1;
      return;
    }
    const person = said.fields('person');
    const name = person.text('displayName');
    if (!commitsTo(commitments[number - 1]!, said.text('salt'), person.raw)) {
      findings.add(detailsFile, `The details of ${name} (${id}) are not those that were recorded.`, { line, from: [peopleFile] });
    }
    if (wanted.has(id)) {
      names.set(id, name);
    }
    onPerson(id, person);
  });
  const printedNames = new Map<string, string>();
  const [reviewers, signers] = [readReviewers(bundle), readSigners(bundle, names, printedNames)];
  const missing = numbers.size - shown.reduce((sum, one) => sum + one, 0);
  if (missing > 0) {
    findings.add(detailsFile, `The details of ${missing} people are missing, and nothing says that they were erased.`, {
      from: [peopleFile],
    });
  }
  return {
    count: commitments.length,
    erased,
    numberOf: (id) => numbers.get(id) || (reviewers.has(id) || signers.has(id) ? commitments.length + 1 : 0),
    isCommitted: (id, hex) => signers.get(id)?.has(hex) === true || commitments[numbers.get(id) - 1]?.toString('hex') === hex,
    names,
    printedNames,
  };
}

/** Reads who was asked, decided or owns the review: their ids. What they are called is nowhere but in the bundle. */
function readReviewers(bundle: Bundle): ReadonlySet<string> {
  const ids = new Set<string>();
  eachText(bundle, reviewersFile, (bytes, line) => {
    const id = readFields(bytes.toString())?.text('id') ?? '';
    if (id === '' || ids.has(id)) {
      bundle.findings.add(reviewersFile, 'It is nobody, or somebody who is there twice.', { line });
    }
    ids.add(id);
  });
  return ids;
}

/** Reads who signed, with what they are called in what they signed: the commitments by person. */
function readSigners(
  bundle: Bundle,
  names: Map<string, string>,
  printedNames: Map<string, string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const signers = new Map<string, Set<string>>();
  eachText(bundle, signersFile, (bytes, line) => {
    const said = readFields(bytes.toString());
    const [id, hex] = [said?.text('id') ?? '', said?.text('commitment') ?? ''];
    if (said === undefined || id === '') {
      bundle.findings.add(signersFile, 'It is nobody.', { line });
      return;
    }
    signers.set(id, (signers.get(id) ?? new Set()).add(hex));
    if (said.raw['erased'] === true) {
      return;
    }
    const person = said.fields('person');
    const name = person.text('displayName');
    if (!commitsTo(Buffer.from(hex, 'hex'), said.text('salt'), person.raw)) {
      bundle.findings.add(signersFile, `The details of ${name} (${id}) are not those that were signed with.`, { line });
    }
    names.set(id, name);
    printedNames.set(`${id} ${hex}`, name === '' ? person.text('email') : name);
  });
  return signers;
}

/** True if the commitment is one to this value under this salt. */
export function commitsTo(wanted: Buffer, salt: string, value: unknown): boolean {
  const bytes = Buffer.from(salt, 'hex');
  try {
    return bytes.length === 16 && commitment(bytes, value).equals(wanted);
  } catch {
    return false;
  }
}
