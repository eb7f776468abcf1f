/** One source: how fresh it is, what its files changed, and by which rules they are taken. */
import { useSend } from '~/data/act.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { LastFile } from '~/app/syncs/last-file.tsx';
import { Page } from '~/app/page.tsx';
import { SyncDrawer } from '~/app/syncs/sync-drawer.tsx';
import { SyncList } from '~/app/syncs/sync-list.tsx';
import type { Source } from '~/data/inventory/inventory.ts';
import { pageRows } from '~/data/pages.ts';
import { call, forget, readPages } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Facts } from '~/parts/words/facts.tsx';
import { When } from '~/parts/words/when.tsx';
import { Load } from '~/parts/states/load.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { text } from '~/text/text.ts';
import { Connector } from './connector.tsx';
import { ColumnMapping } from './column-mapping.tsx';
import { Fetches } from './fetches.tsx';
import { Kind } from './kind.tsx';
import { OfApp } from './of-app.tsx';
import { MatchOrder } from './match-order.tsx';
import { RemovalShare } from './removal-share.tsx';
import { ScimToken } from './scim-token.tsx';
import { Schedule } from './schedule.tsx';
import { StaleAfter } from './stale-after.tsx';
import { Settings } from './setup/settings.tsx';
import { isFetching, SourceState } from './source-state.tsx';
import styles from './sources.module.css';
import { sourceQuery, sourceRoute } from './route.tsx';

export function SourcePage() {
  const { source: id } = sourceRoute.useParams();
  const mayImport = useMay('imports.write');
  const query = useQuery(sourceQuery(id));
  const source = query.data?.source;
  return (
    <Page
      title={source?.displayName ?? text('source.source')}
      before={<Link to="/sources">{text('nav.sources')}</Link>}
      beside={source === undefined ? undefined : <SourceState source={source} />}
      actions={
        mayImport && source?.kind === 'SOURCE_KIND_FILE' ? (
          <ButtonLink to="/import" search={{ source: id }} icon="upload">
            {text('source.import')}
          </ButtonLink>
        ) : undefined
      }
    >
      <Load query={query}>{({ source: loaded }) => (loaded === undefined ? null : <OneSource source={loaded} />)}</Load>
    </Page>
  );
}

function OneSource({ source }: { source: Source }) {
  const id = source.id ?? '';
  const mayWrite = useMay('inventory.write');
  const { sync } = sourceRoute.useSearch();
  const navigate = useNavigate();
  // Owners of a source who are nothing else do not read what its syncs brought.
  const mayRead = useMay('inventory.read');
  const syncs = useInfiniteQuery({ ...readPages('ImportService.List', { connectorId: id, pageSize: 20 }), enabled: mayRead });
  const open = (next: string | undefined) =>
    void navigate({ to: '/sources/$source', params: { source: id }, search: { sync: next }, replace: true });
  return (
    <div className={styles.split}>
      <div>
        <section className={styles.part}>
          <Facts
            rows={[
              { term: text('source.of'), children: <OfApp source={source} /> },
              { term: text('source.kind'), children: <Kind source={source} /> },
              ...(mayRead ? [{ term: text('source.last'), children: <LastFile source={source} /> }] : []),
              ...(source.observedFrom === undefined ? [] : [{ term: text('fetch.dataFrom'), children: <When at={source.observedFrom} /> }]),
              ...((source.disputed ?? 0) === 0 ? [] : [{ term: text('source.disputedRecords'), children: <DisputedOf source={source} /> }]),
              ...(source.nextFetchAt === undefined ? [] : [{ term: text('fetch.next'), children: <When at={source.nextFetchAt} /> }]),
            ]}
          />
          {source.mayRun === true && source.appId ? <Pause source={source} /> : null}
        </section>
        {source.kind === 'SOURCE_KIND_BATON' ? <Connector source={source} mayWrite={mayWrite} /> : null}
        <Settings source={source} mayWrite={mayWrite} />
        {isFetching(source) ? <Schedule source={source} mayWrite={mayWrite} /> : null}
        {source.kind === 'SOURCE_KIND_SCIM' ? null : <StaleAfter source={source} mayWrite={mayWrite} />}
        <RemovalShare source={source} mayWrite={mayWrite} />
        {source.appId ? <MatchOrder source={source} mayWrite={mayWrite} /> : null}
        <ColumnMapping source={source} />
        {source.kind === 'SOURCE_KIND_SCIM' && mayWrite ? <ScimToken appId={source.appId ?? ''} /> : null}
      </div>
      <section className={styles.part}>
        {isFetching(source) ? <Fetches source={source} mayRun={source.mayRun === true} onOpen={open} /> : null}
        {mayRead ? (
          <>
            <h2>{text('source.syncs')}</h2>
            <Load query={syncs} empty={<Empty icon="sync" title={text('source.noSyncs')} />}>
              {(data) => (
                <>
                  <SyncList syncs={pageRows(data).map((view) => view.import ?? {})} onOpen={open} />
                  <Pages query={syncs} />
                </>
              )}
            </Load>
          </>
        ) : null}
        {sync === undefined ? null : <SyncDrawer id={sync} onClose={() => open(undefined)} />}
      </section>
    </div>
  );
}

/** Records of the source that stand for nobody, with the way to where they are answered. */
function DisputedOf({ source: { id = '', disputed = 0 } }: { source: Source }) {
  const words = text('source.disputedMany', { count: disputed });
  return useMay('settings.read') ? (
    <Link to="/quality/$tab" params={{ tab: 'disputed' }} search={{ source: id }}>
      {words}
    </Link>
  ) : (
    words
  );
}

/** Refuses the files of a source until it is resumed. */
function Pause({ source }: { source: Source }) {
  const isPaused = source.pausedAt !== undefined;
  const request = { appId: source.appId ?? '', connectorId: source.id ?? '' };
  const change = useSend({
    mutationFn: () => call(isPaused ? 'ConnectorService.ResumeSync' : 'ConnectorService.PauseSync', request),
    onSuccess: () => forget('SourceService.Get', 'SourceService.List'),
  });
  return (
    <div className={styles.row}>
      <Button busy={change.isPending} onClick={() => change.mutate()}>
        {isPaused ? text('source.resume') : text('source.pause')}
      </Button>
      <span className={styles.quiet}>{isPaused ? text('source.pausedHint') : text('source.pauseHint')}</span>
    </div>
  );
}
