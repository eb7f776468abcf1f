/**
 * Rights that nobody described, those with most holders first, each with the field for its words: Enter stores them and goes on to the next. What
 * was described stays where it is until the list is read anew, so nothing moves under the hands.
 */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { count, technicalName } from '~/data/inventory/inventory.ts';
import { pageRows } from '~/data/pages.ts';
import { forget, readPages, type ReplyOf } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Empty } from '~/parts/states/empty.tsx';
import { Load } from '~/parts/states/load.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import type { MakeColumn } from '~/parts/tables/columns.ts';
import { Table } from '~/parts/tables/table.tsx';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { WordsField } from './words-field.tsx';
import styles from './undescribed.module.css';

type Row = NonNullable<ReplyOf<'IdentityService.ListUndescribedEntitlements'>['list']>[number];

const nameOf = (row: Row): string => technicalName({ displayName: row.entitlement ?? '' }, row.resource ?? '', row.appDisplayName);

export function Undescribed({ appId }: { appId?: string }) {
  const mayWrite = useMay('inventory.write');
  const client = useQueryClient();
  const options = readPages('IdentityService.ListUndescribedEntitlements', { pageSize: 50, ...(appId === undefined ? {} : { appId }) });
  const query = useInfiniteQuery({ ...options, staleTime: Number.POSITIVE_INFINITY, refetchOnMount: 'always' });
  const [done, setDone] = useState<ReadonlyMap<string, string>>(new Map());
  const list = useRef<HTMLDivElement>(null);
  const hasChanged = done.size > 0;
  useEffect(
    () => () => {
      if (hasChanged) {
        void client.invalidateQueries({ queryKey: ['IdentityService.ListUndescribedEntitlements'] });
      }
    },
    [client, hasChanged],
  );
  const onSaved = (id: string, words: string, next: boolean): void => {
    if (done.get(id) !== words) {
      setDone(new Map([...done, [id, words]]));
      void forget('AppEntitlementSearchService.Search', 'GrantService.List');
    }
    if (next) {
      goOn(list.current, id);
    }
  };
  const total = count(query.data?.pages[0]?.total);
  const left = Math.max(0, total - [...done.values()].filter((words) => words !== '').length);
  const columns = (column: MakeColumn<Row>) => [
    column('right', text('words.right'), (row) => (
      <span className={styles.two}>
        <Link to="/apps/$app/$tab" params={{ app: row.appId ?? '', tab: 'grants' }} search={{ right: row.appEntitlementId }}>
          <Name>{nameOf(row)}</Name>
        </Link>
        <small>
          {appId === undefined ? (
            <>
              <Name>{row.appDisplayName}</Name>
              {' · '}
            </>
          ) : null}
          {text('words.holders', { count: count(row.holderCount) })}
        </small>
      </span>
    )),
    column(
      'words',
      text('words.allows'),
      (row) =>
        mayWrite ? (
          <WordsField
            appId={row.appId ?? ''}
            id={row.appEntitlementId ?? ''}
            name={nameOf(row)}
            value={done.get(row.appEntitlementId ?? '') ?? ''}
            onSaved={(words, next) => onSaved(row.appEntitlementId ?? '', words, next)}
          />
        ) : (
          <span className={styles.warn}>{text('words.none')}</span>
        ),
      { width: '60%', narrow: 'second' },
    ),
  ];
  return (
    <Load query={query}>
      {(data) =>
        pageRows(data).length === 0 ? (
          <Empty icon="check" title={text('words.all')} />
        ) : (
          <div ref={list}>
            <p className={styles.left} role="status">
              {left === 0 ? text('words.all') : text('words.left', { count: left, shown: number(left) })}
              {mayWrite ? <small>{text('words.how')}</small> : null}
            </p>
            <Table label={text('words.table')} rows={pageRows(data)} rowKey={(row) => row.appEntitlementId ?? ''} columns={columns} />
            <Pages query={query} />
          </div>
        )
      }
    </Load>
  );
}

/** Puts the focus into the next field that has no words yet, behind this one or else from the first on. */
function goOn(list: HTMLElement | null, id: string): void {
  const fields = [...(list?.querySelectorAll<HTMLElement>('[data-words]') ?? [])];
  const at = fields.findIndex((field) => field.dataset['words'] === id);
  const next = [...fields.slice(at + 1), ...fields.slice(0, at)].find((field) => field.dataset['stored'] === undefined);
  next?.querySelector('input')?.focus();
}
