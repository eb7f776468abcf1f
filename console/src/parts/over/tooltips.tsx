/**
 * The place where tooltips appear; once in the page. A pointer that rests on a control shows its words, and may go over to them; the focus of the
 * keyboard shows them at once. Escape, a press and scrolling hide them.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import styles from './tooltip.module.css';

const delayInMs = 300;
/** Time the pointer may take from the control to its words. */
const wayInMs = 120;
const gapInPx = 6;

const targetOf = (event: Event): HTMLElement | null =>
  event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tooltip]') : null;

export function Tooltips() {
  const [shown, setShown] = useState<HTMLElement | null>(null);
  const popup = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const plan = (element: HTMLElement | null, afterInMs: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => setShown(element), afterInMs);
    };
    const hide = (): void => plan(null, 0);
    const listeners: Readonly<Record<string, (event: Event) => void>> = {
      pointerover: (event) => {
        const isTouch = (event as PointerEvent).pointerType === 'touch';
        if (popup.current?.contains(event.target as Node) === true) {
          clearTimeout(timer);
        } else {
          const target = isTouch ? null : targetOf(event);
          plan(target, target === null ? wayInMs : delayInMs);
        }
      },
      focusin: (event) => {
        const target = targetOf(event);
        plan(target?.matches(':focus-visible') === true ? target : null, 0);
      },
      focusout: hide,
      keydown: (event) => ((event as KeyboardEvent).key === 'Escape' ? hide() : undefined),
      scroll: hide,
    };
    for (const [name, listener] of Object.entries(listeners)) {
      document.addEventListener(name, listener, { capture: true, passive: true });
    }
    return () => {
      clearTimeout(timer);
      for (const [name, listener] of Object.entries(listeners)) {
        document.removeEventListener(name, listener, { capture: true });
      }
    };
  }, []);
  useLayoutEffect(() => {
    if (shown === null || popup.current === null) {
      return;
    }
    const { top, bottom, left, width } = shown.getBoundingClientRect();
    const { offsetHeight: height, offsetWidth } = popup.current;
    const isAbove = top - gapInPx - height >= 0;
    const x = Math.max(gapInPx, Math.min(left + width / 2 - offsetWidth / 2, document.documentElement.clientWidth - offsetWidth - gapInPx));
    popup.current.style.translate = `${x}px ${isAbove ? top - gapInPx - height : bottom + gapInPx}px`;
  }, [shown]);
  return shown?.isConnected === true
    ? createPortal(
        // Those who listen have the words beside the control.
        <div ref={popup} className={styles.popup} aria-hidden="true">
          {shown.dataset['tooltip']}
        </div>,
        document.body,
      )
    : null;
}
