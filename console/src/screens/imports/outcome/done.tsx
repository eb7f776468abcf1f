/** Outcome of an import, what was odd about it, and what comes next. */
import { Findings } from '~/app/syncs/findings.tsx';
import { count, type Sync } from '~/data/inventory/inventory.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { Name } from '~/parts/words/name.tsx';
import { text } from '~/text/text.ts';
import { Figures } from './figures.tsx';
import styles from '~/screens/imports/imports.module.css';
import type { ImportState } from '~/screens/imports/use-import.ts';

export function Done({ sync, state }: { sync: Sync; state: ImportState }) {
  const mayReview = useMay('reviews.create');
  const isPeople = sync.kind === 'IMPORT_KIND_PEOPLE';
  // What is left of a workbook comes before all else.
  const main = state.nextSheet === undefined ? 'primary' : 'plain';
  return (
    <div className={styles.done}>
      <h2>
        <Name>{isPeople ? text('imports.donePeople') : text('imports.doneApp', { app: sync.source ?? '' })}</Name>
      </h2>
      <Figures sync={sync} />
      <div className={styles.next}>
        {state.nextSheet === undefined ? null : (
          <Button variant="primary" onClick={state.goToNextSheet}>
            {text('imports.nextSheet', { sheet: state.nextSheet })}
          </Button>
        )}
        {isPeople ? (
          <>
            <Button variant={main} onClick={state.startAgain}>
              {text('imports.nextApp')}
            </Button>
            <ButtonLink to="/people">{text('imports.seePeople')}</ButtonLink>
            <ButtonLink to="/quality/$tab" params={{ tab: 'no-manager' }} variant="quiet">
              {text('imports.seeManagers')}
            </ButtonLink>
          </>
        ) : (
          <>
            <ButtonLink to="/apps/$app/$tab" params={{ app: sync.appId ?? '', tab: 'entitlements' }} variant={main}>
              {text('imports.seeApp')}
            </ButtonLink>
            {mayReview ? (
              <ButtonLink to="/reviews/new" search={{ app: sync.appId }}>
                {text('apps.review')}
              </ButtonLink>
            ) : null}
            <Button onClick={state.startAgain}>{text('imports.nextFile')}</Button>
            {count(sync.findings?.unownedAccounts) > 0 ? (
              <ButtonLink to="/quality/$tab" params={{ tab: 'nobody' }} variant="quiet">
                {text('imports.seeUnowned')}
              </ButtonLink>
            ) : null}
          </>
        )}
      </div>
      <Findings sync={sync} />
    </div>
  );
}
