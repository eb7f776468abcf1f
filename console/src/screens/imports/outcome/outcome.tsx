/** Changes a file would make, and the way to import it: what stands in the way, a confirmation, progress, and a refusal. */
import { Button } from '~/parts/controls/button.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Progress } from '~/parts/drawings/progress.tsx';
import { text } from '~/text/text.ts';
import { Changes } from './changes.tsx';
import styles from '~/screens/imports/imports.module.css';
import { Guarded } from './guarded.tsx';
import { NotReady } from './not-ready.tsx';
import { asksForMeaning } from './refusal.ts';
import { Wrong } from './wrong.tsx';
import type { ImportState } from '~/screens/imports/use-import.ts';

export function Outcome({ state }: { state: ImportState }) {
  const { inspection, sending, tooMuch } = state;
  return (
    <section className={styles.right} aria-label={text('imports.outcome')}>
      <div className={styles.outcome}>
        <h2>{text('imports.outcome')}</h2>
        {inspection.data === undefined || inspection.isFetching ? null : <NotReady found={inspection.data} mapping={state.mapping} />}
        {(inspection.data?.doubts ?? [])
          .filter((doubt) => !asksForMeaning(doubt))
          .map((doubt) => (
            <Note key={doubt} kind="warn">
              <Name>{doubt}</Name>
            </Note>
          ))}
        {sending.isPending ? (
          <>
            <Progress value={Math.round(state.sent * 100)} max={100} label={text('imports.sending')} />
            <p className={styles.quiet}>{state.sent < 1 ? text('imports.sending') : text('imports.working')}</p>
          </>
        ) : sending.error !== null ? (
          // The file changed more than the dry run had shown: others were at work in between.
          tooMuch === undefined ? (
            <Wrong error={sending.error} />
          ) : (
            <Guarded state={state} tooMuch={tooMuch} />
          )
        ) : state.canCompare ? (
          <Changes state={state} />
        ) : (
          <p className={styles.quiet}>{text(state.needsApp ? 'imports.chooseAppFirst' : 'imports.guard')}</p>
        )}
      </div>
      <div className={styles.foot}>
        <p>{text('imports.whole')}</p>
        <Button onClick={state.startAgain}>{text('imports.back')}</Button>
        <Button
          variant={tooMuch === undefined ? 'primary' : 'danger'}
          busy={sending.isPending}
          disabledReason={reasonAgainst(state)}
          onClick={() => sending.mutate(tooMuch !== undefined && state.isMeant)}
        >
          {tooMuch === undefined
            ? text('imports.import')
            : text(state.target.kind === 'people' ? 'imports.anywayPeople' : 'imports.anyway', { count: tooMuch.removed })}
        </Button>
      </div>
    </section>
  );
}

/** Reason the file cannot be imported now; undefined where it can. */
function reasonAgainst({ needsApp, canCompare, inspection, changes, tooMuch, isMeant }: ImportState): string | undefined {
  if (needsApp) {
    return text('imports.chooseApp');
  }
  if (!canCompare || inspection.isFetching) {
    return text('imports.notReady');
  }
  if (!changes.isCurrent) {
    return text(changes.query.isError ? 'imports.seeRefusal' : 'imports.comparing');
  }
  return tooMuch !== undefined && !isMeant ? text('imports.confirmFirst') : undefined;
}
