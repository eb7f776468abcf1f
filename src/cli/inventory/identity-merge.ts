/** `countersign identity merge|split`: two people that are one, and one that is two, through the API. */
import type { ByValue } from '../../client/by-value.ts';
import {
  type PersonMergeChangeJson,
  type PersonMergeServiceMergeResponseJson,
  PersonMergeService,
  type PersonPartJson,
} from '../../gen/countersign/v1/person_merges_pb.js';
import type { Commands } from '../frame/commands.ts';
import { findPerson, findPersonId } from '../frame/find.ts';
import { UsageError } from '../frame/io.ts';

const nouns: ByValue<PersonPartJson['kind'], readonly [one: string, many: string]> = {
  PERSON_PART_KIND_RECORDS: ['record', 'records'],
  PERSON_PART_KIND_ACCOUNTS: ['account', 'accounts'],
  PERSON_PART_KIND_REVIEW_ITEMS: ['open review item', 'open review items'],
  PERSON_PART_KIND_OWNERSHIPS: ['owned thing', 'owned things'],
  PERSON_PART_KIND_REVIEWS: ['owned review', 'owned reviews'],
  PERSON_PART_KIND_TEMPLATES: ['owned template', 'owned templates'],
  PERSON_PART_KIND_REPORTS: ['person who reports to them', 'people who report to them'],
  PERSON_PART_KIND_ROLES: ['role', 'roles'],
  PERSON_PART_KIND_CREDENTIALS: ['credential', 'credentials'],
  PERSON_PART_KIND_DELEGATIONS: ['delegation', 'delegations'],
};

const dryRun = { '--dry-run': 'change nothing, and say what would be changed' } as const;

/** Adds `identity merge` and `identity split`. */
export function addMergeCommands(group: Commands): void {
  group.run('merge', {
    description: 'merge a person into another, who is the same: what they may do ends',
    operands: { '<person>': 'mail address or id of the person who is merged', '<into>': 'the person they are merged into' },
    options: dryRun,
    act: async ({ person: named, into: intoNamed, dryRun: isRehearsal = false }, { client }) => {
      const person = await findPerson(client, named);
      const into = await findPerson(client, intoNamed);
      const done = await client.call(PersonMergeService.method.merge, {
        ...(person.id && { userId: person.id }),
        ...(into.id && { intoUserId: into.id }),
        dryRun: isRehearsal,
      });
      const name = person.displayName || person.email || named;
      const other = into.displayName || into.email || intoNamed;
      const head = isRehearsal ? `Nothing is changed. Merging ${name} into ${other} would do this:` : `${name} was merged into ${other}.`;
      return { json: done, text: [head, ...describe(done, other)] };
    },
  });

  group.run('split', {
    description: 'make a new person of some records of a person, who is two: the other one keeps history, roles and credentials',
    operands: { '<person>': 'mail address or id' },
    options: {
      '--records <ids>': {
        text: 'ids of the records that are somebody else\'s, separated by commas: see "identity records"',
        needed: true,
      },
      ...dryRun,
    },
    act: async ({ person, records, dryRun: isRehearsal = false }, { client }) => {
      const recordIds = records.split(',').flatMap((one) => one.trim() || []);
      if (recordIds.length === 0) {
        throw new UsageError('--records names no record');
      }
      const done = await client.call(PersonMergeService.method.split, {
        userId: await findPersonId(client, person),
        recordIds,
        dryRun: isRehearsal,
      });
      const head = isRehearsal ? 'Nothing is changed. A new person would be made:' : `A new person was made: ${done.userId ?? ''}.`;
      return { json: done, text: [head, ...describe(done, 'the new person', 'the person who stays')] };
    },
  });
}

function describe({ moved = [], ended = [], changes = [] }: PersonMergeServiceMergeResponseJson, other: string, changed = other): string[] {
  return [
    ...moved.map((part) => `  becomes ${other}'s: ${describePart(part)}`),
    ...ended.map((part) => `  ends: ${describePart(part)}`),
    ...changes.map((change) => `  changes of ${changed}: ${describeChange(change)}`),
  ];
}

function describePart({ kind, count = 0, names = [] }: PersonPartJson): string {
  const [one, many] = nouns[kind ?? ''] ?? ['', ''];
  const rest = count > names.length ? ', ...' : '';
  return `${count} ${count === 1 ? one : many}${names.length === 0 ? '' : ` (${names.join(', ')}${rest})`}`;
}

function describeChange({ name = '', before = '', after = '' }: PersonMergeChangeJson): string {
  return `${name} ${before || '(none)'} -> ${after || '(none)'}`;
}
