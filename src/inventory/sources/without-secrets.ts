/**
 * Parts of a source's config that are kept. Other systems keep passwords in it; here nothing reads it, so what looks like a secret is left out
 * before anything is stored, and neither the database nor an event ever has it. Pure.
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

/** Members that hold a secret, or one beside other things, however they are written: `clientSecret`, `client_secret`, `API-Key`. */
const secretName =
  /secret|passw|passphrase|pwd|token|credential|(private|api|access|account|shared|signing|encryption|auth|storage|service)key|bearer|cookie|authorization|serviceaccount/;
/** Those that have a secret within an address. */
const secretAddressName = /connection(string|url|uri)|webhook(url|uri)|^dsn$/;
/** Facts about a secret are none: `tokenUrl`, `credentialType`, `accessKeyId`. */
const harmlessName = /(url|uri|endpoint|type|kind|lifetime|ttl|expiry|expires|enabled|required|id|name|header)$/;

/** Texts that are secrets whatever their member is called: keys, tokens, addresses with a password in them. */
const secretTexts = [
  /-----BEGIN [A-Z ]*(PRIVATE KEY|CERTIFICATE)/,
  /^secret-token:/,
  /^[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}$/,
  /:\/\/[^/\s@:]*:[^/\s@]*@/,
  /^(AKIA|ASIA)[A-Z0-9]{12,}$/,
  /^(ghp|gho|ghu|ghs|ghr|glpat|xox[abprs]|sk|pk|rk)[-_][A-Za-z0-9_-]{10,}$/,
];

/** The config without members that look like secrets, at any depth; all else as it was. */
export function withoutSecrets(config: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(config)
      .filter(([name, value]) => !holdsSecret(name, value))
      .map(([name, value]) => [name, clean(value)]),
  );
}

/** A yes, a no or a number is no secret, whatever it is about. */
function holdsSecret(name: string, value: JsonValue): boolean {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const mayHold = typeof value === 'string' || (typeof value === 'object' && value !== null);
  const isNamedSo = secretAddressName.test(plain) || (secretName.test(plain) && !harmlessName.test(plain));
  const isKnown = plain === 'accesskeyid' || (plain === 'ca' && holdsCertificatesAlone(value));
  return (mayHold && isNamedSo) || (isSecretText(value) && !isKnown);
}

/** Certificates that are trusted are no secret, and neither is the id of an access key. */
function holdsCertificatesAlone(value: JsonValue): boolean {
  return typeof value === 'string' && /^\s*(-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/.test(value);
}

function isSecretText(value: JsonValue): boolean {
  return typeof value === 'string' && secretTexts.some((pattern) => pattern.test(value));
}

function clean(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return value.filter((one) => !isSecretText(one)).map(clean);
  }
  return typeof value === 'object' && value !== null ? withoutSecrets(value) : value;
}
