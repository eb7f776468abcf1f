/** Whether an element has come into view: what long lists ask about their rows only then. */
import { type RefCallback, useCallback, useState } from 'react';

/** The ref of the element, and whether it was in view once. */
export function useSeen<T extends Element>(): readonly [RefCallback<T>, boolean] {
  const [isSeen, setSeen] = useState(false);
  const ref = useCallback((element: T | null) => {
    if (element === null) {
      return;
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) {
          setSeen(true);
          observer.disconnect();
        }
      },
      { rootMargin: '200px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, isSeen];
}
