/** Place this program runs from: its own sources in a clone, or compiled, as a package or in an image. Nothing here looks at the disk. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** True if this is the compiled program. A clone runs its sources. */
export const isCompiled = import.meta.filename.endsWith('.js');

/** The folder of the clone or of the installed package. */
export const programFolder = join(import.meta.dirname, '../..');

/**
 * Folder of a compiled program's data that nobody gave a place. An upgrade replaces the folder of a package, so it is never in there: root gets a
 * folder of the system, everybody else one in their home.
 */
export function folderOfData(env: Readonly<Record<string, string | undefined>> = process.env, uid = process.getuid?.()): string {
  return uid === 0 ? '/var/lib/countersign' : join(env['XDG_DATA_HOME'] || join(env['HOME'] || homedir(), '.local/share'), 'countersign');
}
