/** A signed-in connection to a directory, and searches on it. One request is under way at a time. */
import type { Socket } from 'node:net';
import type { Message } from 'ldapts';
import { type Answer, pagedResults } from './ber.ts';
import { connectTo, findTarget, secure } from './connect.ts';
import { type Entry, textsOf } from './entry.ts';
import { FetchFault } from '../tables/fetch-fault.ts';
import type { FetchParts } from '../tables/fetched-table.ts';
import { describeResult, quoteWords } from './describe-result.ts';
import { loadLdapts } from './load-ldapts.ts';
import type { LdapSettings } from './settings.ts';
import { openWire, type Wire } from './wire.ts';

const pageSize = 500;
const startTlsName = '1.3.6.1.4.1.1466.20037';
/** Active Directory: no referrals to the other parts of its forest, which lie below the name of every domain. */
const domainScope = '1.2.840.113556.1.4.1339';
const activeDirectory = '1.2.840.113556.1.4.800';

/** Secrets of a directory. */
export interface LdapSecrets {
  readonly bindPassword: string;
}

/** Things that are looked for. */
export interface Query {
  /** In sentences, such as `Reading people`. */
  readonly task: string;
  readonly base: string;
  readonly scope: 'base' | 'sub';
  readonly filter: string;
  readonly attributes: readonly string[];
}

/** A connection on which somebody is signed in. */
export interface Session {
  readonly isActiveDirectory: boolean;
  /** `TLSv1.3`, or '' where the connection is not encrypted. */
  readonly tls: string;
  /** Address that was connected to. */
  readonly address: string;
  /** Yields the entries as they come. Whatever keeps it from being all of them is thrown. */
  search(query: Query): AsyncGenerator<readonly Entry[]>;
  close(): void;
}

/** Connects, encrypts, signs in and asks what the server is. */
export async function openSession(
  settings: LdapSettings,
  secrets: LdapSecrets,
  { rules, signal, noteStep }: Omit<FetchParts, 'now'>,
): Promise<Session> {
  if (settings.bindDn !== '' && secrets.bindPassword === '') {
    // Servers take a name without a password for a sign-in of nobody, and say that it succeeded.
    throw new FetchFault('REFUSED', 'The password of the bind DN is not set.', { field: 'bindPassword' });
  }
  const ldap = loadLdapts();
  const target = findTarget(settings);
  let socket = await connectTo(target, rules, signal, noteStep);
  let wire = openWire(socket, target.name);
  let lastId = 0;
  const abort = (): void => wire.fail(signal.reason);
  signal.addEventListener('abort', abort);
  const close = (): void => {
    signal.removeEventListener('abort', abort);
    wire.send(new ldap.UnbindRequest({ messageId: ++lastId }).write());
    wire.fail(new FetchFault('UNREACHED', 'The connection was closed.'));
  };

  /** Sends a request that has one answer. */
  const ask = async (task: string, message: Message): Promise<void> => {
    wire.send(message.write());
    const [answer] = await wire.take();
    if (answer?.kind !== 'RESULT' || answer.id !== message.messageId) {
      throw new FetchFault('UNREACHED', `${task} failed: ${target.name} answered another question.`);
    }
    if (answer.code !== 0) {
      throw describeResult(task, answer.code, answer.words);
    }
  };
  const search = (query: Query, isActiveDirectory: boolean): AsyncGenerator<readonly Entry[]> => {
    const filter = ldap.FilterParser.parseString(query.filter);
    const isPaged = query.scope === 'sub';
    const send = (cookie?: Buffer): number => {
      const messageId = ++lastId;
      const controls = isPaged
        ? [new ldap.PagedResultsControl({ critical: true, value: { size: pageSize, ...(cookie && { cookie }) } })]
        : [];
      const scope = isActiveDirectory ? [new ldap.Control(domainScope, { critical: true })] : [];
      const attributes = [...query.attributes];
      const { base: baseDN } = query;
      // The library's own limit of time is ten seconds.
      wire.send(
        new ldap.SearchRequest({
          messageId,
          baseDN,
          scope: query.scope,
          filter,
          attributes,
          timeLimit: 0,
          controls: [...controls, ...scope],
        }).write(),
      );
      return messageId;
    };
    return readPages(wire, query.task, send, isPaged);
  };

  try {
    if (target.startsTls) {
      await ask('StartTLS', new ldap.ExtendedRequest({ messageId: ++lastId, oid: startTlsName }));
      wire.release();
      socket = await secure(socket, target, signal, noteStep);
      wire = openWire(socket, target.name);
    }
    if (settings.bindDn !== '') {
      await ask('Signing in', new ldap.BindRequest({ messageId: ++lastId, dn: settings.bindDn, password: secrets.bindPassword }));
      noteStep?.('SIGN_IN', settings.bindDn);
    }
    const { isPaging, isActiveDirectory } = await readRoot(
      search(
        {
          task: 'Reading what the server can',
          base: '',
          scope: 'base',
          filter: '(objectClass=*)',
          attributes: ['supportedControl', 'supportedCapabilities'],
        },
        false,
      ),
    );
    if (!isPaging) {
      throw describeResult('Reading what the server can', 12, '');
    }
    return { isActiveDirectory, ...describeSocket(socket), search: (query) => search(query, isActiveDirectory), close };
  } catch (error) {
    close();
    throw error;
  }
}

