/** The summary before decisions are submitted: how many of each, what is worth one more look, and what happens next. */
import { Suspense, useState } from 'react';
import { announceError } from '~/app/announce.ts';
import { errorMessage } from '~/data/act.ts';
import { type Draft, maxAtOnce } from '~/data/queue/drafts.ts';
import type { QueueRow } from '~/data/queue/queue-rows.ts';
import { countingDrafts, readTotals } from '~/data/queue/state/read-state.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Mark } from '~/parts/words/mark.tsx';
import { date, number } from '~/text/format.ts';
import { loadLaterTexts, text } from '~/text/text.ts';
import { laterPart } from '~/screens/queue/later-part.ts';
import { useQueue, useQueueState } from '~/screens/queue/use-queue.ts';
import { holderOf, draftMark, rightOf } from '~/data/queue/state/standing.ts';
import styles from './submit.module.css';
import type { ReviewInfo } from '~/screens/queue/use-review-info.ts';
import { markWord } from '~/screens/queue/list/words.ts';
import { useSigning } from './use-signing.ts';

const SignatureAsked = laterPart(() =>
  Promise.all([import('./signature-asked.tsx'), loadLaterTexts()]).then(([{ SignatureAsked: component }]) => component),
);

interface SubmitDialogProps {
  readonly open: boolean;
  readonly info: ReviewInfo | undefined;
  readonly onClose: () => void;
  readonly onChange: (taskId: string) => void;
}

const first = 3;

export function SubmitDialog({ open, info, onClose, onChange }: SubmitDialogProps) {
  const { store, lookedMs } = useQueue();
  const [isAll, setAll] = useState(false);
  const isReady = useQueueState((state) => state.isReady);
  const drafts = useQueueState(countingDrafts);
  const rows = useQueueState((state) => state.rows.byId);
  const { left, total } = useQueueState(readTotals);
  const passed = useQueueState((state) => state.passed.size);
  const isAway = useQueueState(({ saving }) => saving.phase === 'device');
  const denied = drafts.filter(({ choice }) => choice === 'deny');
  const until = drafts.filter(({ choice, until: end }) => choice === 'certify' && end !== '');
  const certified = drafts.length - denied.length - until.length;
  const looks = drafts
    .filter((draft) => isWorthALook(rows.get(draft.taskId), draft))
    .sort((left, right) => rank(left) - rank(right) || left.at - right.at);
  const isSigned = info?.signatureConfig?.requireSignature === true;
  const isBarred = info?.signature?.maySign === false;
  const signing = useSigning(onClose);
  const count = isSigned ? Math.min(drafts.length, maxAtOnce) : drafts.length;
  const reason =
    drafts.length === 0
      ? text('queue.nothingToSubmit')
      : isAway
        ? text('queue.submitOnlineReason')
        : isBarred
          ? text('submit.cannotSign')
          : undefined;
  const submit = () => {
    if (reason !== undefined) {
      announceError(reason);
      return;
    }
    if (isSigned) {
      if (!signing.isPending) {
        signing.mutate(undefined, { onError: (error) => announceError(errorMessage(error)) });
      }
      return;
    }
    store.dispatch({ kind: 'submit', drafts, key: crypto.randomUUID(), now: Date.now() });
    onClose();
  };
  return (
    <Dialog
      open={open && isReady}
      onOpenChange={onClose}
      title={text('submit.title', { count: drafts.length })}
      wide
      footer={
        <>
          <small className={styles.undo}>{text(isSigned ? 'submit.nothingBeforeSigned' : 'submit.tenSeconds')}</small>
          <Button keys="escape" onClick={onClose}>
            {text('submit.notYet')}
          </Button>
          <Button variant="primary" keys="mod+Enter" busy={signing.isPending} disabledReason={reason} onClick={submit}>
            {text(isSigned ? 'submit.signAndSubmit' : 'submit.submit', { count })}
          </Button>
        </>
      }
    >
      <div
        className={styles.body}
        ref={(element) => {
          const popup = element?.closest('[role=dialog]');
          if (popup instanceof HTMLElement) {
            popup.onkeydown = (event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
                event.preventDefault();
                event.stopPropagation();
                submit();
              }
            };
          }
        }}
      >
        <p className={styles.sub}>
          {info?.displayName === undefined ? '' : `${info.displayName}. `}
          {text('submit.of', { total, left })} {passed > 0 ? text('submit.passed', { count: passed }) : ''}
        </p>
        <div className={styles.sums}>
          <dl className={styles.figures}>
            <Figure value={certified} label={text('submit.certified')} />
            <Figure value={until.length} label={text('submit.until')} />
            <Figure value={denied.length} label={text('submit.denied')} />
          </dl>
          <p className={styles.looked}>
            {text('submit.looked', { minutes: Math.floor(lookedMs() / 60_000) })}
            <br />
            {text('submit.lookedKept')}
          </p>
        </div>
        {looks.length === 0 ? null : (
          <>
            <div className={styles.heading}>
              <h3>{text('submit.oneMoreLook')}</h3>
              <small>{text('submit.lookAt', { count: looks.length, all: drafts.length })}</small>
            </div>
            <ul className={styles.looks}>
              {looks.slice(0, isAll ? 200 : first).map((draft) => (
                <Look key={draft.taskId} draft={draft} row={rows.get(draft.taskId)} onChange={onChange} />
              ))}
            </ul>
            {!isAll && looks.length > first ? (
              <button type="button" className={styles.link} onClick={() => setAll(true)}>
                {text('submit.showOthers', { count: looks.length - first })}
              </button>
            ) : null}
          </>
        )}
        {isSigned ? (
          <Suspense fallback={null}>
            <SignatureAsked info={info} />
          </Suspense>
        ) : null}
        {count < drafts.length ? <p>{text('submit.signedInParts', { count, all: drafts.length })}</p> : null}
        {signing.isError ? (
          <Note kind="fault">
            {errorMessage(signing.error)} {text('submit.nothingSubmitted')}
          </Note>
        ) : null}
        <p className={styles.next}>{denied.length > 0 ? text('submit.nextDenied', { count: denied.length }) : text('submit.nextNone')}</p>
      </div>
    </Dialog>
  );
}

function Figure({ value, label }: { value: number; label: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{number(value)}</dd>
    </div>
  );
}

function Look({ draft, row, onChange }: { draft: Draft; row: QueueRow | undefined; onChange: (taskId: string) => void }) {
  const mark = draftMark(draft);
  const against = draft.choice === 'certify' && isAdvisedAgainst(row?.recommendation);
  const parts = [
    draft.until === '' ? '' : text('submit.untilDate', { date: date(draft.until) }),
    against ? text('submit.against') : '',
    draft.comment === '' ? '' : text('queue.quoted', { words: draft.comment }),
  ];
  return (
    <li>
      <Mark state={mark} label={markWord(mark)} />
      <span>
        <strong>{row === undefined ? draft.taskId : holderOf(row)}</strong> {row === undefined ? '' : rightOf(row)}
        <small>{parts.filter(Boolean).join(' ')}</small>
      </span>
      <button type="button" className={styles.link} onClick={() => onChange(draft.taskId)}>
        {text('queue.change')}
      </button>
    </li>
  );
}

const isAdvisedAgainst = (recommendation = ''): boolean => recommendation === 'DENY' || recommendation === 'REVIEW';
const rank = ({ choice }: Draft): number => (choice === 'deny' ? 0 : 1);

function isWorthALook(row: QueueRow | undefined, draft: Draft): boolean {
  return draft.choice === 'deny' || isAdvisedAgainst(row?.recommendation);
}
