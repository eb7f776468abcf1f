/** Takes a file: dropped here, or anywhere on the page, or chosen. Only one; of several the first. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './file-drop.module.css';
import { text } from '~/text/text.ts';
import { Icon } from '~/parts/words/icon.tsx';

interface FileDropProps {
  readonly onFile: (file: File) => void;
  readonly label: string;
  readonly hint?: ReactNode;
  /** The kinds of files that the browser offers, as `.csv,.xlsx`. */
  readonly accept?: string | undefined;
  /** A file that is dropped beside it is taken, too: for the one place on a page that takes files. */
  readonly anywhere?: boolean | undefined;
}

export function FileDrop({ onFile, label, hint, accept, anywhere = false }: FileDropProps) {
  const [isOver, setOver] = useState(false);
  const [isFolder, setFolder] = useState(false);
  const take = (files: FileList | null, items?: DataTransferItemList): void => {
    const file = files?.[0];
    const isDirectory = items?.[0]?.webkitGetAsEntry?.()?.isDirectory === true;
    setFolder(isDirectory);
    if (file !== undefined && !isDirectory) {
      onFile(file);
    }
  };
  const latest = useRef(take);
  latest.current = take;
  const over = (event: { preventDefault(): void }): void => {
    event.preventDefault();
    setOver(true);
  };
  const leave = (): void => setOver(false);
  useEffect(() => {
    if (!anywhere) {
      return undefined;
    }
    const around = new AbortController();
    const { signal } = around;
    const enter = (event: DragEvent): void => {
      // Words that are dragged about are none of its business.
      if (event.dataTransfer?.types.includes('Files') === true) {
        event.preventDefault();
        setOver(true);
      }
    };
    window.addEventListener('dragover', enter, { signal });
    window.addEventListener('dragleave', (event) => (event.relatedTarget === null ? setOver(false) : undefined), { signal });
    window.addEventListener(
      'drop',
      (event) => {
        // The area itself has taken it.
        if (!event.defaultPrevented && event.dataTransfer !== null && event.dataTransfer.files.length > 0) {
          event.preventDefault();
          setOver(false);
          latest.current(event.dataTransfer.files, event.dataTransfer.items);
        }
      },
      { signal },
    );
    return () => around.abort();
  }, [anywhere]);
  return (
    <label
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={leave}
      onDrop={(event) => {
        event.preventDefault();
        leave();
        take(event.dataTransfer.files, event.dataTransfer.items);
      }}
    >
      <Icon name="upload" size={24} />
      <span className={styles.words}>
        <strong>{label}</strong>
        {isFolder ? <small role="alert">{text('parts.folder')}</small> : hint === undefined ? null : <small>{hint}</small>}
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
