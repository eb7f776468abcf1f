/** A form in a dialog or a drawer, with what gives it up and what sends it. Enter in a field sends it, once. */
import { type ReactNode, useId } from 'react';
import { Button } from '~/parts/controls/button.tsx';
import styles from '~/parts/layout/sections.module.css';
import { Over } from '~/parts/over/over.tsx';
import { text } from '~/text/text.ts';
import { Form } from './form.tsx';
import type { FormState } from './use-form.ts';

interface FormDialogProps {
  readonly form: FormState;
  readonly onClose: () => void;
  readonly title: string;
  /** Effect of sending it, in a word or two. */
  readonly action: string;
  readonly open?: boolean | undefined;
  readonly place?: 'dialog' | 'drawer' | undefined;
  /** A press beside it does not close it. */
  readonly keep?: boolean | undefined;
  readonly className?: string | undefined;
  /** Words before the buttons. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

export function FormDialog({
  form,
  onClose,
  title,
  action,
  open = true,
  place = 'dialog',
  keep,
  className,
  note,
  children,
}: FormDialogProps) {
  const id = useId();
  const close = (): void => {
    form.reset();
    onClose();
  };
  return (
    <Over
      open={open}
      keep={keep}
      place={place}
      onOpenChange={(next) => {
        if (!next) {
          close();
        }
      }}
      title={title}
      footer={
        <>
          {note}
          <Button onClick={close}>{text('settings.cancel')}</Button>
          <Button type="submit" form={id} variant="primary" busy={form.isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <Form form={form} id={id} className={className ?? styles.section}>
        {children}
      </Form>
    </Over>
  );
}
