/**
 * Mounts whose locks other machines do not see: a lock taken there holds against processes of this machine alone, and looks as if it held for all.
 * No probe from one machine can find that out, so it is read from the options of the mount.
 */

/** By type of file system: options that keep locks of flock on this machine. */
const localOptions: Readonly<Record<string, readonly string[]>> = {
  nfs: ['nolock', 'local_lock=all', 'local_lock=flock'],
  nfs4: ['nolock', 'local_lock=all', 'local_lock=flock'],
  cifs: ['nobrl'],
  smb3: ['nobrl'],
  lustre: ['localflock'],
};

/** A mount that keeps locks to this machine. */
export interface LocalLocks {
  readonly type: string;
  readonly source: string;
  readonly option: string;
}

/** Finds the mount that `path` (without symbolic links) is on in the text of /proc/self/mountinfo, and returns it where its locks are local. */
export function findLocalLocks(mountinfo: string, path: string): LocalLocks | undefined {
  let found: { point: string; tail: string; options: string } | undefined;
  for (const line of mountinfo.split('\n')) {
    const [head = '', tail = ''] = line.split(' - ');
    const [, , , , escaped = '', options = ''] = head.split(' ');
    const point = readOctals(escaped);
    const isAbove = point !== '' && (point === path || path.startsWith(point === '/' ? '/' : `${point}/`));
    // Of two on one folder the later hides the earlier.
    if (isAbove && point.length >= (found?.point.length ?? 0)) {
      found = { point, tail, options };
    }
  }
  if (found === undefined) {
    return undefined;
  }
  const [type = '', source = '', superOptions = ''] = found.tail.split(' ');
  const given = [...found.options.split(','), ...superOptions.split(',')];
  const option = localOptions[type]?.find((one) => given.includes(one));
  return option === undefined ? undefined : { type, source: readOctals(source), option };
}

/** Blanks, tabs, ends of lines and backslashes stand as octal numbers there. */
function readOctals(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_all, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
