/** What is known of the access: since when, last use, what changed, the last decision, peers, the account, and why one is asked. */
import type { ReactNode } from 'react';
import type { QueueRow } from '../../data/queue-rows.ts';
import type { Insight } from '../../data/task-details.ts';
import { Facts } from '../../parts/facts.tsx';
import { When } from '../../parts/when.tsx';
import { date } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import styles from './detail.module.css';
import { nameOf } from './standing.ts';
import { reasonName } from './words.ts';

interface TaskFactsProps {
  readonly row: QueueRow;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly insights: readonly Insight[];
}

export function TaskFacts({ row, facts, insights }: TaskFactsProps) {
  const of = (name: string): string => (typeof facts[name] === 'string' ? (facts[name] as string) : '');
  const sentenceOf = (term: string): string => insights.find((one) => one.term === term)?.sentence ?? '';
  const changes = Array.isArray(facts['changes']) ? (facts['changes'] as string[]) : [];
  const hasPrevious = of('lastDecisionOutcome') !== '';
  const comment = of('lastDecisionComment');
  const source = of('lastUseSource');
  const peers = sentenceOf('OUTLIER') || sentenceOf('COMMON');
  const status = of('accountStatus');
  const asked = reasonName(of('reviewerReason'));
  const rows: { term: string; children: ReactNode }[] = [
    {
      term: text('queue.factSince'),
      children: (
        <>
          {row.grantedAt ? date(row.grantedAt) : text('queue.notKnown')}
          {'. '}
          {sentenceOf('INHERITED') || text('queue.direct')} {sentenceOf('TEMPORARY')}
        </>
      ),
    },
    {
      term: text('queue.factUsed'),
      children: row.lastUsedAt ? (
        <>
          <When at={row.lastUsedAt} most={3650} />{' '}
          {source === '' ? null : <span className={styles.faint}>{text('queue.says', { source })}</span>}
        </>
      ) : (
        <span className={styles.faint}>{text('queue.usedNotKnown')}</span>
      ),
    },
    {
      term: text('queue.factChanged'),
      children: changes.length > 0 ? changes.join(' ') : hasPrevious ? text('queue.nothing') : text('queue.noReviewBefore'),
    },
    {
      term: text('queue.factDecision'),
      children: hasPrevious ? (
        <>
          {text(
            of('lastDecisionOutcome') === 'CERTIFIED'
              ? 'queue.wasCertified'
              : of('lastDecisionOutcome') === 'DECERTIFIED'
                ? 'queue.wasDenied'
                : 'queue.wasOpen',
            {
              date: of('lastDecisionAt') === '' ? '' : date(of('lastDecisionAt')),
            },
          )}
          {comment === '' ? null : <span className={styles.quote}>{text('queue.quoted', { words: comment })}</span>}
        </>
      ) : (
        text('queue.never')
      ),
    },
    ...(peers === '' ? [] : [{ term: text('queue.factPeers'), children: peers }]),
    {
      term: text('queue.factAccount'),
      children: (
        <>
          {row.account}
          {status === '' ? null : `, ${statusWord(status)}`} <code className={styles.code}>{nameOf(row)}</code>
        </>
      ),
    },
    ...(asked === undefined ? [] : [{ term: text('queue.factAsked'), children: asked }]),
  ];
  return (
    <div className={styles.facts}>
      <Facts rows={rows} />
    </div>
  );
}

function statusWord(status: string): string {
  return /DISABLED/.test(status)
    ? text('queue.accountDisabled')
    : /DELETED/.test(status)
      ? text('queue.accountDeleted')
      : /ENABLED/.test(status)
        ? text('queue.accountEnabled')
        : text('queue.accountUnknown');
}
