/** Changes sources ask of people who are not theirs, or who hold a role: each is accepted or rejected. Nothing is shown where nothing waits. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { errorMessage, useAct } from '~/data/act.ts';
import { pageRows } from '~/data/pages.ts';
import { type ReplyOf, readPages } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { type PlainTextKey, text } from '~/text/text.ts';

type Claim = NonNullable<ReplyOf<'PersonClaimService.List'>['list']>[number];

const attributes: Readonly<Record<string, PlainTextKey>> = {
  email: 'claim.email',
  status: 'claim.status',
  managerId: 'claim.manager',
  displayName: 'claim.name',
  username: 'claim.username',
  employeeId: 'claim.employeeId',
  externalId: 'claim.externalId',
  employmentType: 'claim.employmentType',
  department: 'claim.department',
  jobTitle: 'claim.jobTitle',
};

function changeOf({ attribute = '', ...change }: NonNullable<Claim['changes']>[number]): string {
  const name = Object.hasOwn(attributes, attribute) ? text(attributes[attribute] ?? 'claim.name') : attribute;
  const from = change.fromDisplayName || change.from || text('claim.nothing');
  const to = change.toDisplayName || change.to || text('claim.nothing');
  return text('claim.change', { name, from, to });
}

export function Claims() {
  const mayRead = useMay('settings.read');
  const mayDecide = useMay('users.write');
  const query = useInfiniteQuery({
    ...readPages('PersonClaimService.List', { state: 'PERSON_CLAIM_STATE_WAITING', pageSize: 25 }),
    enabled: mayRead,
  });
  const accept = useAct('PersonClaimService.Accept', 'PersonClaimService.List');
  const reject = useAct('PersonClaimService.Reject', 'PersonClaimService.List');
  const claims = query.data === undefined ? [] : pageRows<Claim>(query.data);
  if (claims.length === 0) {
    return null;
  }
  const isBusy = accept.isPending || reject.isPending;
  const decide = (act: typeof accept | typeof reject, { id = '' }: Claim, done: PlainTextKey) =>
    act.mutate({ id }, { onSuccess: () => toast(text(done)) });
  const error = accept.error ?? reject.error;
  return (
    <section aria-labelledby="claims">
      <h2 id="claims">{text('claim.title', { count: query.data?.pages[0]?.waitingCount ?? claims.length })}</h2>
      <p>{text('claim.why')}</p>
      {error === null ? null : <Note kind="fault">{errorMessage(error)}</Note>}
      <Table
        label={text('claim.label')}
        rows={claims}
        rowKey={(claim) => claim.id ?? ''}
        columns={(column) => [
          column('person', text('claim.person'), (claim) => (
            <>
              <Name strong>{claim.userDisplayName || claim.userEmail}</Name>
              <div>{claim.holdsRole === true ? text('claim.holdsRole') : <Name>{claim.userEmail}</Name>}</div>
            </>
          )),
          column('app', text('claim.app'), (claim) => <Name>{claim.appDisplayName}</Name>, { narrow: 'second' }),
          column('changes', text('claim.changes'), (claim) =>
            (claim.changes ?? []).map((change) => <div key={change.attribute}>{changeOf(change)}</div>),
          ),
          column('decide', text('claim.decide'), (claim) =>
            mayDecide ? (
              <>
                <Button busy={isBusy} onClick={() => decide(accept, claim, 'claim.accepted')}>
                  {text('claim.accept')}
                </Button>{' '}
                <Button variant="quiet" busy={isBusy} onClick={() => decide(reject, claim, 'claim.rejected')}>
                  {text('claim.reject')}
                </Button>
              </>
            ) : null,
          ),
        ]}
      />
      <Pages query={query} />
    </section>
  );
}
