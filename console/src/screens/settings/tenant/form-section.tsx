/** A part of a settings page that is saved as one: its heading and its fields, none of which can be changed by those who may only read. */
import { type ReactNode, useId } from 'react';
import { ChangedMeanwhile } from '~/app/forms/changed-meanwhile.tsx';
import type { FormState } from '~/app/forms/use-form.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Note } from '~/parts/states/note.tsx';
import styles from './tenant.module.css';

interface FormSectionProps {
  readonly form: FormState;
  readonly title: string;
  readonly intro?: string;
  /** The words of the button. */
  readonly action: string;
  readonly mayWrite?: boolean | undefined;
  readonly isPrimary?: boolean | undefined;
  readonly children: ReactNode;
  /** Result, below the button. */
  readonly outcome?: ReactNode;
}

export function FormSection({ form, title, intro, action, mayWrite = true, isPrimary = true, children, outcome }: FormSectionProps) {
  const id = useId();
  return (
    <form className={`${styles.section} ${styles.page}`} aria-labelledby={id} noValidate onSubmit={form.submit}>
      <h3 id={id}>{title}</h3>
      {intro === undefined ? null : <p className={styles.hint}>{intro}</p>}
      <fieldset className={styles.fields} disabled={!mayWrite} aria-labelledby={id}>
        {children}
        {form.changed === undefined ? null : <ChangedMeanwhile {...form.changed} />}
        {form.problem === undefined ? null : <Note kind="fault">{form.problem}</Note>}
        {mayWrite ? (
          <div>
            <Button type="submit" variant={isPrimary ? 'primary' : undefined} busy={form.isBusy}>
              {action}
            </Button>
          </div>
        ) : null}
        {outcome === undefined ? null : <div role="status">{outcome}</div>}
      </fieldset>
    </form>
  );
}
