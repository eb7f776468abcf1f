/** Tables over the enums of the contract. */
import { type PlainTextKey, text } from './text.ts';

/**
 * Something for each value of an enum: a value that is new in the contract, or gone from it, does not compile until its tables follow. Nothing has to stand
 * for the value that says nothing, which is found as undefined, as '' is.
 */
export type ByValue<E extends string | undefined, T> = Readonly<
  Record<Exclude<NonNullable<E>, `${string}_UNSPECIFIED`>, T> & Partial<Record<NonNullable<E> | '', T>>
>;

interface NamedChoice<V extends string> {
  readonly value: V;
  readonly label: string;
  readonly hint?: string;
}

/** Lists choices of a select or of radio buttons: the values of a table in its order, each with its name, and with a hint of another table. */
export function choicesOf<V extends string>(
  names: Readonly<Partial<Record<V, PlainTextKey>>>,
  hints?: Readonly<Partial<Record<NoInfer<V>, PlainTextKey>>>,
): NamedChoice<Exclude<V, ''>>[] {
  return (Object.entries(names) as [Exclude<V, ''>, PlainTextKey][]).map(([value, label]) => {
    const hint = hints?.[value];
    return { value, label: text(label), ...(hint && { hint: text(hint) }) };
  });
}
