/** The kinds of access that can be restricted to address blocks, in the order in which the page shows them. */
import type { ReplyOf } from '~/data/query.ts';
import type { PlainTextKey } from '~/text/text.ts';

export type SessionSettings = NonNullable<ReplyOf<'SessionSettingsService.Get'>['sessionSettings']>;

/** A restriction as a form holds it. */
export interface Source {
  readonly enabled: boolean;
  readonly sourceCidr: readonly string[];
}

export const sources = [
  { name: 'ssoAdminSource', label: 'networks.ssoAdmin' },
  { name: 'ssoUserSource', label: 'networks.ssoUser' },
  { name: 'pccAdminSource', label: 'networks.pccAdmin' },
  { name: 'pccUserSource', label: 'networks.pccUser' },
  { name: 'externalClientSource', label: 'networks.external' },
  { name: 'connectorSource', label: 'networks.connector' },
] as const satisfies readonly { name: keyof SessionSettings; label: PlainTextKey }[];

export type SourceName = (typeof sources)[number]['name'];
export type SourceDraft = Readonly<Record<SourceName, Source>>;

/** Starts the form's draft. */
export function sourceDraft(settings: SessionSettings): SourceDraft {
  const of = (name: SourceName): Source => {
    const { enabled = false, sourceCidr = [] } = settings[name] ?? {};
    return { enabled, sourceCidr };
  };
  return {
    ssoAdminSource: of('ssoAdminSource'),
    ssoUserSource: of('ssoUserSource'),
    pccAdminSource: of('pccAdminSource'),
    pccUserSource: of('pccUserSource'),
    externalClientSource: of('externalClientSource'),
    connectorSource: of('connectorSource'),
  };
}
