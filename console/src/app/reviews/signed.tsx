/** Signature beside what it stands under: printed name, time and meaning, as 21 CFR 11.50 asks wherever a decision is shown, and its means. */
import { Link } from '@tanstack/react-router';
import type { Signature } from '~/data/reviews/signature.ts';
import { Icon } from '~/parts/words/icon.tsx';
import { Name } from '~/parts/words/name.tsx';
import { exactTime } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { sayMeans } from './say-means.ts';
import styles from './signed.module.css';

export function Signed({ signature }: { readonly signature: Signature }) {
  const { id = '', printedName = '', signedAt, meaning = '', timeStampServer = '' } = signature;
  return (
    <div className={styles.signed}>
      <Icon name="pen" />
      <div>
        <p>
          {text('signature.signedBy')} <Name>{printedName}</Name>
          {signedAt === undefined ? '' : `, ${exactTime(signedAt)}`}
        </p>
        <p className={styles.meaning}>
          <Name>{text('signature.quoted', { meaning })}</Name>
        </p>
        <small>
          {sayMeans(signature)}. {timeStampServer === '' ? '' : text('signature.stamped', { host: timeStampServer })}
        </small>
        <Link to="/signatures/$id" params={{ id }}>
          {text('signature.open')}
        </Link>
      </div>
    </div>
  );
}
