/** A step-up provider as its page speaks of it, and as the form writes it. */
import { change } from '~/data/change.ts';
import { call, type ReplyOf } from '~/data/query.ts';
import { splitList } from '~/parts/fields/split-list.ts';

export type StepUpProvider = NonNullable<ReplyOf<'StepUpProviderService.List'>['list']>[number];
type Microsoft = NonNullable<StepUpProvider['microsoft']>;

/** Kinds of providers: any that speaks OpenID Connect, and Microsoft Entra with its own words for the strength of a sign-in. */
export type ProviderKind = 'oauth2' | 'microsoft';

/** Values in the form, by the names of the contract. */
export interface StepUpDraft {
  readonly kind: ProviderKind;
  readonly displayName: string;
  readonly issuerUrl: string;
  readonly clientId: string;
  /** Empty keeps the one that is stored. */
  readonly clientSecret: string;
  /** Written with commas or spaces between them. */
  readonly acrValues: string;
  readonly tenant: string;
  readonly validationMode: string;
  readonly conditionalAccessIds: string;
  readonly enabled: boolean;
}

const acrs = 'MICROSOFT_VALIDATION_MODE_ACRS';

/** Starts the form's draft. */
export function draftOf(provider: StepUpProvider | undefined): StepUpDraft {
  const { microsoft, oauth2 } = provider ?? {};
  return {
    kind: microsoft === undefined ? 'oauth2' : 'microsoft',
    displayName: provider?.displayName ?? '',
    issuerUrl: provider?.issuerUrl ?? '',
    clientId: provider?.clientId ?? '',
    clientSecret: '',
    acrValues: (oauth2?.acrValues ?? []).join(', '),
    tenant: microsoft?.tenant ?? '',
    validationMode: String(microsoft?.validationMode ?? acrs),
    conditionalAccessIds: (microsoft?.conditionalAccessIds ?? []).join(', '),
    enabled: provider?.enabled ?? true,
  };
}

/** True if Microsoft is to prove the sign-in by authentication contexts. */
export const provesByContext = ({ kind, validationMode }: StepUpDraft): boolean => kind === 'microsoft' && validationMode === acrs;

/** Adds a provider, or changes the one that is there, and answers its id. A secret is sent where one was written. */
export async function saveProvider(before: StepUpProvider | undefined, draft: StepUpDraft): Promise<string> {
  const shared = {
    displayName: draft.displayName.trim(),
    issuerUrl: draft.issuerUrl.trim(),
    clientId: draft.clientId.trim(),
  };
  const settings =
    draft.kind === 'oauth2'
      ? { oauth2: { acrValues: splitList(draft.acrValues) } }
      : {
          microsoft: {
            tenant: draft.tenant.trim(),
            validationMode: draft.validationMode as NonNullable<Microsoft['validationMode']>,
            conditionalAccessIds: provesByContext(draft) ? splitList(draft.conditionalAccessIds) : [],
          },
        };
  if (before === undefined) {
    const made = await call('StepUpProviderService.Create', { ...shared, ...settings, clientSecret: draft.clientSecret });
    return made.stepUpProvider?.id ?? '';
  }
  const id = before.id ?? '';
  const first = draftOf(before);
  const settingNames = ['kind', 'acrValues', 'tenant', 'validationMode', 'conditionalAccessIds'] as const;
  const isOther = settingNames.some((name) => first[name] !== draft[name]);
  const own = (['displayName', 'issuerUrl', 'clientId', 'enabled'] as const).filter((name) => first[name] !== draft[name]);
  await change(
    'StepUpProviderService.Update',
    {
      id,
      stepUpProvider: { ...shared, ...settings, enabled: draft.enabled },
      updateMask: [...own, ...(isOther || own.length === 0 ? [draft.kind] : [])].join(','),
    },
    { stepUpProvider: before },
  );
  if (draft.clientSecret !== '') {
    await call('StepUpProviderService.UpdateSecret', { id, clientSecret: draft.clientSecret });
  }
  return id;
}

/** The address that a provider has to know: where it sends signers back. */
export function redirectAddress(): string {
  return `${location.origin}/auth/step-up/callback`;
}
