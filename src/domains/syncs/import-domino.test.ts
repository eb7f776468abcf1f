/** The public data set `domino` as it is: everything arrives, the same files again change nothing. */
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { type Context, noReactions, silentLogger, systemActor } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { importGrants, importPeople } from './index.ts';

const data = join(import.meta.dirname, '../../../../shared/data');

describe.skipIf(!existsSync(data))('the data set domino', () => {
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
  const people = () =>
    importPeople(
      context(),
      { source: '', allowRemovals: false },
      { body: createReadStream(join(data, 'domino.people.csv')), encoding: '' },
    );
  const grants = () =>
    importGrants(
      context(),
      { app: 'Domino', allowRemovals: false },
      { body: createReadStream(join(data, 'domino.grants.csv.gz')), encoding: '' },
    );
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
