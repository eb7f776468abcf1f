/** The head of a person's page: who it is, how much they may do, and the parts of the page. */
import { useQuery } from '@tanstack/react-query';
import { Link, linkOptions } from '@tanstack/react-router';
import { count, personName, type Person } from '~/data/inventory/inventory.ts';
import { usePersonGrants } from '~/data/inventory/person-grants.ts';
import { read } from '~/data/query.ts';
import { Initials } from '~/parts/words/initials.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Tabs } from '~/parts/layout/tabs.tsx';
import { When } from '~/parts/words/when.tsx';
import { text } from '~/text/text.ts';
import styles from './people.module.css';
import { tabs, type Tab } from './tabs.ts';

export function PersonHead({ person }: { person: Person }) {
  const id = person.id ?? '';
  const { grants, totals, isWhole } = usePersonGrants(id, true);
  const [managerId = ''] = person.managerIds ?? [];
  const manager = useQuery({ ...read('UserService.Get', { id: managerId }), enabled: managerId !== '' }).data?.userView?.user;
  const now = grants.filter((grant) => grant.endedAt === undefined);
  const conflicts = now.filter((grant) => grant.inConflict === true).length;
  const decided = new Set(grants.flatMap((grant) => (grant.decisions ?? []).map((one) => one.taskId))).size;
  const counts: Partial<Record<Tab, number>> =
    totals === undefined ? {} : { now: count(totals.current), accounts: count(totals.accounts), ...(isWhole ? { reviews: decided } : {}) };
  const about = [person.jobTitle, person.department].filter(Boolean).join(', ');
  return (
    <>
      <div className={styles.head}>
        <Initials name={personName(person)} size={36} />
        <div className={styles.about}>
          <h2>
            <Name>{personName(person)}</Name>
          </h2>
          <p>
            {about === '' ? null : <Name>{about}</Name>}
            {manager === undefined ? null : (
              <span>
                {text('people.managerIs')}{' '}
                <Link to="/people/$person/$tab" params={{ person: manager.id ?? '', tab: 'time' }}>
                  <Name>{personName(manager)}</Name>
                </Link>
              </span>
            )}
            <Name>{person.email}</Name>
            {person.status === 'ENABLED' ? null : <b className={styles.no}>{text('people.left')}</b>}
          </p>
        </div>
        {totals === undefined ? null : (
          <dl className={styles.figures}>
            <div>
              <dt>{text('people.can')}</dt>
              <dd>{text('people.canDo', { count: count(totals.current), apps: count(totals.apps) })}</dd>
            </div>
            <div>
              <dt>{text('people.conflicts')}</dt>
              <dd className={conflicts === 0 ? undefined : styles.no}>{text('people.conflictCount', { count: conflicts })}</dd>
            </div>
            <div>
              <dt>{text('people.lastReviewed')}</dt>
              <dd>{totals.lastDecidedAt === undefined ? text('people.never') : <When at={totals.lastDecidedAt} />}</dd>
            </div>
          </dl>
        )}
      </div>
      <Tabs
        label={text('people.parts')}
        items={tabs.map((tab) => ({
          link: linkOptions({ to: '/people/$person/$tab', params: { person: id, tab } }),
          label: text(`people.tab.${tab}`),
          count: counts[tab],
        }))}
      />
    </>
  );
}
