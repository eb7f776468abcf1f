/** A name in one line. Where it is too long its middle is cut, since names that begin alike differ at their ends; the whole one is its title. */
import styles from './cut-name.module.css';

/** A name up to so many characters is cut at its end. */
const longest = 16;
/** Characters of the end that always stay. */
const kept = 8;

const segments = new Intl.Segmenter();

export function CutName({ children = '' }: { children: string | undefined }) {
  if (children.length <= longest) {
    return <span className={styles.name}>{children}</span>;
  }
  // No more is taken apart than where it is parted.
  const signs = [...segments.segment(children.slice(-kept * 4))].map(({ segment }) => segment);
  const end = signs.slice(-kept).join('');
  return (
    <span className={styles.name} title={children} dir="auto">
      <span className={styles.start}>{children.slice(0, children.length - end.length)}</span>
      <span className={styles.end}>{end}</span>
    </span>
  );
}
