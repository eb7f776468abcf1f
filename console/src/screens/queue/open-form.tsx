/** The field that is open now, for the current task or the selection. */
import type { QueueActions } from './actions.ts';
import { CommentForm } from './comment-form.tsx';
import styles from './decide.module.css';
import type { QueueModel } from './model.ts';
import { ReasonForm } from './reason-form.tsx';
import { ReassignForm } from './reassign-form.tsx';
import { UntilForm } from './until-form.tsx';

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
      {mode === 'until' ? <UntilForm {...props} /> : null}
      {mode === 'reassign' ? <ReassignForm {...props} /> : null}
      {mode === 'comment' ? <CommentForm {...props} /> : null}
    </div>
  );
}
