/** Over a page whose request needs a fresh sign-in: the same person signs in again in a small window, and the request is repeated. */
import { Suspense } from 'react';
import { lazyPart } from '~/parts/states/lazy-part.tsx';
import { createPortal } from 'react-dom';
import { useFreshAsked } from '~/data/session/fresh-sign-in.ts';
import { loadLaterTexts } from '~/text/text.ts';

const FreshAsk = lazyPart(() => Promise.all([import('./fresh-ask.tsx'), loadLaterTexts()]).then(([{ FreshAsk: component }]) => component));

export function FreshSignIn() {
  return useFreshAsked()
    ? createPortal(
        <Suspense fallback={null}>
          <FreshAsk />
        </Suspense>,
        document.body,
      )
    : null;
}
