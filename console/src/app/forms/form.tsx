/** A form: its fields, what is wrong beside them, and where it is not in a dialog, the button that sends it. */
import type { ReactNode } from 'react';
import { Button } from '~/parts/controls/button.tsx';
import { Note } from '~/parts/states/note.tsx';
import { ChangedMeanwhile } from './changed-meanwhile.tsx';
import type { FormState } from './use-form.ts';

interface FormProps {
  readonly form: FormState;
  readonly className?: string | undefined;
  readonly id?: string | undefined;
  readonly labelledBy?: string | undefined;
  /** The words of the button that sends it; none where the button stands elsewhere. */
  readonly action?: string | undefined;
  readonly children: ReactNode;
}

export function Form({ form, className, id, labelledBy, action, children }: FormProps) {
  return (
    <form id={id} className={className} aria-labelledby={labelledBy} onSubmit={form.submit} noValidate>
      {children}
      {form.changed === undefined ? null : <ChangedMeanwhile {...form.changed} />}
      {form.problem === undefined ? null : <Note kind="fault">{form.problem}</Note>}
      {action === undefined ? null : (
        <div>
          <Button type="submit" variant="primary" busy={form.isBusy}>
            {action}
          </Button>
        </div>
      )}
    </form>
  );
}
