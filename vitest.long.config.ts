/**
 * The long suite (`npm run test:long`): what kills processes, races, or counts to large numbers, in files named *.long.test.ts, and the files
 * whose properties test/support/runs.ts tries more often here. Pages of the console that the usual suite leaves out, and tables that multiply, are
 * those of `npm run test:whole`. Everything else of how tests run is in vitest.config.ts.
 */
import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { longestFirst, longestOfLong } from './test/support/longest-first.ts';
import usual, { patternsOfLongTests, projectsOf } from './vitest.config.ts';

const propertiesIn = (...patterns: string[]): string[] =>
  globSync(patterns).filter((path) => /\b(?:runs|tries)\(|\bisLong\b/.test(readFileSync(path, 'utf8')));

export default defineConfig({
  test: {
    ...usual.test,
    globalSetup: ['test/support/global-setup.ts'],
    projects: projectsOf({
      include: [...patternsOfLongTests, ...propertiesIn('src/**/*.test.ts', 'test/**/*.test.ts')],
      ofConsole: propertiesIn('console/src/**/*.test.ts'),
      exclude: ['test/browser/**'],
      env: { COUNTERSIGN_TEST_LONG: 'yes' },
    }),
    sequence: { sequencer: longestFirst(longestOfLong) },
  },
});
