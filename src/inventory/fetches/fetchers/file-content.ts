/** A file that a fetcher found, as contents of a fetch, wherever it lies: a table as it is, or the file of a connector, which says more of itself. */
import { AppError } from '../../../errors.ts';
import { type OpenC1z, openC1z } from '../../../lib/c1z/open-c1z.ts';
import { peekBytes } from '../../../lib/tables/text-encoding.ts';
import { createFileCheck, type Manifest } from './manifest.ts';
import type { Facts, FoundContents } from './types.ts';

/** A file that was found. */
export interface FoundFile {
  /** To be read once. */
  readonly pieces: AsyncIterable<Buffer>;
  /** As in Content-Encoding: gzip, or '' for what its first bytes say. */
  readonly encoding: string;
  readonly manifest: Manifest | undefined;
  readonly settings: { readonly isPeople: boolean; readonly sheet: string };
  /** Zone of the times in the file of a connector; '' where it is unknown. */
  readonly zone: string;
  /** The moment at which the place was asked. */
  readonly begun: Date;
  /** The moment that the place says the file is of; undefined where it does not say. */
  readonly saidAt: Date | undefined;
  /** Looks at the place again once the file was read to its end; throws where it is another by then. */
  lookAgain(): void | Promise<void>;
}

/** Contents of a fetch that come from a file. */
export interface FileContents extends Pick<FoundContents, 'contents'> {
  facts(): Promise<Facts>;
  /** SHA-256 in hex; '' before the file was read to its end. */
  sha256(): string;
  close(): Promise<void>;
}

const c1zMark = Buffer.from('C1ZF\0', 'latin1');
/** Begins a file that is refused with advice. */
const newC1zMark = Buffer.from('C1Z3\0', 'latin1');

/** Opens a file: the file of a connector is known by its first bytes. */
export async function openFile(file: FoundFile): Promise<FileContents> {
  const { encoding, manifest, settings, zone, begun, saidAt, lookAgain } = file;
  const { isPeople, sheet } = settings;
  const checked = createFileCheck(file.pieces, manifest);
  const { head, all } = await peekBytes(checked.pieces, c1zMark.length);
  const isC1z = [c1zMark, newC1zMark].some((mark) => head.subarray(0, mark.length).equals(mark));
  let opened: OpenC1z | undefined;
  if (isC1z && isPeople) {
    await checked.pieces.return();
    throw new AppError('FAILED_PRECONDITION', 'The file is one of a connector, which has grants. Make a source of grants for it.');
  }
  if (isC1z) {
    opened = await openC1z(all, { zone: zone === '' ? undefined : zone });
  }
  return {
    contents: [opened?.table ?? { kind: isPeople ? 'PEOPLE' : 'GRANTS', sheet, encoding, pieces: all }],
    sha256: checked.sha256,
    async facts() {
      checked.verify();
      await lookAgain();
      const said = opened?.facts() ?? { observedFrom: begun, incompleteReason: '', warnings: [] };
      const times = [begun, said.observedFrom, manifest?.exportedAt ?? saidAt ?? begun];
      return {
        ...said,
        observedFrom: new Date(Math.min(...times.map((time) => time.getTime()))),
        // A connector's file has rows of several kinds.
        rows: opened === undefined ? manifest?.rows : undefined,
      };
    },
    async close() {
      await opened?.close();
      await checked.pieces.return();
    },
  };
}
