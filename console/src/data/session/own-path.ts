/** Check for addresses of our pages: what stands behind `to=` comes from a link that anybody can write. */

/** Stands for ours: a path of ours stays with whatever it is read against. */
const anyOrigin = 'https://console.invalid';

/** True if it is a path of this console and nothing else: not of another host, however it is written. */
export function isOwnPath(path: string): boolean {
  if (!/^\/(?![/\\])/.test(path) || /[\\\p{Cc}]/u.test(path)) {
    return false;
  }
  try {
    return new URL(path, anyOrigin).origin === anyOrigin;
  } catch {
    return false;
  }
}

/** The path where it is one of ours, else the start. */
export function ownPath(path: string | undefined): string {
  return path !== undefined && isOwnPath(path) ? path : '/';
}
