/**
 * A word on what just happened, for a few seconds; what it offers can be found elsewhere, too. While the pointer or the focus is on it, it
 * stays.
 */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { text as words } from '../text/text.ts';
import { Icon } from './icon.tsx';
import styles from './toast.module.css';

interface ToastOptions {
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

interface Shown extends ToastOptions {
  readonly id: number;
  readonly text: string;
}

let shown: readonly Shown[] = [];
let last = 0;
const listeners = new Set<() => void>();

function set(next: readonly Shown[]): void {
  shown = next;
  for (const listener of listeners) {
    listener();
  }
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows a message; returns what takes it away. The same words are shown once. */
export function toast(text: string, options: ToastOptions = {}): () => void {
  const id = ++last;
  set([...shown.filter((one) => one.text !== text), { id, text, ...options }].slice(-3));
  return () => remove(id);
}

function remove(id: number): void {
  set(shown.filter((one) => one.id !== id));
}

/** Where messages appear; once in the page. `onShow` says them to those who listen. */
export function Toasts({ onShow }: { onShow?: (text: string) => void }) {
  const all = useSyncExternalStore(listen, () => shown);
  return (
    <section className={styles.toasts} aria-label={words('parts.messages')}>
      {all.map((one) => (
        <Toast key={one.id} shown={one} onShow={onShow} />
      ))}
    </section>
  );
}

function Toast({ shown: { id, text, action }, onShow }: { shown: Shown; onShow: ((text: string) => void) | undefined }) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => onShow?.(text), [text, onShow]);
  useEffect(() => {
    if (isHeld) {
      return undefined;
    }
    const timer = setTimeout(() => remove(id), action === undefined ? 6000 : 12_000);
    return () => clearTimeout(timer);
  }, [id, isHeld, action]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: being on it only keeps it there
    <div
      className={styles.toast}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{text}</span>
      {action === undefined ? null : (
        <button
          type="button"
          onClick={() => {
            remove(id);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" aria-label={words('parts.close')} onClick={() => remove(id)}>
        <Icon name="cross" />
      </button>
    </div>
  );
}
