/** One page of the settings: the menu beside it, its heading, what it is for, and its main action. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '~/app/page.tsx';
import { text } from '~/text/text.ts';
import { SettingsMenu } from './menu.tsx';
import styles from './settings.module.css';

interface FrameProps {
  readonly title: string;
  /** One sentence below the heading. */
  readonly intro?: ReactNode;
  /** Beside the heading. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function SettingsFrame({ title, intro, action, children }: FrameProps) {
  return (
    <Page title={title} before={<Link to="/settings">{text('settings.title')}</Link>} width="bare">
      <div className={styles.frame}>
        <div className={styles.side}>
          <SettingsMenu />
        </div>
        <div className={styles.content}>
          <div className={styles.head}>
            <div className={styles.words}>
              <h2>{title}</h2>
              {intro === undefined ? null : <p>{intro}</p>}
            </div>
            {action}
          </div>
          {children}
        </div>
      </div>
    </Page>
  );
}
