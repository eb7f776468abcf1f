/** Interface of fetchers: what the module asks another system through, and what it gets. A fetcher knows no database of ours. */
import type { DescMessage } from '@bufbuild/protobuf';
import type { FieldViolation } from '../../../errors.ts';
import type { OutgoingRules } from '../../../lib/outgoing.ts';
import type { NoteStep } from '../../../lib/tables/fetch-steps.ts';
import type { FetchedFacts, FetchedTable } from '../../../lib/tables/fetched-table.ts';
import type { JsonOf } from '../../../wire/row.ts';

/** Kind of a source that fetches by itself, among all that sources have. */
export type FetchedKind = 'FOLDER' | 'HTTPS' | 'S3' | 'SQL' | 'LDAP' | 'BATON' | 'ENTRA';

/** Parts of the installation that fetchers may use. */
export interface Installation {
  /** Folder with a folder for each tenant, named by its host; undefined where the operator gives none. */
  readonly importDir: string | undefined;
  /** Milliseconds between the two looks at a file that has to be the same in both. */
  readonly settleMs: number;
  /** Places that the process may connect to. */
  readonly outgoing: OutgoingRules;
}

/** Settings of a kind in the fixed form of their message `D`: every member is there. */
export type Settings<D extends DescMessage = DescMessage> = Required<JsonOf<D>>;

/** Wish for a fetch. */
export interface Asked<D extends DescMessage = DescMessage> {
  readonly settings: Settings<D>;
  /** By their names. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Reads the secrets anew, for what is shorter lived than a fetch. */
  readonly readSecrets: () => Promise<Readonly<Record<string, string>>>;
  readonly installation: Installation;
  /** True if the app of the source is a directory, so that it may have people. */
  readonly isDirectory: boolean;
  /** True if settings are tried out: the first rows are enough. */
  readonly isTrial?: boolean;
  /** Host of the tenant, without its port. */
  readonly host: string;
  /** Mark of what was taken last; '' where nothing was. */
  readonly lastMark: string;
  /** Zone of times that have none; '' where nobody said one. */
  readonly zone: string;
  readonly clock: () => Date;
  /** Aborted when the fetch is not wanted any more. */
  readonly signal: AbortSignal;
  /** Takes the steps on the way, where settings are tried out. */
  readonly noteStep?: NoteStep | undefined;
}

/** A file as it is, to be read as an upload is. */
export interface FetchedFile {
  readonly kind: 'PEOPLE' | 'GRANTS';
  readonly sheet: string;
  /** As in Content-Encoding: gzip, or '' for none. */
  readonly encoding: string;
  /** To be read once. */
  readonly pieces: AsyncIterable<Buffer>;
}

/** Facts of a fetch, and what only some kinds know. */
export interface Facts extends FetchedFacts {
  /** Rows that the file must have, by its manifest. */
  readonly rows?: number | undefined;
  /** True if it turned out at the end that the place holds what it held. */
  readonly isUnchanged?: boolean;
}

/** Contents of the place: a file, or tables, people before grants. */
export interface FoundContents {
  /** Says what the place held, so that the same is recognised; to be asked once the contents were read. */
  readonly mark: string;
  readonly contents: readonly (FetchedFile | FetchedTable)[];
  /** Known once the contents were read to their ends; throws where they are not what they should be. */
  facts(): Facts | Promise<Facts>;
  /** Gives up connections and files; called whatever happens. */
  close?(): void | Promise<void>;
}

/** Outcome of a look at the place: nothing new, or its contents. */
export type Fetched = { readonly isUnchanged: true } | FoundContents;

/**
 * Kind of fetcher. Opening and reading throws a FetchFault, or an AppError that says what failed: INVALID_ARGUMENT and FAILED_PRECONDITION where another try would meet the same,
 * CONFLICT where a file was half there, anything else is tried again.
 */
export interface Fetcher<D extends DescMessage = DescMessage> {
  readonly kind: FetchedKind;
  /** Message of its settings; its type is what a client names as `@type`. */
  readonly settings: D;
  /** Lists what is wrong with settings; fields are named as the message has them. A method, as `open` is, so that fetchers of all kinds are in one list. */
  check(settings: Settings<D>): FieldViolation[];
  /** Absent where somebody else brings what the place holds: a connector does. */
  open?(asked: Asked<D>): Promise<Fetched>;
}
