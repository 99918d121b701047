import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import type { Address } from './address.ts';
import { remoteError } from './failure.ts';

/** A certificate that was shown, for people to judge. */
export interface ShownCertificate {
  readonly subject: string;
  readonly issuer: string;
  /** SHA-256, pairs of hex digits between colons. */
  readonly fingerprint: string;
  /** ISO 8601, in UTC. */
  readonly valid_until: string;
  /** The names and addresses that it is for. */
  readonly names: readonly string[];
  /** Whether it may sign others. */
  readonly is_authority: boolean;
  /** PEM. */
  readonly certificate: string;
}

/** The server at an address. */
export interface ProbedServer {
  /** Whether this machine trusts it anyway. */
  readonly trusted: boolean;
  /** The server's own first; empty for plain HTTP. */
  readonly chain: readonly ShownCertificate[];
}

const PATIENCE_MS = 10_000;
/** Certificates of one chain. */
const MOST = 8;

/**
 * Probes a server: a TLS handshake that ends before anything is sent, so that people can compare fingerprints first.
 * Rejects with RemoteError.
 */
export async function probeCertificate(
  { url, host, port, isPlain }: Address,
  signal?: AbortSignal,
): Promise<ProbedServer> {
  if (isPlain) return { trusted: true, chain: [] };
  // Nothing is sent to an unverified server: later requests go through trust.ts.
  const socket = connect({
    host,
    port,
    rejectUnauthorized: false,
    ...(isIP(host) === 0 && { servername: host }),
  });
  try {
    await shaken(socket, signal);
    return { trusted: socket.authorized, chain: chainOf(socket.getPeerCertificate(true)) };
  } catch (error) {
    signal?.throwIfAborted();
    throw remoteError(url, error);
  } finally {
    socket.destroy();
  }
}

/** Waits for the end of the handshake. Rejects where there is none. */
function shaken(socket: TLSSocket, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(PATIENCE_MS, () => reject(Object.assign(new Error('silent'), { code: 'ETIMEDOUT' })));
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    socket.on('error', reject);
    socket.once('secureConnect', () => resolve());
  });
}

function chainOf(first: DetailedPeerCertificate): ShownCertificate[] {
  const chain: ShownCertificate[] = [];
  let next: DetailedPeerCertificate | undefined = first;
  // One that signed itself is its own issuer.
  while (next?.raw && chain.length < MOST) {
    const seen = describeCertificate(new X509Certificate(next.raw));
    if (chain.some(({ fingerprint }) => fingerprint === seen.fingerprint)) break;
    chain.push(seen);
    next = next.issuerCertificate;
  }
  return chain;
}

/** A certificate as people judge it. */
export function describeCertificate(certificate: X509Certificate): ShownCertificate {
  return {
    subject: nameIn(certificate.subject),
    issuer: nameIn(certificate.issuer),
    fingerprint: certificate.fingerprint256,
    valid_until: new Date(certificate.validTo).toISOString(),
    names: (certificate.subjectAltName ?? '')
      .split(', ')
      .flatMap((name) => name.replace(/^(DNS|IP Address):/, '') || []),
    is_authority: certificate.ca,
    certificate: certificate.toString(),
  };
}

/** One line of what Node writes in several: "CN=Fieldbench, O=Fieldbench". */
const nameIn = (subject: string) => subject.split('\n').join(', ');
