/** Tenants the sealer looks at: those with something to seal, also of a transaction that took long, and nobody when nothing was written. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import type { Context } from '../../context.ts';
import { createTenantSearch } from './find-tenants.ts';
import { recordEvent, recordOccurrence } from '../../../test/support/any-event.ts';
import { sealLog } from './seal.ts';
import { listTenantsToSeal } from './store-log.ts';

let two: TwoTenants;
beforeAll(async () => {
  two = await openTwoTenants();
});
afterAll(() => two.close());

const seal = (context: Context): Promise<unknown> => sealLog(context, { forMs: 5_000, waitsForLock: true });
const list = (): Promise<string[]> => listTenantsToSeal(two.database.system());

it('are all at first, then those with new events, then none', async () => {
  const [ours, theirs] = [two.ours.system, two.theirs.system];
  expect(await list()).toEqual([ours.tenantId, theirs.tenantId].sort());
  await seal(ours);
  await seal(theirs);
  expect(await list()).toEqual([]);
  await recordOccurrence(theirs, { kind: 'tick' });
  expect(await list()).toEqual([theirs.tenantId]);
  await seal(theirs);
  expect(await list()).toEqual([]);
});

it('are found when a transaction ends that was under way during a seal, and are not looked for while nothing is written', async () => {
  const ours = two.ours.system;
  const search = createTenantSearch(two.database);
  let end: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begun: () => void = () => undefined;
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const long = ours.db.transaction(async (db) => {
    await recordEvent({ ...ours, db }, { kind: 'long' });
    begun();
    await held;
  });
  await isBegun;
  await recordOccurrence(ours, { kind: 'tick' });
  await seal(ours);
  // Nothing to find, and no reason to believe that it stays so.
  for (let time = 0; time < 3; time++) {
    expect(await search()).toEqual([]);
  }
  end();
  await long;
  expect(await search()).toEqual([ours.tenantId]);
  await seal(ours);
  // Other test files write to databases of the same server: their transactions count as under way.
  await expect
    .poll(
      async () => {
        await search();
        await two.admin('UPDATE logs SET snapshot = NULL');
        const found = await search();
        await seal(ours);
        await seal(two.theirs.system);
        return found;
      },
      { timeout: 60_000 },
    )
    .toEqual([]);
  await recordOccurrence(ours, { kind: 'tick' });
  expect(await search()).toContain(ours.tenantId);
});
