/** A port of this machine that leads to a socket: for clients that know no sockets. */
import { connect, createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Opens the port and returns it with what closes it. */
export async function openProxy(
  target: { readonly path: string } | { readonly host: string; readonly port: number },
): Promise<{ port: number; server: Server }> {
  const server = createServer((from) => {
    const to = connect(target);
    from.on('error', () => to.destroy());
    to.on('error', () => from.destroy());
    from.pipe(to).pipe(from);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { port: (server.address() as AddressInfo).port, server };
}
