/**
 * How tests run: rules and stores beside their code, the API suite under test/, all against one PostgreSQL started here. What takes long is
 * left to vitest.long.config.ts.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { alias } from './console/vite.config.ts';
import { compileTexts } from './console/vite-texts.ts';
import { longest, longestFirst } from './test/support/longest-first.ts';
import { turnOfRun } from './test/support/turn.ts';

/** The files of the long suite. */
export const patternsOfLongTests = ['src/**/*.long.test.ts', 'test/**/*.long.test.ts'];

/** Every file that is read by Node. */
export const patternsOfTests = ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'];

/** Every file that is read as a browser would. */
export const patternsOfConsole = ['console/src/**/*.test.{ts,tsx}', 'test/console/**/*.test.ts'];

/** Files that a suite runs, and what tells it from the other one. */
interface Suite {
  /** Tests of the console are taken from `ofConsole`. */
  readonly include: string[];
  readonly ofConsole: string[];
  readonly exclude: string[];
  readonly env: Record<string, string>;
}

/** The two parts of a suite: Node reads the program as it does in production, and Vite what a browser would get. */
export function projectsOf({ include, ofConsole, exclude, env }: Suite): TestProjectInlineConfiguration[] {
  const shared = {
    setupFiles: ['test/support/each-file.ts'],
    // No test replaces a module: those of the program are read once by each process, not once by each file.
    isolate: false,
    // Limits against hanging alone: no test may fail because the machine is busy.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // What comes by itself may take longer on a busy machine than the usual second.
    expect: { poll: { timeout: 60_000 } },
  };
  // Processes that are started, again and again by tests that kill, read what others have compiled.
  const compiled = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'node-compile-cache') };
  return [
    {
      test: {
        ...shared,
        name: 'server',
        include,
        exclude: [...exclude, ...patternsOfConsole],
        env: { ...compiled, ...env },
        experimental: { viteModuleRunner: false, nodeLoader: false },
      },
    },
    {
      // Its texts are made by a plug-in, its elements are those of React.
      plugins: [compileTexts(true)],
      resolve: { alias },
      oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
      test: { ...shared, name: 'console', include: ofConsole, exclude, env },
    },
  ];
}

export default defineConfig({
  test: {
    projects: projectsOf({
      include: patternsOfTests,
      ofConsole: patternsOfConsole,
      exclude: patternsOfLongTests,
      env: {
        COUNTERSIGN_TEST_UNSTEADY: 'left out',
        COUNTERSIGN_TEST_TURN: String(turnOfRun),
        // Who asks for tests by name wants all their combinations (test/support/runs.ts).
        ...(process.argv.some((one) => /^(?:-t|--testNamePattern)/.test(one)) ? { COUNTERSIGN_TEST_WHOLE: 'yes' } : {}),
      },
    }),
    globalSetup: ['test/support/announce.ts', 'test/support/global-setup.ts'],
    pool: 'forks',
    // Two cores are busy while a third waits for PostgreSQL or a browser.
    maxWorkers: 3,
    sequence: { sequencer: longestFirst(longest) },
  },
});
