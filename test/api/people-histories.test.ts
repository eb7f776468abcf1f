/**
 * Random histories of people whom two sources report: joins, leaves, returns, renames, addresses and user names that are swapped, handed on and given
 * again, with accounts, roles, credentials, decisions and removals. The long suite runs them with 200 people (people-histories.long.test.ts).
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkInventory } from '../support/check-inventory.ts';
import { roundsOf } from '../support/company-model.ts';
import { PeopleHistory, sources } from '../support/people-history.ts';
import { type TestServer, useTestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await useTestServer();
});
afterAll(() => server.stop());

describe('of people over two sources', () => {
  it.each(sources.map((one, at) => [one, at] as const))('nobody is ever taken for another: a file and %s', async (second, at) => {
    let no = 0;
    await fc.assert(
      fc.asyncProperty(roundsOf({ minLength: 3, maxLength: 3 }, { minLength: 8, maxLength: 16 }), async (rounds) => {
        const tenant = await server.makeTenant(`history-${at}-${++no}`);
        const history = await PeopleHistory.begin(server, tenant, second, 12);
        for (const round of rounds) {
          await history.live(round);
        }
        expect(history.humans.length).toBeGreaterThanOrEqual(12);
        await checkInventory(server.test.admin, tenant.id);
      }),
      { numRuns: 1, seed: 28 * 10 ** at, endOnFailure: true },
    );
  });
});
