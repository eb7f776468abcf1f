/**
 * Sending over SMTP. A refusal says whether another attempt is worth it; a connection that breaks after the whole message left is neither a success
 * nor a failure, and said so. The password is in no error and no log.
 */
import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SmtpServer } from '../../../lib/mail-config.ts';
import type { Mailer, SendResult } from './mailer.ts';

const connectionTimeoutMs = 10_000;
const silenceMs = 20_000;
const hangUpMs = 100;
const pieceBytes = 16_384;
const longestAnswer = 500;

/** Way to reach a server. */
export interface SmtpSettings {
  readonly server: SmtpServer;
  /** Certificates (PEM) to verify it by, in place of those of the system. */
  readonly ca: string | undefined;
}

interface SmtpFailure extends Error {
  readonly responseCode?: number;
  readonly code?: string;
}

/** A mailer for a server; every mail has a connection of its own, whose TLS is verified. */
export function createSmtpMailer({ server, ca }: SmtpSettings): Mailer {
  const scheme = server.tls === 'direct' ? 'smtps' : 'smtp';
  return {
    description: `${scheme}://${server.host.includes(':') ? `[${server.host}]` : server.host}:${server.port}`,
    send(mail, message, signal) {
      const connection = new SMTPConnection({
        host: server.host,
        port: server.port,
        secure: server.tls === 'direct',
        requireTLS: server.tls === 'starttls',
        ignoreTLS: server.tls === 'none',
        connectionTimeout: connectionTimeoutMs,
        greetingTimeout: silenceMs,
        socketTimeout: silenceMs,
        tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
      });
      const envelope = { from: mail.from.address, to: [mail.to.address], size: message.length };
      return converse(connection, server, envelope, message, signal);
    },
  };
}

function converse(
  connection: SMTPConnection,
  server: SmtpServer,
  envelope: { from: string; to: string[]; size: number },
  message: Buffer,
  signal: AbortSignal,
): Promise<SendResult> {
  let hasLeft = false;
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let from = 0; from < message.length; from += pieceBytes) {
      yield message.subarray(from, from + pieceBytes);
    }
    hasLeft = true;
  }
  return new Promise((resolve) => {
    let isOver = false;
    const end = (result: SendResult): void => {
      if (!isOver) {
        isOver = true;
        signal.removeEventListener('abort', abort);
        resolve(result);
        connection.quit();
        setTimeout(() => connection.close(), 1000).unref();
      }
    };
    const fail = (error: SmtpFailure): void => end(judgeFailure(error, hasLeft, server));
    const abort = (): void => fail(new Error('The attempt was cut off.'));
    connection.on('error', fail);
    // What the server said before it hung up comes first.
    connection.once('end', () => setTimeout(() => fail(new Error('The server closed the connection.')), hangUpMs).unref());
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) {
      abort();
      return;
    }
    const send = (): void =>
      connection.send(envelope, Readable.from(pieces(), { objectMode: false }), (error, info) =>
        error ? fail(error as SmtpFailure) : end({ outcome: 'sent', answer: printable(String(info?.response ?? ''), server) }),
      );
    connection.connect((error) => {
      if (error) {
        fail(error as SmtpFailure);
      } else if (server.user === '') {
        send();
      } else {
        connection.login({ user: server.user, pass: server.password }, (refused) => (refused ? fail(refused as SmtpFailure) : send()));
      }
    });
  });
}

/** 5xx is an answer for good, but for the login: a wrong password is the operator's to mend, and no fault of the mail. */
function judgeFailure(error: SmtpFailure, hasLeft: boolean, server: SmtpServer): SendResult {
  const answer = printable(error.message, server);
  if (error.responseCode === undefined && hasLeft) {
    return { outcome: 'unsure', answer };
  }
  const isPermanent = error.code !== 'EAUTH' && error.code !== 'ETLS' && (error.responseCode ?? 0) >= 500;
  return { outcome: 'refused', isPermanent, answer };
}

/** Makes a server's words fit to show: on one line, not without end, and without the password, should it repeat that. */
function printable(text: string, { password }: SmtpServer): string {
  const shown = password === '' ? text : text.replaceAll(password, '***').replaceAll(Buffer.from(password).toString('base64'), '***');
  return shown.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, longestAnswer);
}
