/** A file that names the app of each row: pointed out, with the way to give each app its rows, and what came of each. */
import { Link } from '@tanstack/react-router';
import { Delta } from '../../app/delta.tsx';
import { count } from '../../data/inventory.ts';
import { SplitError } from '../../data/split-apps.ts';
import { Button } from '../../parts/button.tsx';
import { Name } from '../../parts/name.tsx';
import { Note } from '../../parts/note.tsx';
import { Progress } from '../../parts/progress.tsx';
import { Table } from '../../parts/table.tsx';
import { text } from '../../text/text.ts';
import { asTexts } from './mapping.ts';
import type { ImportState } from './use-import.ts';
import { type AppOutcome, useSplit } from './use-split.ts';

export function SeveralApps({ state, column }: { state: ImportState; column: string }) {
  const { mutation, progress } = useSplit();
  const found = state.inspection.data;
  const file = state.file?.content;
  // An Excel file is not read here; the command line splits it.
  const canSplit = found?.format === 'CSV' && found.reading !== undefined && file !== undefined;
  const start = () => {
    if (file !== undefined) {
      const { encoding = 'UTF-8', separator = 'comma', headerLine = '1' } = found?.reading ?? {};
      const form = { encoding, separator, headerLine: Number(headerLine) };
      mutation.mutate({ file, form, column, map: state.hasChosen ? asTexts(state.mapping) : [] });
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
          canSplit ? (
            <Button busy={mutation.isPending} onClick={start}>
              {text('imports.split')}
            </Button>
          ) : undefined
        }
      >
        {text(canSplit ? 'imports.severalApps' : 'imports.severalAppsElsewhere', { column, file: file?.name ?? '' })}
      </Note>
      {mutation.isPending ? <Progress value={progress.done} max={Math.max(1, progress.of)} label={text('imports.splitting')} /> : null}
      {mutation.error === null ? null : <Note kind="fault">{sayWhy(mutation.error)}</Note>}
    </>
  );
}

function sayWhy(error: Error): string {
  return !(error instanceof SplitError)
    ? error.message
    : error.kind === 'rows'
      ? text('imports.splitRows', { lines: error.lines.join(', ') })
      : text('imports.splitNot');
}

function Outcomes({ outcomes }: { outcomes: readonly AppOutcome[] }) {
  return (
    <Table
      label={text('imports.splitDone')}
      rows={outcomes}
      rowKey={({ app }) => app}
      columns={[
        {
          id: 'app',
          head: text('imports.splitDone'),
          cell: ({ app, sync }) =>
            sync?.appId ? (
              <Link to={`/apps/${sync.appId}/entitlements` as string}>
                <Name>{app}</Name>
              </Link>
            ) : (
              <Name>{app}</Name>
            ),
        },
        {
          id: 'outcome',
          head: text('imports.outcomeOf'),
          cell: ({ sync, error }) =>
            sync === undefined ? (
              <Name>{error}</Name>
            ) : (
              <Delta plus={count(sync.added)} changed={count(sync.changed)} minus={count(sync.removed)} />
            ),
        },
      ]}
    />
  );
}
