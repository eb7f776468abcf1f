/** Fetches of a source: the one that is held, to be confirmed or discarded, and what the last ones came to. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { FormDialog } from '~/app/forms/form-dialog.tsx';
import { needs, useForm } from '~/app/forms/use-form.ts';
import { errorMessage, useSend } from '~/data/act.ts';
import type { Source } from '~/data/inventory/inventory.ts';
import { pageRows } from '~/data/pages.ts';
import { call, forget, type Operation, readPages, type ReplyOf } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Load } from '~/parts/states/load.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { Name } from '~/parts/words/name.tsx';
import { When } from '~/parts/words/when.tsx';
import type { ByValue } from '~/text/by-value.ts';
import { bytes } from '~/text/format-size.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import { FetchLog } from './fetch-log.tsx';
import styles from './sources.module.css';

type Fetch = NonNullable<NonNullable<ReplyOf<'FetchService.List'>['list']>[number]>;

/** Pauses between two looks: while a fetch is under way or begins soon, and otherwise. */
const underWayMs = 2000;
const idleMs = 30_000;
const soonMs = 60_000;

/** Operations whose answers are others after a fetch. */
const stale: readonly Operation[] = ['SourceService.Get', 'SourceService.List', 'FetchService.List', 'ImportService.List'];

const stateWords: ByValue<Fetch['state'], PlainTextKey> = {
  FETCH_STATE_WAITING: 'fetch.state.waiting',
  FETCH_STATE_RUNNING: 'fetch.state.running',
  FETCH_STATE_READING: 'fetch.state.reading',
  FETCH_STATE_UNCHANGED: 'fetch.state.unchanged',
  FETCH_STATE_DONE: 'fetch.state.done',
  FETCH_STATE_HELD: 'fetch.state.held',
  FETCH_STATE_DISCARDED: 'fetch.state.discarded',
  FETCH_STATE_SUPERSEDED: 'fetch.state.superseded',
  FETCH_STATE_FAILED: 'fetch.state.failed',
  FETCH_STATE_SKIPPED: 'fetch.state.skipped',
};

export function Fetches({ source, mayRun, onOpen }: { source: Source; mayRun: boolean; onOpen: (syncId: string) => void }) {
  const query = useInfiniteQuery({
    ...readPages('FetchService.List', { connectorId: source.id ?? '', pageSize: 10 }),
    refetchInterval: ({ state }) => (pageRows<Fetch>(state.data).some(isUnderWay) ? underWayMs : idleMs),
  });
  // What a fetch brought is read anew once its state is another.
  const newest = pageRows<Fetch>(query.data)[0];
  const last = useRef(newest?.state);
  useEffect(() => {
    if (last.current !== undefined && last.current !== newest?.state) {
      void forget('SourceService.Get', 'SourceService.List', 'ImportService.List');
    }
    last.current = newest?.state;
  }, [newest?.state]);
  const request = { appId: source.appId ?? '', connectorId: source.id ?? '' };
  const fetchNow = useSend({
    mutationFn: () => call('ConnectorService.ForceSync', request),
    onSuccess: () => toast(text('fetch.begun')),
    onError: (error) => toast(errorMessage(error)),
    onSettled: () => forget(...stale),
  });
  return (
    <section className={styles.part}>
      <h2>{text('fetch.title')}</h2>
      {source.heldFetchId ? <Held source={source} mayRun={mayRun} /> : null}
      {mayRun && source.pausedAt === undefined ? (
        <div className={styles.row}>
          <Button busy={fetchNow.isPending} onClick={() => fetchNow.mutate()}>
            {text('fetch.now')}
          </Button>
        </div>
      ) : null}
      <Load query={query} empty={<Empty icon="sync" title={text('fetch.none')} />}>
        {(data) => (
          <>
            <ul className={styles.fetches}>
              {pageRows<Fetch>(data).map((fetch) => (
                <OneFetch key={fetch.id} fetch={fetch} hasLog={source.kind === 'SOURCE_KIND_BATON'} onOpen={onOpen} />
              ))}
            </ul>
            <Pages query={query} />
          </>
        )}
      </Load>
    </section>
  );
}

