/** Asks the policy as it is stored about one person and one right, and shows every step with the people it would ask. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { findEntitlements, findPeople, splitEntitlement } from '~/data/inventory/find.ts';
import { read } from '~/data/query.ts';
import { Combobox, type Option } from '~/parts/fields/combobox.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { text } from '~/text/text.ts';
import styles from './policies.module.css';
import { levelWords } from './words.ts';

export function TestPolicy({ policyId }: { policyId: string }) {
  const [person, setPerson] = useState<Option>();
  const [entitlement, setEntitlement] = useState<Option>();
  const isAsked = person !== undefined && entitlement !== undefined;
  const result = useQuery({
    ...read('PolicyTestService.Test', { policyId, userId: person?.id ?? '', ...splitEntitlement(entitlement?.id ?? '') }),
    enabled: isAsked,
  });
  const { rules = [], steps = [], problems = [] } = result.data ?? {};
  return (
    <section className={styles.section}>
      <h2>{text('policies.test')}</h2>
      <p className={styles.hint}>{text('policies.testHint')}</p>
      <div className={styles.row}>
        <Combobox
          label={text('policies.testPerson')}
          value={person}
          onChange={setPerson}
          search={findPeople}
          placeholder={text('policies.findPerson')}
        />
        <Combobox
          label={text('policies.testRight')}
          value={entitlement}
          onChange={setEntitlement}
          search={findEntitlements}
          placeholder={text('policies.findRight')}
        />
      </div>
      {isAsked && result.isPending ? <Skeleton rows={2} /> : null}
      {result.isError ? <Failed error={result.error} retry={() => void result.refetch()} /> : null}
      {result.data === undefined ? null : (
        <div role="status" className={styles.view}>
          {problems.map((problem) => (
            <Note key={problem} kind="warn">
              {problem}
            </Note>
          ))}
          {rules.map((rule) => (
            <p key={`${rule.policyId}-${rule.number}`}>
              {text(rule.matches ? 'policies.ruleMatches' : 'policies.ruleDoesNot', { number: rule.number ?? 0 })}{' '}
              <code>{rule.condition}</code>
            </p>
          ))}
          <ol className={styles.steps}>
            {steps.map((step, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a step has no identity but its place
              <li key={index} className={styles.step}>
                <span className={styles.number}>{index + 1}</span>
                <div className={styles.view}>
                  <b>
                    {(step.people ?? []).length > 0
                      ? (step.people ?? []).map((one) => one.displayName || one.email).join(', ')
                      : levelWords(step.reason || step.kind || '')}
                  </b>
                  <p>
                    {[
                      (step.people ?? []).length > 0 ? levelWords(step.reason ?? '') : '',
                      (step.passed ?? []).length > 0
                        ? text('policies.passed', { levels: (step.passed ?? []).map(levelWords).join(', ') })
                        : '',
                    ]
                      .filter((one) => one !== '')
                      .join('. ')}
                  </p>
                </div>
              </li>
            ))}
          </ol>
        </div>
      )}
    </section>
  );
}
