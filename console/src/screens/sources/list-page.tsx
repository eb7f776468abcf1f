/** Sources of people and access: every source, with how old its last delivery is. */
import { linkOptions } from '@tanstack/react-router';
import { useInfiniteQuery } from '@tanstack/react-query';
import { LastFile } from '~/app/syncs/last-file.tsx';
import { Page } from '~/app/page.tsx';
import type { Source } from '~/data/inventory/inventory.ts';
import { pageRows } from '~/data/pages.ts';
import { useMay } from '~/data/session/session.ts';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Name } from '~/parts/words/name.tsx';
import { When } from '~/parts/words/when.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { text } from '~/text/text.ts';
import { Claims } from './claims.tsx';
import { Kind } from './kind.tsx';
import { OfApp } from './of-app.tsx';
import { sourcesQuery } from './route.tsx';
import { SourceState, urgentFirst } from './source-state.tsx';

export function SourcesPage() {
  const mayImport = useMay('imports.write');
  const query = useInfiniteQuery(sourcesQuery);
  const action = mayImport ? (
    <ButtonLink to="/import" icon="upload" variant="primary">
      {text('source.import')}
    </ButtonLink>
  ) : undefined;
  const mayMake = useMay('inventory.write');
  const actions = (
    <>
      {mayMake ? <ButtonLink to="/sources/new">{text('fetch.new')}</ButtonLink> : null}
      {action}
    </>
  );
  return (
    <Page title={text('nav.sources')} actions={actions} width="bare">
      <Claims />
      <Table
        query={query}
        empty={
          <Empty icon="sync" title={text('source.none')} action={action}>
            {text('source.noneNext')}
          </Empty>
        }
        label={text('nav.sources')}
        rows={urgentFirst(pageRows<Source>(query.data))}
        rowKey={(source) => source.id ?? ''}
        rowLink={(source) => linkOptions({ to: '/sources/$source', params: { source: source.id ?? '' } })}
        columns={(column) => [
          column('name', text('source.name'), (source) => <Name strong>{source.displayName}</Name>),
          column('of', text('source.of'), (source) => <OfApp source={source} />),
          column('kind', text('source.kind'), (source) => <Kind source={source} />, { narrow: 'second' }),
          column('state', text('fetch.column'), (source) => <SourceState source={source} />, { narrow: 'second' }),
          column('age', text('source.last'), (source) => <LastFile source={source} />, { narrow: 'second' }),
          column('next', text('fetch.next'), ({ nextFetchAt }) => (nextFetchAt === undefined ? null : <When at={nextFetchAt} />), {
            narrow: 'hide',
            isExtra: true,
          }),
        ]}
      />
    </Page>
  );
}
