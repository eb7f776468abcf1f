/** The parts of a reply of a time stamp server (RFC 3161, RFC 5652), as far as they are well formed. No part is believed yet. */
import { X509Certificate } from 'node:crypto';
import type { Certificate, PKIStatusInfo, SignerInfo, TSTInfo } from 'pkijs';
import { requirePlainParameters } from './algorithms.ts';
import { isOneDerObject } from './der.ts';
import { TimeStampRefusal } from './refusal.ts';

/** A certificate as both libraries see it: `parts` for its extensions and its place in a chain, `x509` for keys and signatures. */
export interface ReadCertificate {
  readonly parts: Certificate;
  readonly x509: X509Certificate;
}

/** A reply that was granted, and the one signature in it. */
export interface ReadReply {
  /** The TSTInfo as it was signed. */
  readonly content: Buffer;
  readonly info: TSTInfo;
  readonly signer: SignerInfo;
  readonly certificates: readonly ReadCertificate[];
}

const signedData = '1.2.840.113549.1.7.2';
const timeStampInfo = '1.2.840.113549.1.9.16.1.4';
const maxCertificates = 16;
const utcTime = /^\d{14}(?:\.\d+)?Z$/;

/** Certificates that were read, by their bytes: a server sends the same ones with each of its time stamps. */
const known = new Map<string, ReadCertificate>();
const maxKnown = 64;

/** Returns a certificate of DER bytes. */
export async function readCertificate(bytes: Uint8Array): Promise<ReadCertificate> {
  const key = Buffer.from(bytes).toString('latin1');
  const before = known.get(key);
  if (before !== undefined) {
    return before;
  }
  const { Certificate } = await import('pkijs');
  const x509 = new X509Certificate(bytes);
  // A key that cannot be read is found here, where it is known what to say of it.
  void x509.publicKey;
  const read = { parts: Certificate.fromBER(Buffer.from(bytes)), x509 };
  if (known.size >= maxKnown) {
    known.clear();
  }
  known.set(key, read);
  return read;
}

/** Returns the parts of a reply. Throws TimeStampRefusal for whatever is no reply, for a server that did not grant, and for more than one signature. */
export async function readReply(bytes: Buffer): Promise<ReadReply> {
  if (!isOneDerObject(bytes)) {
    throw new TimeStampRefusal('The reply is not exactly one DER object.');
  }
  try {
    return await readParts(bytes);
  } catch (cause) {
    throw cause instanceof TimeStampRefusal ? cause : new TimeStampRefusal('The reply does not have the form of a time stamp.', { cause });
  }
}

async function readParts(bytes: Buffer): Promise<ReadReply> {
  const { SignedData, TimeStampResp, TSTInfo } = await import('pkijs');
  const { fromBER, GeneralizedTime, Sequence, Utf8String } = await import('asn1js');
  const { status, timeStampToken: token } = TimeStampResp.fromBER(bytes);
  // pkijs types the number as an enumeration: granted, and granted with modifications.
  if (Number(status.status) > 1) {
    const said = (status.statusStrings ?? []).flatMap((text) => (text instanceof Utf8String ? plainText(text.getValue()) : []));
    const reasons = said.length > 0 ? said : listFailures(status.failInfo);
    throw new TimeStampRefusal(
      `The server did not grant it (status ${[status.status, ...reasons].filter((part) => part !== '').join(': ')}).`,
    );
  }
  if (token?.contentType !== signedData || !(token.content instanceof Sequence)) {
    throw new TimeStampRefusal('The reply was granted and has no signed token.');
  }
  // Reading the token takes the names of its parts away from the tree, so the certificates are taken first. It need not read them again.
  const { value: members } = token.content.valueBlock;
  const isSet = ({ idBlock }: (typeof members)[number]): boolean => idBlock.tagClass === 3 && idBlock.tagNumber === 0;
  const encoded = members
    .filter(isSet)
    .flatMap((set) => ('value' in set.valueBlock && Array.isArray(set.valueBlock.value) ? set.valueBlock.value : []))
    .map(({ valueBeforeDecodeView }) => Buffer.from(valueBeforeDecodeView as Uint8Array));
  token.content.valueBlock.value = members.filter((member) => !isSet(member));
  const { version, digestAlgorithms, encapContentInfo, signerInfos } = new SignedData({ schema: token.content });
  const [signer, ...others] = signerInfos;
  if (signer === undefined || others.length > 0) {
    throw new TimeStampRefusal(`The token has ${signerInfos.length} signatures instead of one.`);
  }
  if (version !== 3 || digestAlgorithms.length !== 1 || digestAlgorithms[0]!.algorithmId !== signer.digestAlgorithm.algorithmId) {
    throw new TimeStampRefusal('The token names another version than 3, or other digests than that of its signature.');
  }
  requirePlainParameters(digestAlgorithms[0]!);
  if (encapContentInfo.eContentType !== timeStampInfo || encapContentInfo.eContent === undefined) {
    throw new TimeStampRefusal('What the server signed is not a time stamp.');
  }
  if (encoded.length > maxCertificates) {
    throw new TimeStampRefusal(`The token has ${encoded.length} certificates; at most ${maxCertificates} are read.`);
  }
  const content = Buffer.from(encapContentInfo.eContent.getValue());
  const tree = fromBER(content).result;
  const times = tree instanceof Sequence ? tree.valueBlock.value.filter((part) => part instanceof GeneralizedTime) : [];
  if (!isOneDerObject(content) || times.length !== 1 || !utcTime.test(Buffer.from(times[0]!.valueBlock.valueHexView).toString('latin1'))) {
    throw new TimeStampRefusal('The time stamp is not DER, or its time is not in UTC.');
  }
  const certificates = await Promise.all(encoded.map(readCertificate));
  return { content, info: new TSTInfo({ schema: tree }), signer, certificates };
}

/** Names of the bits of PKIFailureInfo (RFC 3161, 2.4.2). */
const failures: Readonly<Record<number, string>> = {
  0: 'it does not know the hash algorithm',
  2: 'it does not permit the request',
  5: 'it cannot read the request',
  14: 'its clock is not available',
  15: 'it does not know the policy',
  16: 'it does not know an extension',
  17: 'it lacks what was asked for',
  25: 'it failed',
};

/** Says which bits are set, where a server says nothing in words. */
function listFailures(info: PKIStatusInfo['failInfo']): string[] {
  const bytes = info === undefined ? undefined : new Uint8Array(info.valueBlock.valueHexView);
  const isSet = (bit: number): boolean => (((bytes?.[bit >> 3] ?? 0) << (bit & 7)) & 0x80) !== 0;
  return Object.entries(failures).flatMap(([bit, words]) => (isSet(Number(bit)) ? [words] : []));
}

/** Bounds what a server says of itself, so that it can stand in a sentence. */
function plainText(said: string): string {
  return said
    .replace(/[^\p{L}\p{N}\p{P}\p{Zs}]/gu, ' ')
    .slice(0, 200)
    .trim();
}
