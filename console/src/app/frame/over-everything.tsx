/**
 * Overlays of any page for those who are signed in: the palette, the help on keys, the question before somebody signs out, and the end of the
 * session; and the keys that lead to them.
 */
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { Suspense } from 'react';
import { LeaveQuestion } from '~/app/forms/leave-question.tsx';
import { lazyPart } from '~/parts/states/lazy-part.tsx';
import { useConnection } from '~/data/connection.ts';
import { knownSession } from '~/data/session/session.ts';
import { shareValue } from '~/parts/words/share-value.ts';
import { loadLaterTexts } from '~/text/text.ts';
import { FreshSignIn } from './fresh-sign-in.tsx';
import { useKeys } from '~/app/keyboard/keyboard.ts';
import { navigation } from '~/app/navigation.ts';
import { SessionEnded } from './session-ended.tsx';

// Their words are among those of later pages.
const Palette = lazyPart(() =>
  Promise.all([import('~/app/keyboard/palette.tsx'), loadLaterTexts()]).then(([{ Palette: component }]) => component),
);
const KeyHelp = lazyPart(() =>
  Promise.all([import('~/app/keyboard/key-help.tsx'), loadLaterTexts()]).then(([{ KeyHelp: component }]) => component),
);
const SignOut = lazyPart(() => Promise.all([import('./sign-out.tsx'), loadLaterTexts()]).then(([{ SignOut: component }]) => component));

type Over = 'palette' | 'keys' | 'signOut' | undefined;

const over = shareValue<Over>(undefined);

/** Opens one of them over the page. */
export const openOver = over.set;

export function OverEverything() {
  // With each page: the pages of those who are signed out ask for no session.
  const isSignedIn = useRouterState({ select: ({ location }) => location.pathname !== '/sign-in' && knownSession() !== undefined });
  const navigate = useNavigate();
  const shown = over.useValue();
  const go = Object.fromEntries(
    navigation
      .flatMap(({ entries }) => entries)
      .flatMap(({ to, keys }) => (keys === undefined ? [] : [[keys, () => void navigate({ to })] as const])),
  );
  useKeys(
    { ...go, 'mod+k': () => openOver('palette'), '/': () => openOver('palette'), '?': () => openOver('keys') },
    { isLast: true, enabled: isSignedIn },
  );
  const close = (): void => openOver(undefined);
  // One that is still loading when the session ends must not open over what says so, and hide it.
  const { isSignedOut } = useConnection();
  return (
    <>
      <Suspense fallback={null}>
        {shown === 'palette' && !isSignedOut ? <Palette onClose={close} /> : null}
        {shown === 'keys' ? <KeyHelp onClose={close} /> : null}
        {shown === 'signOut' ? <SignOut onClose={close} /> : null}
      </Suspense>
      <LeaveQuestion />
      <FreshSignIn />
      <SessionEnded />
    </>
  );
}
