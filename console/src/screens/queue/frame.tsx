/** The frame of a queue: the review at the left, its list, and the question; keys act on the last two. */
import { type KeyboardEvent, Suspense, useRef, useState } from 'react';
import { openOver } from '~/app/frame/over-everything.tsx';
import { Hidden } from '~/parts/words/hidden.tsx';
import { text } from '~/text/text.ts';
import { isUnderway } from '~/data/queue/state/read-state.ts';
import type { By, QueueView } from '~/data/queue/state/view.ts';
import { AwayBanner } from './away-banner.tsx';
import { Detail } from './question/detail.tsx';
import { Grid } from './list/grid.tsx';
import { isWriting, pressKey } from './keys.ts';
import { ListBar } from './list/list-bar.tsx';
import styles from './queue.module.css';
import { Sidebar } from './side/sidebar.tsx';
import { laterPart } from './later-part.ts';
import { useQueue, useQueueState } from './use-queue.ts';
import type { ReviewInfo } from './use-review-info.ts';

// Parts that are not on the first screen of a queue come when they are wanted; see fetch-later-parts.ts.
const AskedOffer = laterPart(() => import('./asked-offer.tsx').then(({ AskedOffer: component }) => component));
const BulkBar = laterPart(() => import('./selection/bulk-bar.tsx').then(({ BulkBar: component }) => component));
const QueueBanners = laterPart(() => import('./queue-banners.tsx').then(({ QueueBanners: component }) => component));
const Countdown = laterPart(() => import('./side/countdown.tsx').then(({ Countdown: component }) => component));
const SelectionPane = laterPart(() => import('./selection/selection-pane.tsx').then(({ SelectionPane: component }) => component));
const SubmitDialog = laterPart(() => import('./side/submit-dialog.tsx').then(({ SubmitDialog: component }) => component));

interface FrameProps {
  readonly info: ReviewInfo | undefined;
  readonly view: QueueView;
  readonly isSubmitting: boolean;
  readonly onView: (parts: Partial<QueueView>) => void;
  readonly onSubmit: () => void;
  readonly onBack: () => void;
}

const groupings: readonly By[] = ['app', 'person', 'resource', 'list'];

export function Frame({ info, view, isSubmitting, onView, onSubmit, onBack }: FrameProps) {
  const { store, actions } = useQueue();
  const isSelecting = useQueueState(({ selected }) => selected.size > 0);
  const isSent = useQueueState(({ submission }) => submission.phase !== 'idle');
  const isGoing = useQueueState(isUnderway);
  const isAsked = useQueueState(({ asked }) => asked.size > 0);
  // A field that is open is in sight, also where the question is not beside the list.
  const isWritten = useQueueState(({ mode }) => mode !== 'free');
  const columns = useRef<HTMLDivElement>(null);
  const [isDetailOpen, setDetailOpen] = useState(false);
  const [areToolsOpen, setToolsOpen] = useState(false);
  const within = (selector: string) => columns.current?.querySelector<HTMLElement>(selector);
  // The row that is current then: what was just done may have moved on.
  const focusList = () => focusSoon(() => within(`[role=row][data-id="${CSS.escape(store.state.current)}"]`));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || (isWriting(event.target) && !(event.key === 'Enter' && (event.ctrlKey || event.metaKey)))) {
      return;
    }
    const isButton = event.target instanceof HTMLElement && event.target.closest('button, a, summary, [role=menuitem]') !== null;
    if (isButton && (event.key === 'Enter' || event.key === ' ') && !event.ctrlKey && !event.metaKey) {
      return;
    }
    const isDone = pressKey(event.nativeEvent, store, actions, {
      filter: () => {
        setToolsOpen(true);
        // On a small screen it is drawn with the tools.
        focusSoon(() => within('input[type=search]'));
      },
      group: (place) => onView({ by: groupings[place] ?? 'app', group: '' }),
      onlyLeft: () => onView({ show: view.show === 'todo' ? 'all' : 'todo' }),
      question: () => {
        setDetailOpen(true);
        // The question is drawn first where it was not in sight.
        focusSoon(() => within('[data-question]'));
      },
      list: () => {
        setDetailOpen(false);
        focusList();
      },
      why: () => within('[data-why]')?.click(),
      submit: onSubmit,
    });
    if (isDone) {
      event.preventDefault();
    }
  };
  return (
    <div className={styles.frame} data-tools={areToolsOpen || undefined}>
      <a className={styles.skip} href="#list">
        {text('queue.skip')}
      </a>
      <Sidebar
        info={info}
        view={view}
        onView={onView}
        onSubmit={onSubmit}
        onHelp={() => openOver('keys')}
        areToolsOpen={areToolsOpen}
        onTools={() => setToolsOpen(!areToolsOpen)}
      />
      <main className={styles.sheet}>
        <Hidden>
          <h1>{info?.displayName ?? text('queue.title')}</h1>
        </Hidden>
        <AwayBanner />
        <Suspense fallback={null}>
          <QueueBanners />
        </Suspense>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of the list and the question; each has a button, too */}
        <div ref={columns} className={styles.columns} onKeyDown={onKeyDown} data-detail={isDetailOpen || isWritten || undefined}>
          <section id="list" className={styles.list} aria-label={text('queue.list')}>
            <ListBar view={view} onView={onView} onLeave={focusList} />
            <Suspense fallback={null}>{isAsked ? <AskedOffer onView={onView} onDone={focusList} /> : null}</Suspense>
            <Grid onOpen={() => setDetailOpen(true)} />
            <Suspense fallback={null}>{isSelecting ? <BulkBar /> : null}</Suspense>
          </section>
          <section className={styles.detail} aria-label={text('queue.question')}>
            {isSelecting ? (
              <Suspense fallback={null}>
                <SelectionPane onDone={focusList} />
              </Suspense>
            ) : (
              <Detail
                info={info}
                onBack={() => {
                  setDetailOpen(false);
                  store.dispatch({ kind: 'mode', mode: 'free' });
                  focusList();
                }}
                onDone={focusList}
              />
            )}
          </section>
        </div>
      </main>
      <Suspense fallback={null}>
        {isSent ? <Countdown /> : null}
        {isSubmitting && !isGoing ? (
          <SubmitDialog
            open
            info={info}
            onClose={onBack}
            onChange={(id) => {
              onBack();
              store.dispatch({ kind: 'go', id });
            }}
          />
        ) : null}
      </Suspense>
    </div>
  );
}

/** Gives the focus to what is there and in sight; else to what the next frame draws, unless a key that followed at once led elsewhere. */
function focusSoon(find: () => HTMLElement | null | undefined): void {
  const wanted = find();
  wanted?.focus();
  const { activeElement } = document;
  if (wanted && activeElement === wanted) {
    return;
  }
  requestAnimationFrame(() => {
    if (document.activeElement === activeElement || document.activeElement === document.body) {
      find()?.focus();
    }
  });
}
