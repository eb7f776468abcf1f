/** The check of kept-events.ts can fail, and lets pass what is as the catalogue says. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../src/context.ts';
import { recordEvent } from './any-event.ts';
import { requireCatalogue } from './kept-events.ts';
import { openTwoTenants, type TwoTenants } from './tenants.ts';

let test: TwoTenants;
beforeAll(async () => {
  test = await openTwoTenants();
  await requireCatalogue(test);
});
afterAll(() => test.close());

it('refuses an event that lacks a member, has one too many or is of something else', async () => {
  const write = (event: { readonly kind?: string; readonly targetType?: string; readonly data: object }) =>
    inTransaction(test.ours.admin, (inside) => recordEvent(inside, { kind: 'app.created', targetId: 'x', ...event }));
  const data = { displayName: 'Wiki', ownerIds: [] };
  await write({ data });
  await write({ kind: 'thing.unknown', data: { any: 1 } });
  await expect(write({ data: { displayName: 'Wiki' } })).rejects.toMatchObject({ code: 'INTERNAL' });
  await expect(write({ data: { ...data, token: 'x' } })).rejects.toMatchObject({ code: 'INTERNAL' });
  await expect(write({ targetType: 'user', data })).rejects.toMatchObject({ code: 'INTERNAL' });
});
