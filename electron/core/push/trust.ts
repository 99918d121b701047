import { X509Certificate } from 'node:crypto';
import { connect, type DetailedPeerCertificate } from 'node:tls';
import { isLoopback } from '../tls/names.ts';
import { badRequest } from '../errors.ts';
import { LabLost } from './lab.ts';

/** How long a handshake may take, in ms. */
const HANDSHAKE_MS = 10_000;

/** The address of a lab. Throws a 400 Refusal: a key must cross no network in the clear. */
export function labAddress(to: string): URL {
  const address = URL.parse(to);
  if (!address || (address.protocol !== 'https:' && address.protocol !== 'http:'))
    throw badRequest(`to must be an address such as https://lab.example:7443, got "${to}"`);
  if (address.protocol === 'http:' && !isLoopback(address.hostname.replace(/^\[|\]$/g, '')))
    throw badRequest(`to must begin with https:// unless it is this machine, got "${to}"`);
  if (address.username !== '' || address.password !== '')
    throw badRequest('to must hold no user or password: the API key says who asks');
  return address;
}

/** The certificate to trust, PEM. Throws a 400 Refusal where it is none. */
export function givenAuthority(pem: string): string {
  try {
    return new X509Certificate(pem).toString();
  } catch {
    throw badRequest('ca must be a certificate as PEM, as in the ca_file of the lab');
  }
}

/**
 * The certificate of a lab's chain that has this fingerprint, PEM. The chain is only looked at, over a connection that carries
 * nothing; whoever then trusts the certificate checks the lab's own against it as ever, its name included. Rejects with a 400
 * Refusal where none has it, LabLost where nobody answers.
 */
export async function authorityOf(address: URL, fingerprint: string): Promise<string> {
  const wanted = fingerprint.replaceAll(':', '').toUpperCase();
  const chain = await chainOf(address);
  const found = chain.find(({ fingerprint256 }) => fingerprint256.replaceAll(':', '') === wanted);
  if (found) return found.toString();
  const shown = chain.map(({ fingerprint256 }) => fingerprint256).join(', ');
  throw badRequest(`fingerprint must be of a certificate of the lab, got ${fingerprint}; it shows ${shown}`);
}

function chainOf(address: URL): Promise<readonly X509Certificate[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly X509Certificate[]>();
  const host = address.hostname.replace(/^\[|\]$/g, '');
  const socket = connect({
    host,
    port: Number(address.port || 443),
    ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
    rejectUnauthorized: false,
  });
  socket.setTimeout(HANDSHAKE_MS, () => socket.destroy(new Error('it does not answer')));
  socket.once('error', (cause) =>
    reject(new LabLost(`${address.host} cannot be reached (${cause.message}).`, { cause })),
  );
  socket.once('secureConnect', () => {
    resolve(certificatesOf(socket.getPeerCertificate(true)));
    socket.destroy();
  });
  return promise;
}

function certificatesOf(first: DetailedPeerCertificate): X509Certificate[] {
  const chain: X509Certificate[] = [];
  const seen = new Set<string>();
  let next: DetailedPeerCertificate | undefined = first;
  while (next?.raw && !seen.has(next.fingerprint256)) {
    seen.add(next.fingerprint256);
    chain.push(new X509Certificate(next.raw));
    next = next.issuerCertificate;
  }
  return chain;
}
