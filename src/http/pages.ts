/** The few pages served for eyes: the start page, the API browser and the OpenAPI document. Their files are in browser/. */
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const files: Readonly<Record<string, { readonly file: string; readonly type: string }>> = {
  '/': { file: 'start.html', type: 'text/html; charset=utf-8' },
  '/docs': { file: 'docs.html', type: 'text/html; charset=utf-8' },
  '/docs/docs.js': { file: 'docs.js', type: 'text/javascript; charset=utf-8' },
  '/docs/page.css': { file: 'page.css', type: 'text/css; charset=utf-8' },
};

/** Registers the pages; `describe` makes the OpenAPI document, which is kept from its first reading on. */
export function registerPages(app: FastifyInstance, describe: () => string): void {
  for (const [url, { file, type }] of Object.entries(files)) {
    const content = readFileSync(new URL(`browser/${file}`, import.meta.url));
    app.get(url, async (_request, reply) =>
      reply.headers({ 'content-type': type, 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-cache' }).send(content),
    );
  }
  let document: string | undefined;
  app.get('/openapi.json', async (_request, reply) => {
    document ??= describe();
    return reply.headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' }).send(document);
  });
}
