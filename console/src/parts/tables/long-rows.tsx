/** The rows of a long table that are in sight, and the one with the focus. Paper gets all of them. */
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type Ref, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import styles from './table.module.css';

interface LongRowsProps {
  readonly ids: readonly string[];
  readonly columns: number;
  /** All rows, as paper gets them. */
  readonly whole: ReactNode;
  readonly draw: (index: number, ref: Ref<HTMLTableRowElement>) => ReactNode;
  readonly onStart: () => void;
}

/** A row of two lines, in pixels; each is measured once it is drawn. */
const usualHeight = 53;

export function LongRows({ ids, columns, whole, draw, onStart }: LongRowsProps) {
  const begin = useRef<HTMLTableRowElement>(null);
  const [top, setTop] = useState(0);
  const [focused, setFocused] = useState(-1);
  const isPrinted = usePrinting();
  const start = useRef(onStart);
  useLayoutEffect(() => start.current(), []);
  useLayoutEffect(() => {
    setTop(Math.round((begin.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
  });
  const virtual = useWindowVirtualizer({
    count: ids.length,
    estimateSize: () => usualHeight,
    getItemKey: (index) => ids[index] ?? index,
    overscan: 12,
    scrollMargin: top,
    useFlushSync: false,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return focused < 0 || focused >= ids.length || shown.includes(focused)
        ? shown
        : [...shown, focused].sort((one, other) => one - other);
    },
  });
  useEffect(() => {
    const body = begin.current?.parentElement;
    const note = (event: FocusEvent) =>
      setFocused(Number((event.target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset['index'] ?? -1));
    const forget = () => setFocused(-1);
    body?.addEventListener('focusin', note);
    body?.addEventListener('focusout', forget);
    return () => {
      body?.removeEventListener('focusin', note);
      body?.removeEventListener('focusout', forget);
    };
  }, []);
  const items = isPrinted ? [] : virtual.getVirtualItems();
  let end = top;
  return (
    <>
      <Space innerRef={begin} columns={columns} height={0} />
      {isPrinted ? whole : null}
      {items.flatMap(({ index, key, start: from, end: to }) => {
        const gap = from - end;
        end = to;
        return [gap > 0 ? <Space key={`before ${key}`} columns={columns} height={gap} /> : null, draw(index, virtual.measureElement)];
      })}
      {isPrinted ? null : <Space columns={columns} height={Math.max(0, virtual.getTotalSize() + top - end)} />}
    </>
  );
}

/** The room of rows that are not drawn. */
function Space({ columns, height, innerRef }: { columns: number; height: number; innerRef?: Ref<HTMLTableRowElement> }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
    <tr ref={innerRef} aria-hidden="true" className={styles.space}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

/** True while the page is printed. */
function usePrinting(): boolean {
  const [isPrinted, setPrinted] = useState(false);
  useEffect(() => {
    const before = () => flushSync(() => setPrinted(true));
    const after = () => setPrinted(false);
    window.addEventListener('beforeprint', before);
    window.addEventListener('afterprint', after);
    return () => {
      window.removeEventListener('beforeprint', before);
      window.removeEventListener('afterprint', after);
    };
  }, []);
  return isPrinted;
}
