/**
 * Kind of memory that processes of the embedded server share for parallel queries. It is chosen at each start, since a volume may move to another
 * machine: /dev/shm where there is room in it, else System V shared memory, which a server needs to start at all and which has no file system to fill.
 */
import { randomBytes } from 'node:crypto';
import { rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, mayUse } from './account.ts';

/** Containers have 64 MB there unless told otherwise, which one join of two large tables fills. */
const leastRoomBytes = 1024 ** 3;

/** The value for dynamic_shared_memory_type. */
export async function chooseSharedMemory(account: Account | undefined, folder = '/dev/shm'): Promise<'posix' | 'sysv'> {
  if (process.platform !== 'linux') {
    return 'posix';
  }
  const trial = join(folder, `countersign-${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < leastRoomBytes || (account !== undefined && !mayUse(await stat(folder), account, 0o3))) {
      return 'sysv';
    }
    await writeFile(trial, '', { flag: 'wx', mode: 0o600 });
    await rm(trial, { force: true });
    return 'posix';
  } catch {
    return 'sysv';
  }
}
