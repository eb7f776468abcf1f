/** A field for a few sentences below the question. Control and Enter send what is in it. */
import { TextArea } from '~/parts/fields/text-area.tsx';

interface WordsFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly error: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onSend: () => void;
}

export function WordsField({ onSend, ...field }: WordsFieldProps) {
  return (
    <TextArea
      {...field}
      autoFocus
      maxLength={10_000}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          event.stopPropagation();
          onSend();
        }
      }}
    />
  );
}
