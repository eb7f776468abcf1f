/** Options found for what is being written in a field. */
import { useLatest } from './use-latest.ts';

/** Something that can be chosen. */
export interface Option {
  readonly id: string;
  readonly label: string;
  /** A second line, such as a person's title. */
  readonly hint?: string | undefined;
}

const nothing: readonly Option[] = [];

/** The options for a text; undefined asks for nothing. Those of before stay until others come. */
export function useOptions(
  search: (text: string, signal: AbortSignal) => Promise<readonly Option[]>,
  written: string | undefined,
): { options: readonly Option[]; state: 'idle' | 'coming' | 'here' | 'failed' } {
  const { value, state } = useLatest(written?.trim(), search);
  return { options: value ?? nothing, state };
}
