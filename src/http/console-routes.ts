/**
 * The console: one page for every address that wants HTML and is nothing else, and its files. All of it is read into memory at the start, as it
 * was built (console/dist) and compressed. Without a build nothing is registered, and the pages of before stand.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../context.ts';

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** Nothing but our own files, no inline script or style, no frame around us, and no text that becomes script. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cache-control': 'no-cache',
};

/** A file as it was built, and compressed where that helps. */
interface BuiltFile {
  readonly type: string;
  /** Its name holds the hash of its content. */
  readonly isHashed: boolean;
  readonly plain: Buffer;
  readonly br: Buffer | undefined;
  readonly gz: Buffer | undefined;
}

/** The console as it was built. */
export interface Console {
  readonly page: BuiltFile;
  /** By path, from the first slash on. */
  readonly files: ReadonlyMap<string, BuiltFile>;
}

/** The console in a folder; undefined, with a warning, where none was built. */
export function readConsole(folder: string, log: Logger): Console | undefined {
  if (!existsSync(join(folder, 'index.html'))) {
    log.warn({}, 'The console is not built, so links lead to no page. Run "npm ci" in the clone, then start again.');
    return undefined;
  }
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  const present = new Set(names);
  const readOptional = (name: string): Buffer | undefined => (present.has(name) ? readFileSync(join(folder, name)) : undefined);
  const files = new Map<string, BuiltFile>();
  for (const name of names) {
    const type = types[name.split('.').at(-1) ?? ''];
    // What is no file for a browser (the stamp, the manifest, compressed copies) is not served.
    if (type !== undefined) {
      files.set(`/${name}`, {
        type,
        isHashed: name.startsWith('assets/'),
        plain: readFileSync(join(folder, name)),
        br: readOptional(`${name}.br`),
        gz: readOptional(`${name}.gz`),
      });
    }
  }
  const page = files.get('/index.html');
  files.delete('/index.html');
  return page === undefined ? undefined : { page, files };
}

/** Registers the files. The page itself is answered by `answerPage`, where no route was found. */
export function registerConsole(app: FastifyInstance, { files }: Console): void {
  for (const [path, file] of files) {
    app.get(path, async (request, reply) => {
      reply.header('cache-control', file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      // It is kept for a year: the id would be that of a request long ago.
      reply.removeHeader('x-request-id');
      return sendFile(request, reply, file);
    });
  }
}

/** Paths below these are for programs, and a wrong one is an error in their own shape. */
const ofPrograms = /^\/(?:api|auth|scim|docs|assets|\.well-known)(?:\/|$)/;

/** True if a request that no route matched wants a page of the console. At the start it is everybody who takes anything, such as curl. */
export function wantsPage(request: FastifyRequest): boolean {
  const path = (request.raw.url ?? '').split('?', 1).join('');
  const accepts = request.headers.accept ?? '';
  const wantsHtml = accepts.includes('text/html') || (path === '/' && (accepts === '' || accepts.includes('*/*')));
  return (request.method === 'GET' || request.method === 'HEAD') && wantsHtml && !ofPrograms.test(path);
}

/** Answers with the page; what is on it follows from its address, in the browser. */
export function answerPage(request: FastifyRequest, reply: FastifyReply, { page }: Console): FastifyReply {
  reply.headers(pageHeaders).status(200);
  return sendFile(request, reply, page);
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): FastifyReply {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const encoding =
    file.br !== undefined && /\bbr\b/.test(accepted) ? 'br' : file.gz !== undefined && /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
  reply.header('content-type', file.type).header('vary', 'accept-encoding');
  if (encoding === undefined) {
    return reply.send(file.plain);
  }
  return reply.header('content-encoding', encoding).send(encoding === 'br' ? file.br : file.gz);
}
