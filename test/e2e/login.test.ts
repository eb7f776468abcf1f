/** `countersign login` and `logout`: a person confirms in a browser, and the commands work without a copied secret. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { runInProcess } from '../support/command-line.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { requestWith, signIn } from '../support/sign-in.ts';

describe('login', () => {
  let server: TestServer;
  let cookie: string;
  const folder = mkdtempSync(join(tmpdir(), 'login-'));
  const env = { XDG_CONFIG_HOME: folder };

  /** Runs a login, and answers in the browser as soon as the code is printed. */
  async function login(answer: 'APPROVE' | 'DENY'): Promise<{ code: number; stdout: string; stderr: string }> {
    let [stdout, stderr] = ['', ''];
    let isAnswered = false;
    const code = await runCommand(['login', server.url, '--json'], {
      env,
      stdin: Readable.from([]),
      stdout: new Writable({
        write(piece, _encoding, done) {
          stdout += String(piece);
          done();
        },
      }),
      stderr: new Writable({
        write(piece, _encoding, done) {
          stderr += String(piece);
          const typed = /compare the code: (\S+)/.exec(stderr)?.[1];
          if (typed !== undefined && !isAnswered) {
            isAnswered = true;
            void requestWith(server, cookie, 'POST', '/auth/device', { code: typed, answer });
          }
          done();
        },
      }),
      signal: new AbortController().signal,
    });
    return { code, stdout, stderr };
  }

  beforeAll(async () => {
    server = await useTestServer();
    cookie = await signIn(server, server.admin.id);
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it('keeps a credential that all commands use, until logout revokes it', async () => {
    expect((await runInProcess(['user', 'list'], { env: { ...env, COUNTERSIGN_URL: server.url } })).code).toBe(2);
    const done = await login('APPROVE');
    expect({ code: done.code, kept: JSON.parse(done.stdout).keptIn }).toEqual({
      code: 0,
      kept: join(folder, 'countersign', 'credentials.json'),
    });
    expect(done.stderr).toContain('/device?code=');
    const users = await runInProcess(['user', 'list', '--json'], { env });
    expect([users.code, users.stderr]).toEqual([0, '']);
    const sessions = await requestWith(server, cookie, 'GET', '/api/v1/my/sessions');
    expect(sessions.body['list'].map(({ how }: { how: string }) => how)).not.toContain('DEVICE');
    const { id } = JSON.parse(done.stdout) as { id: string };
    const out = await runInProcess(['logout', '--json'], { env });
    expect(JSON.parse(out.stdout)).toEqual({ url: server.url, id, revoked: true });
    expect((await requestWith(server, cookie, 'GET', `/api/v1/iam/personal_clients/${id}`)).status).toBe(404);
    expect(await runInProcess(['logout', server.url], { env })).toMatchObject({
      code: 1,
      stderr: `countersign: nobody is signed in to ${server.url} here\n`,
    });
  });

  it('keeps nothing where the person refuses', async () => {
    const done = await login('DENY');
    expect([done.code, done.stderr.includes('refused in the browser')]).toEqual([1, true]);
    expect((await runInProcess(['user', 'list'], { env: { ...env, COUNTERSIGN_URL: server.url } })).code).toBe(2);
  });
});
