/** A new rule: its name and what it is about. It starts turned off. */
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import { call, forget } from '../../data/query.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { text } from '../../text/text.ts';
import styles from './conflicts.module.css';

export function NewMonitor({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const navigate = useNavigate();
  const form = useId();
  const [displayName, setName] = useState('');
  const [description, setDescription] = useState('');
  const make = useMutation({
    mutationFn: () => call('AccessConflictService.CreateMonitor', { displayName: displayName.trim(), description: description.trim() }),
    onSuccess: async ({ id }) => {
      onOpenChange(false);
      await forget('ConflictMonitorService.List');
      await navigate({ href: `/conflicts/${id}` });
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!make.isPending) {
      make.mutate();
    }
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={text('conflicts.new')}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{text('settings.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" busy={make.isPending}>
            {text('conflicts.create')}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.section} onSubmit={send} noValidate>
        <TextField
          label={text('conflicts.name')}
          value={displayName}
          onChange={setName}
          hint={text('conflicts.nameHint')}
          autoFocus
          required
          error={make.error?.message}
        />
        <TextField label={text('conflicts.description')} value={description} onChange={setDescription} />
      </form>
    </Dialog>
  );
}
