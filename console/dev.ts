/**
 * `npm run dev`: the demo's server with its sample company, and the console with fast refresh, on one port. Vite answers for the console and hands
 * everything of programs on to the server, which starts anew when its sources change. The server's own console is that of the last build.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer } from 'vite';

const root = join(import.meta.dirname, '..');
const port = Number(process.env['COUNTERSIGN_PORT'] ?? 8080);
const serverPort = port + 100;
const server = `http://localhost:${serverPort}`;
const own = `http://localhost:${port}`;

const vite = await createServer({
  configFile: join(import.meta.dirname, 'vite.config.ts'),
  plugins: [react()],
  server: {
    port,
    strictPort: true,
    proxy: {
      '^/(?:api|auth|scim|docs|\\.well-known|healthz|readyz|metrics)(?:[/?]|$)': {
        target: server,
        // The server knows its tenant by the host, and takes changes only from pages of the same address.
        changeOrigin: true,
        autoRewrite: true,
        configure: (proxy) =>
          proxy.on('proxyReq', (request) => {
            if (request.getHeader('origin') !== undefined) {
              request.setHeader('origin', server);
            }
          }),
      },
    },
  },
});
await vite.listen();
// A new text is a key of the catalogue at once.
vite.watcher.on('change', (path) => {
  if (path.endsWith('.json')) {
    spawn(process.execPath, [join(root, 'scripts', 'list-texts.js')]);
  }
});

const demo: ChildProcess = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', 'src/cli/main.ts', 'demo', '--port', String(serverPort)],
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
);
// The link that is printed leads to the console as it is worked on.
demo.stdout?.setEncoding('utf8').on('data', (text: string) => process.stdout.write(text.replaceAll(server, own)));
demo.once('exit', (status) => void vite.close().then(() => process.exit(status ?? 0)));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => demo.kill(signal));
}
