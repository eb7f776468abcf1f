/**
 * What a sample request of an operation is; the samples themselves are in the files beside this one, the operations in ../operations.ts.
 */
import type { TestPerson } from '../server.ts';
import type { World } from '../world.ts';

/** A request: path parameters by their names, and the other fields, in the query or the body as the contract says. */
export interface Sample {
  readonly path?: Readonly<Record<string, string>>;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The body of a streamed operation. */
  readonly file?: string;
}

/** Makes a good request of one operation; what it destroys was made for it. */
export type MakeSample = (world: World, person: TestPerson) => Sample | Promise<Sample>;
