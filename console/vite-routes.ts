/** The routes of the contract that the console calls, by their names in its sources: a browser loads no others. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const root = join(import.meta.dirname, '..');

/** Names of operations in all sources that may be in a browser. None is put together while it runs. */
function readOperations(): ReadonlySet<string> {
  const files = globSync(['console/src/**/*.{ts,tsx}', 'src/client/*.ts', 'src/samples/**/*.ts'], { cwd: root });
  return new Set(files.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/\b\w+Service\.\w+/g) ?? []));
}

/** The plug-in, for a build. */
export function pickRoutes(): Plugin {
  return {
    name: 'countersign-routes',
    apply: 'build',
    transform(code, id) {
      if (!id.endsWith('/src/gen/routes.js')) {
        return undefined;
      }
      const called = readOperations();
      const lines = code.split('\n').filter((line) => called.has(/"(\w+\.\w+)":/.exec(line)?.[1] ?? '') || !line.includes('":'));
      return { code: lines.join('\n'), map: null };
    },
  };
}
