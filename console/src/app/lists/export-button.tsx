/** Makes a file of a list, and says how far it is. */
import { useState } from 'react';
import { errorMessage } from '~/data/act.ts';
import { Button } from '~/parts/controls/button.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';

interface ExportButtonProps {
  /** Format of the file; CSV where it is not said. */
  readonly format?: 'CSV' | 'JSON' | undefined;
  readonly run: (onRows: (count: number) => void) => Promise<void>;
}

export function ExportButton({ format = 'CSV', run }: ExportButtonProps) {
  const [count, setCount] = useState<number>();
  const start = async (): Promise<void> => {
    setCount(0);
    try {
      await run(setCount);
    } catch (error) {
      toast(errorMessage(error as Error));
    }
    setCount(undefined);
  };
  return (
    <Button icon="download" busy={count !== undefined} onClick={() => void start()}>
      {count === undefined ? text('events.export', { format }) : text('events.exporting', { count })}
    </Button>
  );
}
