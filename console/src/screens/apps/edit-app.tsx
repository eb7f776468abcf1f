/** An app's name, what it is, and its owners, edited together. */
import { useSend } from '~/data/act.ts';
import { useState } from 'react';
import { announce } from '~/app/announce.ts';
import { PeopleField } from '~/app/people/people-field.tsx';
import type { App } from '~/data/inventory/inventory.ts';
import { call, ClientError, forget } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Note } from '~/parts/states/note.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import styles from './apps.module.css';

interface EditAppProps {
  readonly app: App;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

export function EditApp({ app, open, onOpenChange }: EditAppProps) {
  const [displayName, setName] = useState(app.displayName ?? '');
  const [description, setDescription] = useState(app.description ?? '');
  const [chosen, setChosen] = useState<readonly string[] | undefined>();
  const owners = chosen ?? (app.appOwners ?? []).map(({ id = '' }) => id);
  const save = useSend({
    mutationFn: async () => {
      const mask = [
        ...(displayName === app.displayName ? [] : ['displayName']),
        ...(description === (app.description ?? '') ? [] : ['description']),
      ];
      if (mask.length > 0) {
        await call('AppService.Update', { id: app.id ?? '', app: { displayName, description }, updateMask: mask.join(',') });
      }
      if (chosen !== undefined) {
        await call('AppOwnerService.Set', { appId: app.id ?? '', userIds: [...chosen] });
      }
    },
    onSuccess: async () => {
      toast(text('apps.saved'));
      announce(text('apps.saved'));
      onOpenChange(false);
      await forget('AppService.Get', 'AppService.Search', 'AppOwnerService.List');
    },
  });
  const failure = save.error instanceof ClientError ? save.error : undefined;
  const errorOf = (field: string): { error?: string } => {
    const found = failure?.violations.find((one) => one.field.endsWith(field))?.description;
    return found === undefined ? {} : { error: found };
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={text('apps.edit')}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{text('apps.cancel')}</Button>
          <Button variant="primary" busy={save.isPending} onClick={() => save.mutate()}>
            {text('apps.save')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {failure !== undefined && failure.violations.length === 0 ? <Note kind="fault">{failure.message}</Note> : null}
        <TextField label={text('apps.name')} value={displayName} onChange={setName} required {...errorOf('displayName')} />
        <TextArea label={text('apps.description')} value={description} onChange={setDescription} {...errorOf('description')} />
        <PeopleField label={text('apps.owners')} value={owners} onChange={setChosen} anybody error={errorOf('userIds').error} />
      </div>
    </Dialog>
  );
}
