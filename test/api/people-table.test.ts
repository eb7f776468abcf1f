/**
 * The table of evidence, row by row: somebody whom a provider or a file reported, in each state, and a record with a new anchor that says each mix of
 * their address, employee id and name, through each door. What becomes of it is held against the table written down in test/support/who-table.ts.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Loose } from '../support/api.ts';
import { checkInventory } from '../support/check-inventory.ts';
import { sampled } from '../support/runs.ts';
import { userOf, Who } from '../support/who.ts';
import { judge, type Known } from '../support/who-table.ts';

/** Whoever was there before. */
const befores = [
  { door: 'provider', state: 'enabled' },
  { door: 'provider', state: 'disabled' },
  { door: 'provider', state: 'deleted' },
  { door: 'file', state: 'enabled' },
  { door: 'file', state: 'gone' },
  { door: 'file', state: 'terminated' },
] as const;
const doors = ['the same provider', 'the same provider without externalId', 'another provider', 'another file', 'the same file'] as const;
const addresses = ['theirs', 'theirs in another form', 'a former one of theirs', "another's", "another's who left", "nobody's"] as const;
const ids = ['none', 'theirs', 'a new one'] as const;
const names = ['their name', 'another name'] as const;

interface Case {
  readonly before: (typeof befores)[number];
  readonly hasId: boolean;
  readonly door: (typeof doors)[number];
  readonly address: (typeof addresses)[number];
  readonly id: (typeof ids)[number];
  readonly name: (typeof names)[number];
}

const wordsOf = (one: Case): string =>
  `${one.before.door}, ${one.before.state}, ${one.hasId ? 'id' : 'no id'}; ${one.door}: ${one.address}, ${one.id}, ${one.name}`;
const all: Case[] = befores.flatMap((before) =>
  [true, false].flatMap((hasId) =>
    doors.flatMap((door) =>
      addresses.flatMap((address) => ids.flatMap((id) => names.map((name) => ({ before, hasId, door, address, id, name })))),
    ),
  ),
);
/**
 * Left out: an id that is not there, an anchor that is known, a provider or a file that did not report them, and another address where a file says nothing
 * else by which they are known.
 */
const possible = all.filter(
  ({ before, hasId, door, id, address }) =>
    !(id === 'theirs' && !hasId) &&
    !(before.door === 'file' && !hasId && address === 'a former one of theirs') &&
    !(door.startsWith('the same provider') && before.door !== 'provider') &&
    !(
      door === 'the same file' &&
      (before.door !== 'file' || before.state !== 'gone' || id === 'theirs' || (id === 'none' && address !== "nobody's"))
    ),
);

interface Story extends Case {
  readonly no: number;
  readonly first: Who3;
  readonly second: Who3;
  readonly left: Who3;
}
/** Somebody of a story. */
interface Who3 {
  readonly key: string;
  readonly name: string;
  readonly employeeId: string;
  readonly former: string;
  readonly address: string;
  readonly isGone: boolean;
  scimId: string;
  id: string;
}

let who: Who;
beforeAll(async () => {
  who = await Who.open();
});
afterAll(() => checkInventory(who.server.test.admin, who.server.id));

const makeStory = (one: Case, no: number): Story => {
  const make = (key: string, hasId: boolean, isGone: boolean): Who3 => ({
    key: `${key}${no}`,
    name: `${key} ${no}`,
    employeeId: hasId ? `E-${key}${no}` : '',
    former: `${key}${no}.former@t.test`,
    address: `${key}${no}.Größe@t.test`,
    isGone,
    scimId: '',
    id: '',
  });
  return {
    ...one,
    no,
    first: make('ann', one.hasId, one.before.state !== 'enabled'),
    second: make('ben', true, false),
    left: make('cid', true, true),
  };
};
const row = (person: Who3, address: string, status = 'ACTIVE'): string => `${address},${person.name},${person.employeeId},${status}`;
const said = (person: Who3, email: string): object =>
  userOf(person.key, {
    externalId: `x-${person.key}`,
    active: true,
    name: person.name,
    email,
    employeeId: person.employeeId === '' ? undefined : person.employeeId,
  });

