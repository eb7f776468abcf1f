/**
 * Dialogs and drawers. What they are made of is loaded once the page around them is there, so that no page waits for a dialog that it may never
 * open.
 */
import { type ReactNode, type RefObject, Suspense, useEffect, useState } from 'react';
import { lazyPart } from '~/parts/states/lazy-part.tsx';
import { loadOverPage } from './load-over-page.ts';

export interface OverProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly children?: ReactNode;
  /** Buttons, the one that does it last; words before them stand at the left. */
  readonly footer?: ReactNode;
  readonly wide?: boolean | 'most' | undefined;
  /** First to get the focus; else a field that asks for it, or the dialog itself: never the cross that closes it. */
  readonly initialFocus?: RefObject<HTMLElement | null> | undefined;
  /** A press beside it does not close it: what is in it would be lost. */
  readonly keep?: boolean | undefined;
}

export interface FrameProps extends OverProps {
  readonly place: 'dialog' | 'drawer';
}

const OverFrame = lazyPart(() => loadOverPage().then(({ OverFrame: component }) => component));

export function Over(props: FrameProps) {
  const [isWanted, setWanted] = useState(props.open);
  if (props.open && !isWanted) {
    setWanted(true);
  }
  // What does not come now is asked for again when it is opened.
  useEffect(() => void loadOverPage().catch(() => undefined), []);
  return isWanted ? (
    <Suspense fallback={null}>
      <OverFrame {...props} />
    </Suspense>
  ) : null;
}
