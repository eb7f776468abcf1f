/** Certificates that a source trusts in place of the usual ones, as a setting. */
import { X509Certificate } from 'node:crypto';

/** Returns what is wrong with them as a part of a sentence; undefined for certificates in PEM form, and for none. */
export function findCertificateFault(ca: string): string | undefined {
  const blocks = ca.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (ca.length > 65_536) {
    return 'must have at most 65,536 characters';
  }
  if (ca.includes('PRIVATE KEY')) {
    return 'holds a private key; it must hold certificates alone';
  }
  try {
    for (const block of blocks) {
      new X509Certificate(block);
    }
  } catch {
    return 'holds a certificate that cannot be read';
  }
  return ca.trim() !== '' && blocks.length === 0 ? 'must hold certificates in PEM form' : undefined;
}
