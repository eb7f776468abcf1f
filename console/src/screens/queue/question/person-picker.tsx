/** Finds somebody whom the policy lets a task go to: a name is written, and one of those found is chosen. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { askedWords, foldForSearch, searchWords } from '~/data/name-key.ts';
import { type Candidate, searchPeople } from '~/data/queue/reassign.ts';
import { Failed } from '~/parts/states/failed.tsx';
import { RadioGroup } from '~/parts/controls/radio-group.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { text } from '~/text/text.ts';

interface PersonPickerProps {
  readonly taskId: string;
  readonly value: Candidate | undefined;
  readonly onChange: (person: Candidate | undefined) => void;
  readonly error: string | undefined;
  /** Searches nothing for now. */
  readonly isPaused: boolean;
}

const most = 6;

export function PersonPicker({ taskId, value, onChange, error, isPaused }: PersonPickerProps) {
  const [words, setWords] = useState('');
  const [wanted, setWanted] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setWanted(words.trim()), 150);
    return () => clearTimeout(timer);
  }, [words]);
  const query = useQuery({
    queryKey: ['reassignees', taskId, wanted],
    queryFn: ({ signal }) => searchPeople(taskId, wanted, signal),
    placeholderData: keepPreviousData,
    enabled: !isPaused,
  });
  // Of those that were found for other words only who fits these: a key that follows at once chooses nobody else.
  const isBehind = query.isPlaceholderData || wanted !== words.trim();
  const asked = searchWords(askedWords(words));
  const fits = ({ label, hint }: Candidate): boolean => {
    const names = foldForSearch(`${label} ${hint}`);
    return asked.every((word) => names.includes(word));
  };
  const found = (query.data ?? []).filter((one) => !isBehind || fits(one)).slice(0, most);
  // Whoever is chosen stays in sight, whatever is searched for, or does not come, since.
  const shown = value === undefined || found.some(({ id }) => id === value.id) ? found : [value, ...found];
  return (
    <>
      <TextField
        label={text('queue.passTo')}
        value={words}
        onChange={setWords}
        placeholder={text('queue.passToHint')}
        error={error}
        autoFocus
      />
      {query.error ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
      {query.data !== undefined && !isBehind && found.length === 0 ? <p>{text('queue.nobodyFound')}</p> : null}
      {shown.length === 0 ? null : (
        <RadioGroup
          label={text('queue.passTo')}
          hideLabel
          value={value?.id}
          onChange={(id) => onChange(shown.find((one) => one.id === id))}
          options={shown.map(({ id, label, hint }) => ({ value: id, label, hint }))}
        />
      )}
    </>
  );
}
