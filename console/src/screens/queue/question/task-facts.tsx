/** Facts known of the access: since when, last use, what changed, the last decision, peers, the account, and why one is asked. */
import type { ReactNode } from 'react';
import type { QueueRow } from '~/data/queue/queue-rows.ts';
import type { Change, Insight } from '~/data/queue/task-details.ts';
import { Facts } from '~/parts/words/facts.tsx';
import { Peers } from '~/parts/drawings/peers.tsx';
import { When } from '~/parts/words/when.tsx';
import { date } from '~/text/format.ts';
import { nameBy } from '~/text/name-by.ts';
import { text } from '~/text/text.ts';
import { chosenRows } from '~/screens/queue/list/columns.ts';
import { useColumns } from '~/screens/queue/use-presentation.ts';
import { useQueue } from '~/screens/queue/use-queue.ts';
import styles from './detail.module.css';
import { sayChange, sayInsight, sayPeers } from './insight-words.ts';
import { nameOf } from '~/data/queue/state/standing.ts';
import { reasonName } from '~/screens/queue/list/words.ts';

interface TaskFactsProps {
  readonly row: QueueRow;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly insights: readonly Insight[];
}

/** Puts changes in words; those of the server where it says no more. */
function changesOf(facts: TaskFactsProps['facts']): string[] {
  const said = Array.isArray(facts['changes']) ? (facts['changes'] as string[]) : [];
  const codes = Array.isArray(facts['changeCodes']) ? (facts['changeCodes'] as Change[]) : [];
  return said.map((sentence, place) => {
    const change = codes[place];
    return (change === undefined ? '' : sayChange(change)) || sentence;
  });
}

export function TaskFacts({ row, facts, insights }: TaskFactsProps) {
  const { me } = useQueue().store.state;
  const columns = useColumns();
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
          {sayOf('INHERITED') || text('queue.direct')} {sayOf('PAST_END') || sayOf('TEMPORARY')}
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
  const chosen = chosenRows(columns, row, (facts['accountAttributes'] ?? {}) as Readonly<Record<string, unknown>>);
  return (
    <div className={styles.facts}>
      <Facts rows={rows} />
      {chosen.length === 0 ? null : (
        <section aria-label={text('queue.chosen')}>
          <Facts rows={chosen} />
        </section>
      )}
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
  const name = nameBy(of('lastDecisionBy'), of('lastDecisionIssuer'));
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
