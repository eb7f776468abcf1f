/** The way to a directory: a judged address, and TLS before anybody signs in. */
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ForbiddenDestination, judgeServer, type OutgoingRules } from '../outgoing.ts';
import { FetchFault } from '../tables/fetch-fault.ts';
import { noteConnection, noteTls, type NoteStep } from '../tables/fetch-steps.ts';
import { isLoopback, type LdapSettings, readAddress } from './settings.ts';

const connectMs = 15_000;

/** A server to be reached. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly isLdaps: boolean;
  readonly isUsualPort: boolean;
  readonly ca: string;
  /** True if StartTLS must come before the sign-in. */
  readonly startsTls: boolean;
  /** As sentences name it. */
  readonly name: string;
}

/** Returns where the settings lead. Plain text goes to this machine alone. */
export function findTarget({ url, ca }: LdapSettings): Target {
  const address = readAddress(url);
  if (address === undefined) {
    throw new FetchFault('SETTINGS', 'The address of the directory cannot be read.', { field: 'url' });
  }
  const startsTls = !address.isLdaps && (!isLoopback(address.host) || ca !== '');
  return { ...address, ca, startsTls, name: `${address.host}:${address.port}` };
}

/** Connects to a judged address, by TLS where the target says ldaps. */
export async function connectTo(target: Target, rules: OutgoingRules, signal: AbortSignal, noteStep?: NoteStep): Promise<Socket> {
  const { host, port, isUsualPort, isLdaps, startsTls, name } = target;
  let options: ReturnType<typeof judgeServer>;
  try {
    options = judgeServer(rules, { host, port, isUsualPort });
  } catch (error) {
    throw new FetchFault('SETTINGS', `${name} is not asked: ${error instanceof Error ? error.message : ''}.`, {
      cause: error,
      field: 'url',
    });
  }
  const socket = connectPlain(options);
  noteConnection(socket, noteStep);
  await waitFor(socket, 'connect', signal, (error) => {
    const kind = error instanceof ForbiddenDestination ? 'SETTINGS' : 'UNREACHED';
    return new FetchFault(kind, `${name} cannot be reached: ${describe(error)}.`, { cause: error, field: 'url' });
  });
  socket.setKeepAlive(true, 30_000).setNoDelay(true);
  // The name localhost may lead anywhere.
  if (!isLdaps && !startsTls && !isLoopback((socket.remoteAddress ?? '').replace(/^::ffff:/, ''))) {
    socket.destroy();
    throw new FetchFault(
      'SETTINGS',
      `${name} is not this machine, and a password is not sent in plain text; use an address that begins with ldaps://.`,
      { field: 'url' },
    );
  }
  return isLdaps ? secure(socket, target, signal, noteStep) : socket;
}

/** Makes a connection a TLS one. The certificate must be for the host that the settings name. */
export async function secure(socket: Socket, { host, ca, name }: Target, signal: AbortSignal, noteStep?: NoteStep): Promise<Socket> {
  const wrapped = connectTls({ socket, host, ...(isIP(host) === 0 && { servername: host }), ...(ca.trim() !== '' && { ca }) });
  await waitFor(wrapped, 'secureConnect', signal, (error) => {
    const code = 'code' in error ? String(error.code) : '';
    const isCertificate = /CERT|ISSUER|SIGNATURE|SIGNED|ALTNAME/.test(code);
    const hint = isCertificate ? '. Set `ca` to the certificate of the authority that issued it, and use the name that stands in it' : '';
    return new FetchFault(
      isCertificate ? 'SETTINGS' : 'UNREACHED',
      `${name} offers no connection that is to be trusted: ${describe(error)}${hint}.`,
      { cause: error, field: isCertificate ? 'ca' : 'url' },
    );
  });
  noteTls(wrapped, noteStep);
  return wrapped;
}

function describe(error: Error): string {
  const words = error instanceof AggregateError ? (error.errors as Error[]).map(({ message }) => message).join('; ') : error.message;
  return words.replace(/\.$/, '').slice(0, 300);
}

async function waitFor(socket: Socket, event: string, signal: AbortSignal, explain: (error: Error) => FetchFault): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => end(new Error(`no answer in ${connectMs / 1000} s`)), connectMs);
    const abort = (): void => end(signal.reason);
    const end = (error?: unknown): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      socket.off('error', end).off('close', closed).off(event, done);
      if (error === undefined) {
        resolve();
        return;
      }
      socket.on('error', () => undefined).destroy();
      reject(error === signal.reason ? error : explain(error as Error));
    };
    const done = (): void => end();
    const closed = (): void => end(new Error('the server closed the connection'));
    socket.once('error', end).once('close', closed).once(event, done);
    signal.addEventListener('abort', abort);
    if (signal.aborted) {
      abort();
    }
  });
}
