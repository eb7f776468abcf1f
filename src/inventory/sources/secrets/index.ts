/** The public interface of the secrets by which sources sign in elsewhere. */
export { dropSecrets, openSecrets, putSecret } from './keep-secrets.ts';
export { type GivenSecrets, openSecretsToTry } from './try-secrets.ts';
export { type NewSecret, placeOfSettings, requireGoodSecret } from './rules.ts';
export { removeAllSecretsOf } from './store.ts';