/** Everybody is reported, gets another address, and then is as the story has them. */
async function tellBefore(stories: readonly Story[]): Promise<void> {
  const everybody = stories.flatMap((one) => [one.first, one.second, one.left].map((person) => ({ ...one, person })));
  const [ofFile, ofProvider] = [
    everybody.filter((one) => one.before.door === 'file'),
    everybody.filter((one) => one.before.door === 'provider'),
  ];
  const firstOf = ({ person, address }: (typeof everybody)[number]): string =>
    address === 'a former one of theirs' ? person.former : person.address;
  await who.file(
    'table',
    ofFile.map((one) => row(one.person, firstOf(one))),
  );
  const standing = ({ person, first, before }: (typeof everybody)[number]): string[] => {
    const state = person === first ? before.state : person.isGone ? 'terminated' : 'enabled';
    return state === 'gone' ? [] : [row(person, person.address, state === 'terminated' ? 'TERMINATED' : 'ACTIVE')];
  };
  await who.file(
    'table',
    ofFile.map(({ person }) => row(person, person.address)),
  );
  await who.file('table', ofFile.flatMap(standing));
  for (const one of ofProvider) {
    const { person, first, before } = one;
    person.scimId = (await who.scim.ok('POST', '/Users', said(person, firstOf(one)), 201)).id;
    if (firstOf(one) !== person.address) {
      await who.scim.ok('PUT', `/Users/${person.scimId}`, said(person, person.address));
    }
    if (person.isGone && (person !== first || before.state === 'deleted')) {
      await who.scim.ok('DELETE', `/Users/${person.scimId}`, undefined, 204);
    } else if (person.isGone) {
      await who.scim.ok('PUT', `/Users/${person.scimId}`, { ...said(person, person.address), active: false });
    }
  }
  const found = new Map(
    (await who.server.test.admin('SELECT id, display_name AS name FROM users WHERE tenant_id = $1', [who.server.id])).map(
      ({ name, id }) => [name, id],
    ),
  );
  for (const { person } of everybody) {
    person.id = found.get(person.name) as string;
  }
}

/** The record of a story. */
function recordOf({ first, second, left, no, ...one }: Story): { address: string; employeeId: string; name: string; externalId: string } {
  const address = {
    theirs: first.address,
    'theirs in another form': `\u200b${first.address.normalize('NFD').toUpperCase()}`,
    'a former one of theirs': first.former,
    "another's": second.address,
    "another's who left": left.address,
    "nobody's": `new${no}@t.test`,
  }[one.address];
  return {
    address,
    employeeId: { none: '', theirs: first.employeeId, 'a new one': `N-${no}` }[one.id],
    name: one.name === 'their name' ? first.name : `Zed ${no}`,
    externalId: ['the same provider', 'another provider'].includes(one.door) ? `x-new${no}` : '',
  };
}

/** Sends the records of all stories, and returns the anchor and the source of each. */
async function tellRecords(stories: readonly Story[]): Promise<Map<Story, { sourceId: string; anchor: string }>> {
  const anchors = new Map<Story, { sourceId: string; anchor: string }>();
  for (const source of ['another file', 'the same file'] as const) {
    const ofSource = stories.filter((one) => one.door === source);
    if (ofSource.length > 0) {
      const rows = ofSource.map(recordOf).map(({ address, name, employeeId }) => `${address},${name},${employeeId},ACTIVE`);
      // A file of the same source names those who are there still, too.
      const others = source === 'another file' ? [] : stories.filter((one) => one.before.door === 'file').flatMap(standingRows);
      const taken = new Set(ofSource.map((one) => recordOf(one).address));
      const { connectorId: sourceId } = await who.file(source === 'another file' ? 'list' : 'table', [
        ...rows,
        ...others.filter((line) => !taken.has(line.split(',')[0] ?? '')),
      ]);
      for (const story of ofSource) {
        const { address, employeeId } = recordOf(story);
        anchors.set(story, {
          sourceId,
          anchor: employeeId === '' ? address.replaceAll('\u200b', '').normalize('NFC').toLowerCase() : employeeId,
        });
      }
    }
  }
  for (const story of stories.filter((one) => one.door.endsWith('provider') || one.door.endsWith('externalId'))) {
    const client = story.door === 'another provider' ? who.other : who.scim;
    const { address, name, employeeId, externalId } = recordOf(story);
    const sent = {
      externalId: externalId === '' ? undefined : externalId,
      active: true,
      name,
      email: address,
      employeeId: employeeId === '' ? undefined : employeeId,
    };
    const { id } = await client.ok('POST', '/Users', userOf(`new${story.no}`, sent), 201);
    anchors.set(story, { sourceId: client.connectorId, anchor: externalId === '' ? id : externalId });
  }
  return anchors;
}

