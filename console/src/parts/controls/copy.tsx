/** Takes a value to the clipboard, and says that it did. With `shown` the value stands beside the button, under its label. */
import { useEffect, useState } from 'react';
import { text } from '~/text/text.ts';
import { Button } from './button.tsx';
import styles from './copy.module.css';

interface CopyProps {
  readonly value: string;
  /** Name of the value. */
  readonly label: string;
  readonly shown?: boolean | undefined;
}

export function Copy({ value, label, shown = false }: CopyProps) {
  const [copied, setCopied] = useState<string>();
  const isCopied = copied === value;
  useEffect(() => {
    const timer = isCopied && !shown ? setTimeout(() => setCopied(undefined), 3000) : undefined;
    return () => clearTimeout(timer);
  }, [isCopied, shown]);
  const button = (
    <Button
      icon={isCopied ? 'check' : 'copy'}
      aria-label={isCopied ? text('parts.copiedWhat', { what: label }) : text('parts.copyWhat', { what: label })}
      onClick={() => void copy(value).then((done) => setCopied(done ? value : undefined))}
    >
      {text(isCopied ? 'parts.copied' : 'parts.copy')}
    </Button>
  );
  return shown ? (
    <div className={styles.box}>
      <span className={styles.label}>{label}</span>
      <div className={styles.value} data-copied={isCopied || undefined}>
        <code>{value}</code>
        {button}
      </div>
    </div>
  ) : (
    button
  );
}

/** True if it is in the clipboard now. A page without TLS has no clipboard of its own: there it goes by a selection. */
async function copy(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = value;
    (document.activeElement?.parentElement ?? document.body).append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
