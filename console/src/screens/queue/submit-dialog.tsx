/** The summary before decisions are submitted: how many of each, what is worth one more look, and what happens next. */
import { useState } from 'react';
import { announceError } from '../../app/announce.ts';
import { counts, type Draft } from '../../data/drafts.ts';
import type { Looking } from '../../data/looking.ts';
import type { Submission } from '../../data/submission.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Mark } from '../../parts/mark.tsx';
import { date, number } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import type { QueueModel } from './model.ts';
import { holderOf, markOf, rightOf } from './standing.ts';
import styles from './submit.module.css';
import type { ReviewInfo } from './use-review-info.ts';
import { wordOf } from './words.ts';

interface SubmitDialogProps {
  readonly open: boolean;
  readonly model: QueueModel;
  readonly submission: Submission;
  readonly info: ReviewInfo | undefined;
  readonly looking: Looking;
  readonly onClose: () => void;
  readonly onChange: (taskId: string) => void;
}

const first = 3;

export function SubmitDialog({ open, model, submission, info, looking, onClose, onChange }: SubmitDialogProps) {
  const [isAll, setAll] = useState(false);
  const drafts = [...model.box.drafts.values()].filter(counts);
  const denied = drafts.filter(({ choice }) => choice === 'deny');
  const until = drafts.filter(({ choice, until: end }) => choice === 'certify' && end !== '');
  const certified = drafts.length - denied.length - until.length;
  const looks = drafts.filter((draft) => isWorthALook(model, draft)).sort((left, right) => rank(left) - rank(right) || left.at - right.at);
  const { left, total } = model.totals();
  const isAway = model.box.saving.state === 'device';
  const submit = () => {
    if (drafts.length === 0 || isAway) {
      announceError(text(isAway ? 'queue.submitOnlineReason' : 'queue.nothingToSubmit'));
      return;
    }
    submission.begin(drafts);
    onClose();
  };
  return (
    <Dialog
      open={open && model.isReady}
      onOpenChange={onClose}
      title={text('submit.title', { count: drafts.length })}
      wide
      footer={
        <>
          <small className={styles.undo}>{text('submit.tenSeconds')}</small>
          <Button keys="escape" onClick={onClose}>
            {text('submit.notYet')}
          </Button>
          <Button
            variant="primary"
            keys="mod+Enter"
            disabledReason={drafts.length === 0 ? text('queue.nothingToSubmit') : isAway ? text('queue.submitOnlineReason') : undefined}
            onClick={submit}
          >
            {text('submit.submit', { count: drafts.length })}
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
          {text('submit.of', { total, left })} {model.passed.size > 0 ? text('submit.passed', { count: model.passed.size }) : ''}
        </p>
        <div className={styles.sums}>
          <dl className={styles.figures}>
            <Figure value={certified} label={text('submit.certified')} />
            <Figure value={until.length} label={text('submit.until')} />
            <Figure value={denied.length} label={text('submit.denied')} />
          </dl>
          <p className={styles.looked}>
            {text('submit.looked', { minutes: Math.floor(looking.ms / 60_000) })}
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
                <Look key={draft.taskId} draft={draft} model={model} onChange={onChange} />
              ))}
            </ul>
            {!isAll && looks.length > first ? (
              <button type="button" className={styles.link} onClick={() => setAll(true)}>
                {text('submit.showOthers', { count: looks.length - first })}
              </button>
            ) : null}
          </>
        )}
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

function Look({ draft, model, onChange }: { draft: Draft; model: QueueModel; onChange: (taskId: string) => void }) {
  const row = model.row(draft.taskId);
  const mark = markOf(draft);
  const against = draft.choice === 'certify' && isAdvisedAgainst(row?.recommendation);
  const parts = [
    draft.until === '' ? '' : text('submit.untilDate', { date: date(draft.until) }),
    against ? text('submit.against') : '',
    draft.comment === '' ? '' : text('queue.quoted', { words: draft.comment }),
  ];
  return (
    <li>
      <Mark state={mark} label={wordOf(mark)} />
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

function isWorthALook(model: QueueModel, draft: Draft): boolean {
  return draft.choice === 'deny' || isAdvisedAgainst(model.row(draft.taskId)?.recommendation);
}
