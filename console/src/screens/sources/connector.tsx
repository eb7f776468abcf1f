/** A connector that speaks to us: the credentials it signs in with, what starts it, and the hosts it runs on. */
import { useSend } from '~/data/act.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Source } from '~/data/inventory/inventory.ts';
import { call, ClientError, forget, read } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { Name } from '~/parts/words/name.tsx';
import { When } from '~/parts/words/when.tsx';
import { type PlainTextKey, text } from '~/text/text.ts';
import { ConnectorRemovals } from './connector-removals.tsx';
import { StartBox } from './start-box.tsx';
import styles from './sources.module.css';

/** Pauses between two looks at who called: before the first call, and later. */
const waitingMs = 3000;
const seenMs = 30_000;

interface Props {
  readonly source: Source;
  readonly mayWrite: boolean;
}

export function Connector({ source, mayWrite }: Props) {
  const sourceId = source.id ?? '';
  const hosts = useQuery({
    ...read('ConnectorHostService.List', { sourceId, pageSize: 100 }),
    // Whoever has just started a connector waits for it to call.
    refetchInterval: ({ state }) => (state.data?.list?.length ? seenMs : waitingMs),
  });
  return (
    <>
      <Credentials source={source} mayWrite={mayWrite} />
      <section className={styles.part} aria-live="polite">
        <h2>{text('connector.hosts')}</h2>
        <Table
          label={text('connector.hosts')}
          query={hosts}
          empty={
            <Empty icon="sync" title={text('connector.noHosts')}>
              {text('connector.noHostsNext')}
            </Empty>
          }
          rows={hosts.data?.list ?? []}
          rowKey={({ hostId = '' }) => hostId}
          columns={(column) => [
            column('host', text('connector.host'), ({ hostname, hostId }) => hostname || hostId),
            column('package', text('connector.package'), ({ package: program }) => <Name>{program?.replace(/^.*\//, '')}</Name>, {
              narrow: 'second',
            }),
            column('version', text('connector.version'), ({ packageVersion }) => packageVersion, { narrow: 'second' }),
            column('seen', text('connector.seen'), ({ seenAt }) => <At word="connector.seenAt" at={seenAt} />, { narrow: 'second' }),
          ]}
        />
      </section>
      <ConnectorRemovals sourceId={sourceId} mayWrite={mayWrite} />
    </>
  );
}

/** A time with the word that says of what, since a card has no heads. */
function At({ word, at }: { word: PlainTextKey; at: string | undefined }) {
  return (
    <span>
      {text(word)} <When at={at} />
    </span>
  );
}

/** At most two are live: the one in use, and the one that takes its place. */
function Credentials({ source, mayWrite }: Props) {
  const sourceId = source.id ?? '';
  const appId = source.appId ?? '';
  const query = useQuery(read('ConnectorHostService.ListCredentials', { sourceId }));
  const make = useSend({
    mutationFn: () => call('ConnectorService.RotateCredential', { appId, connectorId: sourceId }),
    gcTime: 0,
    onSuccess: () => forget('ConnectorHostService.ListCredentials'),
  });
  const [revoking, setRevoking] = useState<string>();
  const revoke = useSend({
    mutationFn: (id: string) => call('ConnectorService.RevokeCredential', { appId, connectorId: sourceId, id }),
    onSettled: () => setRevoking(undefined),
    onSuccess: async () => {
      toast(text('connector.revoked'));
      await forget('ConnectorHostService.ListCredentials');
    },
  });
  const error = [make.error, revoke.error].find((one) => one instanceof ClientError);
  return (
    <section className={styles.part}>
      <h2>{text('connector.credentials')}</h2>
      <p className={styles.quiet}>{text('connector.credentialsHint')}</p>
      {error === undefined ? null : <Note kind="fault">{error.message}</Note>}
      <Table
        label={text('connector.credentials')}
        query={query}
        empty={<Empty icon="key" title={text('connector.noCredentials')} />}
        rows={query.data?.list ?? []}
        rowKey={({ id = '' }) => id}
        columns={(column) => [
          column('client', text('connector.client'), ({ clientId }) => clientId),
          column(
            'used',
            text('connector.used'),
            ({ lastUsedAt }) => (lastUsedAt ? <At word="connector.usedAt" at={lastUsedAt} /> : text('connector.unused')),
            {
              narrow: 'second',
            },
          ),
          column(
            'ends',
            text('connector.ends'),
            ({ expiresTime }) => (expiresTime ? <At word="connector.endsAt" at={expiresTime} /> : text('connector.endless')),
            {
              narrow: 'second',
            },
          ),
          ...(mayWrite
            ? [
                column('revoke', text('connector.revoke'), ({ id = '' }) => (
                  <Button variant="quiet" onClick={() => setRevoking(id)}>
                    {text('connector.revoke')}
                  </Button>
                )),
              ]
            : []),
        ]}
      />
      {mayWrite ? (
        <div className={styles.row}>
          <Button variant={query.data?.list?.length ? 'plain' : 'primary'} busy={make.isPending} onClick={() => make.mutate()}>
            {text(query.data?.list?.length ? 'connector.rotate' : 'connector.make')}
          </Button>
        </div>
      ) : null}
      <Dialog
        open={revoking !== undefined}
        onOpenChange={(open) => (open ? undefined : setRevoking(undefined))}
        title={text('connector.revokeTitle')}
        footer={
          <>
            <Button onClick={() => setRevoking(undefined)}>{text('source.cancel')}</Button>
            <Button variant="danger" busy={revoke.isPending} onClick={() => revoking !== undefined && revoke.mutate(revoking)}>
              {text('connector.revoke')}
            </Button>
          </>
        }
      >
        <p>{text('connector.revokeHint')}</p>
      </Dialog>
      <Dialog
        open={make.data !== undefined}
        onOpenChange={(open) => (open ? undefined : make.reset())}
        title={text('connector.once')}
        footer={
          <Button variant="primary" onClick={() => make.reset()}>
            {text('source.scimKept')}
          </Button>
        }
      >
        <StartBox
          appId={appId}
          id={sourceId}
          clientId={make.data?.credential?.clientId ?? ''}
          clientSecret={make.data?.credential?.clientSecret ?? ''}
        />
      </Dialog>
    </section>
  );
}
