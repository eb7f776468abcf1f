/** The first way in: the sample company, loaded at a press, with each step as it is done; then its review is shown. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { announce } from '~/app/announce.ts';
import { loadSamples, type SamplesProgress, useSamplesProgress } from '~/data/inventory/samples.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import { Progress } from '~/parts/drawings/progress.tsx';
import { text } from '~/text/text.ts';
import styles from './start.module.css';

const words = {
  words: 'start.loadingWords',
  keys: 'start.loadingKeys',
  conflicts: 'start.loadingConflicts',
  review: 'start.loadingReview',
  prepare: 'start.loadingPrepare',
  start: 'start.loadingStart',
} as const;

function wordsOf({ step }: SamplesProgress): string {
  if (step === undefined) {
    return text('start.loadingSamples');
  }
  switch (step.kind) {
    case 'people':
      return text('start.loadingPeople', { count: step.count });
    case 'access':
      return text('start.loadingAccess', { app: step.app });
    default:
      return text(words[step.kind]);
  }
}

export function SamplesWay() {
  const navigate = useNavigate();
  const progress = useSamplesProgress();
  const [error, setError] = useState<unknown>();
  const isShown = useRef(false);
  const now = progress === undefined ? undefined : wordsOf(progress);

  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  useEffect(() => {
    if (now !== undefined) {
      announce(now);
    }
  }, [now]);

  const load = async (): Promise<void> => {
    setError(undefined);
    try {
      const id = await loadSamples();
      // Whoever went elsewhere meanwhile is left there.
      if (isShown.current) {
        await navigate({ to: '/reviews/$reviewId', params: { reviewId: id } });
      }
    } catch (failure) {
      setError(failure);
    }
  };

  return (
    <li className={styles.way}>
      <span className={styles.icon}>
        <Icon name="bolt" />
      </span>
      <div>
        <h3>
          {text('start.samples')} <small>{text('start.samplesTime')}</small>
        </h3>
        <p>{text('start.samplesWords')}</p>
      </div>
      <Button variant="primary" busy={progress !== undefined} onClick={() => void load()}>
        {text('start.loadSamples')}
      </Button>
      {progress === undefined ? null : (
        <div className={styles.loading}>
          <Progress value={progress.done} max={progress.total} label={text('start.samplesProgress')} />
          <p>{now}</p>
        </div>
      )}
      {error === undefined || progress !== undefined ? null : (
        <div className={styles.loading}>
          <Failed error={error} retry={() => void load()} />
        </div>
      )}
    </li>
  );
}
