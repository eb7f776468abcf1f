/** Progress of the job that makes a bundle, as JSON: the job keeps it between its pieces. */
import { emptySealedZip, type SealedZipState } from '../../lib/zip/sealed-zip.ts';

/** The checkpoint that the events of a bundle lead to. */
export interface BundleLog {
  readonly epoch: number;
  readonly origin: string;
  /** The position of the first leaf of the epoch's tree. */
  readonly base: number;
  readonly size: number;
  readonly note: string;
  /** Positions of the events of no review that this one rests on, in order. */
  readonly grounds: readonly number[];
}

/** Place of a bundle between two members, to come back to. */
export interface BundleMark {
  readonly zip: SealedZipState;
  readonly notes: number;
  readonly member: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** Stages: the members, the hashes and the manifest of them, the seal, and the measure of the whole file. */
export type BundleStage = 'members' | 'manifest' | 'seal' | 'finish';

/** Place of the job. */
export interface BundleCursor extends BundleMark {
  readonly stage: BundleStage;
  /** Behind which line of the open member the next ones are; null where it is not open. */
  readonly after: string | null;
  readonly blocks: number;
  /** Of the log, once its members are reached; null before. */
  readonly log: BundleLog | null;
  /** The position of the review's last event in the bundle; -1 for none. */
  readonly lastPosition: number;
  /** Place before the members of the log, which are written again where the log went on under them. */
  readonly beforeLog: BundleMark | null;
  /** Times they were. */
  readonly repeats: number;
  /** Id of the event that sealed the manifest. */
  readonly sealId: string;
  /** Times the time stamp over the seal was looked for. */
  readonly stampLooks: number;
}

/** The place of a bundle of which nothing is written. */
export const firstCursor: BundleCursor = {
  stage: 'members',
  zip: emptySealedZip,
  notes: 0,
  member: 0,
  counts: {},
  after: null,
  blocks: 0,
  log: null,
  lastPosition: -1,
  beforeLog: null,
  repeats: 0,
  sealId: '',
  stampLooks: 0,
};
