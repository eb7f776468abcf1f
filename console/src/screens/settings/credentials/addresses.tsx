/** From which addresses a credential may be used, beside the address that this browser has now. */
import { useQuery } from '@tanstack/react-query';
import { liesIn } from '~/data/session/cidr.ts';
import { read } from '~/data/query.ts';
import { CidrField } from '~/parts/fields/cidr-field.tsx';
import { text } from '~/text/text.ts';

interface AddressesProps {
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
  readonly error?: string | undefined;
  readonly label?: string;
}

export function Addresses({ value, onChange, error, label = text('credentials.addresses') }: AddressesProps) {
  const address = useQuery({ ...read('SessionService.Get', {}), staleTime: 300_000 }).data?.address ?? '';
  const own =
    address === ''
      ? ''
      : text(
          value.length === 0
            ? 'credentials.ownAddress'
            : value.some((block) => liesIn(address, block))
              ? 'credentials.ownInside'
              : 'credentials.ownOutside',
          { address },
        );
  return (
    <CidrField
      label={label}
      value={[...value]}
      onChange={onChange}
      hint={`${text('credentials.addressesHint')} ${own}`.trim()}
      {...(error === undefined ? {} : { error })}
    />
  );
}
