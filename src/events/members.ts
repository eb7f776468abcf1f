/** Members of an event's data, at run time for documents and schemas, and as types for those who write and read events. */

declare const value: unique symbol;
declare const presence: unique symbol;

/** One member of an event's data: its name in documents, and its type. */
export interface Member<T, Presence extends 'always' | 'maybe' = 'always'> {
  readonly name: string;
  readonly isOptional: boolean;
  readonly [value]?: T;
  readonly [presence]?: Presence;
}

/** The members of some data by name. */
export type Members = Readonly<Record<string, Member<unknown, 'always' | 'maybe'>>>;

type OptionalNames<M extends Members> = { [K in keyof M]: M[K] extends Member<unknown, 'always'> ? never : K }[keyof M];
type ValueOf<M> = M extends Member<infer T, 'always' | 'maybe'> ? T : never;

/** The type of data with these members. */
export type DataOf<M extends Members> = { readonly [K in Exclude<keyof M, OptionalNames<M>>]: ValueOf<M[K]> } & {
  readonly [K in OptionalNames<M>]?: ValueOf<M[K]> | undefined;
};

const member = <T>(name: string): Member<T> => ({ name, isOptional: false });

/** A text; a time is one, in ISO 8601. */
export const text = member<string>('text');
/** A whole number. */
export const whole = member<number>('number');
export const flag = member<boolean>('boolean');
export const texts = member<readonly string[]>('list of texts');
export const wholes = member<readonly number[]>('list of numbers');
/** An object whose members are not listed here, such as a document of the API. */
export const record = member<object>('object');
export const records = member<readonly object[]>('list of objects');
/** How many there are of each of something. */
export const counts = member<Readonly<Record<string, number>>>('numbers by name');
/** Any JSON value. */
export const json = member<unknown>('JSON');

/** An object with these members. */
export function group<const M extends Members>(members: M): Member<DataOf<M>> {
  return member(`{ ${describeMembers(members)} }`);
}

/** A list of objects with these members. */
export function groups<const M extends Members>(members: M): Member<readonly DataOf<M>[]> {
  return member(`list of { ${describeMembers(members)} }`);
}

/** The same, or null. */
export function orNull<T>({ name }: Member<T>): Member<T | null> {
  return member(`${name} or null`);
}

/** The same, or not there. */
export function maybe<T>({ name }: Member<T>): Member<T, 'maybe'> {
  return { name, isOptional: true };
}

/** Members as documents write them: `appId: text, revision?: number`. */
export function describeMembers(members: Members): string {
  return Object.entries(members)
    .map(([key, { name, isOptional }]) => `${key}${isOptional ? '?' : ''}: ${name}`)
    .join(', ');
}
