/** A signature as its signer sees it, before and after: what it means, whose it is, when, and how they proved who they are. */
import type { ReactNode } from 'react';
import { Facts } from '~/parts/words/facts.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import { text } from '~/text/text.ts';
import styles from './signature-box.module.css';

interface SignatureBoxProps {
  /** Whose it is, for whoever looks: theirs, or somebody else's by name. */
  readonly title: string;
  readonly meaning: string;
  readonly name: string;
  readonly time: ReactNode;
  /** Proof of who signs, in words. */
  readonly proof: string;
  /** Below the facts. */
  readonly children?: ReactNode;
}

export function SignatureBox({ title, meaning, name, time, proof, children }: SignatureBoxProps) {
  return (
    <section className={styles.box} aria-label={title}>
      <div className={styles.head}>
        <Icon name="pen" />
        <h3>{title}</h3>
      </div>
      <blockquote className={styles.meaning}>{text('signature.quoted', { meaning })}</blockquote>
      <Facts
        rows={[
          { term: text('signature.name'), children: name },
          { term: text('signature.time'), children: time },
          { term: text('signature.confirmedBy'), children: proof },
        ]}
      />
      {children}
    </section>
  );
}
