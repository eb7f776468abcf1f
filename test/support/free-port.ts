/** A port for a server in a process of its own, which cannot be asked afterwards which one it got. */
import { createServer } from 'node:net';

/** A port that nobody listens on, below those that the system gives to outgoing connections of tests running beside this one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const isFree = await new Promise<boolean>((done) => {
      const server = createServer();
      server.once('error', () => done(false));
      server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
    });
    if (isFree) {
      return port;
    }
  }
}
