/** A field that filters a list by words that are in the address. */
import { SearchField } from '~/parts/fields/search-field.tsx';
import { useTyped } from './use-typed.ts';

interface SearchBoxProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  return <SearchField label={label} {...useTyped(value, onChange)} keys="/" />;
}
