/** Says that the server does not answer, and when it is asked again. What is on the page stays. */
import { type ReactNode, useEffect, useState } from 'react';
import { tryNow, useConnection } from '~/data/connection.ts';
import { Banner } from '~/parts/states/banner.tsx';
import { Button } from '~/parts/controls/button.tsx';
import { Rich } from '~/text/rich.tsx';
import { text } from '~/text/text.ts';

interface OfflineBannerProps {
  /** Sending that waits on the page, if any: when that is tried again (0 while it is tried), and how. */
  readonly waiting?: { readonly nextTry: number; readonly retry: () => void } | undefined;
  /** Effect on this page; else that what is shown stays. */
  readonly children?: ReactNode;
}

export function OfflineBanner({ waiting, children = <Rich id="app.offline" /> }: OfflineBannerProps) {
  const connection = useConnection();
  const isAway = connection.isAway || waiting !== undefined;
  const nextTry = waiting?.nextTry ?? connection.nextTry;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isAway) {
      return undefined;
    }
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isAway]);
  if (!isAway) {
    return null;
  }
  const seconds = Math.max(0, Math.ceil((nextTry - now) / 1000));
  const retry = (): void => {
    if (connection.isAway) {
      void tryNow();
    }
    waiting?.retry();
  };
  return (
    <Banner
      kind="warn"
      icon="offline"
      action={
        <>
          <span aria-hidden="true">{nextTry === 0 ? text('app.trying') : text('app.tryingAgain', { seconds })}</span>
          <Button onClick={retry}>{text('app.tryNow')}</Button>
        </>
      }
    >
      {children}
    </Banner>
  );
}
