/** One source: how fresh it is, what its files changed, and by which rules they are taken. */
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { LastFile } from '../../app/last-file.tsx';
import { Page } from '../../app/page.tsx';
import { SyncDrawer } from '../../app/sync-drawer.tsx';
import { SyncList } from '../../app/sync-list.tsx';
import type { Source } from '../../data/inventory.ts';
import { rowsOf } from '../../data/pages.ts';
import { call, forget, read, readPages } from '../../data/query.ts';
import { useMay } from '../../data/session.ts';
import { Button } from '../../parts/button.tsx';
import { ButtonLink } from '../../parts/button-link.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Load } from '../../parts/load.tsx';
import { Pages } from '../../parts/pages.tsx';
import { text } from '../../text/text.ts';
import { ColumnMapping } from './column-mapping.tsx';
import { Kind } from './kind.tsx';
import { OfApp } from './of-app.tsx';
import { MatchOrder } from './match-order.tsx';
import { RemovalShare } from './removal-share.tsx';
import { ScimToken } from './scim-token.tsx';
import styles from './sources.module.css';

export function SourcePage() {
  const { source: id } = useParams({ strict: false }) as { source: string };
  const mayImport = useMay('imports.write');
  const query = useQuery(read('SourceService.Get', { id }));
  const source = query.data?.source;
  return (
    <Page
      title={source?.displayName ?? text('source.source')}
      before={<Link to={'/sources' as string}>{text('nav.sources')}</Link>}
      actions={
        mayImport && source !== undefined && source.kind !== 'SOURCE_KIND_SCIM' ? (
          <ButtonLink to={`/import?source=${id}`} icon="upload">
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
  const { sync } = useSearch({ strict: false }) as { sync?: string };
  const navigate = useNavigate();
  const syncs = useInfiniteQuery(readPages('ImportService.List', { connectorId: id, pageSize: 20 }));
  const open = (next: string | undefined) =>
    void navigate({ to: `/sources/${id}` as string, search: { sync: next } as never, replace: true });
  return (
    <div className={styles.split}>
      <div>
        <section className={styles.part}>
          <Facts
            rows={[
              { term: text('source.of'), children: <OfApp source={source} /> },
              { term: text('source.kind'), children: <Kind source={source} /> },
              { term: text('source.last'), children: <LastFile source={source} /> },
            ]}
          />
          {mayWrite && source.appId ? <Pause source={source} /> : null}
        </section>
        <RemovalShare source={source} mayWrite={mayWrite} />
        {source.appId ? <MatchOrder source={source} mayWrite={mayWrite} /> : null}
        <ColumnMapping source={source} />
        {source.kind === 'SOURCE_KIND_SCIM' && mayWrite ? <ScimToken appId={source.appId ?? ''} /> : null}
      </div>
      <section className={styles.part}>
        <h2>{text('source.syncs')}</h2>
        <Load query={syncs} empty={<Empty icon="sync" title={text('source.noSyncs')} />}>
          {(data) => (
            <>
              <SyncList syncs={rowsOf(data).map((view) => view.import ?? {})} onOpen={open} />
              <Pages query={syncs} />
            </>
          )}
        </Load>
        {sync === undefined ? null : <SyncDrawer id={sync} onClose={() => open(undefined)} />}
      </section>
    </div>
  );
}

/** Refuses the files of a source until it is resumed. */
function Pause({ source }: { source: Source }) {
  const isPaused = source.pausedAt !== undefined;
  const request = { appId: source.appId ?? '', connectorId: source.id ?? '' };
  const change = useMutation({
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
