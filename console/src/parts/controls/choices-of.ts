/** Choices out of a table over an enum of the contract. */
import { type PlainTextKey, text } from '~/text/text.ts';

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
