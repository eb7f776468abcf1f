/**
 * A word on what just happened, for a few seconds; what it offers can be found elsewhere, too. Whoever listens hears it at once; the list that shows it
 * is loaded with the first one.
 */
import { Toast as Base } from '@base-ui/react/toast';
import { type ComponentType, useEffect, useState } from 'react';
import { loadOverPage } from './load-over-page.ts';
import type { ToastListProps } from './toast-list.tsx';

interface ToastOptions {
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

const manager = Base.createToastManager();
/** Messages that came before the list, by their words. */
const early = new Map<string, () => void>();
let isListThere = false;
/** Says a message and makes sure of the list, once the page has a place for it. */
let tell: ((text: string) => void) | undefined;

/** Shows a message; returns what takes it away. The same words are shown once. */
export function toast(text: string, { action }: ToastOptions = {}): () => void {
  const close = (): void => {
    early.delete(text);
    manager.close(text);
  };
  const run = (): void => {
    close();
    action?.run();
  };
  const add = (): void => {
    manager.add({
      id: text,
      title: text,
      timeout: action === undefined ? 6000 : 12_000,
      ...(action === undefined ? {} : { actionProps: { children: action.label, onClick: run } }),
    });
  };
  if (isListThere) {
    add();
  } else {
    early.set(text, add);
  }
  tell?.(text);
  return close;
}

function showEarly(): void {
  isListThere = true;
  for (const add of early.values()) {
    add();
  }
  early.clear();
}

/** Shows messages; once in the page. `onShow` says them to those who listen. */
export function Toasts({ onShow }: { onShow: (text: string) => void }) {
  const [List, setList] = useState<ComponentType<ToastListProps>>();
  useEffect(() => {
    tell = (text) => {
      onShow(text);
      // A part that does not come now is asked for again with the next message.
      loadOverPage().then(
        ({ ToastList }) => setList(() => ToastList),
        () => undefined,
      );
    };
    for (const text of early.keys()) {
      tell(text);
    }
    return () => {
      tell = undefined;
    };
  }, [onShow]);
  return List === undefined ? null : <List manager={manager} onReady={showEarly} />;
}
