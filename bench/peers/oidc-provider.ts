/**
 * The peer of the token endpoint's figure: oidc-provider giving JWT access tokens for private_key_jwt, everything in memory. Started as a
 * process of its own; prints its port.
 */
import { generateKeyPairSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

const clientJwk = JSON.parse(process.argv[2] ?? '{}') as Record<string, string>;
const { privateKey } = generateKeyPairSync('ed25519');
const resource = 'urn:bench:api';

const provider = new Provider('http://localhost', {
  clients: [
    {
      client_id: 'bench',
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'EdDSA',
      id_token_signed_response_alg: 'EdDSA',
      jwks: { keys: [{ ...clientJwk, alg: 'EdDSA', use: 'sig' }] },
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'EdDSA', use: 'sig', kid: 'bench' }] },
  clientAuthMethods: ['private_key_jwt'],
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({ scope: '', accessTokenFormat: 'jwt', accessTokenTTL: 3600, jwt: { sign: { alg: 'EdDSA' } } }),
    },
  },
});
const server = provider.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
