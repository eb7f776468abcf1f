/**
 * One TLS port for two protocols: who offers http/1.1 gets it, as before, and who offers HTTP/2 alone, as gRPC does, is handed to the server of
 * connectors.
 */
import type { Http2Server } from 'node:http2';
import type { Server, ServerOptions } from 'node:https';
import type { TLSSocket } from 'node:tls';

/** Returns the option of TLS by which a server chooses the protocol of a connection; one that offers neither is refused. */
export function protocolsFor(http2: Http2Server | undefined): Pick<ServerOptions, 'ALPNCallback'> {
  return http2 === undefined ? {} : { ALPNCallback: ({ protocols }) => ['http/1.1', 'h2'].find((one) => protocols.includes(one)) };
}

/** Hands connections of HTTP/2 that this server accepts to `http2`; it was made with the option of `protocolsFor`. */
export function sharePort(server: Server, http2: Http2Server): void {
  // Requests of http/1.1 begin at this listener of Node's.
  const listeners = server.listeners('secureConnection') as ((socket: TLSSocket) => void)[];
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') {
      http2.emit('connection', socket);
      return;
    }
    for (const listener of listeners) {
      listener.call(server, socket);
    }
  });
}
