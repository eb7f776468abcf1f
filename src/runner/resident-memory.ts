/** The memory of a group of processes, from /proc. */
import { readdir, readFile } from 'node:fs/promises';

/** Returns the resident bytes of all processes of a group; 0 where the system has no /proc. */
export async function readGroupMemory(group: number): Promise<number> {
  const ids = await readdir('/proc').catch(() => []);
  let bytes = 0;
  for (const id of ids) {
    if (/^\d+$/.test(id)) {
      bytes += await readMemory(id, group);
    }
  }
  return bytes;
}

async function readMemory(id: string, group: number): Promise<number> {
  // A process may end between two looks.
  const read = (name: string): Promise<string> => readFile(`/proc/${id}/${name}`, 'utf8').catch(() => '');
  const stat = await read('stat');
  // Its name stands in brackets and may hold anything.
  const [, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (Number(itsGroup) !== group) {
    return 0;
  }
  const [, kibibytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(await read('status')) ?? [];
  return Number(kibibytes) * 1024;
}
