/** Refused files leave a record: which source, which file, how far it was read, why; and nothing else. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../../test/support/database.ts';
import {
  bodyOf,
  grantsHeader,
  makeTenant,
  openFixture,
  peopleHeader,
  refusalOf,
  type TestTenant,
} from '../../../../test/support/inventory.ts';
import { sheetOf, writeXlsx } from '../../../../test/support/xlsx.ts';
import { AppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { importGrants } from '../import-grants.ts';
import { importPeople } from '../import-people.ts';
import type { SyncRow } from './index.ts';

let test: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  test = await openFixture();
});
afterAll(() => test.close());
beforeEach(() => {
  tenant = makeTenant(test);
});

const line = 'a,,USER,ENABLED,role,wiki,read,,';
const good = `${grantsHeader}\n${line}\n`;
const header = grantsHeader.split(',');
const sha = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const send = (
  file: string | Buffer,
  more: { app?: string; encoding?: string; sheet?: string; map?: string[]; context?: Context; allowRemovals?: boolean } = {},
) =>
  importGrants(
    more.context ?? tenant.context(),
    { app: more.app ?? 'Wiki', allowRemovals: more.allowRemovals ?? false, sheet: more.sheet ?? '', map: more.map ?? [] },
    { body: bodyOf(file), encoding: more.encoding ?? '' },
  );
const records = (state = 'FAILED') =>
  test.admin(
    `SELECT id, kind, source, app_id AS "appId", source_id AS "sourceId", previous_id AS "previousId", file_sha256 AS sha, file_format AS format,
       read_as AS "readAs", rows::int, rejected::int, revision, error, row_errors AS "rowErrors" FROM syncs WHERE tenant_id = $1 AND state = $2 ORDER BY id`,
    [tenant.tenantId, state],
  );
const events = () =>
  test.admin(`SELECT kind, target_id AS id, data FROM events WHERE tenant_id = $1 AND kind LIKE '%refused' ORDER BY id`, [tenant.tenantId]);
const inventory = () =>
  test.admin(
    `SELECT (SELECT count(*) FROM apps WHERE tenant_id = $1)::int AS apps, (SELECT count(*) FROM accounts WHERE tenant_id = $1)::int AS accounts,
       (SELECT count(*) FROM sources WHERE tenant_id = $1)::int AS sources, (SELECT count(*) FROM inventory_revisions WHERE tenant_id = $1)::int AS revisions`,
    [tenant.tenantId],
  );

const foreign = 'Colour,Size\na,read\n';
const sheet = sheetOf([['Login'], ['a']]);
const faulty = sheetOf([header, ['', '', 'USER', '', 'role', 'r', 'e'], ['b', { error: '#REF!' }, '', '', 'role', 'r', 'e']]);
const quoted = `${good}"b,,,,,,,,\n`;

describe('a refused file', () => {
  it.each<[name: string, file: string | Buffer, expected: Record<string, unknown>, more?: { encoding?: string; sheet?: string }]>([
    ['without a header of ours', foreign, { format: 'CSV', sha: sha(foreign), rows: 0, rejected: 0 }],
    ['without rows', `${grantsHeader}\n`, { format: 'CSV', sha: sha(`${grantsHeader}\n`), rows: 0 }],
    ['without anything', '', { format: 'CSV', sha: sha(''), rows: 0 }],
    ['with a quote left open', quoted, { format: 'CSV', sha: sha(quoted), rejected: 0 }],
    ['with a row too long, hence not read to its end', `${good}${'x'.repeat(5_000_000)}`, { format: 'CSV', sha: '', rows: 1 }],
    ['that is no gzip', 'none', { format: '', sha: '', rows: 0 }, { encoding: 'gzip' }],
    ['of a gzip that is cut off', gzipSync(good.repeat(50)).subarray(0, 60), { format: '', sha: '' }, { encoding: 'gzip' }],
    ['in a coding nobody knows', good, { format: '', sha: '' }, { encoding: 'br' }],
    ['of Excel, without a header of ours', sheet, { format: 'XLSX', sha: sha(sheet), rows: 0 }],
    ['of Excel, without such a sheet', sheet, { format: 'XLSX', sha: sha(sheet), readAs: '["None",[]]' }, { sheet: 'None' }],
    ['of Excel, with row errors', faulty, { format: 'XLSX', sha: sha(faulty), rows: 2, rejected: 2 }],
    ['of old Excel', Buffer.from('d0cf11e0a1b11ae1000000', 'hex'), { format: '', rows: 0 }],
    ['of CSV, although sheet names a sheet', good, { format: '', readAs: '["One",[]]' }, { sheet: 'One' }],
    ['with row errors', `${good},,USER,,,,,,\n`, { format: 'CSV', rows: 2, rejected: 4, sha: sha(`${good},,USER,,,,,,\n`) }],
  ])('%s is on record', async (_name, file, expected, more = {}) => {
    const before = await inventory();
    const told = await refusalOf(send(file, more));
    const [record, ...rest] = await records();
    expect(rest).toEqual([]);
    expect(record).toMatchObject({
      kind: 'GRANTS',
      source: 'Wiki',
      appId: '',
      sourceId: '',
      previousId: '',
      revision: null,
      ...expected,
    });
    expect(record?.error).toBe(told.message);
    expect(await events()).toMatchObject([
      { kind: 'grants.import_refused', id: record?.id, data: { source: 'Wiki', error: told.message } },
    ]);
    expect(await inventory()).toEqual(before);
  });

  it('of a source that has syncs names them; one that was refused before its end has no hash', async () => {
    const rows = Array.from({ length: 400 }, (_, at) => `a${at},,USER,ENABLED,role,wiki,read,,\n`).join('');
    const done = await send(`${grantsHeader}\n${rows}`);
    const large = `${grantsHeader}\n${rows}${'x,,USER,ENABLED,role,,read,,\n'.repeat(10_000)}`;
    await refusalOf(send(large));
    await refusalOf(send(`Colour,Size\n${'a,read\n'.repeat(100_000)}`));
    const [first, second, ...rest] = await records();
    expect(rest).toEqual([]);
    expect(first).toMatchObject({
      appId: done.appId,
      sourceId: done.sourceId,
      previousId: done.id,
      format: 'CSV',
      sha: sha(large),
    });
    expect(second).toMatchObject({ sourceId: done.sourceId, previousId: done.id, format: 'CSV', sha: '', rows: 0 });
    // And is the predecessor of none.
    expect(await send(`${grantsHeader}\n${rows}b,,USER,ENABLED,role,wiki,read,,\n`)).toMatchObject({ previousId: done.id, added: 1 });
  });

  it('of people is on record, too', async () => {
    const people = (file: string | Buffer) =>
      importPeople(tenant.context(), { source: 'HR', allowRemovals: false }, { body: bodyOf(file), encoding: '' });
    await refusalOf(people(sheetOf([['Name'], ['Ann']])));
    const done = await people(`${peopleHeader}\nann@x.example,Ann,,,,ACTIVE\n`);
    await refusalOf(people('Name\nAnn\n'));
    expect(await records()).toMatchObject([
      { kind: 'PEOPLE', source: 'HR', sourceId: '', format: 'XLSX', previousId: '' },
      { kind: 'PEOPLE', source: 'HR', sourceId: done.sourceId, format: 'CSV', previousId: done.id },
    ]);
    expect((await events()).map(({ kind }) => kind)).toEqual(['people.import_refused', 'people.import_refused']);
  });

  it('tells a hundred row errors, of which each is short, and its message is not endless', async () => {
    const wide = Array.from({ length: 150 }, (_, at) => `a${at},${'@'.repeat(300)},USER,ENABLED,role,wiki,read,,`).join('\n');
    await refusalOf(send(`${grantsHeader}\n${wide}\n`));
    await refusalOf(send(`${Array.from({ length: 400 }, (_, at) => `${'ü'.repeat(70)}${at}`).join(',')}\n`));
    await refusalOf(send(`${`account${' '.repeat(30_000)}`},${'-'.repeat(10_000)}email\n`));
    const [rows, ...headers] = await records();
    expect(rows).toMatchObject({ rejected: 150, rows: 150 });
    expect(rows?.rowErrors).toHaveLength(100);
    for (const record of [rows, ...headers]) {
      expect(JSON.stringify(record).length).toBeLessThan(20_000);
    }
    expect(headers.map(({ error }) => String(error).length <= 5000)).toEqual([true, true]);
  });

  it('under a name no app can have is on record under its beginning', async () => {
    await refusalOf(send(foreign, { app: 'x'.repeat(300) }));
    expect(await records()).toMatchObject([{ source: 'x'.repeat(200) }]);
  });

  it('leaves nothing where the request is wrong, not the file, or the server is to blame', async () => {
    const done = await send(good);
    await refusalOf(send(good, { map: ['colour=x'] }));
    await refusalOf(send(good, { app: ' ' }));
    const pause = (at: string) => test.admin(`UPDATE sources SET paused_at = ${at} WHERE id = $1`, [done.sourceId]);
    await pause('now()');
    expect((await refusalOf(send(good))).message).toContain('is paused');
    await pause('NULL');
    const context = tenant.context();
    const broken = { ...context.db, transaction: () => Promise.reject(new AppError('UNAVAILABLE', 'no connection')) } as Context['db'];
    // The client hears what is wrong with the file, even if that cannot be written down.
    expect((await refusalOf(send(foreign, { app: 'Other', context: { ...context, db: broken } }))).code).toBe('INVALID_ARGUMENT');
    expect((await refusalOf(send(good, { app: 'Other', context: { ...context, db: broken } }))).code).toBe('UNAVAILABLE');
    expect(await records()).toEqual([]);
  });

  it('whose upload breaks off is on record', async () => {
    await send(good);
    const body = Readable.from(
      (async function* () {
        yield Buffer.from(good);
        throw new Error('reset');
      })(),
    );
    const told = await refusalOf(importGrants(tenant.context(), { app: 'Wiki', allowRemovals: false }, { body, encoding: '' }));
    expect(told.message).toContain('cut off');
    expect(await records()).toMatchObject([{ sha: '', rows: 0, error: told.message }]);
  });

  it('is one record each, beside others of the same app that are done or refused at once', async () => {
    const files = [good, foreign, `${good}b,,USER,ENABLED,role,wiki,read,,\n`, `${good},,USER,,,,,,\n`, sheet, writeXlsx({ sheets: [] })];
    // Whichever of the two good ones comes first, the other is no removal that the guard refuses.
    const results = await Promise.allSettled(files.map((file) => send(file, { allowRemovals: true })));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'rejected', 'rejected']);
    expect((await records()).map(({ sha: one }) => one).sort()).toEqual([1, 3, 4, 5].map((at) => sha(files[at] as string | Buffer)).sort());
    const done = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value as SyncRow] : []));
    const previous = done.map(({ previousId }) => previousId).filter((id) => id !== '');
    expect(previous).toHaveLength(1);
    expect(done.map(({ id }) => id)).toContain(previous[0]);
    expect((await records('DONE')).length).toBe(2);
    expect(await inventory()).toEqual([{ apps: 1, accounts: expect.any(Number), sources: 1, revisions: expect.any(Number) }]);
  });
});
