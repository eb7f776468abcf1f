/** Amounts a file gives, takes away, changes and leaves as it is. */
import { count, type Sync } from '~/data/inventory/inventory.ts';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from '~/screens/imports/imports.module.css';

export function Figures({ sync }: { sync: Sync }) {
  const isPeople = sync.kind === 'IMPORT_KIND_PEOPLE';
  const disputed = sync.counts?.people?.disputed;
  const figures = [
    { key: 'added', sign: '+', word: isPeople ? text('imports.peopleAdded') : text('imports.added'), value: sync.added, tone: styles.plus },
    {
      key: 'removed',
      sign: '−',
      word: isPeople ? text('imports.peopleRemoved') : text('imports.removed'),
      value: sync.removed,
      tone: styles.minus,
    },
    { key: 'changed', sign: '', word: text('imports.changed'), value: sync.changed, tone: undefined },
    { key: 'same', sign: '', word: text('imports.same'), value: sync.unchanged, tone: styles.quiet },
    ...(count(disputed) === 0 ? [] : [{ key: 'disputed', sign: '', word: text('imports.disputed'), value: disputed, tone: styles.minus }]),
  ];
  return (
    <dl className={styles.figures}>
      {figures.map(({ key, sign, word, value, tone }) => (
        <div key={key}>
          <dt>{word}</dt>
          <dd className={count(value) === 0 ? styles.quiet : tone}>{`${count(value) === 0 ? '' : sign}${number(count(value))}`}</dd>
        </div>
      ))}
    </dl>
  );
}
