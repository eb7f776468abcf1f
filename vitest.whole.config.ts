/**
 * Everything (`npm run test:whole`): the files of the usual suite and of the long one, with every combination of the tables that multiply, and the
 * tests that are known to be unsteady. It takes long: name the files or folders that a change touches, or run the parts of .ci/whole.
 */
import { defineConfig } from 'vitest/config';
import { longestFirst, longestOfLong } from './test/support/longest-first.ts';
import usual, { patternsOfConsole, patternsOfTests, projectsOf } from './vitest.config.ts';

export default defineConfig({
  test: {
    ...usual.test,
    globalSetup: ['test/support/global-setup.ts'],
    projects: projectsOf({
      include: patternsOfTests,
      ofConsole: patternsOfConsole,
      exclude: [],
      env: { COUNTERSIGN_TEST_LONG: 'yes', COUNTERSIGN_TEST_WHOLE: 'yes' },
    }),
    sequence: { sequencer: longestFirst(longestOfLong) },
  },
});
