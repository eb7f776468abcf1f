/** A short form in a dialog, with what gives it up and what sends it. Enter in a field sends it, once. */
import { type FormEvent, type ReactNode, useId } from 'react';
import { text } from '../text/text.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import styles from './sections.module.css';

interface FormDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  /** What sending it does, in a word or two. */
  readonly action: string;
  readonly busy: boolean;
  readonly onSend: () => void;
  /** The fields. */
  readonly children: ReactNode;
}

export function FormDialog({ open, onOpenChange, title, action, busy, onSend, children }: FormDialogProps) {
  const form = useId();
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) {
      onSend();
    }
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{text('settings.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.section} onSubmit={send} noValidate>
        {children}
      </form>
    </Dialog>
  );
}
