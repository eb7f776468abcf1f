/**
 * A network of its own for processes of a test, whose packets the kernel drops without a word: a namespace in which nothing but its own loopback is. The
 * machine's own network is left as it is.
 */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Server } from 'node:net';
import { promisify } from 'node:util';
import { runProcess } from './run-process.ts';

const run = promisify(execFile);
const making = 'ip link set lo up && iptables -A INPUT -p tcp --dport 1 -j DROP';

/** False where this account may not make networks, or a program for it is missing: its tests are then left out. */
export const canMakeNetworks = spawnSync('unshare', ['--net', 'sh', '-c', making]).status === 0;

/** A network and the way into it. */
export interface Network {
  /** Command that runs another one in it. */
  readonly within: readonly string[];
  /** Opens a port of this machine that leads to the same port inside. */
  open(port: number): Promise<void>;
  /** Drops what goes to this port and what comes from it; of connections that have these ports at their other end, where any are given. */
  drop(port: number, others?: readonly number[]): Promise<void>;
  /** Drops nothing any more. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Makes it. `folder` takes the sockets of its doors. */
export async function makeNetwork(folder: string): Promise<Network> {
  const keeper = spawn('unshare', ['--net', 'sh', '-c', `${making} && iptables -F && echo made && exec sleep infinity`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(keeper.stdout, 'data');
  const within = ['nsenter', `--target=${keeper.pid}`, '--net'];
  const inside = (...command: string[]): Promise<unknown> => run(within[0] as string, [...within.slice(1), ...command]);
  const ends: (() => Promise<unknown>)[] = [];
  return {
    within,
    async open(port) {
      const path = `${folder}/door-${port}`;
      // A socket in the file system is seen from every network.
      const door = runProcess(import.meta.filename, [path, String(port)], { within });
      await door.line(/^open$/);
      const server = leadTo({ path }).listen(port, '127.0.0.1');
      await once(server, 'listening');
      ends.push(async () => {
        server.close();
        await door.end('SIGKILL');
      });
    },
    async drop(port, others) {
      for (const other of others ?? [undefined]) {
        const [to, from] =
          other === undefined
            ? [[], []]
            : [
                ['--sport', String(other)],
                ['--dport', String(other)],
              ];
        await inside('iptables', '-A', 'INPUT', '-p', 'tcp', '--dport', String(port), ...to, '-j', 'DROP');
        await inside('iptables', '-A', 'INPUT', '-p', 'tcp', '--sport', String(port), ...from, '-j', 'DROP');
      }
    },
    async restore() {
      await inside('iptables', '-F');
    },
    async close() {
      await Promise.all(ends.map((end) => end()));
      keeper.kill('SIGKILL');
    },
  };
}

function leadTo(target: NetConnectOpts): Server {
  return createServer((from) => {
    const to = connect(target);
    from.on('error', () => to.destroy()).on('close', () => to.destroy());
    to.on('error', () => from.destroy()).on('close', () => from.destroy());
    from.pipe(to).pipe(from);
  });
}

// The inner side of a door, run in the network.
const [, file, path, port] = process.argv;
if (file === import.meta.filename && path !== undefined) {
  leadTo({ host: '127.0.0.1', port: Number(port) }).listen(path, () => process.stdout.write('open\n'));
}
