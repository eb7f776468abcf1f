/**
 * A sample request of an operation, and what the files beside this one export; load-samples.ts finds them by themselves. The operations are in
 * ../operations.ts.
 */
import type { Kind } from '../kinds/kind.ts';
import type { TestPerson } from '../server.ts';
import type { World } from '../world.ts';

/** A request: path parameters by their names, and the other fields, in the query or the body as the contract says. */
export interface Sample {
  readonly path?: Readonly<Record<string, string>>;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The body of a streamed operation. */
  readonly file?: string | Uint8Array;
}

/** Makes a good request of one operation; what it destroys was made for it. */
export type MakeSample = (world: World, person: TestPerson) => Sample | Promise<Sample>;

/** Exports of a file here: all that the tests of every operation must know of some of them. */
export interface SampleFile {
  /** By the name of the operation, which is service and method: AppNoteService.list. */
  readonly samples: Readonly<Record<string, MakeSample>>;
  /** Operations that answer 400 whatever there is here, because nothing they act on exists: the state refuses them. */
  readonly refused?: readonly string[];
  /** The kinds of things they make, list and delete, which lifecycle.test.ts takes through their lives. */
  readonly kinds?: readonly Kind[];
  /** Makes eleven rows at least of each list that has none in a World, so that there is more than one page. */
  readonly fill?: (world: World) => Promise<void>;
}
