/** A whole data set as files, once made up here and once the published `domino` where it is there: everything arrives, the same again changes nothing. */
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findDataSet, makeStandIn } from '../../../test/support/data-sets.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { type Context, noReactions, silentLogger, systemActor } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { importGrants } from './import-grants.ts';
import { importPeople } from './import-people.ts';

const published = findDataSet('domino');
const dataSets = [{ name: 'made up', ...makeStandIn() }, ...(published === undefined ? [] : [{ name: 'domino', ...published }])];

describe.each(dataSets)('the data set $name', ({ peopleCsv, grantsCsv }) => {
  let test: TestDatabase;
  const tenantId = newId(new Date());
  const context = (): Context => ({
    db: test.database.tenant(tenantId),
    tenantId,
    actor: systemActor('test'),
    now: new Date(),
    log: silentLogger,
    react: noReactions,
  });
  const people = () => importPeople(context(), { source: '', allowRemovals: false }, { body: Readable.from([peopleCsv]), encoding: '' });
  const grants = () =>
    importGrants(context(), { app: 'Domino', allowRemovals: false }, { body: Readable.from([gzipSync(grantsCsv)]), encoding: '' });
  beforeAll(async () => {
    test = await openTestDatabase();
  });
  afterAll(() => test.close());

  it('arrives whole', async () => {
    expect(await people()).toMatchObject({ rows: 79, added: 79, changed: 0, removed: 0, unchanged: 0, warningCount: 0 });
    expect(await grants()).toMatchObject({ rows: 730, added: 730, changed: 0, removed: 0, unchanged: 0, revision: 1 });
  });

  it('arrives again and changes nothing', async () => {
    const before = await test.admin('SELECT sum(xmin::text::bigint) AS sum FROM grants');
    expect(await people()).toMatchObject({ rows: 79, added: 0, changed: 0, removed: 0, unchanged: 79 });
    expect(await grants()).toMatchObject({ rows: 730, added: 0, changed: 0, removed: 0, unchanged: 730, revision: 1 });
    expect(await test.admin('SELECT sum(xmin::text::bigint) AS sum FROM grants')).toEqual(before);
  });
});
