/** Times mails of a tenant leave, also where a clock was wrong for a while. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../../test/support/database.ts';
import { makeTenant, openFixture } from '../../../../test/support/inventory.ts';
import { updateFutureNotices, updatePace } from './store-mails.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openFixture();
});
afterAll(() => test.close());

const now = new Date('2026-03-01T12:00:00.000Z');
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const hours = 3600;

describe('the pace of mails', () => {
  it('puts mails one behind the other', async () => {
    const tenant = makeTenant(test);
    expect(await updatePace(tenant.context(now), 3, 1000)).toEqual(now);
    expect(await updatePace(tenant.context(at(1)), 2, 1000)).toEqual(at(3));
    expect(await updatePace(tenant.context(at(60)), 1, 1000)).toEqual(at(60));
  });

  it('is that of a right clock again after one that was five hours ahead', async () => {
    const tenant = makeTenant(test);
    await updatePace(tenant.context(at(5 * hours)), 3, 1000);
    expect(await updatePace(tenant.context(now), 1, 1000)).toEqual(at(3));
    expect(await updatePace(tenant.context(at(60)), 1, 1000)).toEqual(at(60));
  });
});

describe('notices from the future', () => {
  it('are due now, and keep their pause; those that a right clock has put off stay', async () => {
    const tenant = makeTenant(test);
    const add = (id: string, due: Date, created: Date) =>
      test.admin(
        `INSERT INTO mail_outbox (tenant_id, id, kind, subject_id, person_id, due_at, created_at) VALUES ($1, $2, 'TASKS', $2, 'p', $3, $4)`,
        [tenant.tenantId, id, due, created],
      );
    await add('ahead', at(5 * hours), at(5 * hours));
    await add('ahead, later', at(5 * hours + 600), at(5 * hours));
    await add('meant', at(9 * hours), now);
    await updateFutureNotices(tenant.context(now));
    const rows = await test.admin('SELECT id, due_at AS due FROM mail_outbox WHERE tenant_id = $1 ORDER BY id', [tenant.tenantId]);
    expect(rows).toEqual([
      { id: 'ahead', due: now },
      { id: 'ahead, later', due: at(600) },
      { id: 'meant', due: at(9 * hours) },
    ]);
  });
});
