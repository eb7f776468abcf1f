/** Loading the page anew where a file of it does not come: after an upgrade those of before are gone, and one may be lost on its way. */

/** True for what browsers say where a script or a style does not come. */
export function isFileLost(error: unknown): boolean {
  return (
    error instanceof Error && /dynamically imported module|importing a module script failed|unable to preload css/i.test(error.message)
  );
}

const ownScript = (): string | null => document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null;

/** Asks the server whether it is there, and whether its console is another than this page's. */
export async function lookAtServer(): Promise<'away' | 'newer' | 'same'> {
  try {
    const own = ownScript();
    const answer = await fetch('/', { headers: { accept: 'text/html' }, cache: 'no-store' });
    const page = answer.ok ? await answer.text() : undefined;
    return page === undefined ? 'away' : own === null || page.includes(`"${own}"`) ? 'same' : 'newer';
  } catch {
    return 'away';
  }
}

const key = 'countersign.loadedAnew';

/** Loads the page anew, once for each version and page: one that does not come then would never stop. Returns whether it does. */
export function loadAnewOnce(): boolean {
  const here = `${ownScript()} ${location.pathname}`;
  try {
    if (sessionStorage.getItem(key) === here) {
      return false;
    }
    sessionStorage.setItem(key, here);
  } catch {
    // Nothing can be remembered here: whoever looks at the page says when.
    return false;
  }
  location.reload();
  return true;
}
