/**
 * Sends a reply of the API as JSON, compressed where the client takes that and it helps. Replies that carry a secret stay as they are: from the length
 * of a compressed reply one can guess a secret in it (BREACH). Streams are not sent here.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type DescMessage, ScalarType } from '@bufbuild/protobuf';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Below this many characters compressing costs more than it saves. */
const minCharacters = 1_024;
/** The level at which a page of 1,000 rows takes a few milliseconds. */
const brotliQuality = 4;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Fields whose values let somebody in: credentials, tokens of sources, links that sign in or download. */
function isSecretField(message: string, field: string): boolean {
  return /secret|^token$|^download_url$/.test(field) || (field === 'url' && message.includes('Link'));
}

/** True if a message can carry a secret, itself or in what it holds. */
export function carriesSecret(desc: DescMessage, seen = new Set<DescMessage>()): boolean {
  if (seen.has(desc)) {
    return false;
  }
  seen.add(desc);
  return desc.fields.some(
    (field) =>
      (field.scalar === ScalarType.STRING && isSecretField(desc.name, field.name)) ||
      (field.message !== undefined && carriesSecret(field.message, seen)),
  );
}

/** The best encoding that a client accepts; undefined for none. */
export function chooseEncoding(accepted: string): 'br' | 'gzip' | undefined {
  if (accepted === '') {
    return undefined;
  }
  const taken = new Set(
    accepted
      .toLowerCase()
      .split(',')
      .map((one) => one.trim().split(/\s*;\s*/))
      .filter(([, quality = 'q=1']) => !/^q=0(?:\.0*)?$/.test(quality))
      .map(([name]) => name),
  );
  return taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : undefined;
}

/** Sends the text of a reply. `isSecret`: it can carry a secret. */
export async function sendJson(request: FastifyRequest, reply: FastifyReply, text: string, isSecret: boolean): Promise<FastifyReply> {
  reply.header('content-type', 'application/json; charset=utf-8');
  if (isSecret || text.length < minCharacters) {
    return reply.send(text);
  }
  reply.header('vary', 'accept-encoding');
  const encoding = chooseEncoding(String(request.headers['accept-encoding'] ?? ''));
  if (encoding === undefined) {
    return reply.send(text);
  }
  const bytes = Buffer.from(text);
  const body =
    encoding === 'br'
      ? await toBrotli(bytes, {
          params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
        })
      : await toGzip(bytes);
  return reply.header('content-encoding', encoding).send(body);
}
