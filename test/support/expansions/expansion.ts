/**
 * Facts a test needs of an operation that expands: what each path brings, and which path field of its view then points there. The operations are in
 * the files beside this one; which there are, and which path fields they have, is read from the contract.
 */
import type { Filled } from '../filters/filled.ts';
import type { Sample } from '../samples/sample.ts';

/** Result of one path of an expand mask. */
export interface Target {
  /** The message, without c1.api: app.v1.App. */
  readonly type: string;
  /** Keys of the objects, all of them. */
  readonly ids: readonly string[];
  /** The path field that points at them, from the view on; absent where none does. */
  readonly points?: string;
}

/** An operation that expands. */
export interface Expansion {
  readonly operation: string;
  /** A request about one thing; each label makes another where it makes something. */
  readonly make: (filled: Filled, label: string) => Sample | Promise<Sample>;
  /** Place in the reply of the view, or the list of them. */
  readonly view: string;
  readonly targets: (filled: Filled) => Readonly<Record<string, Target>>;
  /** Path fields that never point anywhere, each with the reason. */
  readonly never?: Readonly<Record<string, string>>;
}

/** The targets that most have. */
export const app = (id: string, points = 'appPath'): Target => ({ type: 'app.v1.App', ids: [id], points });
/** A user. */
export const user = (id: string, points: string): Target => ({ type: 'user.v1.User', ids: [id], points });
/** An account. */
export const account = (id: string, points: string): Target => ({ type: 'app.v1.AppUser', ids: [id], points });
/** An entitlement. */
export const entitlement = (id: string, points: string): Target => ({ type: 'app.v1.AppEntitlement', ids: [id], points });
/** A resource type. */
export const type = (id: string, points: string): Target => ({ type: 'app.v1.AppResourceType', ids: [id], points });
/** A resource. */
export const resource = (id: string, points: string): Target => ({ type: 'app.v1.AppResource', ids: [id], points });
/** A policy. */
export const policy = (id: string, points: string): Target => ({ type: 'policy.v1.Policy', ids: [id], points });
