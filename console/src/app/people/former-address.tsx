/** Mark of an account whose owner was found by an address that they had before; nothing for any other account. */
import type { Account } from '~/data/inventory/inventory.ts';
import { Chip } from '~/parts/words/chip.tsx';
import { text } from '~/text/text.ts';
import styles from './former-address.module.css';

export function FormerAddress({ account }: { account: Account }) {
  return account.ownerByFormerAddress === true ? (
    <span className={styles.mark}>
      <Chip kind="warn">{text('owner.former')}</Chip>
      <small>{text('owner.formerHint')}</small>
    </span>
  ) : null;
}
