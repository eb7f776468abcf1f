/**
 * React as a module with named exports for whatever imports it. It comes as CommonJS, for which the bundler would put a helper into a file of its own
 * that every other file needs: one more request before the first page.
 */
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

const require = createRequire(import.meta.url);
const prefix = '\0react:';
const names = new Set(['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client']);

/** The plug-in. */
export function importReact(): Plugin {
  return {
    name: 'countersign-react',
    apply: 'build',
    enforce: 'pre',
    resolveId(id, importer, { kind }) {
      if (kind !== 'import-statement' || importer?.startsWith(prefix) === true) {
        return undefined;
      }
      // React has it itself.
      const name = /^use-sync-external-store\/shim(?:\/index\.js)?$/.test(id) ? 'react' : id;
      return names.has(name) ? `${prefix}${name}` : undefined;
    },
    load(id) {
      if (!id.startsWith(prefix)) {
        return undefined;
      }
      const name = id.slice(prefix.length);
      const exported = Object.keys(require(name) as object).filter((one) => !one.startsWith('__'));
      return `import whole from '${name}';\nexport default whole;\nexport const { ${exported.join(', ')} } = whole;`;
    },
  };
}
