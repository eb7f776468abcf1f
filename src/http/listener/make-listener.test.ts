/** A listener that closes: what is idle goes, and an answer that is read slowly comes to its end. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { makeListener } from './make-listener.ts';

// More than the buffers of both sides take.
const answer = Buffer.alloc(32 * 1024 * 1024, 'a');

it('finishes an answer that has been handed over and not yet read, and then closes its connection', async () => {
  const server = makeListener((_request, response) => void response.end(answer), {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(client, 'readable');
  const closed = new Promise((resolve) => server.close(resolve));
  const sweeper = setInterval(() => server.closeIdleConnections(), 10);
  let read = 0;
  for await (const piece of client) {
    read += (piece as Buffer).length;
  }
  await closed;
  clearInterval(sweeper);
  expect(read).toBeGreaterThan(answer.length);
});
