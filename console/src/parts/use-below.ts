/** Puts a list below its input, over everything else of the page: no scrolled part cuts it off, and it goes along when the page moves. */
import { type RefObject, useLayoutEffect, useRef } from 'react';

/** The reference for the element with `popover="manual"`. Above the input where there is more room. */
export function useBelow(anchor: RefObject<HTMLElement | null>, isOpen: boolean): RefObject<HTMLDivElement | null> {
  const floating = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [box, from] = [floating.current, anchor.current];
    if (!isOpen || box === null || from === null) {
      return undefined;
    }
    const place = (): void => {
      const { left, top, bottom, width } = from.getBoundingClientRect();
      const isAbove = window.innerHeight - bottom < 200 && top > window.innerHeight - bottom;
      // Through the object model: the content security policy refuses style attributes.
      Object.assign(box.style, {
        left: `${left}px`,
        width: `${width}px`,
        top: isAbove ? 'auto' : `${bottom + 4}px`,
        bottom: isAbove ? `${window.innerHeight - top + 4}px` : 'auto',
      });
    };
    box.showPopover();
    place();
    window.addEventListener('scroll', place, { capture: true, passive: true });
    window.addEventListener('resize', place);
    return () => {
      window.removeEventListener('scroll', place, { capture: true });
      window.removeEventListener('resize', place);
      if (box.isConnected) {
        box.hidePopover();
      }
    };
  }, [isOpen, anchor]);
  return floating;
}
