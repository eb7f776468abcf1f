/**
 * Says to knip what makes up the program (`npm run lint`). Lines that end in `!` do: with --production tests are no users, so that code kept for
 * its tests alone is found. An export that only tests need is tagged @internal, one that is used in a way knip cannot see @public.
 */
import type { KnipConfig } from 'knip';

const config: KnipConfig = {
  workspaces: {
    '.': {
      entry: [
        'src/cli/main.ts!',
        'bin/countersign.js!',
        // Started as a thread.
        'src/lib/c1z/worker.ts!',
        'scripts/*.js!',
        'bench/*.ts!',
        // Started as a process.
        'bench/runner/worker.ts!',
        'bench/peers/*!',
        // Tables that tests hold the sources to.
        'src/{order,tables}.ts!',
        'src/**/*.test.ts',
        'bench/**/*.test.ts',
        'vitest*.config.ts',
      ],
      project: ['src/**/*.ts!', '!src/gen/**!', 'bench/**/*.ts!', 'scripts/**/*.js!'],
    },
    console: {
      // Words of events come into the console as a module that its build writes.
      entry: ['dev.ts!', 'vite-{chunks,react,routes,texts}.ts!', 'src/**/*.test.{ts,tsx}'],
      // A fixture is for tests alone.
      project: ['src/**/*.{ts,tsx}!', '*.ts!', '!src/**/*.fixture.ts!'],
    },
    test: {
      // Found by their folder, or started as programs.
      entry: ['**/*.test.ts', 'support/{announce,global-setup,each-file}.ts', 'support/*-process.ts', 'support/samples/*.ts'],
      project: ['**/*.ts'],
    },
  },
  // Views as types: test/schema.test.ts compares each with the database.
  ignoreFiles: ['src/*/*/reads.ts'],
  ignoreIssues: { 'src/*/*/reads.ts': ['types'] },
  ignoreExportsUsedInFile: true,
  // Installed for all by the workspace `test`.
  ignoreDependencies: ['autocannon', 'oidc-provider', '@vitejs/plugin-react'],
  ignoreBinaries: ['flock', 'secret-tool'],
};

export default config;
