/** Imports as syncs over HTTP: what each changed, what its file said, how two of them differ, several sources in one app, and refused files. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { type GrantRecord, readDataSet } from '../support/data-sets.ts';
import { grantsHeader, peopleHeader } from '../support/inventory.ts';
import { isLong } from '../support/runs.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';
import { replaySync } from '../../src/inventory/syncs/replay/replay-syncs.ts';

const columns = grantsHeader.split(',') as (keyof GrantRecord)[];
const csvOf = (rows: readonly GrantRecord[]): string =>
  [grantsHeader, ...rows.map((row) => columns.map((one) => row[one]).join(','))].join('\n');

describe('syncs', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await useTestServer();
  });
  afterAll(() => server.stop());

  const call = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const grants = (query: string, file: string): Promise<Answer> => sendFile(server, server.admin, `/api/v1/imports/grants?${query}`, file);
  const done = async (query: string, file: string): Promise<Loose> => {
    const answer = await grants(query, file);
    expect([answer.status, answer.body.message]).toEqual([200, undefined]);
    return answer.body.import;
  };
  const pages = async (path: string): Promise<{ rows: Loose[]; first: Loose }> => {
    const rows: Loose[] = [];
    let first: Loose;
    for (let token = ''; ; ) {
      const query = `page_size=100&page_token=${encodeURIComponent(token)}`;
      const { status, body } = await call('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`);
      expect(status).toBe(200);
      first ??= body;
      rows.push(...body.list);
      token = body.nextPageToken;
      if (token === '') {
        return { rows, first };
      }
    }
  };
  const file = (...lines: string[]): string => [grantsHeader, ...lines].join('\n');
  const line = (account: string, entitlement: string, used = '', status = 'ENABLED', resource = 'wiki'): string =>
    `${account},,USER,${status},role,${resource},${entitlement},,${used}`;
  const said = (rows: Loose[]): string[] =>
    rows.map((row) => `${row.account} ${row.entitlement.resource} ${row.entitlement.entitlement}`).sort();

  describe('of a large app', () => {
    const data = readDataSet('americas_small');
    const part = data.grants.length > 100_000 ? 1 : 0.01;
    const [removals, additions, corrections] = [2000 * part, 1500 * part, 500 * part];
    let first: Loose;
    let second: Loose;
    let later: readonly GrantRecord[];
    beforeAll(async () => {
      const step = Math.floor(data.grants.length / (removals + corrections));
      const kept: GrantRecord[] = [];
      let [removed, corrected] = [0, 0];
      data.grants.forEach((row, at) => {
        if (at % step === 0 && removed < removals) {
          removed++;
        } else if (at % step === 1 && corrected < corrections) {
          corrected++;
          kept.push({ ...row, last_used_at: '2026-10-31T12:00:00Z' });
        } else {
          kept.push(row);
        }
      });
      const added = kept
        .filter((_, at) => at % 3 === 0)
        .slice(0, additions)
        .map((row, at) => ({ ...row, resource: `new ${at % 40}`, entitlement: `made ${at}` }));
      await sendFile(server, server.admin, '/api/v1/imports/people', data.peopleCsv);
      first = await done('app=Large', data.grantsCsv.toString());
      later = [...added, ...kept];
      second = await done('app=Large', csvOf(later));
    }, 240_000);

    it('are counted exactly', () => {
      expect(first).toMatchObject({ state: 'IMPORT_STATE_DONE', previousId: '', added: String(data.grants.length), rejected: '0' });
      expect(second).toMatchObject({
        previousId: first.id,
        connectorId: first.connectorId,
        added: String(additions),
        removed: String(removals),
        changed: String(corrections),
        unchanged: String(data.grants.length - removals - corrections),
        counts: {
          grants: { added: String(additions), removed: String(removals), changed: String(corrections) },
          resources: { added: String(Math.min(40, additions)), removed: '0' },
          entitlements: { added: String(additions) },
        },
      });
      expect(Date.parse(second.endedAt)).toBeGreaterThanOrEqual(Date.parse(second.startedAt));
    });

    it('are compared exactly, in both directions', async () => {
      const there = await pages(`/api/v1/imports/${second.id}/diff`);
      expect(there.first).toMatchObject({
        fromId: first.id,
        toId: second.id,
        counts: { added: String(additions), removed: String(removals), changed: String(corrections) },
      });
      const count = (rows: Loose[], change: string): number => rows.filter((row) => row.change === `SYNC_CHANGE_${change}`).length;
      expect([count(there.rows, 'ADDED'), count(there.rows, 'REMOVED'), count(there.rows, 'CHANGED')]).toEqual([
        additions,
        removals,
        corrections,
      ]);
      const keys = there.rows.map(
        ({ before, after }) => `${(before ?? after).entitlement.appEntitlementId} ${(before ?? after).appUserId}`,
      );
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys).toEqual(keys.toSorted());
      const corrected = there.rows.filter(({ change }) => change === 'SYNC_CHANGE_CHANGED');
      expect(
        corrected.every(({ before, after }) => after.lastUsedAt === '2026-10-31T12:00:00Z' && before.lastUsedAt !== after.lastUsedAt),
      ).toBe(true);
      // From nothing: so many that they are counted in another way.
      const whole = await call('GET', `/api/v1/imports/${first.id}/diff?page_size=10`);
      const all = String(data.grants.length);
      expect(whole.body).toMatchObject({ fromId: '', counts: { added: all, removed: '0', changed: '0', total: all } });
      const back = await call('GET', `/api/v1/imports/${first.id}/diff?from=${second.id}&page_size=10`);
      expect(back.body.counts).toMatchObject({ added: String(removals), removed: String(additions), changed: String(corrections) });
    });

    it.runIf(isLong)(
      'read back exactly their files',
      async () => {
        const context = server.system();
        const isoOf = (at: Date | null): string => at?.toISOString() ?? '';
        const textOf = (at: string): string => (at === '' ? '' : new Date(at).toISOString());
        for (const [sync, file] of [
          [first, data.grants],
          [second, later],
        ] as const) {
          const told: string[] = [];
          for (let after: string[] | undefined, more = true; more; ) {
            const { rows, names } = await replaySync(context, sync.id, after, 20_000);
            for (const { entitlementId, account, grantedAt, lastUsedAt } of rows) {
              const { resourceType, resource, entitlement } = names.get(entitlementId) ?? {};
              const { externalId, email, accountType, status } = account;
              told.push(
                [externalId, email, accountType, status, resourceType, resource, entitlement, isoOf(grantedAt), isoOf(lastUsedAt)].join(
                  '|',
                ),
              );
            }
            const last = rows.at(-1);
            after = last && [last.entitlementId, last.accountId];
            more = rows.length === 20_000;
          }
          const said = file.map((row) => columns.map((one) => (one.endsWith('_at') ? textOf(row[one]) : row[one])).join('|'));
          expect(told.length).toBe(said.length);
          const missing = new Set(said);
          expect(told.filter((one) => !missing.delete(one)).slice(0, 3)).toEqual([]);
          expect([...missing].slice(0, 3)).toEqual([]);
        }
      },
      240_000,
    );

    it('are reported by the feed', async () => {
      const count: Record<string, number> = {};
      for (let token = ''; ; ) {
        const { status, body } = await call('POST', '/api/v1/grants/feed', {
          appRefs: [{ id: first.appId }],
          after: second.createdAt,
          pageSize: 100,
          pageToken: token,
        });
        expect(status).toBe(200);
        for (const row of body.list) {
          const type = JSON.stringify(row).match(/EVENT_TYPE_\w+/)?.[0] ?? JSON.stringify(row).slice(0, 300);
          count[type] = (count[type] ?? 0) + 1;
        }
        token = body.nextPageToken;
        if (token === '') {
          break;
        }
      }
      expect(Object.values(count).sort((one, two) => one - two)).toEqual([additions, removals]);
    });
  });

  it('say what their files said, whatever came after', async () => {
    const one = await done('app=Replay', file(line('a', 'r', '2025-01-01T00:00:00Z'), line('b', 'r'), line('b', 's')));
    const two = await done('app=Replay&allow_removals=true', file(line('a', 'r', '2026-01-01T00:00:00Z', 'DISABLED'), line('c', 'r')));
    const three = await done('app=Replay&allow_removals=true', file(line('b', 'r')));
    const of = async (sync: Loose): Promise<Loose[]> => (await pages(`/api/v1/imports/${sync.id}/grants`)).rows;
    expect(said(await of(one))).toEqual(['a wiki r', 'b wiki r', 'b wiki s']);
    expect(said(await of(two))).toEqual(['a wiki r', 'c wiki r']);
    expect(said(await of(three))).toEqual(['b wiki r']);
    expect((await of(one)).find(({ account }) => account === 'a')).toMatchObject({
      accountStatus: 'ENABLED',
      lastUsedAt: '2025-01-01T00:00:00Z',
    });
    expect((await of(two)).find(({ account }) => account === 'a')).toMatchObject({
      accountStatus: 'DISABLED',
      lastUsedAt: '2026-01-01T00:00:00Z',
    });
    // b's grant ended and was given again: the same at both ends.
    const { rows, first } = await pages(`/api/v1/imports/${three.id}/diff?from=${one.id}`);
    expect(first.counts).toMatchObject({ added: '0', removed: '2', changed: '0', total: '2' });
    expect(said(rows.map(({ before }) => before))).toEqual(['a wiki r', 'b wiki s']);
  });

  it('count a changed account alike in the record and in the comparison', async () => {
    await done('app=Alike', file(line('a', 'r'), line('a', 's'), line('b', 'r')));
    const two = await done('app=Alike', file(line('a', 'r', '', 'DISABLED'), line('a', 's', '', 'DISABLED'), line('b', 'r')));
    expect(two).toMatchObject({ changed: '2', unchanged: '1', counts: { accounts: { changed: '1' } } });
    const { rows, first } = await pages(`/api/v1/imports/${two.id}/diff`);
    expect(first.counts).toMatchObject({ added: '0', removed: '0', changed: '2' });
    expect(rows.map(({ before, after }) => [before.accountStatus, after.accountStatus])).toEqual(Array(2).fill(['ENABLED', 'DISABLED']));
  });

  it('of the same file are recorded and change nothing', async () => {
    const text = file(line('a', 'r'), line('b', 'r'));
    const one = await done('app=Same', text);
    const two = await done('app=Same', text);
    expect(two).toMatchObject({
      previousId: one.id,
      added: '0',
      changed: '0',
      removed: '0',
      unchanged: '2',
      revision: one.revision,
      rows: '2',
    });
    expect(two.counts).toMatchObject({ accounts: { added: '0', total: '2' }, grants: { added: '0', total: '2' } });
    expect((await call('GET', `/api/v1/imports/${two.id}/diff`)).body).toMatchObject({ fromId: one.id, counts: { total: '0' }, list: [] });
  });

  it('of several sources each end what is theirs alone', async () => {
    const hr = await done('app=Two&source=HR', file(line('a', 'r'), line('b', 'r'), line('both', 'x')));
    const vpn = await done('app=Two&source=VPN', file(line('a', 'v'), line('both', 'x'), line('both', 'y')));
    // What HR delivers stays HR's.
    expect(vpn).toMatchObject({ added: '2', unchanged: '1', counts: { accounts: { added: '0' } } });
    expect(vpn.connectorId).not.toBe(hr.connectorId);
    const later = await done(`connector_id=${hr.connectorId}&allow_removals=true`, file(line('b', 'r')));
    // The account a goes on: VPN still gives it something.
    expect(later).toMatchObject({ appId: hr.appId, removed: '2', counts: { accounts: { removed: '0' } }, previousId: hr.id });
    const now = await done('app=Two&source=vpn', file(line('a', 'v'), line('both', 'x'), line('both', 'y')));
    expect(now).toMatchObject({ added: '1', removed: '0', unchanged: '2' });
    expect(said((await pages(`/api/v1/imports/${now.id}/grants`)).rows)).toEqual(['a wiki v', 'both wiki x', 'both wiki y']);
    expect(said((await pages(`/api/v1/imports/${later.id}/grants`)).rows)).toEqual(['b wiki r']);
    const listed = (await pages(`/api/v1/imports?connector_id=${hr.connectorId}`)).rows.map((row) => row.import.id);
    expect(listed).toEqual([later.id, hr.id]);
    const ofApp = (await pages(`/api/v1/imports?app_id=${hr.appId}&state=IMPORT_STATE_DONE`)).rows;
    expect(ofApp.map((row) => row.import.id)).toEqual([now.id, later.id, vpn.id, hr.id]);
    // Of two sources, the whole app is compared.
    const whole = await pages(`/api/v1/imports/${later.id}/diff?from=${vpn.id}`);
    expect(whole.first.counts).toMatchObject({ added: '0', removed: '2' });
  });

  it('that were refused are on record with their row errors, and nothing else is', async () => {
    const bad = await grants('app=Refused', file(line('a', 'r'), line('', 'r'), line('b', '')));
    expect(bad.status).toBe(400);
    const [first] = (await pages('/api/v1/imports?state=IMPORT_STATE_FAILED')).rows;
    expect(first.import).toMatchObject({
      source: 'Refused',
      appId: '',
      connectorId: '',
      rows: '3',
      added: '0',
      rejected: '2',
      rowErrors: [
        { line: '3', column: 'account', reason: 'must not be empty' },
        { line: '4', column: 'entitlement', reason: 'must not be empty' },
      ],
    });
    expect(first.import.error).toContain('2 row errors');
    const good = await done('app=Refused', file(...Array.from({ length: 10 }, (_, at) => line(`a${at}`, 'r'))));
    expect((await grants('app=Refused', file(line('a0', 'r')))).status).toBe(400);
    const [guarded] = (await pages(`/api/v1/imports?connector_id=${good.connectorId}`)).rows;
    expect(guarded.import).toMatchObject({
      state: 'IMPORT_STATE_FAILED',
      appId: good.appId,
      previousId: good.id,
      rejected: '0',
      revision: '0',
    });
    expect(guarded.import.error).toContain('end 9 of the 10 grants');
    const events = (await call('GET', `/api/v1/imports/${guarded.import.id}/grants`)).body;
    expect(events.message).toContain('was refused');
    // The one that was refused is no predecessor.
    expect(await done('app=Refused', file(...Array.from({ length: 11 }, (_, at) => line(`a${at}`, 'r'))))).toMatchObject({
      previousId: good.id,
    });
  });

  it('tell the paths by which grants are held', async () => {
    const text = [`${grantsHeader},granted_via`, `${line('a', 'staff')},`, `${line('a', 'admin')},role/wiki/staff`].join('\n');
    const sync = await done('app=Paths', text);
    const { rows } = await pages(`/api/v1/imports/${sync.id}/grants`);
    const pathsOf = (name: string): Loose => rows.find(({ entitlement }) => entitlement.entitlement === name).paths;
    expect(pathsOf('staff')).toEqual([]);
    expect(pathsOf('admin')).toMatchObject([{ steps: [{ resourceType: 'role', resource: 'wiki', entitlement: 'staff' }] }]);
    const bad = await grants('app=Paths', [`${grantsHeader},granted_via`, `${line('a', 'admin')},role/wiki/nothing`].join('\n'));
    expect([bad.status, violatedFields(bad)]).toEqual([400, ['line 2, granted_via']]);
  });

  it('refuse what cannot be compared, named or filled', async () => {
    const one = await done('app=Asked', file(line('a', 'r')));
    const other = await done('app=Elsewhere', file(line('a', 'r')));
    const people = await sendFile(
      server,
      server.admin,
      '/api/v1/imports/people?source=Staff',
      `${peopleHeader}\nx@sync.example,X,,,,ACTIVE`,
    );
    expect(people.body.import).toMatchObject({ source: 'Staff', counts: { people: { added: '1', total: '1' } } });
    const bad = await grants('app=Asked', file(line('', 'r')));
    expect(bad.status).toBe(400);
    const [failed] = (await pages(`/api/v1/imports?connector_id=${one.connectorId}&state=IMPORT_STATE_FAILED`)).rows;
    const asked: [string, number, string][] = [
      [`/api/v1/imports/${failed.import.id}/diff`, 400, 'id'],
      [`/api/v1/imports/${failed.import.id}/diff?from=${one.id}`, 400, 'id'],
      [`/api/v1/imports/${failed.import.id}/grants`, 400, 'id'],
      [`/api/v1/imports/${one.id}/diff?from=${failed.import.id}`, 400, 'from'],
      [`/api/v1/imports/${one.id}/diff?from=${people.body.import.id}`, 400, 'from'],
      [`/api/v1/imports/${one.id}/diff?from=${other.id}`, 400, 'from'],
      [`/api/v1/imports/${one.id}/diff?from=nothing`, 400, 'from'],
      [`/api/v1/imports/${people.body.import.id}/diff`, 400, 'id'],
      [`/api/v1/imports/${people.body.import.id}/grants`, 400, 'id'],
    ];
    for (const [path, status, field] of asked) {
      const answer = await call('GET', path);
      expect([path, answer.status, violatedFields(answer)]).toEqual([path, status, [field]]);
    }
    const fed: [string, string][] = [
      ['connector_id=nothing', 'connectorId'],
      [`connector_id=${people.body.import.connectorId}`, 'connectorId'],
      [`connector_id=${one.connectorId}&app=Elsewhere`, 'connectorId'],
      [`connector_id=${one.connectorId}&source=other`, 'source'],
      [`app=Asked&source=${'x'.repeat(201)}`, 'source'],
    ];
    for (const [query, field] of fed) {
      const answer = await grants(query, file(line('a', 'r')));
      expect([query, answer.status, violatedFields(answer)]).toEqual([query, 400, [field]]);
    }
    await server.system().db.run('UPDATE sources SET paused_at = now() WHERE tenant_id = $1 AND id = $2', [server.id, one.connectorId]);
    expect((await grants('app=Asked', file(line('a', 'r')))).body.message).toContain('is paused');
    expect((await call('GET', '/api/v1/imports/000000000000000000000000000/diff')).status).toBe(404);
  });
});
