/** Mounts that are refused because their locks hold on one machine alone. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLocalLocks } from './mounts.ts';

const root = '23 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw';
const nfs = (point: string, options: string, type = 'nfs4'): string =>
  `51 23 0:45 / ${point} rw,relatime shared:30 - ${type} 10.0.0.7:/export ${options}`;

describe('a data directory on', () => {
  const table: readonly [string, readonly string[], string, string | undefined][] = [
    ['a disk', [root], '/srv/data', undefined],
    [
      'NFS whose locks are asked of the server',
      [root, nfs('/srv', 'rw,vers=4.2,hard,local_lock=none,addr=10.0.0.7')],
      '/srv/data',
      undefined,
    ],
    ['NFS with local_lock=all', [root, nfs('/srv', 'rw,vers=3,local_lock=all', 'nfs')], '/srv/data', 'local_lock=all'],
    ['NFS with local_lock=flock', [root, nfs('/srv', 'rw,vers=4.1,local_lock=flock')], '/srv/data', 'local_lock=flock'],
    ['NFS with local_lock=posix', [root, nfs('/srv', 'rw,vers=4.1,local_lock=posix')], '/srv/data', undefined],
    ['NFS with nolock', [root, nfs('/srv', 'rw,vers=3,nolock,local_lock=none', 'nfs')], '/srv/data', 'nolock'],
    ['the folder of a mount itself', [root, nfs('/srv/data', 'rw,nolock')], '/srv/data', 'nolock'],
    ['a disk beside such a mount of a similar name', [root, nfs('/srv/dat', 'rw,nolock')], '/srv/data', undefined],
    [
      'a disk that is mounted inside of such a mount',
      [root, nfs('/srv', 'rw,nolock'), root.replace(' / / ', ' / /srv/data ')],
      '/srv/data',
      undefined,
    ],
    ['a disk that hides such a mount', [root, nfs('/srv', 'rw,nolock'), root.replace(' / / ', ' / /srv ')], '/srv/data', undefined],
    ['a mount with a blank in its name', [root, nfs('/my\\040data', 'rw,nolock')], '/my data/x', 'nolock'],
    ['NFS as the root of the machine', [nfs('/', 'rw,nolock')], '/srv/data', 'nolock'],
    ['a Windows share with nobrl', [root, nfs('/srv', 'rw,vers=3.1.1,nobrl', 'cifs')], '/srv/data', 'nobrl'],
    ['a disk whose options say nolock', [root.replace('rw,relatime', 'rw,nolock')], '/srv/data', undefined],
    ['nothing that is known', [], '/srv/data', undefined],
  ];
  it.each(table)('%s', (_name, lines, path, option) => {
    expect(findLocalLocks(lines.join('\n'), path)?.option).toBe(option);
  });

  it('a mount without optional fields, named with its source', () => {
    expect(findLocalLocks(`${root}\n51 23 0:45 / /srv rw - nfs4 nas:/my\\040export rw,nolock\n`, '/srv')).toEqual({
      type: 'nfs4',
      source: 'nas:/my export',
      option: 'nolock',
    });
  });

  it.runIf(process.platform === 'linux')('this machine', () => {
    expect(findLocalLocks(readFileSync('/proc/self/mountinfo', 'utf8'), '/proc')).toBeUndefined();
  });

  it('any text at all does not fail', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (text, path) => void findLocalLocks(text, path)));
  });
});
