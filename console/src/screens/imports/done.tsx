/** What came of an import, what was odd about it, and what comes next. */
import { Findings } from '../../app/findings.tsx';
import { count, type Sync } from '../../data/inventory.ts';
import { Button } from '../../parts/button.tsx';
import { ButtonLink } from '../../parts/button-link.tsx';
import { Name } from '../../parts/name.tsx';
import { text } from '../../text/text.ts';
import { Figures } from './figures.tsx';
import styles from './imports.module.css';

export function Done({ sync, onNext }: { sync: Sync; onNext: () => void }) {
  const isPeople = sync.kind === 'IMPORT_KIND_PEOPLE';
  return (
    <div className={styles.done}>
      <h2>
        <Name>{isPeople ? text('imports.donePeople') : text('imports.doneApp', { app: sync.source ?? '' })}</Name>
      </h2>
      <Figures sync={sync} />
      <div className={styles.next}>
        {isPeople ? (
          <>
            <Button variant="primary" onClick={onNext}>
              {text('imports.nextApp')}
            </Button>
            <ButtonLink to="/people">{text('imports.seePeople')}</ButtonLink>
            <ButtonLink to="/quality/no-manager" variant="quiet">
              {text('imports.seeManagers')}
            </ButtonLink>
          </>
        ) : (
          <>
            <ButtonLink to={`/apps/${sync.appId}/entitlements`} variant="primary">
              {text('imports.seeApp')}
            </ButtonLink>
            <Button onClick={onNext}>{text('imports.nextFile')}</Button>
            {count(sync.findings?.unownedAccounts) > 0 ? (
              <ButtonLink to="/quality/nobody" variant="quiet">
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
