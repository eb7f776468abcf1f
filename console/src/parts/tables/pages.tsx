/** The way to the next page of a list, below it. */
import { text } from '~/text/text.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import styles from '~/parts/states/states.module.css';

/** Parts read of a query in pages. */
export interface Paged {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError?: boolean;
  readonly error: unknown;
  readonly fetchNextPage: () => unknown;
}

export function Pages({ query }: { query: Paged }) {
  if (query.isFetchNextPageError === true) {
    return <Failed error={query.error} retry={() => void query.fetchNextPage()} />;
  }
  return query.hasNextPage ? (
    <div className={styles.more}>
      <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {text('parts.more')}
      </Button>
    </div>
  ) : null;
}
