/** Signatures that a review asks of its reviewers: what a signature means, how signers prove who they are, and who vouches for the time. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { fieldViolation } from '~/data/act.ts';
import { type SignatureConfig, stepUpProvidersQuery } from '~/data/reviews/signature.ts';
import { useMay } from '~/data/session/session.ts';
import { Select } from '~/parts/controls/select.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { TextArea } from '~/parts/fields/text-area.tsx';
import { TextField } from '~/parts/fields/text-field.tsx';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import { StampTest } from './stamp-test.tsx';

interface SignatureFieldsProps {
  readonly value: SignatureConfig;
  readonly onChange: (value: SignatureConfig) => void;
  /** Error of the last time it was sent, whose violations stand at their fields. */
  readonly error: unknown;
}

export function SignatureFields({ value, onChange, error }: SignatureFieldsProps) {
  const { requireSignature = false, meaningOfSignature = '', stepUpProviderId = '', tspUrl = '' } = value;
  const maySet = useMay('settings.write');
  const mayTry = useMay('reviews.create');
  const query = useQuery({ ...stepUpProvidersQuery, enabled: requireSignature });
  const providers = (query.data?.list ?? []).filter(({ id, enabled }) => enabled === true || id === stepUpProviderId);
  const isUnknown = stepUpProviderId !== '' && query.isSuccess && !providers.some(({ id }) => id === stepUpProviderId);
  const change = (patch: SignatureConfig) => onChange({ ...value, ...patch });
  const at = (field: string): string | undefined => fieldViolation(error, `signatureConfig.${field}`);
  return (
    <>
      <Switch
        label={text('signature.required')}
        hint={text('signature.requiredHint')}
        checked={requireSignature}
        onChange={(next) => change({ requireSignature: next })}
      />
      {requireSignature ? (
        <>
          <TextArea
            label={text('signature.meaning')}
            hint={text('signature.meaningHint')}
            placeholder={text('signature.meaningExample')}
            value={meaningOfSignature}
            onChange={(next) => change({ meaningOfSignature: next })}
            error={at('meaningOfSignature')}
            maxLength={1000}
            required
          />
          <Select
            label={text('signature.provider')}
            hint={text('signature.providerHint')}
            value={stepUpProviderId}
            onChange={(next) => change({ stepUpProviderId: next })}
            error={at('stepUpProviderId') ?? (isUnknown ? text('signature.providerGone') : undefined)}
            options={[
              { value: '', label: text('signature.noProvider') },
              ...(isUnknown ? [{ value: stepUpProviderId, label: text('signature.unknownProvider') }] : []),
              ...providers.map(({ id = '', displayName = '', enabled }) => ({
                value: id,
                label: enabled === true ? displayName : text('signature.providerOff', { name: displayName }),
              })),
            ]}
          />
          {stepUpProviderId === '' ? (
            <Note kind="warn" action={maySet ? <Link to="/settings/step-up">{text('signature.toProviders')}</Link> : undefined}>
              {text('signature.sessionAlone')} {query.isSuccess && providers.length === 0 ? text('signature.noProviders') : ''}
            </Note>
          ) : null}
          <TextField
            type="url"
            label={text('signature.tspUrl')}
            hint={text('signature.tspUrlHint')}
            placeholder="https://tsa.example.com"
            value={tspUrl}
            onChange={(next) => change({ tspUrl: next.trim() })}
            error={at('tspUrl')}
          />
          {tspUrl === '' || !mayTry ? null : <StampTest url={tspUrl} />}
        </>
      ) : null}
    </>
  );
}
