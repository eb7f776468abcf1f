/** An app's name, what it is, and its owners, edited together. */
import { announce } from '~/app/announce.ts';
import { ChangedMeanwhile } from '~/app/forms/changed-meanwhile.tsx';
import { useSaved } from '~/app/forms/use-saved.ts';
import { PeopleField } from '~/app/people/people-field.tsx';
import { change, changeMembers } from '~/data/change.ts';
import type { App } from '~/data/inventory/inventory.ts';
import { ClientError } from '~/data/query.ts';
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

interface EditedApp {
  readonly displayName: string;
  readonly description: string;
  readonly owners: string[];
}

const ownersOf = (app: App): string[] => (app.appOwners ?? []).map(({ id = '' }) => id);

export function EditApp({ app, open, onOpenChange }: EditAppProps) {
  const { draft, set, reset, isBusy, error, changed, save } = useSaved<EditedApp>({
    stored: { displayName: app.displayName ?? '', description: app.description ?? '', owners: ownersOf(app) },
    send: async ({ wanted, asRead }) => {
      const { owners, ...own } = wanted;
      const { owners: ownersRead = [], ...ownRead } = asRead;
      if (Object.keys(own).length > 0) {
        await changeMembers('AppService.Update', { id: app.id ?? '' }, 'app', ownRead, own);
      }
      if (owners !== undefined) {
        await change('AppOwnerService.Set', { appId: app.id ?? '', userIds: owners }, { userIds: ownersRead });
      }
    },
    stale: ['AppService.Get', 'AppService.Search', 'AppOwnerService.List'],
    onSaved: () => {
      toast(text('apps.saved'));
      announce(text('apps.saved'));
      onOpenChange(false);
    },
  });
  const close = () => {
    reset();
    onOpenChange(false);
  };
  const failure = error instanceof ClientError ? error : undefined;
  const errorOf = (field: string): { error?: string } => {
    const found = failure?.violations.find((one) => one.field.endsWith(field))?.description;
    return found === undefined ? {} : { error: found };
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => isOpen || close()}
      title={text('apps.edit')}
      footer={
        <>
          <Button onClick={close}>{text('apps.cancel')}</Button>
          <Button variant="primary" busy={isBusy} onClick={save}>
            {text('apps.save')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {changed === undefined ? null : <ChangedMeanwhile {...changed} />}
        {failure !== undefined && failure.violations.length === 0 ? <Note kind="fault">{failure.message}</Note> : null}
        <TextField
          label={text('apps.name')}
          value={draft.displayName}
          onChange={(displayName) => set({ displayName })}
          required
          {...errorOf('displayName')}
        />
        <TextArea
          label={text('apps.description')}
          value={draft.description}
          onChange={(description) => set({ description })}
          {...errorOf('description')}
        />
        <PeopleField
          label={text('apps.owners')}
          value={draft.owners}
          onChange={(owners) => set({ owners })}
          anybody
          error={errorOf('userIds').error}
        />
      </div>
    </Dialog>
  );
}
