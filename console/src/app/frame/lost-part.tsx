/** Says that a part of the page did not come, or that there is a new version: the page stays as it is until somebody loads it anew. */
import { lookAtServer } from '~/data/load-anew.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Banner } from '~/parts/states/banner.tsx';
import { losePart, whenPartLost } from '~/parts/states/lazy-part.tsx';
import { shareValue } from '~/parts/words/share-value.ts';
import { text } from '~/text/text.ts';
import styles from './lost-part.module.css';

const lost = shareValue<'newer' | 'same' | undefined>(undefined);

/** Hears of parts that did not come, and asks for a style that was lost once again. */
export function followParts(): void {
  // While the server is away, that is said already.
  whenPartLost(() => void lookAtServer().then((found) => (found === 'away' ? undefined : lost.set(found))));
  window.addEventListener('vite:preloadError', (event) => {
    const { payload } = event as Event & { readonly payload: Error };
    const href = /unable to preload css for (\S+)/i.exec(payload.message)?.[1];
    if (href !== undefined) {
      event.preventDefault();
      const style = document.createElement('link');
      style.rel = 'stylesheet';
      style.href = href;
      style.addEventListener('error', () => losePart(payload));
      document.head.append(style);
    }
  });
}

export function LostPart() {
  const what = lost.useValue();
  return what === undefined ? null : (
    <div className={styles.lost}>
      <Banner
        kind="warn"
        action={
          <>
            <Button onClick={() => lost.set(undefined)}>{text('app.later')}</Button>
            <Button variant="primary" onClick={() => window.location.reload()}>
              {text('app.loadAnew')}
            </Button>
          </>
        }
      >
        {text(what === 'newer' ? 'app.newerHere' : 'app.partLost')}
      </Banner>
    </div>
  );
}
