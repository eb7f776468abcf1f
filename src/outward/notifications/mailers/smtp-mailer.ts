/**
 * Sending over SMTP. A refusal says whether another attempt is worth it; a connection that breaks after the whole message left is neither a success
 * nor a failure, and said so. The password is in no error and no log.
 */
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SmtpServer } from '../../../lib/mail-config.ts';
import { getAsciiAddress } from '../../../lib/names/same-address.ts';
import { needsUtf8 } from './mail-address.ts';
import type { Mailer, SendResult } from './mailer.ts';

/** Milliseconds that a server may take. Only tests give others than these. */
export interface SmtpTimes {
  /** Until the connection stands, of which RFC 5321 says nothing. */
  readonly connectMs: number;
  readonly greetingMs: number;
  /** For the answer to each command, and for each piece of the message. */
  readonly commandMs: number;
  /** For the answer to the whole message: many look through it before they take it. */
  readonly wholeMs: number;
}

/** Times of RFC 5321 4.5.3.2: whoever gives up sooner loses mails, or sends them twice. */
export const smtpTimes: SmtpTimes = { connectMs: 30_000, greetingMs: 300_000, commandMs: 300_000, wholeMs: 600_000 };

const hangUpMs = 100;
const pieceBytes = 16_384;
const longestAnswer = 500;
const withoutUtf8 =
  'The mail server takes no addresses with letters other than ASCII before the @ (SMTPUTF8). Give the person another address, or use another server.';
const withoutTls = 'The mail server does not begin with TLS at this port. Begin --smtp-url with smtp://, which is TLS by STARTTLS.';

/** Way to reach a server. */
export interface SmtpSettings {
  readonly server: SmtpServer;
  /** Certificates (PEM) to verify it by, in place of those of the system. */
  readonly ca: string | undefined;
  /** Name by which we greet it (RFC 5321 4.1.1.1). */
  readonly name: string;
  readonly times?: SmtpTimes;
}

interface SmtpFailure extends Error {
  readonly responseCode?: number;
  readonly code?: string;
}

/** A mailer for a server; every mail has a connection of its own, whose TLS is verified. */
export function createSmtpMailer({ server, ca, name, times = smtpTimes }: SmtpSettings): Mailer {
  const scheme = server.tls === 'direct' ? 'smtps' : 'smtp';
  return {
    description: `${scheme}://${server.host.includes(':') ? `[${server.host}]` : server.host}:${server.port}`,
    send(mail, message, signal) {
      const socket = connect({ host: server.host, port: server.port });
      const connection = new SMTPConnection({
        connection: socket,
        name,
        host: server.host,
        port: server.port,
        secure: server.tls === 'direct',
        requireTLS: server.tls === 'starttls',
        ignoreTLS: server.tls === 'none',
        // It holds for TLS and the greeting together; the connection stands by then.
        connectionTimeout: 2 * times.greetingMs,
        greetingTimeout: times.greetingMs,
        socketTimeout: times.commandMs,
        tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
      });
      const envelope = { from: getAsciiAddress(mail.from.address), to: [getAsciiAddress(mail.to.address)], size: message.length };
      return converse({ socket, connection, server, times }, envelope, message, signal);
    },
  };
}

interface Conversation {
  readonly socket: Socket;
  readonly connection: SMTPConnection;
  readonly server: SmtpServer;
  readonly times: SmtpTimes;
}

function converse(
  { socket, connection, server, times }: Conversation,
  envelope: { from: string; to: string[]; size: number },
  message: Buffer,
  signal: AbortSignal,
): Promise<SendResult> {
  let isAsked = false;
  let hasLeft = false;
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let from = 0; from < message.length; from += pieceBytes) {
      yield message.subarray(from, from + pieceBytes);
    }
    hasLeft = true;
    if (connection._socket) {
      connection._socket.setTimeout(times.wholeMs);
    }
  }
  return new Promise((resolve) => {
    let isOver = false;
    let isCut = false;
    const end = (result: SendResult): void => {
      if (!isOver) {
        isOver = true;
        signal.removeEventListener('abort', abort);
        clearTimeout(connecting);
        resolve(result);
        if (connection.stage !== 'connected' || isCut) {
          // What has not left yet must not leave now.
          socket.destroy();
          connection.close();
          return;
        }
        connection.quit();
        setTimeout(() => connection.close(), 1000).unref();
      }
    };
    const fail = (error: SmtpFailure): void => end(judgeFailure(error, { isAsked, hasLeft }, server));
    const abort = (): void => {
      isCut = true;
      fail(
        new Error(
          hasLeft ? 'The attempt was cut off while the server had the message.' : 'The attempt was cut off before the message had left.',
        ),
      );
    };
    const connecting = setTimeout(
      () => fail(new Error(`There was no connection within ${times.connectMs / 1000} seconds.`)),
      times.connectMs,
    );
    socket.once('error', fail);
    connection.on('error', fail);
    // What the server said before it hung up comes first.
    connection.once('end', () => setTimeout(() => fail(new Error('The server closed the connection.')), hangUpMs).unref());
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) {
      abort();
      return;
    }
    const send = (): void => {
      if ([envelope.from, ...envelope.to].some(needsUtf8) && !takesUtf8(connection)) {
        end({ outcome: 'refused', isPermanent: true, answer: withoutUtf8 });
        return;
      }
      isAsked = true;
      connection.send(envelope, Readable.from(pieces(), { objectMode: false }), (error, info) =>
        error ? fail(error as SmtpFailure) : end({ outcome: 'sent', answer: printable(String(info?.response ?? ''), server) }),
      );
    };
    const greet = (error?: Error | null): void => {
      if (error) {
        fail(error as SmtpFailure);
      } else if (server.user === '') {
        send();
      } else {
        connection.login({ user: server.user, pass: server.password }, (refused) => (refused ? fail(refused as SmtpFailure) : send()));
      }
    };
    socket.once('connect', () => {
      clearTimeout(connecting);
      if (!isOver) {
        connection.connect(greet);
      }
    });
  });
}

/** True if the server said so; its answer to EHLO is kept in a member that the types leave out. */
function takesUtf8(connection: SMTPConnection): boolean {
  const { _supportedExtensions = [] } = connection as unknown as { readonly _supportedExtensions?: readonly string[] };
  return _supportedExtensions.includes('SMTPUTF8');
}

/** Answers of a server that wants TLS or a login first (RFC 3207, RFC 4954). */
const wantsLogin = [530, 534, 535, 538];

/** 5xx is an answer for good where it is about the mail. What a server says of the connection, our name or the login is the operator's to mend. */
function judgeFailure(error: SmtpFailure, { isAsked, hasLeft }: { isAsked: boolean; hasLeft: boolean }, server: SmtpServer): SendResult {
  const { message, responseCode } = error;
  const answer = server.tls === 'direct' && message.includes('wrong version number') ? withoutTls : printable(message, server);
  if (responseCode === undefined && hasLeft) {
    return { outcome: 'unsure', answer };
  }
  return {
    outcome: 'refused',
    isPermanent: isAsked && responseCode !== undefined && responseCode >= 500 && !wantsLogin.includes(responseCode),
    answer,
  };
}

/** Makes a server's words fit to show: on one line, not without end, and without the password, should it repeat that. */
function printable(text: string, { password }: SmtpServer): string {
  const shown = password === '' ? text : text.replaceAll(password, '***').replaceAll(Buffer.from(password).toString('base64'), '***');
  return shown.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, longestAnswer);
}
