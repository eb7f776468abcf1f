/** Reasons why a directory could not be read, each a sentence for the owner of the source. No message holds a password. */
import { type FaultKind, FetchFault } from '../tables/fetch-fault.ts';

const maxWordsLength = 300;

/** Returns words of a server as part of a sentence: without control characters, and cut. */
export function quoteWords(words: string): string {
  const plain = words.replace(/\p{Cc}+/gu, ' ').trim();
  return plain.length > maxWordsLength ? `${plain.slice(0, maxWordsLength)}...` : plain;
}

interface Sentence {
  readonly kind: FaultKind;
  readonly text: string;
  /** Setting or secret that it is about. */
  readonly field?: string;
}

const limited =
  'Paging lifts no limit of the server: give the bind DN an unlimited one, in OpenLDAP with ' +
  '`limits dn.exact="<bind DN>" size=unlimited time=unlimited`';

/** Result codes of RFC 4511 whose cause is known; the others are named by their number. */
const sentences: Readonly<Record<number, Sentence>> = {
  3: { kind: 'REFUSED', text: `the server stopped the search at its limit of time. ${limited}` },
  4: { kind: 'REFUSED', text: `the server stopped the search at its limit of size. ${limited}` },
  8: {
    kind: 'SETTINGS',
    text: 'the server wants a stronger sign-in or an encrypted connection; use an address that begins with ldaps://',
    field: 'url',
  },
  10: {
    kind: 'SETTINGS',
    text: 'the server refers to another server, which is not asked; set the address of that one, or a deeper base DN',
    field: 'url',
  },
  11: { kind: 'REFUSED', text: `the server stopped the search at a limit of its administrator. ${limited}` },
  12: { kind: 'UNREACHED', text: 'the server does not support paged results, without which a large directory cannot be read whole' },
  13: { kind: 'SETTINGS', text: 'the server wants an encrypted connection; use an address that begins with ldaps://', field: 'url' },
  32: { kind: 'SETTINGS', text: 'the base DN does not exist there, or the bind DN may not read it', field: 'baseDn' },
  34: { kind: 'SETTINGS', text: 'the bind DN or the base DN is not written as a distinguished name', field: 'bindDn' },
  48: { kind: 'REFUSED', text: 'the server does not let this bind DN sign in with a password', field: 'bindDn' },
  49: { kind: 'REFUSED', text: 'the server refused the bind DN or its password', field: 'bindPassword' },
  50: { kind: 'SETTINGS', text: 'the bind DN may not read this; give it the right to read the base DN', field: 'bindDn' },
  51: { kind: 'UNREACHED', text: 'the server is busy' },
  52: { kind: 'UNREACHED', text: 'the server is shutting down or not ready' },
  53: { kind: 'UNREACHED', text: 'the server is unwilling to answer' },
};

/** Returns the error of an answer that is no success. `task` is what was asked for, such as `Reading people`. */
export function describeResult(task: string, code: number, words: string): FetchFault {
  const { kind, text, field = '' }: Sentence = sentences[code] ?? { kind: 'UNREACHED', text: `the server answered with result ${code}` };
  const said = quoteWords(words);
  return new FetchFault(kind, `${task} failed: ${text}.${said === '' ? '' : ` The server says: ${said}`}`, { field });
}
