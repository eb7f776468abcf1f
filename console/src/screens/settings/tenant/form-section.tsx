/** A part of a settings page that is saved as one: its heading and its fields, none of which can be changed by those who may only read. */
import { type ReactNode, useId } from 'react';
import styles from './tenant.module.css';

interface FormSectionProps {
  readonly title: string;
  readonly intro?: string;
  readonly mayWrite: boolean;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

export function FormSection({ title, intro, mayWrite, onSubmit, children }: FormSectionProps) {
  const id = useId();
  return (
    <form
      className={`${styles.section} ${styles.page}`}
      aria-labelledby={id}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (mayWrite) {
          onSubmit();
        }
      }}
    >
      <h3 id={id}>{title}</h3>
      {intro === undefined ? null : <p className={styles.hint}>{intro}</p>}
      <fieldset className={styles.fields} disabled={!mayWrite} aria-labelledby={id}>
        {children}
      </fieldset>
    </form>
  );
}
