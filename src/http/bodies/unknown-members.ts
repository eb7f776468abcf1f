/**
 * Members of a request that the contract does not know. A client newer than this server sends them, so they are left out; but one that is a
 * slip (`coment`) must not be lost in silence. So the reply carries a warning, and who prefers strictness gets a refusal.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refusal } from '../../wire/read.ts';
import type { UnknownMember } from '../../wire/read-scalar.ts';

const maxWarnings = 5;
const maxPathLength = 100;
const maxMembers = 20;

/**
 * Warns of unknown members: a header `Warning` with code 299 for each (as RFC 7234 section 5.5 writes it), five at most. With `Prefer:
 * handling=strict` (RFC 7240 section 4.4) INVALID_ARGUMENT instead, with the path of each and the members there are.
 */
export function answerUnknownMembers(request: FastifyRequest, reply: FastifyReply, unknown: readonly UnknownMember[]): void {
  if (prefersStrict(request.headers['prefer'])) {
    void reply.header('preference-applied', 'handling=strict');
    if (unknown.length > 0) {
      throw refusal(unknown.map((member) => ({ field: plain(member.path), description: describeMembers(member) })));
    }
  }
  if (unknown.length > 0) {
    const shown = unknown.slice(0, maxWarnings).map(({ path }) => `299 - "${plain(path)} is not known here and was left out"`);
    const more = unknown.length - shown.length;
    void reply.header('warning', [...shown, ...(more > 0 ? [`299 - "${more} more are not known here and were left out"`] : [])].join(', '));
  }
}

/** True if a header Prefer asks for it; several preferences are separated by commas, and each may have parameters. */
function prefersStrict(header: string | readonly string[] | undefined): boolean {
  if (header === undefined) {
    return false;
  }
  return String(header)
    .split(',')
    .some((preference) => /^\s*handling\s*=\s*"?strict"?\s*(;|$)/i.test(preference));
}

/** The path with nothing in it that a header or a terminal could take for something else. */
function plain(path: string): string {
  const cut = path.length > maxPathLength ? `${path.slice(0, maxPathLength)}...` : path;
  return cut.replace(/[^\w.[\]$@:-]/g, '?');
}

function describeMembers({ desc }: UnknownMember): string {
  const names = desc.fields.map(({ jsonName }) => jsonName);
  const more = names.length - maxMembers;
  return names.length === 0
    ? 'is not known here; nothing may stand in its place'
    : `is not known here; known are ${names.slice(0, maxMembers).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