const standingRows = ({ first, second, left, before }: Story): string[] => [
  ...(before.state === 'gone' ? [] : [row(first, first.address, before.state === 'terminated' ? 'TERMINATED' : 'ACTIVE')]),
  row(second, second.address),
  row(left, left.address, 'TERMINATED'),
];

it('is what the server goes by', { timeout: 480_000 }, async () => {
  const [files, pushes] = [possible.filter((one) => one.before.door === 'file'), possible.filter((one) => one.before.door === 'provider')];
  // What is pushed goes one by one: a thirtieth at a time.
  const some = [...sampled(files, 10, wordsOf), ...sampled(sampled(pushes, 10, wordsOf), 3, (one) => `again ${wordsOf(one)}`)];
  const stories = some.map(makeStory);
  await tellBefore(stories);
  const facts = 'SELECT id, status, email, display_name AS name, employee_id AS "employeeId", username FROM users WHERE tenant_id = $1';
  const before = new Map((await who.server.test.admin(facts, [who.server.id])).map((one: Loose) => [one.id, one]));
  const anchors = await tellRecords(stories);
  const after = new Map((await who.server.test.admin(facts, [who.server.id])).map((one: Loose) => [one.id, one]));
  const wrong: unknown[] = [];
  for (const story of stories) {
    const record = recordOf(story);
    const known = (person: Who3): Known => ({
      ...person,
      externalIds: story.before.door === 'provider' && story.door.startsWith('the same provider') ? [`x-${person.key}`] : [],
    });
    const wanted = judge(record, [story.first, story.second, story.left].map(known));
    const { sourceId, anchor } = anchors.get(story) ?? { sourceId: '', anchor: '' };
    const found = await who.whose(sourceId, anchor);
    const isOld = found?.userId != null && before.has(found.userId);
    const got =
      found === undefined
        ? { is: 'lost' }
        : found.verdict === 'DISPUTED'
          ? { is: 'disputed', ids: [...found.candidateIds].sort() }
          : isOld
            ? { is: 'same', id: found.userId }
            : { is: 'new', leaverId: wanted.is === 'new' ? wanted.leaverId : '' };
    const changed = [story.first, story.second, story.left].filter(
      ({ id }) => JSON.stringify(before.get(id)) !== JSON.stringify(after.get(id)),
    );
    const mayChange = wanted.is === 'same' ? [wanted.id] : wanted.is === 'new' ? [wanted.leaverId] : [];
    const touched = changed.filter(({ id }) => !mayChange.includes(id)).map(({ name }) => name);
    const leaver = wanted.is === 'new' && wanted.leaverId !== '' ? after.get(wanted.leaverId) : undefined;
    const keptAddress = leaver !== undefined && leaver.email !== '';
    const isBack = story.before.state === 'terminated' && after.get(story.first.id)?.status !== 'DISABLED';
    if (JSON.stringify(got) !== JSON.stringify(wanted) || touched.length > 0 || keptAddress || isBack) {
      wrong.push({ story: wordsOf(story), wanted, got, reason: found?.reason, touched, keptAddress, isBack });
    }
  }
  expect(wrong).toEqual([]);
});
