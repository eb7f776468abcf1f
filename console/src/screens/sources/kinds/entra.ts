/** Microsoft Entra ID. */
import type { EntraSettings } from '~/data/messages.ts';
import type { KindOfSource } from './kind.ts';

export const entra: KindOfSource<EntraSettings> = {
  id: 'ENTRA',
  type: 'type.googleapis.com/countersign.v1.EntraSettings',
  name: 'entra.name',
  about: 'entra.about',
  before: 'entra.before',
  people: 'directory',
  canTest: true,
  fields: [
    {
      name: 'tenantId',
      control: 'line',
      label: 'entra.tenantId',
      hint: 'entra.tenantIdHint',
      example: '00001111-aaaa-2222-bbbb-3333cccc4444',
      isRequired: true,
    },
    {
      name: 'clientId',
      control: 'line',
      label: 'entra.clientId',
      hint: 'entra.clientIdHint',
      example: '11112222-bbbb-3333-cccc-4444dddd5555',
      isRequired: true,
    },
    {
      name: 'cloud',
      control: 'choice',
      label: 'entra.cloud',
      options: [
        { value: 'ENTRA_CLOUD_GLOBAL', label: 'Microsoft Azure' },
        { value: 'ENTRA_CLOUD_US_GOVERNMENT', label: 'Azure US Government (GCC High)' },
        { value: 'ENTRA_CLOUD_US_DEFENSE', label: 'Azure US Government (DoD)' },
        { value: 'ENTRA_CLOUD_CHINA', label: 'Azure China (21Vianet)' },
      ],
    },
    { name: 'clientSecret', control: 'line', label: 'entra.clientSecret', hint: 'entra.clientSecretHint', isSecret: true },
    { name: 'certificate', control: 'area', label: 'entra.certificate', hint: 'entra.certificateHint', isSecret: true, isMore: true },
    {
      name: 'federatedToken',
      control: 'line',
      label: 'entra.federatedToken',
      hint: 'entra.federatedTokenHint',
      isSecret: true,
      isMore: true,
    },
    { name: 'attributes', control: 'lines', label: 'entra.attributes', hint: 'entra.attributesHint', example: 'companyName', isMore: true },
  ],
  systems: [
    { name: 'Entra ID', also: 'microsoft azure ad aad active directory office 365 microsoft 365 m365 o365 cloud verzeichnis' },
    { name: 'Azure AD', also: 'entra id microsoft active directory' },
    { name: 'Microsoft 365', also: 'office 365 o365 entra azure groups gruppen teams' },
  ],
};
