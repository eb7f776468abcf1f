/** The few pages served for eyes: the start page, where links of mails lead, the API browser and the OpenAPI document. Their files are in browser/. */
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';
import { isFromHere } from './is-from-here.ts';

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const ofMail = { file: 'mail.html', type: 'text/html; charset=utf-8' };

type Files = Readonly<Record<string, { readonly file: string; readonly type: string }>>;

/** Pages without a console. */
const inPlaceOfConsole: Files = {
  '/': { file: 'start.html', type: 'text/html; charset=utf-8' },
  '/reviews/:id': ofMail,
  '/templates/:id': ofMail,
  '/conflicts/:id': ofMail,
  '/revocations': ofMail,
};

const always: Files = {
  '/docs': { file: 'docs.html', type: 'text/html; charset=utf-8' },
  '/docs/docs.js': { file: 'docs.js', type: 'text/javascript; charset=utf-8' },
  '/docs/page.css': { file: 'page.css', type: 'text/css; charset=utf-8' },
};

export interface PageParts {
  /** Makes the OpenAPI document, which is kept from its first reading on. */
  readonly describe: () => string;
  /** The console answers at the start and where links of mails lead. */
  readonly hasConsole: boolean;
  /** True if the API browser is for everybody. */
  readonly opensDocs: boolean;
}

/** The API browser. It shows strangers what runs here, so it is for this machine unless the operator opens it. */
const browserFiles = new Set(['/docs', '/docs/docs.js']);

/** Registers the pages. */
export function registerPages(app: FastifyInstance, { describe, hasConsole, opensDocs }: PageParts): void {
  for (const [url, { file, type }] of Object.entries({ ...always, ...(hasConsole ? {} : inPlaceOfConsole) })) {
    const content = readFileSync(new URL(`browser/${file}`, import.meta.url));
    app.get(url, async (request, reply) => {
      if (browserFiles.has(url) && !opensDocs && !isFromHere(request)) {
        throw new AppError('NOT_FOUND', 'The API browser is for requests of the same machine alone. --public-docs yes opens it.');
      }
      return reply
        .headers({ 'content-type': type, 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-cache' })
        .send(content);
    });
  }
  let document: string | undefined;
  app.get('/openapi.json', async (_request, reply) => {
    document ??= describe();
    return reply.headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' }).send(document);
  });
}
