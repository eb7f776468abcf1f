/** Importing a file in four steps: the file, its columns, what would change, done. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Page } from '~/app/page.tsx';
import { takeFile } from '~/data/inventory/dropped-file.ts';
import { getTarget, type Target } from '~/data/inventory/import-target.ts';
import { Load } from '~/parts/states/load.tsx';
import { Stepper } from '~/parts/controls/stepper.tsx';
import { text } from '~/text/text.ts';
import { Columns } from './file/columns.tsx';
import { Done } from './outcome/done.tsx';
import { FileStep } from './file/file-step.tsx';
import styles from './imports.module.css';
import { Outcome } from './outcome/outcome.tsx';
import { TargetFields } from './file/target-fields.tsx';
import { useImport } from './use-import.ts';
import { importRoute } from './route.tsx';

export function ImportPage() {
  const { app = '', source = '' } = importRoute.useSearch();
  const known = useQuery({
    queryKey: ['import target', app, source],
    queryFn: () => getTarget(app, source),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return known.data === undefined ? (
    <Page title={text('imports.title')}>
      <Load query={known}>{() => null}</Load>
    </Page>
  ) : (
    <ImportForm key={`${app} ${source}`} initial={known.data} />
  );
}

function ImportForm({ initial }: { initial: Target }) {
  const state = useImport(initial);
  const drop = useRef(state.drop);
  useEffect(() => {
    // Dropped on another page, which led here.
    const file = takeFile();
    if (file !== undefined) {
      void drop.current(file);
    }
  }, []);
  const sync = state.sending.data;
  const isC1z = state.file?.isC1z === true;
  const hasColumns = state.file !== undefined && state.inspection.data !== undefined;
  const step = sync !== undefined ? 4 : isC1z || state.inspection.data?.isReady === true ? 2 : hasColumns ? 1 : 0;
  return (
    <Page
      title={text('imports.title')}
      before={<Link to="/sources">{text('nav.sources')}</Link>}
      actions={
        <Stepper
          steps={[text('imports.step.file'), text('imports.step.columns'), text('imports.step.changes'), text('imports.step.done')]}
          current={step}
        />
      }
      width="bare"
    >
      {sync !== undefined ? (
        <Done sync={sync} state={state} />
      ) : (
        <div className={styles.split}>
          <div className={styles.left}>
            <FileStep state={state} />
            {state.file === undefined ? null : <TargetFields state={state} />}
            {hasColumns ? <Columns state={state} /> : null}
          </div>
          {state.file === undefined ? null : <Outcome state={state} />}
        </div>
      )}
    </Page>
  );
}
