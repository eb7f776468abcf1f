/** The frame of one page inside the sheet: a bar with its name and its actions, then what is on it. A new page takes the focus to its heading. */
import { type ReactNode, useEffect, useRef } from 'react';
import { text } from '~/text/text.ts';
import styles from './page.module.css';

interface PageProps {
  /** The name in the bar, and of the browser's tab. */
  readonly title: string;
  /** Content before the title, such as a link to the list. */
  readonly before?: ReactNode;
  /** Beside the title: a chip with the state. */
  readonly beside?: ReactNode;
  /** At the end of the bar. */
  readonly actions?: ReactNode;
  /** Below the bar, over the whole width: tabs. */
  readonly tabs?: ReactNode;
  /** `column`: text of readable width in the middle; `wide`: all there is, with margins; `bare`: no margins. */
  readonly width?: 'column' | 'wide' | 'bare';
  readonly children: ReactNode;
}

export function Page({ title, before, beside, actions, tabs, width = 'wide', children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = text('app.titled', { title });
  }, [title]);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <header className={styles.bar}>
        <div className={styles.name}>
          {before === undefined ? null : (
            <>
              <span className={styles.before}>{before}</span>
              <span aria-hidden="true">/</span>
            </>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {beside}
        </div>
        <div className={styles.actions}>{actions}</div>
      </header>
      {tabs}
      <main className={styles[width]}>{children}</main>
    </>
  );
}
