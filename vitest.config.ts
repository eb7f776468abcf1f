/**
 * How tests run: rules and stores beside their code, the API suite under test/, all against one PostgreSQL started here. What takes long is
 * left to vitest.long.config.ts.
 */
import { defineConfig } from 'vitest/config';
import { compileTexts } from './console/vite-texts.ts';

/** The files of the long suite. */
export const patternsOfLongTests = ['src/**/*.long.test.ts', 'test/**/*.long.test.ts'];

export default defineConfig({
  // For tests beside the console's code: its texts are made by a plug-in, its elements are those of React.
  plugins: [compileTexts(true)],
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'console/src/**/*.test.{ts,tsx}'],
    exclude: patternsOfLongTests,
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/fixed-seed.ts'],
    pool: 'forks',
    // A third keeps two cores no busier than they are: it took as long.
    maxWorkers: 2,
    // No test replaces a module: those of the program are read once by each process, not once by each file.
    isolate: false,
    // Limits against hanging alone: no test may fail because the machine is busy.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // What comes by itself may take longer on a busy machine than the usual second.
    expect: { poll: { timeout: 60_000 } },
  },
});
