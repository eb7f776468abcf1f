/**
 * What may come over any page of those who are signed in: the palette, the help on keys, the question before somebody signs out, and the end of
 * the session; and the keys that lead to them.
 */
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { knownSession } from '../data/session.ts';
import { loadLaterTexts } from '../text/text.ts';
import { useKeys } from './keyboard.ts';
import { goKeys } from './navigation.ts';
import { SessionEnded } from './session-ended.tsx';

const Palette = lazy(() => import('./palette.tsx').then(({ Palette: component }) => ({ default: component })));
// Its words are among those of later pages.
const KeyHelp = lazy(() =>
  Promise.all([import('./key-help.tsx'), loadLaterTexts()]).then(([{ KeyHelp: component }]) => ({ default: component })),
);
const SignOut = lazy(() => import('./sign-out.tsx').then(({ SignOut: component }) => ({ default: component })));

type Over = 'palette' | 'keys' | 'signOut' | undefined;

let over: Over;
const listeners = new Set<() => void>();

/** Opens one of them over the page. */
export function openOver(what: Over): void {
  over = what;
  for (const listener of listeners) {
    listener();
  }
}

export function OverEverything() {
  // With each page: the pages of those who are signed out ask for no session.
  const isSignedIn = useRouterState({ select: ({ location }) => location.pathname !== '/sign-in' && knownSession() !== undefined });
  const navigate = useNavigate();
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => over,
  );
  const go = Object.fromEntries(Object.entries(goKeys).map(([to, keys]) => [keys, () => void navigate({ href: to })]));
  useKeys(
    { ...go, 'mod+k': () => openOver('palette'), '/': () => openOver('palette'), '?': () => openOver('keys') },
    { isLast: true, enabled: isSignedIn },
  );
  const close = (): void => openOver(undefined);
  return (
    <>
      <Suspense fallback={null}>
        {shown === 'palette' ? <Palette onClose={close} /> : null}
        {shown === 'keys' ? <KeyHelp onClose={close} /> : null}
        {shown === 'signOut' ? <SignOut onClose={close} /> : null}
      </Suspense>
      <SessionEnded />
    </>
  );
}
