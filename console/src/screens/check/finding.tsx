/** One finding in a line, with the way to set it right. */
import { Link, type LinkOptions } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from '~/parts/words/icon.tsx';
import styles from './check.module.css';

interface FindingProps {
  readonly kind: 'no' | 'warn' | 'ok';
  readonly children: ReactNode;
  /** Place to set it right, and what the link says. */
  readonly to?: LinkOptions;
  readonly way?: string;
}

export function Finding({ kind, children, to, way }: FindingProps) {
  return (
    <li className={styles[kind]}>
      <Icon name={kind === 'no' ? 'cross' : kind === 'warn' ? 'warning' : 'check'} />
      <span>{children}</span>
      {to === undefined ? null : <Link {...to}>{way}</Link>}
    </li>
  );
}
