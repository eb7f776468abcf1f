/** The field that is open now, for the current task or the selection. */
import { Suspense } from 'react';
import { laterPart } from '~/screens/queue/later-part.ts';
import { useQueue, useQueueState } from '~/screens/queue/use-queue.ts';
import styles from './decide.module.css';
import { ReasonForm } from './reason-form.tsx';

// They come behind the first question; see fetch-later-parts.ts.
const CommentForm = laterPart(() => import('./comment-form.tsx').then(({ CommentForm: component }) => component));
const ReassignForm = laterPart(() => import('./reassign-form.tsx').then(({ ReassignForm: component }) => component));
const UntilForm = laterPart(() => import('./until-form.tsx').then(({ UntilForm: component }) => component));

export function OpenForm({ onDone }: { readonly onDone: () => void }) {
  const { store } = useQueue();
  const mode = useQueueState((state) => state.mode);
  const close = () => {
    store.dispatch({ kind: 'mode', mode: 'free' });
    onDone();
  };
  return (
    // Escape closes what is open and leads back to the list.
    // biome-ignore lint/a11y/noStaticElementInteractions: a key of the fields in it
    <div
      className={styles.form}
      // Keys with which a sign is composed are those of the input method.
      onKeyDownCapture={(event) => {
        if (event.nativeEvent.isComposing) {
          event.stopPropagation();
        }
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) {
          event.preventDefault();
          event.stopPropagation();
          close();
        }
      }}
    >
      {mode === 'certify' || mode === 'deny' ? <ReasonForm key={mode} choice={mode} onClose={close} /> : null}
      <Suspense fallback={null}>
        {mode === 'until' ? <UntilForm onClose={close} /> : null}
        {mode === 'reassign' ? <ReassignForm onClose={close} /> : null}
        {mode === 'comment' ? <CommentForm onClose={close} /> : null}
      </Suspense>
    </div>
  );
}
