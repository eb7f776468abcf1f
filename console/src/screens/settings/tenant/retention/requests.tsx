/** Requests that wait for a second person: whoever did not ask may confirm them, and anybody may end them. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, useAct } from '~/data/act.ts';
import { pageRows } from '~/data/pages.ts';
import { useNamesSince } from '~/data/names-since.ts';
import { call, forget, readPages } from '~/data/query.ts';
import { useMay, useSession } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { ConfirmDialog } from '~/screens/settings/tenant/confirm-dialog.tsx';
import styles from '~/screens/settings/tenant/tenant.module.css';
import { text } from '~/text/text.ts';
import { type SecondPersonRequest, sayRequest } from './say-request.ts';

/** Operations whose answers a confirmed request changes. */
const stale = ['SecondPersonService.List', 'LegalHoldService.List', 'RetentionService.Get', 'AccessReviewService.Get'] as const;

export function Requests({ mayWrite }: { mayWrite: boolean }) {
  const own = useSession()?.userId;
  const query = useInfiniteQuery({
    ...readPages('SecondPersonService.List', { state: 'SECOND_PERSON_REQUEST_STATE_OPEN', pageSize: 50 }),
    enabled: useMay('settings.read'),
  });
  const since = useNamesSince(pageRows<SecondPersonRequest>(query.data).map(({ askedById }) => askedById));
  const reject = useAct('SecondPersonService.Reject', ...stale);
  const [confirming, setConfirming] = useState<SecondPersonRequest>();
  return (
    <section className={styles.section} aria-labelledby="requests" id="second-person">
      <h3 id="requests">{text('requests.title')}</h3>
      <p className={styles.hint}>{text('requests.intro')}</p>
      <Table
        label={text('requests.title')}
        query={query}
        rows={pageRows<SecondPersonRequest>(query.data)}
        rowKey={({ id }) => id ?? ''}
        empty={<p className={styles.hint}>{text('requests.none')}</p>}
        columns={(column) => [
          column('what', text('requests.what'), (row) => sayRequest(row), { least: 'words' }),
          column('reason', text('requests.reason'), ({ reason }) => reason, { least: 'words', narrow: 'second' }),
          column('by', text('requests.by'), ({ askedByDisplayName, askedById }) => since(askedById, askedByDisplayName) || askedById, {
            narrow: 'second',
          }),
          column('until', text('requests.until'), ({ expiresAt }) => (expiresAt === undefined ? null : <When at={expiresAt} />), {
            narrow: 'second',
          }),
          ...(mayWrite
            ? [
                column(
                  'acts',
                  '',
                  (row) => (
                    <div className={styles.buttons}>
                      <Button
                        onClick={() =>
                          reject.mutate(
                            { id: row.id ?? '' },
                            { onSuccess: () => toast(text('requests.rejected')), onError: (error) => toast(errorMessage(error)) },
                          )
                        }
                      >
                        {text(row.askedById === own ? 'requests.takeBack' : 'requests.reject')}
                      </Button>
                      <Button
                        variant="primary"
                        {...(row.canConfirm === true ? {} : { disabledReason: text('requests.yours') })}
                        onClick={() => setConfirming(row)}
                      >
                        {text('requests.confirm')}
                      </Button>
                    </div>
                  ),
                  { align: 'end' },
                ),
              ]
            : []),
        ]}
      />
      {confirming === undefined ? null : (
        <ConfirmDialog
          title={text('requests.confirmTitle')}
          words={text(confirming.kind === 'SECOND_PERSON_REQUEST_KIND_ERASE_PERSON' ? 'requests.confirmErase' : 'requests.confirmWords', {
            what: sayRequest(confirming),
          })}
          action={text('requests.confirm')}
          done={text('requests.confirmed')}
          run={async () => {
            await call('SecondPersonService.Confirm', { id: confirming.id ?? '' });
            await forget(...stale);
          }}
          onClose={() => setConfirming(undefined)}
        />
      )}
    </section>
  );
}
