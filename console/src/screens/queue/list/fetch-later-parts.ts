/**
 * Fetches the parts of the queue's page that are not on its first screen, once that is there: should the connection go, everything that can be
 * done without it still can.
 */
import { loadOverPage } from '~/parts/over/load-over-page.ts';
import { loadLaterTexts } from '~/text/text.ts';

export function fetchLaterParts(): void {
  const parts: Promise<unknown>[] = [
    loadLaterTexts(),
    loadOverPage(),
    import('~/screens/queue/question/open-form.tsx'),
    import('~/screens/queue/question/until-form.tsx'),
    import('~/screens/queue/question/reassign-form.tsx'),
    import('~/screens/queue/question/comment-form.tsx'),
    import('~/screens/queue/selection/bulk-bar.tsx'),
    import('~/screens/queue/selection/selection-pane.tsx'),
    import('~/screens/queue/side/submit-dialog.tsx'),
    import('~/screens/queue/side/countdown.tsx'),
    import('~/screens/queue/asked-offer.tsx'),
    import('~/screens/queue/queue-banners.tsx'),
    import('~/screens/queue/question/comments.tsx'),
    import('~/screens/queue/question/first.tsx'),
    import('~/screens/queue/side/results.tsx'),
  ];
  // A page that does not come now is asked for again when it is wanted.
  void Promise.allSettled(parts);
}
