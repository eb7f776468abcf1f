/** A short text in Markdown as elements: headings, lists, paragraphs, bold and code. Nothing of it becomes markup otherwise. */
import type { ReactNode } from 'react';
import styles from './markdown.module.css';

/** Bold and code within a line. */
function inline(line: string): ReactNode[] {
  return line.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part, place) => {
    const key = `${place} ${part}`;
    if (part.startsWith('**') && part.length > 4) {
      return <b key={key}>{part.slice(2, -2)}</b>;
    }
    return part.startsWith('`') && part.length > 2 ? <code key={key}>{part.slice(1, -1)}</code> : part;
  });
}

/** Blocks of lines: those of a list together, each other one by itself. */
function blocksOf(source: string): (readonly string[] | string)[] {
  const blocks: (string[] | string)[] = [];
  for (const line of source.split('\n').map((one) => one.trim())) {
    const last = blocks.at(-1);
    const item = /^[-*] (.*)$/.exec(line)?.[1];
    if (item !== undefined && Array.isArray(last)) {
      last.push(item);
    } else if (item !== undefined) {
      blocks.push([item]);
    } else if (line !== '') {
      blocks.push(line);
    }
  }
  return blocks;
}

export function Markdown({ source }: { source: string }) {
  return (
    <div className={styles.markdown}>
      {blocksOf(source).map((block, place) => {
        const key = `${place}`;
        if (typeof block !== 'string') {
          return (
            <ul key={key}>
              {block.map((item) => (
                <li key={item}>{inline(item)}</li>
              ))}
            </ul>
          );
        }
        const heading = /^#+ (.*)$/.exec(block)?.[1];
        return heading === undefined ? (
          <p key={key}>{inline(block)}</p>
        ) : (
          <p key={key} className={styles.heading}>
            {inline(heading)}
          </p>
        );
      })}
    </div>
  );
}