function describeSocket(socket: Socket): { readonly tls: string; readonly address: string } {
  const tls = 'getProtocol' in socket && typeof socket.getProtocol === 'function' ? String(socket.getProtocol()) : '';
  return { tls, address: socket.remoteAddress ?? '' };
}

async function readRoot(
  found: AsyncGenerator<readonly Entry[]>,
): Promise<{ readonly isPaging: boolean; readonly isActiveDirectory: boolean }> {
  const root: Entry[] = [];
  for await (const entries of found) {
    root.push(...entries);
  }
  const has = (attribute: string, value: string): boolean => root.some((entry) => textsOf(entry, attribute).includes(value));
  return { isPaging: has('supportedcontrol', pagedResults), isActiveDirectory: has('supportedcapabilities', activeDirectory) };
}

/** The entries of all pages. The next page is asked for when the one before has come, not when it was read. */
async function* readPages(wire: Wire, task: string, send: (cookie?: Buffer) => number, isPaged: boolean): AsyncGenerator<readonly Entry[]> {
  const ids = [send()];
  let isDone = false;
  wire.onResult = ({ code, cookie }) => {
    if (code === 0 && cookie !== undefined && cookie.length > 0 && isPaged) {
      ids.push(send(cookie));
    }
  };
  try {
    while (!isDone) {
      const entries: Entry[] = [];
      for (const answer of await wire.take()) {
        if (answer.id !== ids[0] || isDone) {
          throw new FetchFault('UNREACHED', `${task} failed: the server answered another question.`);
        }
        if (answer.kind === 'ENTRY') {
          entries.push(answer.entry);
        } else {
          isDone = endsSearch(task, answer, isPaged);
          ids.shift();
        }
      }
      if (entries.length > 0) {
        yield entries;
      }
    }
  } finally {
    wire.onResult = undefined;
    if (!isDone) {
      wire.fail(new FetchFault('UNREACHED', `${task} was broken off.`));
    }
  }
}

/** True if a page was the last one. Throws for what is no success. */
function endsSearch(task: string, answer: Exclude<Answer, { kind: 'ENTRY' }>, isPaged: boolean): boolean {
  if (answer.kind === 'REFERENCE') {
    const where = quoteWords(answer.uris[0] ?? '');
    throw new FetchFault(
      'SETTINGS',
      `${task} failed: a part of the directory lies on another server (${where}), which is not asked. Set a base DN without it.`,
    );
  }
  if (answer.code !== 0) {
    throw describeResult(task, answer.code, answer.words);
  }
  if (isPaged && answer.cookie === undefined) {
    throw describeResult(task, 12, '');
  }
  return !isPaged || answer.cookie?.length === 0;
}
