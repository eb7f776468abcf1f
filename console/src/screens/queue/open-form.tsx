/** The field that is open now, for the current task or the selection. */
import { lazy, Suspense } from 'react';
import type { QueueActions } from './actions.ts';
import styles from './decide.module.css';
import type { QueueModel } from './model.ts';
import { ReasonForm } from './reason-form.tsx';

// They come behind the first question; see fetch-rest.ts.
const CommentForm = lazy(() => import('./comment-form.tsx').then(({ CommentForm: component }) => ({ default: component })));
const ReassignForm = lazy(() => import('./reassign-form.tsx').then(({ ReassignForm: component }) => ({ default: component })));
const UntilForm = lazy(() => import('./until-form.tsx').then(({ UntilForm: component }) => ({ default: component })));

export interface OpenFormProps {
  readonly model: QueueModel;
  readonly actions: QueueActions;
  readonly onDone: () => void;
}

export function OpenForm({ model, actions, onDone }: OpenFormProps) {
  const close = () => {
    model.setMode('free');
    onDone();
  };
  const props = { actions, onClose: close };
  const { mode } = model;
  return (
    // Escape closes what is open and leads back to the list.
    // biome-ignore lint/a11y/noStaticElementInteractions: a key of the fields in it
    <div
      className={styles.form}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) {
          event.preventDefault();
          event.stopPropagation();
          close();
        }
      }}
    >
      {mode === 'certify' || mode === 'deny' ? <ReasonForm key={mode} choice={mode} {...props} /> : null}
      <Suspense fallback={null}>
        {mode === 'until' ? <UntilForm {...props} /> : null}
        {mode === 'reassign' ? <ReassignForm {...props} /> : null}
        {mode === 'comment' ? <CommentForm {...props} /> : null}
      </Suspense>
    </div>
  );
}
