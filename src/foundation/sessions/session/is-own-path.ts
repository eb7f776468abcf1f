/** Checks where a browser may be sent after signing in: paths of this service alone, so that no link can lead elsewhere. Pure. */

const longestPath = 2_000;

/** True for a path with its query, such as `/r/1?show=todo`; whatever a browser could read as another host or scheme is none. */
export function isOwnPath(to: string): boolean {
  // Browsers drop tabs and line breaks, and take a backslash for a slash.
  if (to.length > longestPath || !/^\/(?!\/)[\x21-\x7e]*$/.test(to) || to.includes('\\')) {
    return false;
  }
  const base = 'https://ours.invalid';
  return URL.canParse(to, base) && new URL(to, base).origin === base && !new URL(to, base).pathname.startsWith('//');
}

/** The path, or the start page where it is none of ours. */
export function ownPathOr(to: string | undefined): string {
  return to !== undefined && isOwnPath(to) ? to : '/';
}
