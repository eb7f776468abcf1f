/**
 * The long suite (`npm run test:long`): what kills processes, races, or counts to large numbers, in files named *.long.test.ts, and the files
 * whose properties test/support/runs.ts tries more often here. Everything else of how tests run is in vitest.config.ts.
 */
import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import usual, { patternsOfLongTests } from './vitest.config.ts';

const properties = globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).filter((path) =>
  readFileSync(path, 'utf8').includes('support/runs.ts'),
);

export default defineConfig({
  test: {
    ...usual.test,
    include: [...patternsOfLongTests, ...properties],
    exclude: [],
    env: { COUNTERSIGN_TEST_LONG: 'yes' },
  },
});
