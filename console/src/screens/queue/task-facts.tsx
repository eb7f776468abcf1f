/** What is known of the access: since when, last use, what changed, the last decision, peers, the account, and why one is asked. */
import type { ReactNode } from 'react';
import type { QueueRow } from '../../data/queue-rows.ts';
import type { Change, Insight } from '../../data/task-details.ts';
import { Facts } from '../../parts/facts.tsx';
import { Peers } from '../../parts/peers.tsx';
import { When } from '../../parts/when.tsx';
import { date } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import styles from './detail.module.css';
import { sayChange, sayInsight, sayPeers } from './insight-words.ts';
import { nameOf } from './standing.ts';
import { reasonName } from './words.ts';

interface TaskFactsProps {
  readonly row: QueueRow;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly insights: readonly Insight[];
  /** The person who looks. */
  readonly me: string;
}

/** What changed, in words; those of the server where it says no more. */
function changesOf(facts: TaskFactsProps['facts']): string[] {
  const said = Array.isArray(facts['changes']) ? (facts['changes'] as string[]) : [];
  const codes = Array.isArray(facts['changeCodes']) ? (facts['changeCodes'] as Change[]) : [];
  return said.map((sentence, place) => {
    const change = codes[place];
    return (change === undefined ? '' : sayChange(change)) || sentence;
  });
}

export function TaskFacts({ row, facts, insights, me }: TaskFactsProps) {
  const of = (name: string): string => (typeof facts[name] === 'string' ? (facts[name] as string) : '');
  const sayOf = (term: string): string => {
    const found = insights.find((one) => one.term === term);
    return found === undefined ? '' : sayInsight(found);
  };
  const changes = changesOf(facts);
  const hasPrevious = of('lastDecisionOutcome') !== '';
  const comment = of('lastDecisionComment');
  const source = of('lastUseSource');
  const peers = (facts['peers'] ?? {}) as Readonly<Record<string, string>>;
  const peerWords = sayPeers(peers);
  const status = of('accountStatus');
  const asked = reasonName(of('reviewerReason'));
  const rows: { term: string; children: ReactNode }[] = [
    {
      term: text('queue.factSince'),
      children: (
        <>
          {row.grantedAt ? date(row.grantedAt) : text('queue.notKnown')}
          {'. '}
          {sayOf('INHERITED') || text('queue.direct')} {sayOf('TEMPORARY')}
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
          {sayDecision(of, me)}
          {comment === '' ? null : <span className={styles.quote}>{text('queue.quoted', { words: comment })}</span>}
        </>
      ) : (
        text('queue.never')
      ),
    },
    ...(peerWords === undefined
      ? []
      : [
          {
            term: text('queue.factPeers'),
            children: <Peers part={Number(peers['with'] ?? 0)} all={Number(peers['of'])} label={peerWords} />,
          },
        ]),
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

/** The last decision: what, by whom, and when. */
function sayDecision(of: (name: string) => string, me: string): string {
  const at = { date: of('lastDecisionAt') === '' ? '' : date(of('lastDecisionAt')) };
  const outcome = of('lastDecisionOutcome');
  if (outcome !== 'CERTIFIED' && outcome !== 'DECERTIFIED') {
    return text('queue.wasOpen', at);
  }
  const isCertified = outcome === 'CERTIFIED';
  if (of('lastDecisionByUserId') === me) {
    return text(isCertified ? 'queue.wasCertifiedByYou' : 'queue.wasDeniedByYou', at);
  }
  const name = of('lastDecisionBy');
  return name === ''
    ? text(isCertified ? 'queue.wasCertified' : 'queue.wasDenied', at)
    : text(isCertified ? 'queue.wasCertifiedBy' : 'queue.wasDeniedBy', { name, ...at });
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
