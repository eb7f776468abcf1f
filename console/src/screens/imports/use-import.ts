/** The state of one import: the file, what it is of, how it is read, and what came of it. */
import { useSend } from '~/data/act.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { announce } from '~/app/announce.ts';
import type { Target } from '~/data/inventory/import-target.ts';
import type { Sync } from '~/data/inventory/inventory.ts';
import { ClientError, queries, read } from '~/data/query.ts';
import { hashFile, inspectFile, isConnectorFile } from '~/data/inventory/upload.ts';
import { text } from '~/text/text.ts';
import { guessKind } from './file/guess-kind.ts';
import { asTexts, foundMapping, type Mapping, withColumn, withSplit } from './file/mapping.ts';
import { readGuard, readTooMuch } from './outcome/refusal.ts';
import { keepMapping } from './keep-mapping.ts';
import { sendImport } from './send-import.ts';
import { sayUnread } from './outcome/say-unread.ts';
import { useChanges } from './outcome/use-changes.ts';

export interface ImportState extends ReturnType<typeof useImport> {}

let files = 0;

export function useImport(initial: Target) {
  const [file, setFile] = useState<
    { readonly number: number; readonly content: File; readonly isC1z: boolean; readonly sha256: string } | undefined
  >();
  const [target, setTarget] = useState(initial);
  const [chosen, setChosen] = useState<Mapping | undefined>();
  const [chosenColumns, setChosenColumns] = useState<ReadonlySet<string>>(new Set());
  const [sheet, setSheet] = useState('');
  /** The line that the names of the columns stand on; 0 where the server finds it. */
  const [headerLine, setHeaderLine] = useState(0);
  const [keep, setKeep] = useState(true);
  const [sent, setSent] = useState(0);
  /** The sentence of the guard that somebody has confirmed; another one asks anew. */
  const [meant, setMeant] = useState('');
  const isC1z = file?.isC1z === true;
  const line: Mapping = headerLine === 0 ? {} : { header_line: String(headerLine) };
  const map = asTexts({ ...chosen, ...line });
  const app = target.kind === 'grants' ? (target.app?.label ?? '') : '';
  const inspection = useQuery({
    queryKey: ['inspect', file?.number, target.kind, app, target.connectorId, sheet, map],
    queryFn: ({ signal }) =>
      inspectFile({ kind: target.kind, sheet, map, connectorId: target.connectorId, app }, file?.content as Blob, signal),
    enabled: file !== undefined && !isC1z,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    placeholderData: (previous, query) => (query?.queryKey[1] === file?.number ? keepPreviousData(previous) : undefined),
  });
  const kept = useQuery({
    ...read('ColumnMappingService.Get', { connectorId: target.connectorId }),
    enabled: file !== undefined && target.connectorId !== '',
  });
  const mapping = chosen ?? (inspection.data === undefined ? {} : foundMapping(inspection.data));
  const asked = { kind: target.kind, isC1z, app, source: target.source, connectorId: target.connectorId, sheet, map };
  const sending = useSend({
    mutationFn: async (allowRemovals: boolean): Promise<Sync> => {
      setSent(0);
      const { import: sync = {} } = await sendImport(asked, { allowRemovals }, file?.content as Blob, setSent);
      if (chosen !== undefined && keep && sync.connectorId) {
        await keepMapping(sync.connectorId, { ...chosen, ...line }, kept.data?.columnMapping);
      }
      return sync;
    },
    onSuccess: async () => {
      announce(text('imports.done'));
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'inspect' && queryKey[0] !== 'dry run' });
    },
    onError: (error) => announce(error instanceof ClientError ? error.message : sayUnread(error)),
  });
  const needsApp = target.kind === 'grants' && app === '';
  const canCompare = !needsApp && (isC1z || inspection.data?.isReady === true);
  const changes = useChanges(file, asked, canCompare && !inspection.isFetching && sending.data === undefined);
  const guardSaid = (readTooMuch(sending.error) ? sending.error?.message : changes.query.data?.pages[0]?.dryRun?.refusal) ?? '';
  const restart = (at = '') => {
    setChosen(undefined);
    setChosenColumns(new Set());
    setSheet(at);
    setHeaderLine(0);
    sending.reset();
  };
  const sheets = inspection.data?.sheets ?? [];
  const nextSheet = sheets[sheets.indexOf(sheet || (sheets[0] ?? '')) + 1];
  return {
    file,
    target,
    setTarget: (next: Target) => {
      setTarget(next);
      if (next.kind !== target.kind) {
        restart();
      }
      sending.reset();
    },
    /** Takes a file; what it is of follows from its columns where nobody said. */
    drop: async (content: File) => {
      restart();
      files += 1;
      const number = files;
      // What cannot be read is said once it is looked at.
      const isOfConnector = await isConnectorFile(content).catch(() => false);
      if (target.app === undefined && target.connectorId === '') {
        const kind = isOfConnector ? 'grants' : await guessKind(content);
        if (kind !== undefined && kind !== target.kind) {
          setTarget({ kind, app: undefined, source: '', connectorId: '' });
        }
      }
      setFile({ number, content, isC1z: isOfConnector, sha256: '' });
      hashFile(content).then(
        (sha256) => setFile((now) => (now?.number === number ? { ...now, sha256 } : now)),
        () => undefined,
      );
    },
    sheet,
    setSheet,
    headerLine,
    /** Says on which line the names of the columns stand: what was chosen of other columns is no more. */
    setHeaderLine: (at: number) => {
      setChosen(undefined);
      setChosenColumns(new Set());
      setHeaderLine(at);
      sending.reset();
    },
    /** How the file is to be read, as requests take it. */
    map,
    keep,
    setKeep,
    inspection,
    mapping,
    chosenColumns,
    setColumn: (column: string, field: string) => {
      setChosen(withColumn(mapping, column, field));
      setChosenColumns(new Set([...chosenColumns, column]));
      sending.reset();
    },
    /** Says whose cells hold several values; empty for none. */
    setSplit: (field: string) => {
      setChosen(withSplit(mapping, field));
      sending.reset();
    },
    /** Sets one entry: a text for all rows, the meaning of a value, the order of dates. */
    setEntry: (name: string, value: string) => {
      setChosen({ ...mapping, [name]: value });
      sending.reset();
    },
    sending,
    sent,
    needsApp,
    canCompare,
    changes,
    /** Reason the server refuses the file, or would. */
    refusal: sending.error ?? changes.query.error,
    /** Refusal by the guard against removals, and whether somebody said that it is meant. */
    tooMuch: guardSaid === '' ? undefined : readGuard(guardSaid),
    isMeant: guardSaid !== '' && meant === guardSaid,
    setMeant: (isMeant: boolean) => setMeant(isMeant ? guardSaid : ''),
    /** The sheet behind the one that was imported; undefined behind the last. */
    nextSheet,
    /** Goes on with that sheet: it is read anew, and its app is asked for. */
    goToNextSheet: () => {
      // Behind the people come those who may do something.
      setTarget({ kind: 'grants', app: undefined, source: '', connectorId: '' });
      restart(nextSheet);
    },
    startAgain: () => {
      restart();
      setFile(undefined);
    },
  };
}
