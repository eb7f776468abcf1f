/**
 * Errors in the form of SCIM (RFC 7644 section 3.12): a status, a scimType where the RFC has one, and a text for people.
 */
import { showUnseen } from '../../../lib/names/visible-text.ts';

/** The kinds of bad requests the RFC names in section 3.12, and none. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | '';

/** An error that is answered to an identity provider. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType;

  constructor(status: number, scimType: ScimType, message: string) {
    super(showUnseen(message));
    this.status = status;
    this.scimType = scimType;
  }
}

/** The reply of an error. */
export function shapeScimError(error: ScimError): object {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(error.status),
    ...(error.scimType === '' ? {} : { scimType: error.scimType }),
    detail: error.message,
  };
}
