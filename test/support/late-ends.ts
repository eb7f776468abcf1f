/** A line to PostgreSQL on which the end of a command comes in a packet of its own, after a pause: as over a real network, where packets end anywhere. */
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** The first letter of CommandComplete (PostgreSQL's protocol, Message Formats). */
const commandComplete = 'C'.charCodeAt(0);
/** Longer than reading what has come takes. */
const pauseMs = 3;

/** Such a line to the database of `url`. */
export async function openLateEnds(url: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { host, port, user, password, database: name } = new pg.Client({ connectionString: url });
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const database = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
    for (const socket of [client, database]) {
      open.add(socket.setNoDelay());
      socket
        .on('error', () => undefined)
        .on('close', () => {
          client.destroy();
          database.destroy();
        });
    }
    client.on('data', (bytes) => database.write(bytes));
    handOn(database, client).catch(() => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `postgres://${encodeURIComponent(user ?? '')}:${encodeURIComponent(password ?? '')}@${place}/${encodeURIComponent(name ?? '')}`,
    async close() {
      for (const socket of open) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Message by message: a letter, then four bytes of length that count themselves. */
async function handOn(from: Socket, to: Socket): Promise<void> {
  let left = Buffer.alloc(0);
  for await (const bytes of from) {
    left = Buffer.concat([left, bytes as Buffer]);
    let at = 0;
    while (left.length >= at + 5 && left.length > at + left.readUInt32BE(at + 1)) {
      if (left[at] === commandComplete) {
        to.write(left.subarray(0, at));
        await pause(pauseMs);
        left = left.subarray(at);
        at = 0;
      }
      at += 1 + left.readUInt32BE(at + 1);
    }
    to.write(left.subarray(0, at));
    left = left.subarray(at);
  }
  to.end();
}
