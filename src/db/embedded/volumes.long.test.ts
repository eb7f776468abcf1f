/** Data directories on volumes of containers: owned by root and written through a group, changed at each mount, squashed, on a read-only root. */
import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const program = join(import.meta.dirname, '../../../test/support/embedded-process.ts');

let folder: string;
let data: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cst-'));
  await chmod(folder, 0o755);
  data = join(folder, 'data');
  await mkdir(data);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Opens the data directory in a process that `setpriv` or `unshare` starts with these options; returns what it says. */
async function open(command: string, ...options: readonly string[]): Promise<string> {
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { stdout } = await run(command, [...options, process.execPath, program, data, 'SELECT 7'], { env }).catch(
    (error: { stdout: string }) => error,
  );
  return stdout.trim();
}

/** As a kubelet does for fsGroup, with every mount. */
async function mountAgain(gid: number): Promise<void> {
  await run('bash', ['-c', `chgrp -R ${gid} ${data}; chmod -R g+rwX ${data}; find ${data} -type d -exec chmod g+s {} +`]);
}

describe.runIf(process.getuid?.() === 0 && platform() === 'linux')('a volume', () => {
  it.each([
    ['the group of the account', ['--reuid=1000', '--regid=1000', '--clear-groups'], 1000],
    ['a further group of the account', ['--reuid=1000', '--regid=1000', '--groups=3000'], 3000],
    ['the group 0 of an account that is not root', ['--reuid=1000', '--regid=0', '--clear-groups'], 0],
  ])('of root that %s may write serves, after every mount', async (_name, account, gid) => {
    await mountAgain(gid);
    for (let mount = 0; mount < 3; mount++) {
      expect(await open('setpriv', ...account)).toBe('7');
      expect((await stat(join(data, 'postgres'))).mode & 0o777).toBe(0o700);
      await mountAgain(gid);
      expect((await stat(join(data, 'postgres'))).mode & 0o070).toBe(0o070);
    }
  });

  it('whose cluster belongs to another account is refused with both ways out', async () => {
    await chmod(data, 0o777);
    expect(await open('setpriv', '--reuid=1000', '--regid=1000', '--clear-groups')).toBe('7');
    const said = await open('setpriv', '--reuid=2', '--regid=1000', '--clear-groups');
    expect(said).toMatch(/^refused: .*postgres belongs to another user \(uid 1000\).*Run as uid 1000 \(runAsUser.*chown -R 2 /);
    await run('chown', ['-R', '2', data]);
    expect(await open('setpriv', '--reuid=2', '--regid=1000', '--clear-groups')).toBe('7');
  });

  it('that the account may not write, as with root squash, is refused with owner, mode and account', async () => {
    await chown(data, 65534, 65534);
    const said = await open('setpriv', '--reuid=1000', '--regid=1000', '--clear-groups');
    expect(said).toMatch(
      /^refused: .*cannot be written: it belongs to uid 65534 and gid 65534 with mode 755, and this process runs as uid 1000/,
    );
  });

  it('of an account without an entry in /etc/passwd is refused where a database has to be made, and served where there is one', async () => {
    await chmod(data, 0o777);
    const account = ['--reuid=1234567', '--regid=0', '--clear-groups'];
    expect(await open('setpriv', ...account)).toMatch(/^refused: .*uid 1234567 has no entry in \/etc\/passwd.*runAsUser/);
    expect(await open('setpriv', '--reuid=1000', '--regid=1000', '--clear-groups')).toBe('7');
    await run('chown', ['-R', '1234567', data]);
    expect(await open('setpriv', ...account)).toBe('7');
  });

  it('of a root without capabilities is refused with the way out', async () => {
    const said = await open('setpriv', '--bounding-set=-all', '--inh-caps=-all');
    expect(said).toMatch(/^refused: .*capabilities were dropped\. Run as an ordinary user/);
  });

  it('serves beside a read-only root file system, without a /tmp; a path too long for a socket needs one', async (context) => {
    const readOnly = `mount -t tmpfs -o mode=777 tmpfs ${data} && mount -o remount,ro,bind / && mkdir -p ${data}/${'long'.repeat(30)} && exec setpriv --reuid=1000 --regid=1000 --clear-groups`;
    const script = (path: string) => ['-m', 'bash', '-c', `${readOnly} ${process.execPath} ${program} ${path} 'SELECT 7'`];
    const env = { ...process.env, NODE_OPTIONS: '' };
    const said = async (path: string) =>
      (await run('unshare', script(path), { env }).catch((error: { stdout: string }) => error)).stdout.trim();
    const served = await said(`${data}/d`);
    context.skip(served === '', 'the root file system cannot be made read-only here');
    expect(served).toBe('7');
    expect(await said(`${data}/d/${'long'.repeat(30)}`)).toMatch(
      /^refused: .*too long for a socket, and .* cannot be made.*shorter --data-dir/,
    );
  });
});
