/** Takes a file: dropped here, or chosen. Only one; of several the first. */
import { type ReactNode, useState } from 'react';
import styles from './file-drop.module.css';
import { Icon } from './icon.tsx';

interface FileDropProps {
  readonly onFile: (file: File) => void;
  readonly label: string;
  readonly hint?: ReactNode;
  /** The kinds of files that the browser offers, as `.csv,.xlsx`. */
  readonly accept?: string | undefined;
}

export function FileDrop({ onFile, label, hint, accept }: FileDropProps) {
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null): void => {
    const file = files?.[0];
    if (file !== undefined) {
      onFile(file);
    }
  };
  return (
    <label
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <Icon name="upload" size={24} />
      <span className={styles.words}>
        <strong>{label}</strong>
        {hint === undefined ? null : <small>{hint}</small>}
      </span>
      <input
        type="file"
        accept={accept}
        onChange={(event) => {
          take(event.target.files);
          // The same file again is a choice, too.
          event.target.value = '';
        }}
      />
    </label>
  );
}
