/** Rows of a sync: databases like those of connectors, with one thing in them that matters. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { annotation, type C1zContents, type Fields, message, struct, writeC1zDatabase } from '../../../test/support/c1z.ts';
import type { C1zOptions, Message } from './messages.ts';
import { readDatabase } from './read-database.ts';
import { readStart } from './read-start.ts';
import { listColumns, takeRows } from './take-rows.ts';

interface Made {
  readonly contents: C1zContents;
  readonly change?: ((db: DatabaseSync) => void) | undefined;
}

const made = (contents: C1zContents, change?: Made['change']): Made => ({ contents, change });

function messagesOf({ contents, change }: Made, options: C1zOptions = {}): Message[] {
  const directory = mkdtempSync(join(tmpdir(), 'c1z-made-'));
  try {
    const messages: Message[] = [];
    writeC1zDatabase(join(directory, 'made.db'), contents, change);
    readDatabase(join(directory, 'made.db'), options, (one) => messages.push(one));
    return messages;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function read(file: Made, options: C1zOptions & { readonly zone?: string } = {}) {
  const messages = messagesOf(file, options);
  const opened = messages.shift();
  if (opened?.kind !== 'OPENED') {
    throw new Error(JSON.stringify(opened));
  }
  const columns = listColumns(opened);
  let warnings: readonly string[] = [];
  const rows: Record<string, string>[] = [];
  const next = () => Promise.resolve(messages.shift() as Message);
  for await (const batch of takeRows(opened, next, (found) => {
    warnings = found;
  })) {
    for (const row of batch) {
      rows.push(Object.fromEntries(columns.flatMap((name, at) => (row[at] ? [[name, row[at] as string]] : []))));
    }
  }
  return { rows, warnings, columns, incompleteReason: opened.incompleteReason, observedFrom: readStart(opened.startedAt, options.zone) };
}

function refusalOf(file: Made): string {
  const last = messagesOf(file).at(-1);
  return last?.kind === 'REFUSED' ? last.message : 'read';
}

const user = (id: string, trait: Fields = {}) => ({
  type: 'user',
  id,
  data: { 4: annotation('UserTrait', trait) },
});
const types: C1zContents['types'] = [
  { id: 'user', traits: [1] },
  { id: 'group', traits: [2] },
];
const group = (id: string) => ({ type: 'group', id });
const member = (id: string) => ({ type: 'group', resource: id, slug: 'm' });
const plain: C1zContents = {
  types,
  resources: [user('u'), group('g1'), group('g2'), group('x')],
  entitlements: [member('g1'), member('g2'), member('x')],
  grants: [{ of: 'group:g1:m', to: ['user', 'u'] }],
};

describe('accounts', () => {
  it('reads what a user says of itself', async () => {
    const trait = {
      1: [message({ 1: 'second@x.example' }), message({ 1: 'first@x.example', 2: true })],
      2: message({ 1: 2, 2: 'left' }),
      3: struct({ team: 'Ops', level: 3, tags: ['a', 'b'], email: 'own', nothing: null, secret: 's' }),
      5: 2,
      6: 'ulogin',
      8: message({ 1: 1_700_000_000 }),
      9: message({ 1: 1_750_000_000 }),
      10: message({ 1: true }),
      13: ['E1', 'E2'],
    };
    const { rows } = await read(made({ ...plain, resources: [user('u', trait), group('g1')], grants: [] }), {
      profileIgnoreList: ['secret'],
    });
    expect(rows.filter(({ account }) => account !== undefined)).toEqual([
      {
        account: 'u',
        username: 'ulogin',
        display_name: 'u',
        email: 'first@x.example',
        employee_id: 'E1',
        account_type: 'SERVICE_ACCOUNT',
        account_status: 'DISABLED',
        account_created_at: '2023-11-14T22:13:20Z',
        account_used_at: '2025-06-15T15:06:40Z',
        team: 'Ops',
        level: '3',
        tags: '["a","b"]',
        'baton.email': 'own',
        'baton.mfa': 'true',
        'baton.status_details': 'left',
      },
    ]);
  });

  it('takes of profiles only what is allowed', async () => {
    const { columns } = await read(made({ ...plain, resources: [user('u', { 3: struct({ a: '1', b: '2', c: '3' }) })] }), {
      profileAllowList: ['b', 'c'],
      profileIgnoreList: ['c'],
    });
    expect(columns.filter((name) => ['a', 'b', 'c'].includes(name))).toEqual(['b']);
  });

  it('leaves deleted accounts out, takes agents, and prefers the status of the resource', async () => {
    const { rows, warnings } = await read(
      made({
        types: [...types, { id: 'bot', traits: [11] }, { id: 'device', traits: [12] }],
        resources: [
          user('gone', { 2: message({ 1: 3 }) }),
          { type: 'user', id: 'off', data: { 4: annotation('UserTrait', { 2: message({ 1: 1 }) }), 11: message({ 1: 2 }) } },
          { type: 'bot', id: 'b', data: { 4: annotation('AgentTrait', { 1: 1 }) } },
          user('wrong', { 1: message({ 1: 'no address' }) }),
          { type: 'device', id: 'd' },
          group('g1'),
        ],
        entitlements: [member('g1')],
        grants: [{ of: 'group:g1:m', to: ['user', 'gone'] }],
      }),
    );
    const accounts = rows.flatMap((row) =>
      row['account'] === undefined ? [] : [`${row['account']} ${row['account_type']} ${row['account_status']}`],
    );
    expect(accounts.sort()).toEqual(['bot:b SERVICE_ACCOUNT ENABLED', 'off USER DISABLED', 'wrong USER ENABLED']);
    expect(warnings).toEqual([
      'deleted accounts were left out: 1; first: "gone".',
      'accounts without a status count as enabled: 1; first: "wrong".',
      'accounts with a mail address that is none, which was left out: 1; first: "wrong".',
      'managed devices are not taken over: 1 left out.',
    ]);
  });
});

describe('grants', () => {
  const grantsOf = async (grants: C1zContents['grants']) => {
    const { rows, warnings } = await read(made({ ...plain, grants }));
    return {
      grants: rows.flatMap((row) => (row['account'] === undefined ? [] : [`${row['entitlement']} via ${row['granted_via'] ?? 'itself'}`])),
      links: rows.flatMap((row) => (row['linked_from'] === undefined ? [] : [`${row['entitlement']} from ${row['linked_from']}`])),
      warnings: warnings.filter((warning) => !warning.includes('without a status')),
    };
  };
  const g1 = { of: 'group:g1:m', to: ['user', 'u'] } as const;

  it('walks sources back through the grants of the account', async () => {
    const found = await grantsOf([
      { of: 'group:x:m', to: ['user', 'u'], sources: { 'group:g2:m': false } },
      { of: 'group:g2:m', to: ['user', 'u'], sources: { 'group:g1:m': true } },
      g1,
    ]);
    expect(found.grants.sort()).toEqual([
      'group:g1:m via itself',
      'group:g2:m via group/g1/group:g1:m',
      'group:x:m via group/g1/group:g1:m > group/g2/group:g2:m',
    ]);
  });

  it('keeps a grant that is direct besides, and cuts circles', async () => {
    const found = await grantsOf([
      { of: 'group:x:m', to: ['user', 'u'], sources: { 'group:x:m': true, 'group:g1:m': false } },
      { of: 'group:g1:m', to: ['user', 'u'], sources: { 'group:g2:m': false } },
      { of: 'group:g2:m', to: ['user', 'u'], sources: { 'group:g1:m': false, 'group:unknown:m': true } },
    ]);
    expect(found.grants.filter((grant) => grant.startsWith('group:x')).sort()).toEqual([
      'group:x:m via group/g1/group:g1:m',
      'group:x:m via itself',
    ]);
    expect(found.warnings.map((warning) => warning.slice(0, 30))).toEqual([
      '1 grant has a source that is n',
      'grants with more paths than ar',
    ]);
  });

  it('makes links of grants that groups pass on, and counts the others', async () => {
    const found = await grantsOf([
      { of: 'group:x:m', to: ['group', 'g1'], annotations: [annotation('GrantExpandable', { 1: ['group:g1:m', 'group:none:m'] })] },
      { of: 'group:x:m', to: ['group', 'g2'] },
      { of: 'group:x:m', to: ['', ''] },
      { of: 'group:x:m', to: ['user', 'nobody'] },
      { of: 'group:none:m', to: ['user', 'u'] },
    ]);
    expect(found.links).toEqual(['group:x:m from group/g1/group:g1:m']);
    expect(found.warnings.map((warning) => warning.slice(0, 40))).toEqual([
      '1 grant has no principal, so they were l',
      'grants that pass on an entitlement that ',
      '1 grant has a principal that is no accou',
      '1 grant has a principal that is not in t',
      '1 grant has an entitlement that is not i',
    ]);
    // The account is there although what it holds is not.
    expect(found.grants).toEqual(['undefined via itself']);
  });

  it('says what entitlements are, and what their resources lie below', async () => {
    const { rows } = await read(
      made({
        types,
        resources: [{ type: 'group', id: 'g>1/a', parent: ['group', 'top'], data: { 3: 'Ops', 5: 'all of them' } }, group('top')],
        entitlements: [{ type: 'group', resource: 'g>1/a', slug: 'm', data: { 3: '', 4: 'be one\0', 7: 2 } }],
        grants: [],
      }),
    );
    expect(rows).toEqual([
      {
        resource_type: 'group',
        resource: 'g>1/a',
        entitlement: 'group:g>1/a:m',
        resource_name: 'Ops',
        resource_description: 'all of them',
        entitlement_name: 'm',
        entitlement_description: 'be one\ufffd',
        purpose: 'PERMISSION',
        parent_resource_type: 'group',
        parent_resource: 'top',
      },
    ]);
  });
});

describe('syncs', () => {
  it.each([
    ['an unknown zone', {}, {}, '2026-11-22T22:00:00Z'],
    ['a zone', {}, { zone: 'America/New_York' }, '2026-11-23T17:00:00Z'],
    ['a written offset', { started_at: '2026-11-23 12:00:00.5 +0200 CEST' }, {}, '2026-11-23T10:00:00Z'],
    ['UTC', { started_at: '2026-11-23T12:00:00Z' }, { zone: 'Asia/Tokyo' }, '2026-11-23T12:00:00Z'],
  ])('begin at the earliest moment that their time can mean: %s', async (_name, run, options, expected) => {
    expect((await read(made({ ...plain, run }), options)).observedFrom).toEqual(new Date(expected));
  });

  it('are refused where it is none', () => {
    expect(() => readStart('yesterday', undefined)).toThrow('is no time: "yesterday"');
  });

  it('are not complete where the connector dropped something', async () => {
    const run = { sync_token: '{"ingest_quality":{"grants_dropped":2}}' };
    expect((await read(made({ ...plain, run }))).incompleteReason).toBe('INGEST_DROPPED');
  });

  it.each([
    ['skipped grants', { sync_token: '{"should_skip_grants":true}' }, 'leave out grants (should_skip_grants)'],
    ['skipped entitlements', { sync_token: '{"should_skip_entitlements_and_grants":true}' }, '(should_skip_entitlements_and_grants)'],
    ['other counts than it says', { stats: '{"grants":2}' }, 'says that it has 2 grants, and the file has 1'],
    ['a broken token', { sync_token: '[' }, 'the token of the sync in the file is not a JSON object'],
  ])('are refused with %s', (_name, run, sentence) => {
    expect(refusalOf(made({ ...plain, run }))).toContain(sentence);
  });

  it.each([
    [
      'a computed column',
      'CREATE TABLE t AS SELECT * FROM v1_grants; DROP TABLE v1_grants; CREATE TABLE v1_grants (entitlement_id, principal_resource_type_id, principal_resource_id, data AS (zeroblob(1000000)), sync_id)',
      'v1_grants in the file has a computed column',
    ],
    ['a missing table', 'DROP TABLE v1_entitlements', 'no table v1_entitlements'],
    ['a missing column', 'ALTER TABLE v1_entitlements RENAME COLUMN data TO other', 'v1_entitlements in the file has no column data'],
    ['a missing index', 'DROP INDEX resources_by_id', 'no index by external_id'],
    ['a broken blob', "UPDATE v1_grants SET data = x'2a7f01'", 'a grant in the file cannot be read'],
    ['a text for a blob', "UPDATE v1_entitlements SET data = 'text'", 'an entitlement in the file has no data'],
  ])('are refused with %s', (_name, sql, sentence) => {
    expect(refusalOf(made(plain, (db) => db.exec(sql)))).toContain(sentence);
  });

  it('are read without the index of principals, and beside others', async () => {
    const file = made(plain, (db) =>
      db.exec(`DROP INDEX grants_by_principal;
        INSERT INTO v1_sync_runs (sync_id, started_at, ended_at, sync_token) VALUES ('older', '2026-11-22 12:00:00', '2026-11-22 12:05:00', '');
        INSERT INTO v1_grants (resource_type_id, resource_id, entitlement_id, principal_resource_type_id, principal_resource_id, external_id, data, sync_id, discovered_at)
          SELECT resource_type_id, resource_id, 'group:g2:m', principal_resource_type_id, principal_resource_id, external_id, data, 'older', discovered_at FROM v1_grants`),
    );
    expect((await read(file)).rows.flatMap(({ account, entitlement }) => (account === undefined ? [] : [entitlement]))).toEqual([
      'group:g1:m',
    ]);
  });
});
