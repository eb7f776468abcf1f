/** Verifies time stamps: each rule that one has to keep is one sentence of a refusal. */
import type { TSTInfo } from 'pkijs';
import { digestOf, nameOf } from './algorithms.ts';
import { checkChain } from './check-chain.ts';
import { checkSignature, findSigner } from './check-signature.ts';
import { type ReadCertificate, readCertificate, readReply } from './read-reply.ts';
import { TimeStampRefusal } from './refusal.ts';
import type { TimeStampRequest } from './request.ts';

/** Servers that an operator believes. */
export interface TimeStampTrust {
  readonly roots: readonly ReadCertificate[];
  /** Object identifiers; with none every policy counts. */
  readonly policies: readonly string[];
}

/** The times between which the server must have stamped, give or take `maxSkewSeconds`. */
export interface Exchange {
  /** The nonce is undefined for a stored time stamp whose request is gone. */
  readonly request: Pick<TimeStampRequest, 'digest'> & { readonly nonce: TimeStampRequest['nonce'] | undefined };
  readonly sentAt: Date;
  readonly receivedAt: Date;
}

/** A time stamp that was verified. */
export interface TimeStamp {
  /** The time the server vouches for. */
  readonly at: Date;
  readonly policy: string;
  /** In hexadecimal. */
  readonly serialNumber: string;
  /** Common name of the server's certificate. */
  readonly server: string;
}

/** Seconds by which the server's clock may differ from ours. */
const maxSkewSeconds = 300;

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Returns the certificates of a PEM text. Throws where there is none, or one that cannot be read. */
export async function readRoots(pem: string): Promise<ReadCertificate[]> {
  const texts = pem.match(pemCertificate) ?? [];
  if (texts.length === 0) {
    throw new Error('the text has no certificate in PEM form');
  }
  return await Promise.all(texts.map((text) => readCertificate(Buffer.from(text.replace(/-----[A-Z ]+-----/g, ''), 'base64'))));
}

/** The roots of the operator, which each time stamp needs and which stay the same. */
let kept: { readonly pem: string; readonly roots: Promise<ReadCertificate[]> } | undefined;

/** Returns what an operator believes; the roots are read once. Throws as `readRoots` does. */
export async function readTrust({
  pem,
  policies,
}: {
  readonly pem: string;
  readonly policies: readonly string[];
}): Promise<TimeStampTrust> {
  if (kept?.pem !== pem) {
    kept = { pem, roots: readRoots(pem) };
  }
  return { roots: await kept.roots, policies };
}

/**
 * Returns the time of a stored reply over data with this SHA-256, signed by whatever certificate it brings: no root is asked for. Throws as
 * `verifyTimeStamp`.
 */
export async function readStoredTimeStamp(reply: Buffer, digest: Buffer): Promise<Date> {
  const read = await readReply(reply);
  requireAnswer(read.info, { digest, nonce: undefined });
  await checkSignature(read, await findSigner(read));
  return read.info.genTime;
}

/** Returns what a reply to the request vouches for. Throws TimeStampRefusal, and nothing else, for a reply that breaks a rule. */
export async function verifyTimeStamp(reply: Buffer, exchange: Exchange, trust: TimeStampTrust): Promise<TimeStamp> {
  const read = await readReply(reply);
  const { info, certificates } = read;
  const signer = await findSigner(read);
  requireAnswer(info, exchange.request);
  await checkSignature(read, signer);
  const others = certificates.filter(({ x509 }) => !x509.raw.equals(signer.x509.raw));
  await checkChain(signer, others, trust.roots, info.genTime);
  if (trust.policies.length > 0 && !trust.policies.includes(info.policy)) {
    throw new TimeStampRefusal(`The time stamp was made under policy ${info.policy}, which is not among those listed.`);
  }
  requireClock(info.genTime, exchange);
  return {
    at: info.genTime,
    policy: info.policy,
    serialNumber: Buffer.from(info.serialNumber.valueBlock.valueHexView).toString('hex'),
    server: nameOf(signer.x509),
  };
}

/** Throws TimeStampRefusal unless the time stamp is for this data and this request. */
function requireAnswer(info: TSTInfo, request: Exchange['request']): void {
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  if (info.version !== 1 || info.extensions?.some(({ critical }) => critical) === true) {
    throw new TimeStampRefusal('The time stamp is of another version, or has an extension that is not known here.');
  }
  if (digestOf(hashAlgorithm.algorithmId) !== 'sha256') {
    throw new TimeStampRefusal(`The time stamp is over a hash of algorithm ${hashAlgorithm.algorithmId} instead of SHA-256.`);
  }
  if (!request.digest.equals(Buffer.from(hashedMessage.getValue()))) {
    throw new TimeStampRefusal('The time stamp is for other data.');
  }
  if (request.nonce === undefined) {
    return;
  }
  if (info.nonce === undefined) {
    throw new TimeStampRefusal('The time stamp does not repeat the nonce of the request.');
  }
  if (!request.nonce.equals(info.nonce.valueBlock.valueHexView)) {
    throw new TimeStampRefusal('The time stamp has another nonce than the request.');
  }
}

/** Throws TimeStampRefusal if the server's clock is further from ours than is believed. */
function requireClock(at: Date, { sentAt, receivedAt }: Exchange): void {
  const skew = maxSkewSeconds * 1000;
  if (!(at.getTime() >= sentAt.getTime() - skew && at.getTime() <= receivedAt.getTime() + skew)) {
    const stamped = Number.isNaN(at.getTime()) ? 'at no time' : at.toISOString();
    throw new TimeStampRefusal(`The time stamp says ${stamped}, more than ${maxSkewSeconds} s from when it was asked for.`);
  }
}
