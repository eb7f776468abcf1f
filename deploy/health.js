// Whether the server of this container answers that it is ready: exit code 0 or 1. For the health check of the image.
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';

const { COUNTERSIGN_PORT: port = '8080', COUNTERSIGN_TLS_CERT: certificate = '' } = process.env;
const request = certificate === '' ? requestPlain : requestTls;

// It asks itself: the name in the certificate is that of the tenants.
const options = { host: '127.0.0.1', port: port || '8080', path: '/readyz', timeout: 4000, rejectUnauthorized: false };
const asked = request(options, (reply) => process.exit(reply.statusCode === 200 ? 0 : 1));
asked.on('timeout', () => process.exit(1));
asked.on('error', () => process.exit(1));
asked.end();
