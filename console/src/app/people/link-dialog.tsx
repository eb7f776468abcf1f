/** A link that signs a person in once: made when it is asked for, shown this once, in this component alone. */
import { useState } from 'react';
import { errorMessage, useSend } from '~/data/act.ts';
import { type Person, personName } from '~/data/inventory/inventory.ts';
import { call } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Copy } from '~/parts/controls/copy.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Note } from '~/parts/states/note.tsx';
import { clock } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './account-owner.module.css';

export function LinkDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const name = personName(person);
  const [link, setLink] = useState<{ url: string; until: string }>();
  const make = useSend({
    mutationFn: async () => {
      const { url = '', expiresAt = '' } = await call('SignInLinkService.Print', { userId: person.id ?? '' });
      setLink({ url, until: expiresAt });
    },
  });
  return (
    <Dialog
      open
      keep
      onOpenChange={(open) => {
        if (!open) {
          onClose();
        }
      }}
      title={text('roles.linkTitle', { name })}
      footer={
        link === undefined ? (
          <>
            <Button onClick={onClose}>{text('settings.cancel')}</Button>
            <Button variant="primary" busy={make.isPending} onClick={() => make.mutate()}>
              {text('roles.makeLink')}
            </Button>
          </>
        ) : (
          <Button variant="primary" onClick={onClose}>
            {text('roles.linkDone')}
          </Button>
        )
      }
    >
      <div className={styles.form}>
        <p>{link === undefined ? text('roles.linkWords', { name }) : text('roles.linkMade', { name, time: clock(link.until) })}</p>
        {link === undefined ? null : <Copy shown label={text('roles.link')} value={link.url} />}
        {make.isError ? <Note kind="fault">{errorMessage(make.error)}</Note> : null}
      </div>
    </Dialog>
  );
}
