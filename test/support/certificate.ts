/** A certificate for this machine, as an operator makes one for a trial. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** Makes a certificate for 127.0.0.1 in this folder; requests of this process trust it from now on, unless it stays strange to them. */
export function makeCertificate(folder: string, { isTrusted = true } = {}): { readonly certFile: string; readonly keyFile: string } {
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', files.keyFile];
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...key, '-days', '1', ...names, '-out', files.certFile], { stdio: 'ignore' });
  if (isTrusted) {
    setDefaultCACertificates([...getCACertificates('default'), readFileSync(files.certFile, 'utf8')]);
  }
  return files;
}
