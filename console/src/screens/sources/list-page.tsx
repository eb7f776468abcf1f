/** Where people and access come from: every source, with how old its last delivery is. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { LastFile } from '../../app/last-file.tsx';
import { Page } from '../../app/page.tsx';
import type { Source } from '../../data/inventory.ts';
import { rowsOf } from '../../data/pages.ts';
import { readPages } from '../../data/query.ts';
import { useMay } from '../../data/session.ts';
import { ButtonLink } from '../../parts/button-link.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Load } from '../../parts/load.tsx';
import { Name } from '../../parts/name.tsx';
import { Pages } from '../../parts/pages.tsx';
import { Table } from '../../parts/table.tsx';
import { text } from '../../text/text.ts';
import { Kind } from './kind.tsx';
import { OfApp } from './of-app.tsx';

export function SourcesPage() {
  const mayImport = useMay('imports.write');
  const query = useInfiniteQuery(readPages('SourceService.List', { pageSize: 50 }));
  const action = mayImport ? (
    <ButtonLink to="/import" icon="upload" variant="primary">
      {text('source.import')}
    </ButtonLink>
  ) : undefined;
  return (
    <Page title={text('nav.sources')} actions={action} width="bare">
      <Load
        query={query}
        empty={
          <Empty icon="sync" title={text('source.none')} action={action}>
            {text('source.noneNext')}
          </Empty>
        }
      >
        {(data) => (
          <>
            <Table
              label={text('nav.sources')}
              rows={rowsOf<Source>(data)}
              rowKey={(source) => source.id ?? ''}
              rowLink={(source) => `/sources/${source.id}`}
              columns={[
                { id: 'name', head: text('source.name'), cell: (source) => <Name strong>{source.displayName}</Name> },
                { id: 'of', head: text('source.of'), cell: (source) => <OfApp source={source} /> },
                { id: 'kind', head: text('source.kind'), narrow: 'second', cell: (source) => <Kind source={source} /> },
                { id: 'age', head: text('source.last'), narrow: 'second', cell: (source) => <LastFile source={source} /> },
              ]}
            />
            <Pages query={query} />
          </>
        )}
      </Load>
    </Page>
  );
}