const isUnderWay = ({ state, runAt }: Fetch): boolean =>
  ['FETCH_STATE_RUNNING', 'FETCH_STATE_READING'].includes(state ?? '') ||
  (state === 'FETCH_STATE_WAITING' && (runAt === undefined || Date.parse(runAt) - Date.now() < soonMs));

function OneFetch({ fetch, hasLog, onOpen }: { fetch: Fetch; hasLog: boolean; onOpen: (syncId: string) => void }) {
  const key = stateWords[fetch.state ?? ''];
  const state = key === undefined ? '' : text(key);
  const syncId = fetch.importId || fetch.peopleImportId || '';
  return (
    <li>
      {syncId === '' ? (
        <span>{state}</span>
      ) : (
        <button type="button" className={styles.open} onClick={() => onOpen(syncId)}>
          {state}
        </button>
      )}
      <When at={(fetch.state === 'FETCH_STATE_WAITING' ? fetch.runAt : undefined) ?? fetch.endedAt ?? fetch.startedAt ?? fetch.createdAt} />
      {Number(fetch.bytes ?? 0) > 0 ? <small className={styles.quiet}>{bytes(Number(fetch.bytes))}</small> : null}
      {fetch.error ? (
        <p className={styles.error}>
          <Name>{fetch.error}</Name>
        </p>
      ) : null}
      {hasLog ? <FetchLog sourceId={fetch.connectorId ?? ''} fetchId={fetch.id ?? ''} /> : null}
      {fetch.incompleteReason ? <p className={styles.error}>{text('fetch.incomplete', { reason: fetch.incompleteReason })}</p> : null}
      {fetch.warnings?.length ? (
        <details className={styles.warnings}>
          <summary>{text('fetch.warnings', { count: fetch.warnings.length })}</summary>
          <ul>
            {fetch.warnings.map((warning) => (
              <li key={warning}>
                <Name>{warning}</Name>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </li>
  );
}

/** The rows that the guard stopped, and what to do about them. */
function Held({ source, mayRun }: { source: Source; mayRun: boolean }) {
  const [isDiscarding, setDiscarding] = useState(false);
  const fetchId = source.heldFetchId ?? '';
  const request = { appId: source.appId ?? '', connectorId: source.id ?? '', syncLifecycleId: fetchId };
  const confirm = useSend({
    mutationFn: () => call('ConnectorService.ConfirmSyncValid', request),
    onSuccess: () => toast(text('fetch.confirmed')),
    onError: (error) => toast(errorMessage(error)),
    onSettled: () => forget(...stale),
  });
  return (
    <>
      <Note kind="warn">
        <p>{text('fetch.heldHint')}</p>
        <p>{source.fetchState === 'FETCH_STATE_HELD' ? source.fetchError : null}</p>
      </Note>
      {mayRun ? (
        <div className={styles.row}>
          <Button variant="primary" busy={confirm.isPending} onClick={() => confirm.mutate()}>
            {text('fetch.confirm')}
          </Button>
          <Button onClick={() => setDiscarding(true)}>{text('fetch.discard')}</Button>
        </div>
      ) : null}
      {isDiscarding ? <Discard id={fetchId} onClose={() => setDiscarding(false)} /> : null}
    </>
  );
}

function Discard({ id, onClose }: { id: string; onClose: () => void }) {
  const form = useForm({
    values: { reason: '' },
    send: ({ reason }) => call('FetchService.Discard', { id, reason: reason.trim() }),
    stale,
    onSent: () => {
      toast(text('fetch.discarded'));
      onClose();
    },
  });
  return (
    <FormDialog form={form} onClose={onClose} title={text('fetch.discardTitle')} action={text('fetch.discard')}>
      <TextArea {...form.at('reason', needs(text('fetch.reasonNeeded')))} label={text('fetch.reason')} />
    </FormDialog>
  );
}
