/** Reasons signing in failed, in words: a closed list of codes, so that an address cannot put words of its own on this page. */
import { ClientError } from '~/data/query.ts';
import { type PlainTextKey, text } from '~/text/text.ts';

const byCode: Readonly<Record<string, PlainTextKey>> = {
  provider: 'signIn.errorUnreachable',
  state: 'signIn.errorState',
  denied: 'signIn.errorDenied',
  unknown: 'signIn.errorUnknown',
  unverified: 'signIn.errorUnverified',
  claims: 'signIn.errorClaims',
  disabled: 'signIn.errorDisabled',
  address: 'signIn.errorAddress',
  busy: 'signIn.errorBusy',
  not_fresh: 'signIn.errorNotFresh',
  address_changed: 'signIn.errorAddressChanged',
};

/** Explains a code of the address. */
export function errorText(code: string): string {
  return text((Object.hasOwn(byCode, code) ? byCode[code] : undefined) ?? 'signIn.errorOther');
}

/** Explains a refused request: the server's own sentence, but for what it cannot know. */
export function failureText(error: unknown): string {
  if (!(error instanceof ClientError) || error.status >= 500) {
    return text('signIn.errorOther');
  }
  return error.status === 0 ? text('app.unreachable') : error.message;
}
