import type { IncomingMessage, ServerOptions } from 'node:http';
import { quote } from '#shared/values/validate.ts';
import { badRequest, forbidden, type Refusal } from '../base/errors.ts';
import type { OwnHosts } from '../net/own-hosts.ts';

/*
 * What may come at a service that listens on a person's own machine, and what stands against it:
 *
 * - DNS rebinding: a web page's own domain is made to resolve to 127.0.0.1, so that the page talks to the service as to
 *   its own server. Its requests still carry that domain as Host: only this machine's names and addresses are answered.
 * - Requests across sites: a page posts to, or embeds, an address of the service. Browsers name the page in Origin and
 *   tell its relation in Sec-Fetch-Site: only the service's own pages are answered, and no CORS header is ever sent.
 *   The console's cookie is SameSite=Strict; everything else needs a key in a header, never in the query.
 * - Oversized requests: LIMITS for the head of a request, body.ts for its body.
 * - Slow requests: LIMITS for the head, body.ts for the body, and connections.ts for what one peer can hold open.
 * - Other users of the network: the plain door is loopback only, and anything else needs TLS.
 */

/** Bytes of request line and headers, and ms they may take; the sender is told in both cases. */
export const LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  /** Bodies have their own limits (body.ts): an import may take hours. */
  requestTimeout: 0,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 2_000,
  /** The guard answers for a missing Host itself, with an envelope. */
  requireHostHeader: false,
} as const satisfies ServerOptions;

/** Headers of one request; Node takes them as a property of the server. */
export const MAX_HEADERS = 1000;

export type Scheme = 'http' | 'https';

/** Returns why a request must not be answered, or null where it may. Runs before anything else looks at it. */
export type Guard = (request: IncomingMessage) => Refusal | null;

/** An absolute request target, as for a proxy. */
const ABSOLUTE = /^[a-z][\d+.a-z-]*:\/\/(?<host>[^/?#]*)/i;
const HOST = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d{1,5})?$/;

/** Of a list of names and values in turn. */
const isHostName = (text: string, at: number) =>
  at % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';

/** `scheme` is what this door speaks; `publicUrl`: under which address a balancer passes requests on to it. */
export function createGuard(isOwn: OwnHosts, scheme: Scheme, publicUrl: string | null = null): Guard {
  return ({ headers, rawHeaders, url = '' }) => {
    const { host } = headers;
    // RFC 9112, 3.2: of two, whoever passes the request on may have looked at the other one.
    if (rawHeaders.filter(isHostName).length > 1)
      return badRequest('The request needs one Host header, got several.');
    // Node looks at the last coding alone.
    if ((headers['transfer-encoding']?.toLowerCase() ?? 'chunked') !== 'chunked')
      return badRequest(
        `Transfer-Encoding may only be "chunked", got ${quote(headers['transfer-encoding'])}.`,
      );
    // RFC 9112, 3.2.2: the host of an absolute target counts, and Host, which still has to be there, does not.
    const absolute = url.startsWith('/') ? null : ABSOLUTE.exec(url);
    const asked = (absolute?.groups?.['host'] ?? host ?? '').toLowerCase();
    const name = HOST.exec(asked)?.[1];
    if (host === undefined || name === undefined)
      return badRequest('The request needs a Host header with the name or address of this service.');
    if (!isOwn(name))
      return forbidden('The Host of the request is not a name or an address of this service.');
    const origin = headers.origin?.toLowerCase();
    if (origin !== undefined && origin !== `${scheme}://${asked}` && origin !== publicUrl)
      return forbidden('Requests of pages from elsewhere are not answered (Origin).');
    const site = headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none')
      return forbidden('Requests of pages from elsewhere are not answered (Sec-Fetch-Site).');
    return null;
  };
}

/** A request target without its host, which the guard has looked at: routes and refusals know paths alone. */
export const withoutHost = (target: string) =>
  target.startsWith('/') ? target : target.replace(ABSOLUTE, '').replace(/^(?=\?|$)/, '/');
