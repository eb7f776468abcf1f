/** The token by which an identity provider pushes people and groups: made here, shown once, and kept nowhere. */
import { useSend } from '~/data/act.ts';
import { useState } from 'react';
import { call, ClientError, forget } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Copy } from '~/parts/controls/copy.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Facts } from '~/parts/words/facts.tsx';
import { Note } from '~/parts/states/note.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import styles from './sources.module.css';

type Asked = 'make' | 'revoke';

export function ScimToken({ appId }: { appId: string }) {
  const [asked, setAsked] = useState<Asked | undefined>();
  const make = useSend({
    mutationFn: () => call('ScimService.CreateToken', { appId }),
    gcTime: 0,
    onSuccess: async () => {
      setAsked(undefined);
      await forget('SourceService.List', 'SourceService.Get');
    },
  });
  const revoke = useSend({
    mutationFn: () => call('ScimService.RevokeToken', { appId }),
    onSuccess: () => {
      setAsked(undefined);
      toast(text('source.scimRevoked'));
    },
  });
  const error = [make.error, revoke.error].find((one) => one instanceof ClientError);
  return (
    <section className={styles.part}>
      <h2>{text('source.scim')}</h2>
      <p className={styles.quiet}>{text('source.scimHint')}</p>
      {error === undefined ? null : <Note kind="fault">{error.message}</Note>}
      <div className={styles.row}>
        <Button onClick={() => setAsked('make')}>{text('source.scimMake')}</Button>
        <Button variant="quiet" onClick={() => setAsked('revoke')}>
          {text('source.scimRevoke')}
        </Button>
      </div>
      <Dialog
        open={asked !== undefined}
        onOpenChange={(open) => (open ? undefined : setAsked(undefined))}
        title={asked === 'revoke' ? text('source.scimRevoke') : text('source.scimMake')}
        footer={
          <>
            <Button onClick={() => setAsked(undefined)}>{text('source.cancel')}</Button>
            {asked === 'revoke' ? (
              <Button variant="danger" busy={revoke.isPending} onClick={() => revoke.mutate()}>
                {text('source.scimRevoke')}
              </Button>
            ) : (
              <Button variant="primary" busy={make.isPending} onClick={() => make.mutate()}>
                {text('source.scimMake')}
              </Button>
            )}
          </>
        }
      >
        <p>{asked === 'revoke' ? text('source.scimRevokeHint') : text('source.scimMakeHint')}</p>
      </Dialog>
      <Dialog
        open={make.data !== undefined}
        onOpenChange={(open) => (open ? undefined : make.reset())}
        title={text('source.scimOnce')}
        footer={
          <Button variant="primary" onClick={() => make.reset()}>
            {text('source.scimKept')}
          </Button>
        }
      >
        <div className={styles.secret}>
          <p>{text('source.scimOnceHint')}</p>
          <Facts
            rows={[
              {
                term: text('source.scimAddress'),
                children: <Copy value={make.data?.baseUrl ?? ''} label={text('source.scimAddress')} shown />,
              },
              { term: text('source.scimToken'), children: <Copy value={make.data?.token ?? ''} label={text('source.scimToken')} shown /> },
            ]}
          />
        </div>
      </Dialog>
    </section>
  );
}
