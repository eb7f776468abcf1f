/** The size of one rem in pixels, and whether the page is narrow: rows that are drawn where they are in sight need their heights as numbers. */
import { useSyncExternalStore } from 'react';

const narrow = '(width < 700px)';

function listen(listener: () => void): () => void {
  const query = matchMedia(narrow);
  query.addEventListener('change', listener);
  window.addEventListener('resize', listener);
  return () => {
    query.removeEventListener('change', listener);
    window.removeEventListener('resize', listener);
  };
}

export function useRem(): { readonly rem: number; readonly isNarrow: boolean } {
  const rem = useSyncExternalStore(listen, () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);
  const isNarrow = useSyncExternalStore(listen, () => matchMedia(narrow).matches);
  return { rem, isNarrow };
}
