/** Check for requests made on this machine. */
import type { FastifyRequest } from 'fastify';

/** Headers that proxies add, one or the other: then it was made for somebody else. */
const ofProxies = /^(forwarded|via|x-forwarded(-.*)?|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/;

/** True if the request was made on this machine, and by no proxy for somebody else. */
export function isFromHere({ clientAddress, headers }: Pick<FastifyRequest, 'clientAddress' | 'headers'>): boolean {
  const isForwarded = Object.keys(headers).some((name) => ofProxies.test(name));
  return /^(127(\.\d{1,3}){3}|::1)$/.test(clientAddress) && !isForwarded;
}
