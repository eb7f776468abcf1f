/** Tables over the enums of the contract, for clients of every kind. */

/**
 * Something for each value of an enum: a value that is new in the contract, or gone from it, does not compile until its tables follow. Nothing has to stand
 * for the value that says nothing, which is found as undefined, as '' is.
 */
export type ByValue<E extends string | undefined, T> = Readonly<
  Record<Exclude<NonNullable<E>, `${string}_UNSPECIFIED`>, T> & Partial<Record<NonNullable<E> | '', T>>
>;
