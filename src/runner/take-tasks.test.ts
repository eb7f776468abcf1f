/** Mode `once` against a server by the wire, with small programs as connectors. */
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Code } from '@connectrpc/connect';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BatonServer, startBatonServer } from '../../test/support/baton-server.ts';
import { write } from '../../test/support/wire.ts';
import { until } from '../../test/support/until.ts';
import { readRunnerConfig } from './config.ts';
import type { Runner } from './runner.ts';
import { takeTasks } from './take-tasks.ts';

const jwk = Buffer.from(JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }))).toString('base64url');
const sync = (id: string) => ({ id, taskType: { case: 'syncFull' as const, value: { storageEngine: 'sqlite' } } });
const revoke = (id: string, grant: string) => ({ id, taskType: { case: 'revoke' as const, value: { grant: write([[3, grant]]) } } });

describe('takeTasks', () => {
  const all = mkdtempSync(join(tmpdir(), 'countersign-tasks-'));
  let server: BatonServer;
  let end: () => Promise<void> = async () => undefined;

  beforeAll(async () => {
    server = await startBatonServer();
  });
  afterEach(async () => {
    await end();
    for (const list of [
      server.hellos,
      server.finished,
      server.uploads,
      server.tasks,
      server.tokens,
      server.failures,
      server.uploadFailures,
    ]) {
      list.length = 0;
    }
    server.isCancelled = false;
  });
  afterAll(async () => {
    await server.close();
    rmSync(all, { recursive: true });
  });

  /** Starts a runner with this program; it sleeps a hundredth of what it should. */
  function start(script: string, more: object = {}): { folder: string; pauses: number[] } {
    const folder = mkdtempSync(join(all, 'run-'));
    writeFileSync(join(folder, 'baton'), `#!/bin/sh\ncase "$1" in capabilities|--version) exit 1;; esac\n${script}\n`, { mode: 0o755 });
    writeFileSync(join(folder, 'secret'), `secret-token:test:v1:${jwk}`, { mode: 0o600 });
    const { config, violations } = readRunnerConfig({
      mode: 'once',
      binary: join(folder, 'baton'),
      clientId: 'brave-otter-12345678@127.0.0.1/ccc',
      clientSecretFile: join(folder, 'secret'),
      url: server.url,
      connectorUrl: server.connectorUrl,
      folder,
      ...more,
    });
    if (config === undefined) {
      throw new Error(JSON.stringify(violations));
    }
    const stop = new AbortController();
    const pauses: number[] = [];
    const runner: Runner = {
      config,
      signal: stop.signal,
      log: { info: () => undefined, warn: () => undefined },
      print: () => undefined,
      ownEnv: { PATH: process.env['PATH'] },
      sleep: (milliseconds, signal) => {
        pauses.push(milliseconds);
        return new Promise((resolve) => {
          const timer = setTimeout(resolve, Math.min(milliseconds / 20, 100));
          const wake = () => {
            clearTimeout(timer);
            resolve();
          };
          signal.addEventListener('abort', wake, { once: true });
        });
      },
    };
    const running = takeTasks(runner);
    end = async () => {
      stop.abort();
      await running;
      end = async () => undefined;
    };
    return { folder, pauses };
  }
  const finished = (count: number) =>
    until(() => {
      expect(server.finished).toHaveLength(count);
      return server.finished;
    });

  it('removes by the last file, of which the connector gets a copy', async () => {
    const { folder } = start(
      'echo "$@" >> $(dirname $0)/calls; [ "$3" = --provisioning ] || printf C1ZF-whole > "$2"; [ "$5" != unknown ]',
    );
    server.tasks.push(revoke('r1', 'g1'), sync('s1'), revoke('r2', 'g1'), revoke('r3', 'unknown'));
    const [first, second, third, fourth] = await finished(4);
    expect([first?.status?.code, first?.status?.message]).toEqual([Code.FailedPrecondition, expect.stringContaining('no file')]);
    expect([second?.finalState.case, third?.finalState.case]).toEqual(['success', 'success']);
    // Older connectors end with 1 for whatever went wrong: that is no code of gRPC.
    expect([fourth?.status?.code, fourth?.finalState.case]).toEqual([Code.Unknown, 'error']);
    expect(server.uploads).toEqual(['C1ZF-whole']);
    const calls = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
    expect(calls).toEqual([
      expect.stringMatching(/^-f \S+\/sync\.c1z$/),
      expect.stringMatching(/^-f \S+\/revoke\.c1z --provisioning --revoke-grant g1$/),
      expect.stringMatching(/^-f \S+\/revoke\.c1z --provisioning --revoke-grant unknown$/),
    ]);
    await end();
    expect(readdirSync(folder).sort()).toEqual(['baton', 'calls', 'host-id', 'last.c1z', 'secret']);
  });

  it('ends the connector and drops the task where the server cancels it', async () => {
    const { folder } = start('[ "$2" = "" ] && exit 1; echo $$ > $(dirname $0)/pid; exec sleep 60');
    server.tasks.push(sync('s1'));
    const pid = await until(() => {
      const found = Number(readFileSync(join(folder, 'pid'), 'utf8'));
      expect(found).toBeGreaterThan(0);
      return found;
    });
    server.isCancelled = true;
    await until(() => expect(() => process.kill(pid, 0)).toThrow());
    expect(server.finished).toEqual([]);
  });

  it('says that it was stopped', async () => {
    const { folder } = start('touch $(dirname $0)/here; sleep 60');
    server.tasks.push(sync('s1'));
    await until(() => expect(readdirSync(folder)).toContain('here'));
    await end();
    expect(server.finished).toMatchObject([{ status: { code: Code.Unavailable, message: 'The runner was stopped.' } }]);
  });

  it('ends what crosses a limit', async () => {
    const { folder } = start('head -c 3000000 /dev/zero > "$2"; sleep 60', { limits: { fileMiB: 1 } });
    server.tasks.push(sync('s1'));
    const [first] = await finished(1);
    expect(first?.status).toMatchObject({ code: Code.ResourceExhausted, message: 'The file of the connector is larger than 1 MiB.' });
    expect(server.uploads).toEqual([]);
    expect(readdirSync(folder)).not.toContain('last.c1z');
  });

  it('tries uploads again, and asks less often where it is refused', async () => {
    const { pauses } = start('printf C1ZF-again > "$2"');
    server.failures.push(Code.Unavailable, Code.PermissionDenied);
    await until(() => expect(pauses).toContain(15 * 60_000));
    expect(pauses[0]).toBe(1_000);
    server.tasks.push(sync('s1'));
    server.failures.push(Code.Unauthenticated);
    server.uploadFailures.push(Code.Unavailable, Code.ResourceExhausted);
    await finished(1);
    expect(server.uploads).toEqual(['C1ZF-again']);
    // The refused token was not used again.
    expect(new Set(server.tokens).size).toBeGreaterThan(1);
  });

  it('fails a task that it cannot carry out, and one of a program that others may write to', async () => {
    const { folder } = start('exit 0');
    server.tasks.push({ id: 'd1', taskType: { case: 'deleteResource', value: {} } }, sync('s1'));
    expect(await finished(2)).toMatchObject([
      { status: { code: Code.Unimplemented } },
      { status: { message: 'The connector wrote no file.' } },
    ]);
    writeFileSync(join(folder, 'baton'), '#!/bin/sh\n', { mode: 0o755 });
    chmodSync(join(folder, 'baton'), 0o777);
    server.tasks.push(sync('s2'));
    expect((await finished(3))[2]?.status?.message).toContain('writable for others');
  });
});
