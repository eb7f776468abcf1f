/** The frame of a queue: the review at the left, its list, and the question; keys act on the last two. */
import { type KeyboardEvent, lazy, Suspense, useMemo, useRef, useState } from 'react';
import { openOver } from '../../app/over-everything.tsx';
import { Hidden } from '../../parts/hidden.tsx';
import { text } from '../../text/text.ts';
import { QueueActions } from './actions.ts';
import type { By, QueueView } from './address.ts';
import { AskedOffer } from './asked-offer.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { Detail } from './detail.tsx';
import { Grid } from './grid.tsx';
import { isWriting, pressKey } from './keys.ts';
import { ListBar } from './list-bar.tsx';
import styles from './queue.module.css';
import { Sidebar } from './sidebar.tsx';
import { type Queue, useSubmission } from './use-queue.ts';
import type { ReviewInfo } from './use-review-info.ts';

// What is not on the first screen of a queue comes when it is wanted.
const Countdown = lazy(() => import('./countdown.tsx').then(({ Countdown: component }) => ({ default: component })));
const QueueBanners = lazy(() => import('./queue-banners.tsx').then(({ QueueBanners: component }) => ({ default: component })));
const SelectionPane = lazy(() => import('./selection-pane.tsx').then(({ SelectionPane: component }) => ({ default: component })));
const SubmitDialog = lazy(() => import('./submit-dialog.tsx').then(({ SubmitDialog: component }) => ({ default: component })));

interface FrameProps {
  readonly queue: Queue;
  readonly info: ReviewInfo | undefined;
  readonly view: QueueView;
  readonly isSubmitting: boolean;
  readonly onView: (view: QueueView) => void;
  readonly onSubmit: () => void;
  readonly onBack: () => void;
}

const groupings: readonly By[] = ['app', 'person', 'resource', 'list'];

export function Frame({ queue: { model, submission, looking }, info, view, isSubmitting, onView, onSubmit, onBack }: FrameProps) {
  useSubmission(submission);
  const actions = useMemo(() => new QueueActions(model, submission), [model, submission]);
  const columns = useRef<HTMLDivElement>(null);
  const [isDetailOpen, setDetailOpen] = useState(false);
  // The row that is current then: what was just done may have moved on.
  const focusList = () => {
    const find = () => columns.current?.querySelector<HTMLElement>(`[role=row][data-id="${CSS.escape(model.current)}"]`);
    const row = find();
    if (row) {
      row.focus();
    } else {
      requestAnimationFrame(() => find()?.focus());
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || (isWriting(event.target) && !(event.key === 'Enter' && (event.ctrlKey || event.metaKey)))) {
      return;
    }
    const isButton = event.target instanceof HTMLElement && event.target.closest('button, a, summary, [role=menuitem]') !== null;
    if (isButton && (event.key === 'Enter' || event.key === ' ') && !event.ctrlKey && !event.metaKey) {
      return;
    }
    const isDone = pressKey(event.nativeEvent, actions, {
      filter: () => columns.current?.querySelector<HTMLInputElement>('input[type=search]')?.focus(),
      group: (place) => onView({ ...view, by: groupings[place] ?? 'app', group: '' }),
      onlyLeft: () => onView({ ...view, show: view.show === 'todo' ? 'all' : 'todo' }),
      question: () => {
        setDetailOpen(true);
        // The question is drawn first where it was not in sight.
        requestAnimationFrame(() => columns.current?.querySelector<HTMLElement>('[data-question]')?.focus());
      },
      list: () => {
        setDetailOpen(false);
        focusList();
      },
      why: () => columns.current?.querySelector<HTMLElement>('[data-why]')?.click(),
      submit: onSubmit,
    });
    if (isDone) {
      event.preventDefault();
    }
  };
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#list">
        {text('queue.skip')}
      </a>
      <Sidebar
        model={model}
        submission={submission}
        info={info}
        view={view}
        onView={onView}
        onSubmit={onSubmit}
        onHelp={() => openOver('keys')}
      />
      <main className={styles.sheet}>
        <Hidden>
          <h1>{info?.displayName ?? text('queue.title')}</h1>
        </Hidden>
        <Suspense fallback={null}>
          <QueueBanners model={model} submission={submission} />
        </Suspense>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of the list and the question; each has a button, too */}
        <div ref={columns} className={styles.columns} onKeyDown={onKeyDown} data-detail={isDetailOpen || undefined}>
          <section id="list" className={styles.list} aria-label={text('queue.list')}>
            <ListBar model={model} view={view} onView={onView} onLeave={focusList} />
            <AskedOffer model={model} view={view} onView={onView} onDone={focusList} />
            <Grid model={model} actions={actions} onOpen={() => setDetailOpen(true)} />
            <BulkBar model={model} actions={actions} />
          </section>
          <section className={styles.detail} aria-label={text('queue.question')}>
            {model.selected.size > 0 ? (
              <Suspense fallback={null}>
                <SelectionPane model={model} actions={actions} onDone={focusList} />
              </Suspense>
            ) : (
              <Detail
                model={model}
                actions={actions}
                info={info}
                onBack={() => {
                  setDetailOpen(false);
                  focusList();
                }}
                onDone={focusList}
              />
            )}
          </section>
        </div>
      </main>
      <Suspense fallback={null}>
        <Countdown submission={submission} onUndo={() => actions.undoLast()} model={model} />
        {isSubmitting && !submission.isUnderway ? (
          <SubmitDialog
            open
            model={model}
            submission={submission}
            info={info}
            looking={looking}
            onClose={onBack}
            onChange={(id) => {
              onBack();
              model.go(id);
            }}
          />
        ) : null}
      </Suspense>
    </div>
  );
}
