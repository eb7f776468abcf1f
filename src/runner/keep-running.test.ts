/** Mode `service`: the pauses between starts, and the environment of the connector. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readRunnerConfig } from './config.ts';
import { keepRunning } from './keep-running.ts';

describe('keepRunning', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-keep-'));
  const binary = join(folder, 'baton');
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs a program until it was started so often; returns the pauses. */
  async function run(script: string, starts: number, more: object = {}): Promise<number[]> {
    writeFileSync(binary, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    writeFileSync(join(folder, 'secret'), 'secret-token:test:v1:abc\n', { mode: 0o600 });
    const { config } = readRunnerConfig({
      mode: 'service',
      binary,
      clientId: 'brave-otter-12345678@access.example.com/ccc',
      clientSecretFile: join(folder, 'secret'),
      ...more,
    });
    if (config === undefined) {
      throw new Error('the configuration is wrong');
    }
    const stop = new AbortController();
    const pauses: number[] = [];
    await keepRunning({
      config,
      signal: stop.signal,
      log: { info: () => undefined, warn: () => undefined },
      print: () => undefined,
      ownEnv: { PATH: process.env['PATH'], HOME: '/nowhere', COUNTERSIGN_KEY: 'hush' },
      sleep: async (milliseconds) => {
        pauses.push(milliseconds);
        if (pauses.length === starts) {
          stop.abort();
        }
      },
    });
    return pauses;
  }

  it('starts a connector again after 1 s to 5 min, and after 15 min where it was refused', async () => {
    expect(await run('exit 2', 10)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300].map((one) => one * 1000));
    expect(await run('exit 16', 1)).toEqual([900_000]);
    expect(await run('exit 7', 1)).toEqual([900_000]);
    expect(await run('exit 0', 1)).toEqual([1_000]);
  });

  it('gives it its credential and what was listed, and nothing else', async () => {
    writeFileSync(join(folder, 'more.env'), '# of the system\nBATON_TOKEN="s3cret"\nBATON_ORG=one\n', { mode: 0o600 });
    const more = {
      env: { BATON_ORG: 'two' },
      envFiles: [join(folder, 'more.env')],
      url: 'https://elsewhere.example:9443',
      ca: '/etc/ca.pem',
    };
    await run(`env > ${folder}/env`, 1, more);
    const env = readFileSync(join(folder, 'env'), 'utf8')
      .trim()
      .split('\n')
      .filter((line) => !/^(PWD|_|SHLVL|OLDPWD|PATH)=/.test(line));
    expect(env.sort()).toEqual([
      'BATON_C1_API_HOST=elsewhere.example:9443',
      'BATON_CLIENT_ID=brave-otter-12345678@access.example.com/ccc',
      'BATON_CLIENT_SECRET=secret-token:test:v1:abc',
      'BATON_ORG=two',
      'BATON_TOKEN=s3cret',
      'HOME=/nowhere',
      'SSL_CERT_FILE=/etc/ca.pem',
    ]);
  });
});
