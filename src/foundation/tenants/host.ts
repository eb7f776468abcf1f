/**
 * Host names as tenants are found by them: one spelling per host, and which loopback names mean the same. No lookup happens here.
 */
import { domainToASCII } from 'node:url';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'] as const;
const pattern = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?)\.?(?::([0-9]{1,5}))?$/;

/** A host taken apart; `port` is empty where the host carries none. */
export interface HostParts {
  readonly name: string;
  readonly port: string;
}

/** Name and port of a Host header or a tenant's host, lower-case, without the dot of the root; undefined where it is no host. */
function parseHost(value: string): HostParts | undefined {
  const match = pattern.exec(value.trim().toLowerCase());
  if (match === null) {
    return undefined;
  }
  const port = match[2] === undefined ? '' : String(Number(match[2]));
  if (Number(port) > 65_535) {
    return undefined;
  }
  // Clients leave the standard ports out, some proxies write them: both must find the same tenant.
  return { name: match[1] ?? '', port: port === '80' || port === '443' ? '' : port };
}

/** The one spelling of a host, or undefined where it is none. */
export function normalizeHost(value: string): string | undefined {
  const parts = parseHost(value);
  return parts === undefined ? undefined : joinHost(parts.name, parts.port);
}

/** The same of a host as an operator writes it: an internationalised one by its A-labels, as clients send it. */
export function readHost(value: string): string | undefined {
  const [, name = '', port = ''] = /^([^:/?#@\s]*[^\0-\x7f][^:/?#@\s]*)(:\d+)?$/.exec(value.trim()) ?? [];
  return normalizeHost(name === '' ? value : domainToASCII(name) + port);
}

function joinHost(name: string, port: string): string {
  return port === '' ? name : `${name}:${port}`;
}

/** The host itself and, where it is a loopback name, the other loopback names on the same port. Takes a normalized host. */
export function hostAliases(host: string): string[] {
  const parts = parseHost(host);
  if (parts === undefined || !(loopbackNames as readonly string[]).includes(parts.name)) {
    return [host];
  }
  return [host, ...loopbackNames.filter((name) => name !== parts.name).map((name) => joinHost(name, parts.port))];
}

/** True if a host means this machine, on which there is no TLS to ask for: a loopback name, or any address of 127.0.0.0/8 (RFC 6890). */
export function isLoopback(host: string): boolean {
  const name = hostNameOf(host);
  return (loopbackNames as readonly string[]).includes(name) || /^127(\.(25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})){3}$/.test(name);
}

/**
 * The address of a host as clients write it, where nothing else says it: https, as a proxy may end TLS before us without our knowing. Only a loopback
 * name is taken to be without TLS, and a host with the very port on which this server listens without TLS and without a proxy (`plainPort`).
 */
export function hostBaseUrl(host: string, plainPort?: number): string {
  const isPlain = isLoopback(host) || (plainPort !== undefined && parseHost(host)?.port === String(plainPort));
  return `${isPlain ? 'http' : 'https'}://${host}`;
}

/** A host without its port. */
export function hostNameOf(host: string): string {
  return parseHost(host)?.name ?? host;
}

/** Returns the host that connectors reach a tenant at: {host} of a pattern is the name of the tenant's host without a port. */
export function connectorHostOf(pattern: string | undefined, host: string): string {
  return pattern?.replace('{host}', hostNameOf(host)) ?? host;
}
