/** A mail server on a bare socket, whose every answer a test writes: for the times and the letters that a whole server hides. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Answers to what a client says; the greeting answers `connect`, and `whole` stands for the final dot. Undefined: the server stays silent. */
export type SmtpScript = (said: string) => string | undefined | Promise<string | undefined>;

/** A running server. */
export interface ScriptedSmtp {
  readonly port: number;
  /** Everything that clients said but for messages, line by line. */
  readonly heard: string[];
  /** Messages that came to their final dot. */
  readonly messages: string[];
  close(): Promise<void>;
}

/** Answers as a plain server does, with these extensions. */
export function usualAnswer(said: string, extensions: readonly string[] = []): string {
  if (said === 'connect') {
    return '220 ready';
  }
  if (said.startsWith('EHLO')) {
    return ['mail.example', ...extensions].map((line, at) => `250${at === extensions.length ? ' ' : '-'}${line}`).join('\r\n');
  }
  return said === 'DATA' ? '354 go on' : said === 'QUIT' ? '221 bye' : '250 fine';
}

/** Starts it on a free port of this machine. */
export async function startScriptedSmtp(script: SmtpScript): Promise<ScriptedSmtp> {
  const heard: string[] = [];
  const messages: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let text = '';
    let isMessage = false;
    let turn: Promise<void> = Promise.resolve();
    const answer = async (said: string): Promise<void> => {
      const line = await script(said);
      if (line !== undefined) {
        socket.write(`${line}\r\n`);
      }
    };
    const read = (): void => {
      for (let end = text.indexOf(isMessage ? '\r\n.\r\n' : '\r\n'); end >= 0; end = text.indexOf(isMessage ? '\r\n.\r\n' : '\r\n')) {
        const said = text.slice(0, end);
        text = text.slice(end + (isMessage ? 5 : 2));
        (isMessage ? messages : heard).push(said);
        const asked = isMessage ? 'whole' : said;
        isMessage = said === 'DATA' && !isMessage;
        turn = turn.then(() => answer(asked));
      }
    };
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      read();
    });
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    turn = answer('connect');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    heard,
    messages,
    async close() {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
