/** Documents of step-up providers: their settings, and what may be wrong with them. Pure; they are the JSON of the contract's message. */
import type { FieldViolation } from '../../../errors.ts';
import type { StepUpProviderJson } from '../../../gen/c1/api/stepup/v1/stepup_pb.js';
import { isIssuer } from '../../sessions/index.ts';

/** The members of the StepUpProvider message that clients write. */
export type ProviderDocument = Omit<StepUpProviderJson, 'createdAt' | 'id' | 'lastTestedAt' | 'updatedAt'>;

/** Ways in which Microsoft is asked: by an authentication context, or as any other provider. */
type Validation = 'ACRS' | 'OIDC';

/** Settings of a provider whose document was checked. */
export interface StepUpSettings {
  readonly kind: 'OAUTH2' | 'MICROSOFT';
  readonly issuer: string;
  readonly clientId: string;
  /** Values of which the token has to name one, in `acr` or, of Microsoft, in `acrs`; empty: none is asked for. */
  readonly acrValues: readonly string[];
  readonly claim: 'acr' | 'acrs';
  /** Directory of Microsoft Entra that the token has to be of (`tid`); empty for any. */
  readonly directory: string;
}

const longestText = 500;
const directoryId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const maxValues = 20;

/** The settings in a document. */
export function stepUpSettings({ issuerUrl: issuer = '', clientId = '', oauth2, microsoft: own }: ProviderDocument): StepUpSettings {
  if (own === undefined) {
    return { kind: 'OAUTH2', issuer, clientId, acrValues: oauth2?.acrValues ?? [], claim: 'acr', directory: '' };
  }
  // Whoever names contexts and no way of asking means them.
  const validation: Validation = own.validationMode === 'MICROSOFT_VALIDATION_MODE_OIDC' ? 'OIDC' : 'ACRS';
  const acrValues = validation === 'ACRS' ? (own.conditionalAccessIds ?? []) : [];
  // Names of directories were kept before their ids were asked for; no token has them.
  const directory = directoryId.test(own.tenant ?? '') ? (own.tenant ?? '').toLowerCase() : '';
  return { kind: 'MICROSOFT', issuer, clientId, acrValues, claim: 'acrs', directory };
}

/** True if people may sign by it. */
export function isEnabled(document: ProviderDocument): boolean {
  return document.enabled !== false;
}

/** All that is wrong with a document; `at` is what its fields are named under. */
export function findProblems(document: ProviderDocument, at: string, allowsLocal: boolean): FieldViolation[] {
  const { displayName = '', clientId = '', issuerUrl = '', microsoft, oauth2 } = document;
  const problems: FieldViolation[] = [];
  const add = (field: string, description: string): void => void problems.push({ field: `${at}${field}`, description });
  const isName = (value: string): boolean => value.trim() !== '' && value.length <= longestText;
  if (!isName(displayName)) {
    add('displayName', `must be a name of at most ${longestText} characters`);
  }
  if (!isName(clientId)) {
    add('clientId', 'must be the client id that the provider gave you');
  }
  if (issuerUrl.length > longestText || !isIssuer(issuerUrl, allowsLocal)) {
    add('issuerUrl', 'must be an https URL without query and fragment');
  }
  if (microsoft === undefined && oauth2 === undefined) {
    add('oauth2', 'is missing: say how the provider is asked, with oauth2 or microsoft');
  }
  const field = microsoft === undefined ? 'oauth2.acrValues' : 'microsoft.conditionalAccessIds';
  const values = (microsoft === undefined ? oauth2?.acrValues : microsoft.conditionalAccessIds) ?? [];
  if (values.length > maxValues || values.some((value) => !/^[\x21-\x7e]{1,200}$/.test(value))) {
    add(field, `must be at most ${maxValues} values without spaces`);
  }
  if (microsoft?.validationMode === 'MICROSOFT_VALIDATION_MODE_ACRS' && values.length === 0) {
    add(field, 'must name an authentication context of Conditional Access, such as c1');
  }
  if (microsoft?.tenant && !directoryId.test(microsoft.tenant)) {
    add('microsoft.tenant', 'must be the ID of the directory (tenant), such as 72f988bf-86f1-41af-91ab-2d7cd011db47');
  }
  return problems;
}
