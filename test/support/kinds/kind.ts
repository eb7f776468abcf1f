/**
 * Facts a test needs of a kind of thing that clients make, to take it through its whole life; what it is made of is read from the contract. The
 * kinds themselves are in the files beside this one.
 */
import type { JsonValue } from '@bufbuild/protobuf';
import type { Loose } from '../api.ts';
import type { Sample } from '../samples/sample.ts';
import type { Stage } from '../stage.ts';

/** Way to change a kind. */
export interface Change {
  readonly operation: string;
  /** The member of the request that holds the thing. */
  readonly member: string;
  /** Values by mask path, where just any text or number is none. */
  readonly values?: (stage: Stage) => Readonly<Record<string, JsonValue>>;
  /** Members that the contract leaves to clients and we do not, each with the reason: naming one in a mask is 400. */
  readonly refused?: Readonly<Record<string, string>>;
  /** Members that change with another one. */
  readonly follows?: Readonly<Record<string, readonly string[]>>;
  /** Members that any change changes. */
  readonly always?: readonly string[];
  /** Further needs of the thing, for `*` and for changes of nothing else: a name. */
  readonly required?: (stage: Stage, label: string) => Readonly<Record<string, JsonValue>>;
  /** Values where a client that replaces everything says nothing, if not the default of the type. */
  readonly defaults?: Readonly<Record<string, JsonValue>>;
}

/** A kind of thing that clients make. */
export interface Kind {
  readonly name: string;
  /** Place in replies: app, appEntitlementView.appEntitlement. */
  readonly at: string;
  /** Place in rows of lists; the row itself where absent. */
  readonly row?: string;
  /** Place in rows of searches, if elsewhere. */
  readonly found?: string;
  readonly create: string;
  /** A good request; each label makes another thing. */
  readonly make: (stage: Stage, label: string) => Sample | Promise<Sample>;
  /** Member to know it by; `id` where absent. */
  readonly key?: string;
  /** All parameters that paths to it, to its list and to what is done with it have. */
  readonly path: (stage: Stage, thing: Loose) => Readonly<Record<string, string>>;
  readonly get?: string;
  readonly lists: readonly string[];
  /** Searches, each with filters that find this thing. */
  readonly searches?: Readonly<Record<string, (thing: Loose) => Readonly<Record<string, unknown>>>>;
  readonly change?: Change;
  readonly remove: string;
  /** True if deleted things are still read, with the time of deletion. */
  readonly isTombstoneRead?: true;
  /** Filter that shows what was deleted, as the contract says it may: the search and that filter. */
  readonly tombstone?: readonly [operation: string, filter: string];
}
