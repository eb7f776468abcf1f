/** A file that names the app of each row: pointed out, with the way to give each app its rows, and what came of each. */
import { Link } from '@tanstack/react-router';
import { Delta } from '~/app/syncs/delta.tsx';
import { count } from '~/data/inventory/inventory.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Name } from '~/parts/words/name.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Progress } from '~/parts/drawings/progress.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { text } from '~/text/text.ts';
import type { ImportState } from '~/screens/imports/use-import.ts';
import { type AppOutcome, useSplit } from './use-split.ts';
import { Wrong } from './wrong.tsx';

export function SeveralApps({ state, column }: { state: ImportState; column: string }) {
  const { mutation, sent } = useSplit();
  const file = state.file?.content;
  const start = () => {
    if (file !== undefined) {
      mutation.mutate({ file, appColumn: column, sheet: state.sheet, map: state.map });
    }
  };
  if (mutation.data !== undefined) {
    return <Outcomes outcomes={mutation.data} />;
  }
  return (
    <>
      <Note
        kind="info"
        action={
          <Button busy={mutation.isPending} onClick={start}>
            {text('imports.split')}
          </Button>
        }
      >
        {text('imports.severalApps', { column, file: file?.name ?? '' })}
      </Note>
      {mutation.isPending ? <Progress value={Math.round(sent * 100)} max={100} label={text('imports.splitting')} /> : null}
      {mutation.error === null ? null : <Wrong error={mutation.error} />}
    </>
  );
}

function Outcomes({ outcomes }: { outcomes: readonly AppOutcome[] }) {
  return (
    <Table
      label={text('imports.splitDone')}
      rows={outcomes}
      rowKey={({ app }) => app}
      columns={(column) => [
        column('app', text('imports.splitDone'), ({ app, sync }) =>
          sync?.appId ? (
            <Link to="/apps/$app/$tab" params={{ app: sync.appId, tab: 'entitlements' }}>
              <Name>{app}</Name>
            </Link>
          ) : (
            <Name>{app}</Name>
          ),
        ),
        column('outcome', text('imports.outcomeOf'), ({ sync, error }) =>
          sync === undefined ? (
            <Name>{error}</Name>
          ) : (
            <Delta plus={count(sync.added)} changed={count(sync.changed)} minus={count(sync.removed)} />
          ),
        ),
      ]}
    />
  );
}
