/** How the console is built: one page with hashed files, the texts compiled, no inline script, source maps beside for whoever debugs a server. */
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { chunks, safeName } from './vite-chunks.ts';
import { importReact } from './vite-react.ts';
import { pickRoutes } from './vite-routes.ts';
import { compileTexts } from './vite-texts.ts';

/** The names that stand for folders in imports; the tests read them, too. */
export const alias = { '~': join(import.meta.dirname, 'src') };

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [importReact(), pickRoutes(), compileTexts()],
  resolve: { alias },
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['chrome123', 'firefox121', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: chunks },
        // Without hyphens, which could make such words of a hash.
        hashCharacters: 'base36',
        chunkFileNames: ({ name }) => `assets/${safeName(name)}-[hash].js`,
        assetFileNames: ({ names: [name = ''] }) => `assets/${safeName(name.replace(/\.[^.]*$/, ''))}-[hash][extname]`,
      },
      // Libraries say 'use client' for servers that render; here everything is a client.
      onLog: (level, log, handle) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : handle(level, log)),
    },
  },
});
