/**
 * How tests run: rules and stores beside their code, the API suite under test/, all against one PostgreSQL started here. What takes long is
 * left to vitest.long.config.ts.
 */
import { defineConfig } from 'vitest/config';

/** The files of the long suite. */
export const patternsOfLongTests = ['src/**/*.long.test.ts', 'test/**/*.long.test.ts'];

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: patternsOfLongTests,
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
