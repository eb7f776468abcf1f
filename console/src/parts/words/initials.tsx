/** The first letters of a name in a circle, or in a square for an app. Decoration: the name stands beside it. */
import styles from './initials.module.css';

interface InitialsProps {
  readonly name: string;
  /** In pixels. */
  readonly size?: number | undefined;
  readonly square?: boolean | undefined;
}

export function Initials({ name, size = 24, square = false }: InitialsProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" className={styles.initials} aria-hidden="true">
      {square ? <rect width="24" height="24" rx="5" /> : <circle cx="12" cy="12" r="12" />}
      <text x="12" y="12" dy="0.35em" textAnchor="middle">
        {nameInitials(name)}
      </text>
    </svg>
  );
}

/** Two letters at most: of the first and the last word. */
export function nameInitials(name: string): string {
  const words = name.split(/[\s._@-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
