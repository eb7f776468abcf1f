/** How the console is built: one page with hashed files, the texts compiled, no inline script, source maps beside for whoever debugs a server. */
import { defineConfig } from 'vite';
import { compileTexts } from './vite-texts.ts';

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [compileTexts()],
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
      // Libraries say 'use client' for servers that render; here everything is a client.
      onLog: (level, log, handle) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : handle(level, log)),
    },
  },
  server: { proxy: { '/api': 'http://localhost:8080', '/auth': 'http://localhost:8080' } },
});
