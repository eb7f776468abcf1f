/** Signature beside what it stands under: printed name, time and meaning, as 21 CFR 11.50 asks wherever a decision is shown. */
import type { Signature } from '~/data/reviews/signature.ts';
import { Icon } from '~/parts/words/icon.tsx';
import { Name } from '~/parts/words/name.tsx';
import { exactTime } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import styles from './signed.module.css';

type SignedProps = Pick<Signature, 'printedName' | 'signedAt' | 'meaning' | 'timeStampServer' | 'issuerUrl'>;

export function Signed({ printedName = '', signedAt, meaning = '', timeStampServer = '', issuerUrl = '' }: SignedProps) {
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
          {text(issuerUrl === '' ? 'signature.bySession' : 'signature.byProvider')}{' '}
          {timeStampServer === '' ? '' : text('signature.stamped', { host: timeStampServer })}
        </small>
      </div>
    </div>
  );
}
