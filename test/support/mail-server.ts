/**
 * A server that takes mail, in this process: real SMTP, with TLS, login and whatever else can go wrong on the way. It keeps what it took.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { MailConfig } from '../../src/lib/mail-config.ts';

/** A message that was taken. */
export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Login used; '' for nobody. */
  readonly user: string;
  readonly isSecure: boolean;
  /** As it came, headers and all. */
  readonly raw: string;
}

/** Behaviour of a server unless asked otherwise. */
export interface MailServerOptions {
  /** A certificate to serve TLS with, and its key; without it there is none. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer };
  /** TLS from the first byte on. */
  readonly isDirect?: boolean;
  readonly login?: { readonly user: string; readonly password: string };
}

/** A server that mails are sent to. */
export interface MailServer {
  readonly port: number;
  /** Configuration of a server that sends its mail here, without TLS and login. */
  readonly transport: MailConfig['transport'];
  readonly taken: TakenMail[];
  /**
   * Sets what comes next: an answer in place of taking it, a pause before the answer, or a connection that breaks before or after the whole message
   * came; `whenWhole` is told of a message that came whole.
   */
  behave(
    next:
      | {
          readonly refuse?: { readonly code: number; readonly text: string };
          readonly pauseMs?: number;
          readonly breakAt?: 'begin' | 'end';
          readonly whenWhole?: () => void;
        }
      | undefined,
  ): void;
  /** Mails to somebody. */
  to(address: string): TakenMail[];
  close(): Promise<void>;
}

/** Starts it on a free port of this machine. */
export async function startMailServer({ tls, isDirect = false, login }: MailServerOptions = {}): Promise<MailServer> {
  const taken: TakenMail[] = [];
  let next: Parameters<MailServer['behave']>[0];
  const refusal = (): Error | undefined =>
    next?.refuse === undefined ? undefined : Object.assign(new Error(next.refuse.text), { responseCode: next.refuse.code });
  const server = new SMTPServer({
    secure: isDirect,
    ...(tls ?? {}),
    disabledCommands: [...(tls === undefined ? ['STARTTLS'] : []), ...(login === undefined ? ['AUTH'] : [])],
    authOptional: login === undefined,
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onAuth({ username, password }, _session, done) {
      const isRight = username === login?.user && password === login?.password;
      return isRight ? done(null, { user: username }) : done(Object.assign(new Error('Wrong user or password'), { responseCode: 535 }));
    },
    onRcptTo(_address, _session, done) {
      done(refusal());
    },
    onData(stream, session, done) {
      const socket = [...server.connections].find(({ id }) => id === session.id);
      const chunks: Buffer[] = [];
      const drop = (): void => void (socket as unknown as { _socket: { destroy(): void } } | undefined)?._socket.destroy();
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (next?.breakAt === 'begin') {
          drop();
        }
      });
      stream.on('end', () => {
        if (next?.breakAt === 'end') {
          drop();
          return;
        }
        next?.whenWhole?.();
        const { mailFrom, rcptTo } = session.envelope;
        setTimeout(() => {
          taken.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            user: String(session.user ?? ''),
            isSecure: session.secure,
            raw: Buffer.concat(chunks).toString('utf8'),
          });
          done(null, 'taken');
        }, next?.pauseMs ?? 0);
      });
    },
  });
  // What breaks on purpose is no news.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const address = { host: '127.0.0.1', port, tls: 'none', user: '', password: '' } as const;
  return {
    port,
    transport: { type: 'smtp', server: address, passwordFile: undefined, caFile: undefined },
    taken,
    behave(asked) {
      next = asked;
    },
    to: (address) => taken.filter((mail) => mail.to.includes(address)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

/** The decoded parts of a message as they are read, and its headers on one line each. */
export function readMessage(raw: string): { readonly headers: ReadonlyMap<string, string>; readonly text: string; readonly html: string } {
  const [head = '', ...rest] = raw.replaceAll('\r\n', '\n').split('\n\n');
  const headers = readHeaders(head);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? '';
  const parts = rest.join('\n\n').split(`--${boundary}`).map(readPart);
  const partOf = (type: string): string => parts.find((part) => part.type.startsWith(type))?.body ?? '';
  return { headers, text: partOf('text/plain'), html: partOf('text/html') };
}

function readHeaders(head: string): Map<string, string> {
  const lines = head.replace(/\n[ \t]+/g, ' ').split('\n');
  return new Map(
    lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), decodeWords(line.slice(at + 1).trim())];
    }),
  );
}

/** Encoded words of RFC 2047. */
function decodeWords(text: string): string {
  return text
    .replace(/(=\?[^?]+\?[qb]\?[^?]*\?=)\s+(?==\?)/gi, '$1')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_all, kind: string, word: string) => {
      const bytes = kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64') : decodeQuoted(word.replaceAll('_', ' '));
      return bytes.toString('utf8');
    });
}

function decodeQuoted(text: string): Buffer {
  const unfolded = text.replace(/=\n/g, '');
  return Buffer.from(
    unfolded.replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

function readPart(part: string): { type: string; body: string } {
  const [head = '', ...rest] = part.replace(/^\n/, '').split('\n\n');
  const headers = readHeaders(head);
  const body = rest.join('\n\n');
  const encoding = headers.get('content-transfer-encoding') ?? '';
  const bytes =
    encoding === 'base64' ? Buffer.from(body, 'base64') : encoding === 'quoted-printable' ? decodeQuoted(body) : Buffer.from(body, 'utf8');
  return { type: headers.get('content-type') ?? '', body: bytes.toString('utf8').replace(/\n$/, '') };
}
