/** Reactions on a real database: which calls an event makes, and that it makes none without being written. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { frozenNow, useTwoTenants, type TwoTenants } from '../../test/support/tenants.ts';
import { type Context, inTransaction } from '../context.ts';
import { on, recordEvent, recordOccurrence } from '../../test/support/any-event.ts';
import { settleAt } from './calls.ts';
import { createReactions, forTarget, forTenant } from './index.ts';

let test: TwoTenants;
let context: Context;
const react = createReactions([
  on(['door.opened', 'door.closed'], forTenant('door.look')),
  on(['door.opened'], forTarget('door.greet')),
  on(['door.painted'], ({ data = {} }) => ('colour' in data ? { kind: 'door.dry', subjectId: 'all' } : undefined)),
]);
beforeAll(async () => {
  test = await useTwoTenants();
  context = { ...test.ours.admin, react };
});
beforeEach(() => test.admin('TRUNCATE jobs'));
afterAll(() => test.close());

const calls = () => test.admin('SELECT tenant_id AS tenant, kind, subject_id AS subject, run_at AS at FROM jobs ORDER BY kind, id');
const record = (kind: string, data?: object) =>
  inTransaction(context, (inside) =>
    recordEvent(inside, { kind, targetType: 'door', targetId: 'front', ...(data === undefined ? {} : { data }) }),
  );

describe('an event', () => {
  it('calls for the jobs of every reaction to its kind, about the tenant or about what it is of', async () => {
    await record('door.opened');
    const tenant = test.ours.tenant.id;
    expect(await calls()).toEqual([
      { tenant, kind: 'door.greet', subject: 'front', at: frozenNow },
      { tenant, kind: 'door.look', subject: tenant, at: settleAt(frozenNow) },
    ]);
  });

  it('calls for nothing where no reaction is to its kind, or the reaction wants nothing of it', async () => {
    await record('door.varnished');
    await record('door.painted');
    expect(await calls()).toEqual([]);
    await record('door.painted', { colour: 'red' });
    expect(await calls()).toMatchObject([{ kind: 'door.dry', subject: 'all' }]);
  });

  it('that is taken back calls for nothing', async () => {
    const failed = inTransaction(context, async (inside) => {
      await recordEvent(inside, { kind: 'door.opened' });
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await calls()).toEqual([]);
  });

  it('of no change is refused outside a transaction where it calls for something', async () => {
    await expect(recordOccurrence(context, { kind: 'door.closed', targetId: 'occurred' })).rejects.toMatchObject({
      code: 'INTERNAL',
      detail: expect.stringContaining('door.closed'),
    });
    expect(await test.admin("SELECT FROM events WHERE target_id = 'occurred'")).toEqual([]);
    await recordOccurrence(context, { kind: 'door.varnished', targetId: 'occurred' });
    await inTransaction(context, (inside) => recordOccurrence(inside, { kind: 'door.closed', targetId: 'occurred' }));
    expect(await test.admin("SELECT FROM events WHERE target_id = 'occurred'")).toHaveLength(2);
    expect(await calls()).toHaveLength(1);
  });
});
