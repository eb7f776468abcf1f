/** The random histories of people-histories.test.ts with 200 people and more. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkInventory } from '../support/check-inventory.ts';
import { roundsOf } from '../support/company-model.ts';
import { PeopleHistory, sources } from '../support/people-history.ts';
import { tries } from '../support/runs.ts';
import { type TestServer, useTestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await useTestServer();
});
afterAll(() => server.stop());

describe('of 200 people over two sources', () => {
  it.each(sources.map((one, at) => [one, at] as const))(
    'nobody is ever taken for another: a file and %s',
    { timeout: 900_000 },
    async (second, at) => {
      let no = 0;
      await fc.assert(
        fc.asyncProperty(roundsOf({ minLength: 8, maxLength: 12 }, { minLength: 20, maxLength: 60 }), async (rounds) => {
          const tenant = await server.makeTenant(`long-${at}-${++no}`);
          const history = await PeopleHistory.begin(server, tenant, second, 200);
          for (const round of rounds) {
            await history.live(round);
          }
          expect(history.humans.length).toBeGreaterThanOrEqual(200);
          await checkInventory(server.test.admin, tenant.id);
        }),
        { numRuns: tries(1, 8), seed: 200 + at, endOnFailure: true },
      );
    },
  );
});
